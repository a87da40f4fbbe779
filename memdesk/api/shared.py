"""A server over a database that several of them share: mem0's addresses and nothing of the desktop."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.responses import Response

import memdesk
from memdesk.api import errors
from memdesk.api.activity import ActivityLog
from memdesk.api.auth import AccessPolicy
from memdesk.api.dialects.mem0.routes import router
from memdesk.api.guard import Guard
from memdesk.api.plain import reply

if TYPE_CHECKING:
    import socket

    from memdesk.domain.models import ApiToken
    from memdesk.ports import Clock
    from memdesk.ports.library import Requests
    from memdesk.services.library import MemoryService


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What stands behind the server.

    Attributes:
        memory: the memory of a tenant.
        check: the token of a secret, whose id is its tenant; None for one that is unknown.
        requests: carried out once by all servers together.
    """

    memory: Callable[[str], MemoryService]
    check: Callable[[str], ApiToken | None]
    requests: Requests
    clock: Clock


def create_shared_app(shared: Shared, *, host: str) -> FastAPI:
    """Return the ASGI application; ``host`` is a name it may be called by."""
    app = FastAPI(title="memdesk", version=memdesk.__version__, docs_url=None, redoc_url=None, openapi_url=None)
    app.router.redirect_slashes = False
    app.state.shared, app.state.services = shared, None
    errors.install(app)
    app.add_api_route("/health", _health, methods=["GET"])
    app.router.routes += router(app).routes
    access = AccessPolicy(check=shared.check, allowed_hosts=frozenset({host.casefold()}), any_address=True)
    # Nothing is noted of who asked what.
    app.add_middleware(Guard, access=access, activity=ActivityLog(lambda _: None), clock=shared.clock)
    return app


def _health() -> Response:
    return reply({"status": "ok"})


def run(app: FastAPI, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until SIGTERM or SIGINT; requests that run are finished."""
    import uvicorn

    class Announcing(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            # Its own would raise the signal again at the end, before anything of ours is closed.
            before = {number: signal.signal(number, self.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
            try:
                yield
            finally:
                for number, handler in before.items():
                    signal.signal(number, handler)

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready()

    config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=10)
    Announcing(config).run(sockets=[listening])
