"""The application: routes, errors, and the guard in front of them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final

from fastapi import FastAPI
from starlette.routing import BaseRoute, Match, Route
from starlette.types import ASGIApp, Scope

import memdesk
from memdesk.api import errors
from memdesk.api.activity import ActivityLog
from memdesk.api.auth import AccessPolicy
from memdesk.api.guard import Guard
from memdesk.api.streaming import Streams

if TYPE_CHECKING:
    from memdesk.api.upstreams import Upstream
    from memdesk.services.container import Services

#: One file per feature; each module has ``router(app)``, mostly from :func:`memdesk.api.feature.feature`.
FEATURES: Final = (
    "health",
    "ingest",
    "search",
    "tools",
    "items",
    "notes",
    "facts",
    "episodes",
    "identity",
    "transcript",
    "conversations",
    "folders",
    "entities",
    "review",
    "memory_tests",
    "forget",
    "history",
    "receipts",
    "status",
    "distill",
    "runs",
    "settings",
    "tokens",
    "programs",
    "agents",
    "backup",
    "grades",
    "window",
    "docs",
)

#: Foreign protocols, one folder each; as above.
DIALECTS: Final = (
    "openai.chat",
    "openai.completions",
    "openai.models",
    "openai.embeddings",
    "responses.routes",
    "anthropic.messages",
    "ollama.routes",
    "mem0.routes",
    "omniroute.routes",
    "omniroute.qdrant",
)


def create_app(
    services: Services,
    *,
    access: AccessPolicy | None = None,
    activity: ActivityLog | None = None,
    streams: Streams | None = None,
    mounts: Mapping[str, ASGIApp] | None = None,
    upstream: Upstream | None = None,
) -> FastAPI:
    """Return the ASGI application.

    ``activity`` logs requests; None for a log that is flushed by hand (``app.state.activity.flush()``). ``streams``
    registers running answers, so that stopping can end them. ``mounts`` are applications of other layers by path, behind
    the same guard; ``upstream`` is a server whose chat gets memory here, instead of our own models.
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
    if upstream is not None:
        from memdesk.api.dialects.upstream import router as upstream_router

        app.router.routes += upstream_router(app, upstream).routes
    # ``include_router`` would process each route again, while the first request waits.
    for module in (*(f"routes.{name}" for name in FEATURES), *(f"dialects.{name}" for name in DIALECTS)):
        app.router.routes += import_module(f"memdesk.api.{module}").router(app).routes
    for path, mounted in (mounts or {}).items():
        app.router.routes.append(Route(path, endpoint=mounted))
    rest: list[BaseRoute] = []
    if upstream is not None:
        from memdesk.api.dialects.upstream import remainder

        rest = remainder(upstream).routes
        app.router.routes += rest

    def passes(scope: Scope) -> bool:
        return bool(rest) and next(each for each in app.routes if each.matches(scope)[0] is Match.FULL) in rest

    app.add_middleware(
        Guard,
        access=access or AccessPolicy.of(services),
        activity=app.state.activity,
        clock=services.clock,
        passes=passes,
    )
    return app
