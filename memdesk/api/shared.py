"""A server over a shared database: mem0's routes and nothing of the desktop app."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
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
from memdesk.api.tenants import Shared

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable


def create_shared_app(shared: Shared, *, host: str) -> FastAPI:
    """Return the ASGI application; ``host`` is an allowed host name."""
    app = FastAPI(title="memdesk", version=memdesk.__version__, docs_url=None, redoc_url=None, openapi_url=None)
    app.router.redirect_slashes = False
    app.state.shared, app.state.services = shared, None
    errors.install(app)
    app.add_api_route("/health", _health, methods=["GET"])
    app.router.routes += router(app).routes
    access = AccessPolicy(check=shared.check, allowed_hosts=frozenset({host.casefold()}), any_address=True)
    # Requests are not logged.
    app.add_middleware(Guard, access=access, activity=ActivityLog(lambda _: None), clock=shared.clock)
    return app


def _health() -> Response:
    return reply({"status": "ok"})


def run(app: FastAPI, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until SIGTERM or SIGINT; running requests are finished."""
    import uvicorn

    class Announcing(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            # uvicorn's own handlers would raise the signal again at the end, before ours is closed.
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
