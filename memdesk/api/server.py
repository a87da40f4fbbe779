"""uvicorn on its own thread: start, announce, stop."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import sys
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from attrs import define

from memdesk.api.activity import ActivityLog
from memdesk.api.deferred import Asgi, DeferredApp
from memdesk.api.streaming import Streams
from memdesk.errors import EnvironmentFault
from memdesk.messages import say
from memdesk.services.events import ServerChanged, TokensChanged

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

    from memdesk.api.auth import AccessPolicy
    from memdesk.api.upstreams import Upstream
    from memdesk.services.container import Services

log = logging.getLogger(__name__)

START_SECONDS: Final = 30.0
STOP_SECONDS: Final = 10.0
#: The interpreter's switch interval. A request waits for it several times; with Python's own 5 ms, the 95th of 100 searches
#: took 2.6 times as long during the distillation of four sessions as without, with this 1.8 times.
SWITCH_SECONDS: Final = 0.0005


class PortTakenError(EnvironmentFault):
    code = "port_taken"
    title = say("The port is taken")
    status = 503


class ServerStartError(EnvironmentFault):
    """The server cannot listen on the address, or did not start."""

    code = "server_start_failed"
    title = say("The local server could not start")


@define(eq=False, repr=False, slots=False)
class ApiServer:
    """The local server. ``start`` returns when it accepts requests; no model is loaded for that."""

    _services: Services
    _host: str
    _port: int
    _access: AccessPolicy | None = None
    _mounts: Callable[[], Mapping[str, ASGIApp]] | None = None
    _upstream: Upstream | None = None

    def __attrs_post_init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._server: uvicorn.Server | None = None
        self._streams = Streams()
        self._url = ""
        self._failure: BaseException | None = None

    @property
    def url(self) -> str:
        """Its URL, such as ``http://127.0.0.1:1337``; "" when it does not listen."""
        return self._url

    @property
    def running(self) -> bool:
        return bool(self._url)

    def start(self) -> str:
        """Listen, and return the URL. Does nothing if it is running.

        Raises:
            PortTakenError: another program has the port.
            ServerStartError: the address is not this machine's, or may not be listened on.
        """
        with self._lock:
            if self._url:
                return self._url
            try:
                listener = listen(self._host, self._port)
                self._run(listener)
            except EnvironmentFault as fault:
                self._tell(ServerChanged(url="", state="failed", message=fault.message))
                raise
            name = f"[{self._host}]" if ":" in self._host else self._host
            self._url = f"http://{name}:{listener.getsockname()[1]}"
            self._tell(ServerChanged(url=self._url, state="listening"))
            return self._url

    def stop(self) -> None:
        """End running answers (each records its text so far), close, and wait. Idempotent."""
        with self._lock:
            if self._thread is None:
                return
            if self._server is not None:
                self._streams.end_all(STOP_SECONDS)
                self._server.should_exit = True
            self._thread.join(STOP_SECONDS)
            if self._thread.is_alive():
                log.warning("the local server did not stop in time")
            self._thread = self._server = None
            self._url = ""
            self._tell(ServerChanged(url="", state="stopped"))

    def _run(self, listener: socket.socket) -> None:
        import uvicorn

        from memdesk.api.patience import PatientProtocol

        services = self._services
        activity = self.activity = ActivityLog(services.status.record_activity)
        streams = self._streams = Streams()

        def build() -> Asgi:
            from memdesk.api.app import create_app
            from memdesk.api.auth import AccessPolicy

            access = self._access or AccessPolicy.of(services, host=self._host)
            mounts = self._mounts() if self._mounts is not None else None
            return create_app(
                services, access=access, activity=activity, streams=streams, mounts=mounts, upstream=self._upstream
            )

        app = DeferredApp(build)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            loop="asyncio",
            http=PatientProtocol,
            timeout_keep_alive=30,
            # This many are accepted in one turn of the loop, before any can be dropped.
            backlog=64,
            timeout_graceful_shutdown=5,
        )
        self._failure = None
        ready = threading.Event()

        class Announcing(uvicorn.Server):
            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets)
                ready.set()

        server = self._server = Announcing(config)

        def revoked(_event: TokensChanged) -> None:
            streams.end_without_right(services.tokens.is_valid)

        def body() -> None:
            # The window has already done so.
            sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_SECONDS))
            activity.start()
            unsubscribe = services.events.subscribe(TokensChanged, revoked)
            try:
                asyncio.run(server.serve(sockets=[listener]))
            except Exception as error:
                self._failure = error
                log.exception("the local server ended on an error")
                self._url = ""
                self._tell(ServerChanged(url="", state="failed", message=say("The local server ended on an error.")))
            finally:
                ready.set()
                unsubscribe()
                app.join()
                activity.stop()
                listener.close()

        self._thread = threading.Thread(target=body, name="memdesk-api", daemon=True)
        self._thread.start()
        if not ready.wait(START_SECONDS) or not server.started:
            self._thread = self._server = None
            raise ServerStartError(
                say("The local server did not come up."), hint=say("The log says why.")
            ) from self._failure
        # Only now: importing FastAPI competes with what must run first.
        app.start()

    def _tell(self, event: ServerChanged) -> None:
        self._services.events.publish(event)


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 takes a free one.

    Raises:
        PortTakenError: another program has the port.
        ServerStartError: the address cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        # Allows rebinding right after a restart; on Windows this option would let two servers share a port.
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except (OSError, OverflowError, UnicodeError) as error:
        listener.close()
        raise _translated(error, host, port) from error
    return listener


def _translated(error: Exception, host: str, port: int) -> EnvironmentFault:
    if isinstance(error, OverflowError):
        return ServerStartError(say("{port} is not a port.", port=port), hint=say("Ports go from 0 to 65535."))
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.EADDRINUSE:
        return PortTakenError(
            say("Port {port} on {host} is in use{more}.", port=port, host=host, more=_owner(port)),
            hint=say("Choose another port under Settings, Server (or --port 0 for a free one), or end that program."),
        )
    if number in {errno.EACCES, errno.EPERM}:
        return ServerStartError(
            say("This system does not let memdesk listen on port {port}.", port=port),
            hint=say("Choose a port from 1024 up."),
        )
    return ServerStartError(
        say("{host} is not an address of this machine that can be listened on.", host=host),
        hint=say("127.0.0.1 always is."),
    )


def _owner(port: int) -> str:
    """Return the name and id of the program that has a port, in words; "" if the system does not say."""
    import psutil

    try:
        for connection in psutil.net_connections(kind="tcp"):
            if connection.status == psutil.CONN_LISTEN and connection.laddr.port == port and connection.pid:
                name = psutil.Process(connection.pid).name()
                return say(" by {name} (process {pid})", name=name, pid=connection.pid)
    except (psutil.Error, OSError):
        # Some systems tell only administrators; the message leaves it out.
        return ""
    return ""
