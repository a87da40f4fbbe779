"""Server-sent events of a remote server, which another thread can stop."""

import contextlib
import logging
import queue
import socket
import struct
import threading
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, Protocol, Self

import httpx

from memdesk.domain.decoding import UndecodableError, decode
from memdesk.engines.remote_errors import RemoteFailedError, from_status, from_transport, too_late
from memdesk.errors import CancelledError, MemdeskError
from memdesk.messages import say
from memdesk.ports import CancelToken
from memdesk.settings.addresses import certificates, is_local

log = logging.getLogger(__name__)

POLL_SECONDS = 0.05
CONNECT_SECONDS = 5.0
#: Limit of one event; real servers' largest hold a few tool calls.
MAX_EVENT_BYTES = 8 * 2**20
#: Limit of a whole answer with its framing: a few hundred bytes per token.
MAX_ANSWER_BYTES = 256 * 2**20
#: Limit of a whole answer, in seconds. Servers that send keep-alives would never time out.
MAX_ANSWER_SECONDS = 3600.0
#: Limit of an error response.
MAX_ERROR_BYTES = 64 * 2**10


class Endpoint(Protocol):
    """What is needed to call a server."""

    @property
    def name(self) -> str:
        """Its name, for messages."""

    @property
    def base_url(self) -> str:
        """Its URL; paths are appended."""

    @property
    def timeout(self) -> float:
        """Seconds without an event before giving up."""

    def headers(self) -> dict[str, str]: ...


class EventStream:
    """One streaming request.

    A separate thread reads, because a blocking read cannot watch a cancel token. Leaving the ``with``
    block shuts the socket down, which ends the read at once; servers stop generating when they notice.
    """

    def __init__(self, server: Endpoint, path: str, body: dict[str, Any], model: str) -> None:
        self._server = server
        self._path = path
        self._body = body
        self._model = model
        self._events: queue.SimpleQueue[dict[str, Any] | MemdeskError | None] = queue.SimpleQueue()
        self._socket: socket.socket | None = None
        #: whether the server reported the end.
        self.complete = False
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="memdesk-remote", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopped.set()
        self._hang_up()
        self._thread.join(timeout=CONNECT_SECONDS + 1.0)

    def _hang_up(self) -> None:
        """Close the connection at once. Without a reset, a server blocked in writing waits for a system timeout."""
        if self._socket is None:
            return
        with contextlib.suppress(OSError):  # it may be closed already
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._socket.shutdown(socket.SHUT_RDWR)

    def read(self, cancel: CancelToken | None) -> Iterator[dict[str, Any]]:
        """Yield the events' JSON.

        Raises:
            CancelledError: ``cancel`` was set.
            EngineTimeoutError: no event came in time.
            MemdeskError: the server or the connection failed.
        """
        heard = time.monotonic()
        while True:
            if cancel is not None and cancel.is_set():
                raise CancelledError(say("The request was cancelled."))
            try:
                event = self._events.get(timeout=POLL_SECONDS)
            except queue.Empty:
                # Keep-alives are not an answer, however often they come.
                if time.monotonic() - heard > self._server.timeout:
                    raise too_late(self._server.name) from None
                continue
            if event is None:
                return
            if isinstance(event, MemdeskError):
                raise event
            yield event
            heard = time.monotonic()

    def _run(self) -> None:
        try:
            self._request()
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            self._events.put(from_transport(error, self._server.name))
        except MemdeskError as error:
            self._events.put(error)
        except Exception:
            # Any error must reach whoever waits for the next event.
            log.exception("reading from a remote server failed on a fault of our own")
            self._events.put(RemoteFailedError(say("The answer of {name} could not be read.", name=self._server.name)))
        else:
            self._events.put(None)

    def _request(self) -> None:
        timeout = httpx.Timeout(self._server.timeout, connect=CONNECT_SECONDS)
        with (
            httpx.Client(
                timeout=timeout, trust_env=not is_local(self._server.base_url), verify=certificates()
            ) as client,
            client.stream(
                "POST",
                f"{self._server.base_url}/{self._path}",
                json=self._body,
                headers=self._server.headers(),
                extensions={"trace": self._trace},
            ) as response,
        ):
            if response.status_code != 200:
                body = read_at_most(response, MAX_ERROR_BYTES)
                raise from_status(
                    response.status_code,
                    body,
                    self._server.name,
                    self._model,
                    again=response.headers.get("retry-after", ""),
                )
            until = time.monotonic() + MAX_ANSWER_SECONDS
            for line in self._lines(response.iter_bytes()):
                if self._stopped.is_set() or not self._take(line):
                    return
                if time.monotonic() > until:
                    raise RemoteFailedError(say("The answer of {name} does not end.", name=self._server.name))

    def _lines(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines of a stream, limited singly and in total."""
        rest, taken = b"", 0
        for piece in pieces:
            taken += len(piece)
            *lines, rest = (rest + piece).split(b"\n")
            if taken > MAX_ANSWER_BYTES or len(rest) > MAX_EVENT_BYTES:
                raise RemoteFailedError(say("The answer of {name} does not end.", name=self._server.name))
            yield from lines
        yield rest

    def _take(self, line: bytes) -> bool:
        """Handle one line; False at the end of the stream."""
        if not line.startswith(b"data:"):
            return True
        data = line.removeprefix(b"data:").strip()
        if data == b"[DONE]":
            self.complete = True
            return False
        try:
            event = decode(data, most=MAX_EVENT_BYTES)
        except UndecodableError as error:
            raise RemoteFailedError(
                say("{name} sent something that cannot be read: {error}.", name=self._server.name, error=error)
            ) from error
        if isinstance(event, dict) and event.get("error"):
            raise from_status(500, data, self._server.name, self._model)
        if isinstance(event, dict):
            self._events.put(event)
        return True

    def _trace(self, event: str, info: dict[str, Any]) -> None:
        """Capture the socket as soon as it exists; answers may take long."""
        if event in {"connection.connect_tcp.complete", "connection.start_tls.complete"}:
            self._socket = info["return_value"].get_extra_info("socket")
            if self._stopped.is_set():
                self._hang_up()


def read_at_most(response: httpx.Response, most: int) -> bytes:
    """Return the first ``most`` bytes of a streamed response, which must be complete within the client's read timeout.

    Raises:
        httpx.ReadTimeout: it is not complete in time.
    """
    until = time.monotonic() + response.request.extensions["timeout"]["read"]
    taken = b""
    for piece in response.iter_bytes():
        taken += piece
        if len(taken) > most:
            break
        if time.monotonic() > until:
            raise httpx.ReadTimeout("the answer does not end", request=response.request)
    return taken[:most]
