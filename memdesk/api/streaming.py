"""Bridges a synchronous stream of events to the event loop without blocking it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Final, Generic, TypeVar

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from memdesk.domain.models import ApiToken

log = logging.getLogger(__name__)
T = TypeVar("T")

#: Seconds between a waiting request's checks whether its client is still connected.
POLL_SECONDS: Final = 0.2


class StreamGoneError(Exception):
    """The client disconnected before the answer was finished."""


class Bridge(Generic[T]):
    """Runs an iterator on its own thread and passes its items to the event loop.

    When ``cancel`` is set, the iterator is still read to its end, so that it can record the answer so far.

    Args:
        start: makes the iterator from a cancel token.
        streams: registers it while it runs.
        token: the caller's token; the stream ends when that becomes invalid.
    """

    def __init__(
        self, start: Callable[[threading.Event], Iterator[T]], streams: Streams, token: ApiToken | None = None
    ) -> None:
        self.cancel = threading.Event()
        self.token = token
        self._start = start
        self._streams = streams
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[tuple[bool, T | BaseException | None]] = asyncio.Queue()
        self._held: list[T] = []
        self._thread = threading.Thread(target=self._run, name="memdesk-api-stream", daemon=True)
        streams.add(self)
        self._thread.start()

    async def next(self, *, within: float | None = None) -> T:
        """Return the next item.

        Raises:
            StopAsyncIteration: there is none.
            TimeoutError: none arrived in time; nothing is lost.
            Exception: what the iterator raised.
        """
        if self._held:
            return self._held.pop(0)
        if within is None:
            last, item = await self._queue.get()
        else:
            last, item = await asyncio.wait_for(self._queue.get(), within)
        if isinstance(item, BaseException):
            raise item
        if last:
            raise StopAsyncIteration
        return item  # type: ignore[return-value]  # the queue holds items, errors, or the end's None

    def hold(self, item: T) -> None:
        """Put an item back; the next :meth:`next` returns it."""
        self._held.append(item)

    async def next_while(self, gone: Callable[[], Awaitable[bool]], *, seconds: float | None = None) -> T:
        """Return the next item as :meth:`next` does, checking with ``gone`` whether the client is still connected.

        Raises:
            StreamGoneError: the client disconnected.
            TimeoutError: ``seconds`` have passed.
        """
        waited = 0.0
        while True:
            step = POLL_SECONDS if seconds is None else min(POLL_SECONDS, seconds - waited)
            try:
                return await self.next(within=step)
            except TimeoutError:
                waited += step
                if await gone():
                    raise StreamGoneError from None
                if seconds is not None and waited >= seconds:
                    raise

    def end(self, why: Exception) -> None:
        """Cancel, and raise ``why`` to the reader instead of the remaining items."""
        self.cancel.set()
        self._put(True, why)

    def join(self, timeout: float) -> None:
        self._thread.join(timeout)

    def _run(self) -> None:
        try:
            for item in self._start(self.cancel):
                self._put(False, item)
            self._put(True, None)
        except BaseException as error:  # noqa: BLE001 - it is raised again on the event loop
            self._put(True, error)
        finally:
            self._streams.remove(self)

    def _put(self, last: bool, item: T | BaseException | None) -> None:
        # The loop is closed when the server stops; nobody reads any more, and the iterator ends by itself.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._queue.put_nowait, (last, item))


class EventStream(Response):
    """A streamed answer. Calls ``left`` as soon as the client disconnects, even between two pieces."""

    def __init__(
        self,
        events: AsyncIterator[bytes],
        left: Callable[[], None],
        headers: dict[str, str],
        *,
        media_type: str | None = "text/event-stream",
        status: int = 200,
    ) -> None:
        self._events = events
        self._left = left
        self.status_code = status
        self.background = None
        self.media_type = media_type
        self.init_headers(headers | {"Cache-Control": "no-store", "X-Accel-Buffering": "no"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events until they end or the client disconnects."""
        _ = scope
        watcher = asyncio.create_task(self._watch(receive))
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            async for event in self._events:
                await send({"type": "http.response.body", "body": event, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except OSError:
            # The socket was closed during a send; the answer so far is kept.
            log.info("a client left before its answer was complete")
        finally:
            self._left()
            watcher.cancel()

    async def _watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._left()


class Streams:
    """The running streams, which end when the server stops."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[Bridge[Any]] = set()

    def add(self, bridge: Bridge[Any]) -> None:
        with self._lock:
            self._running.add(bridge)

    def remove(self, bridge: Bridge[Any]) -> None:
        with self._lock:
            self._running.discard(bridge)

    def end_without_right(self, is_valid: Callable[[ApiToken], bool]) -> None:
        """End the streams whose token is no longer valid."""
        # Imported here because it loads FastAPI, for which a starting server does not wait.
        from memdesk.api.errors import UnauthorizedError

        with self._lock:
            running = list(self._running)
        for bridge in running:
            if bridge.token is not None and not is_valid(bridge.token):
                bridge.end(UnauthorizedError("The token of this answer was revoked."))

    def end_all(self, timeout: float = 10.0) -> None:
        """Cancel every stream and wait for each to record its answer."""
        with self._lock:
            running = list(self._running)
        for bridge in running:
            bridge.cancel.set()
        for bridge in running:
            bridge.join(timeout)
