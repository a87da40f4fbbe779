"""Server-sent events of a remote server, readable and stoppable from another thread."""

from __future__ import annotations

import contextlib
import json
import queue
import socket
import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Protocol, Self

import httpx

from memdesk.engines.local_hosts import is_local
from memdesk.engines.remote_errors import from_status, from_transport
from memdesk.errors import CancelledError, EngineError, MemdeskError
from memdesk.ports import CancelToken

POLL_SECONDS = 0.05
CONNECT_SECONDS = 5.0


class Endpoint(Protocol):
    """What is needed to call a server."""

    @property
    def name(self) -> str:
        """Its name, for messages."""

    @property
    def base_url(self) -> str:
        """Its address; paths are appended."""

    @property
    def timeout(self) -> float:
        """Seconds without a byte before it is given up."""

    def headers(self) -> dict[str, str]:
        """Return its request headers."""


class EventStream:
    """One streaming request.

    A thread of its own reads, because a blocking read cannot watch a cancel token. Leaving the ``with``
    block shuts the socket down, which ends the read at once; servers stop generating when they notice.
    """

    def __init__(self, server: Endpoint, path: str, body: dict[str, Any], model: str) -> None:
        self._server = server
        self._path = path
        self._body = body
        self._model = model
        self._events: queue.SimpleQueue[dict[str, Any] | MemdeskError | None] = queue.SimpleQueue()
        self._socket: socket.socket | None = None
        #: whether the server said that it was done.
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
        if self._socket is not None:
            with contextlib.suppress(OSError):  # it may be closed already
                self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(timeout=CONNECT_SECONDS + 1.0)

    def read(self, cancel: CancelToken | None) -> Iterator[dict[str, Any]]:
        """Yield the events' JSON.

        Raises:
            CancelledError: ``cancel`` was set.
            MemdeskError: the server or the connection failed.
        """
        while True:
            if cancel is not None and cancel.is_set():
                raise CancelledError("The request was cancelled.")
            try:
                event = self._events.get(timeout=POLL_SECONDS)
            except queue.Empty:
                continue
            if event is None:
                return
            if isinstance(event, MemdeskError):
                raise event
            yield event

    def _run(self) -> None:
        try:
            self._request()
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            self._events.put(from_transport(error, self._server.name))
        except MemdeskError as error:
            self._events.put(error)
        else:
            self._events.put(None)

    def _request(self) -> None:
        timeout = httpx.Timeout(self._server.timeout, connect=CONNECT_SECONDS)
        with (
            httpx.Client(timeout=timeout, trust_env=not is_local(self._server.base_url)) as client,
            client.stream(
                "POST",
                f"{self._server.base_url}/{self._path}",
                json=self._body,
                headers=self._server.headers(),
                extensions={"trace": self._trace},
            ) as response,
        ):
            if response.status_code != 200:
                raise from_status(response.status_code, response.read(), self._server.name, self._model)
            for line in response.iter_lines():
                if self._stopped.is_set() or not self._take(line):
                    return

    def _take(self, line: str) -> bool:
        """Handle one line; False at the end of the stream."""
        if not line.startswith("data:"):
            return True
        data = line.removeprefix("data:").strip()
        if data == "[DONE]":
            self.complete = True
            return False
        try:
            event = json.loads(data)
        except ValueError as error:
            raise EngineError(f"{self._server.name} sent something that is no JSON.") from error
        if isinstance(event, dict) and event.get("error"):
            raise from_status(500, data.encode(), self._server.name, self._model)
        if isinstance(event, dict):
            self._events.put(event)
        return True

    def _trace(self, event: str, info: dict[str, Any]) -> None:
        """Get hold of the socket as soon as there is one; answers may be long in coming."""
        if event == "connection.connect_tcp.complete":
            self._socket = info["return_value"].get_extra_info("socket")
            if self._stopped.is_set() and self._socket is not None:
                self._socket.shutdown(socket.SHUT_RDWR)
