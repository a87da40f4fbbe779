"""The application: routes, errors, and the guard before them all."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from fastapi import FastAPI

import memdesk
from memdesk.api import errors
from memdesk.api.activity import ActivityLog
from memdesk.api.auth import AccessPolicy
from memdesk.api.guard import Guard
from memdesk.api.streaming import Streams

if TYPE_CHECKING:
    from memdesk.services.container import Services

#: One file a feature; each module has ``router(services)``, those that stream take ``streams`` too.
FEATURES: Final = (
    "health",
    "models",
    "chat",
    "embeddings",
    "ingest",
    "search",
    "facts",
    "episodes",
    "identity",
    "transcript",
    "conversations",
    "entities",
    "review",
    "forget",
    "history",
    "receipts",
    "status",
    "distill",
    "runs",
    "settings",
    "tokens",
    "agents",
    "backup",
    "grades",
    "window",
    "docs",
)


def create_app(
    services: Services,
    *,
    access: AccessPolicy | None = None,
    activity: ActivityLog | None = None,
    streams: Streams | None = None,
) -> FastAPI:
    """Return the ASGI application.

    Args:
        services: the service layer.
        access: who may call; None for what the settings say.
        activity: where requests are noted; None for one that is written by hand (``app.state.activity.flush()``).
        streams: where running answers are noted, so that a stop can end them.
    """
    app = FastAPI(
        title="memdesk",
        version=memdesk.__version__,
        description="Chat with memory, and the memory itself, on this machine only.",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    app.state.services = services
    app.state.activity = activity or ActivityLog(services.status.record_activity)
    app.state.streams = streams or Streams()
    errors.install(app)
    for feature in FEATURES:
        app.include_router(import_module(f"memdesk.api.routes.{feature}").router(app))
    app.add_middleware(
        Guard, access=access or AccessPolicy.of(services), activity=app.state.activity, clock=services.clock
    )
    return app
