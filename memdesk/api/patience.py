"""Limits on waiting: for clients to send and receive, and for requests in progress."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Hashable
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from anyio.to_thread import current_default_thread_limiter
from uvicorn.protocols.http.h11_impl import H11Protocol

from memdesk.api.errors import SlowClientError, TooManyRequestsError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import Message, Receive

#: Maximum seconds from connecting, or a request's first byte, to the end of its headers.
HEADER_SECONDS: Final = 20.0
#: Seconds that a body may take, and the number of bytes that extends them by one.
BODY_SECONDS: Final = 30.0
BODY_RATE: Final = 16 * 2**10
#: Seconds between checks of how much of an answer a client has received, and the minimum bytes per second.
TAKE_SECONDS: Final = 30.0
TAKE_RATE: Final = 2**10
#: Maximum concurrent connections. Each is a file descriptor, of which a process has a thousand, on some systems 256.
MAX_CONNECTIONS: Final = 160
#: Maximum ``Retry-After`` in seconds: a longer forecast would be too uncertain.
LONGEST: Final = 60
#: Seconds for which a promised place is kept after its time, and the maximum number of promises.
KEPT_FOR: Final = 30
PROMISES: Final = 1000
#: Promises kept for requests that look alike.
ALIKE: Final = 64
#: Threads that requests other than work take turns in. More would only wait for each other, each with a reader's connection.
SHORT_THREADS: Final = 8
#: Seconds that requests which only read wait once a queue has stood for ``STANDING`` seconds, until none was refused for
#: ``CALM``: what comes at once, as from a page that opens, is served; of what keeps coming, some is refused and the rest quick.
CROWDED: Final = 0.1
STANDING: Final = 0.5
CALM: Final = 10.0
#: Requests that run side by side, and so wait for none of the others.
LEAST_CROWDED: Final = 2
#: Seconds within which those come again who were told when; what they were told is rounded up to a second.
COMING: Final = 1.0
#: Ends of the paths at which models answer, of every dialect.
_ANSWERING: Final = (
    "/chat/completions", "/completions", "/responses", "/messages", "/chat", "/generate",
)  # fmt: skip
#: Ends of the paths that may wait for models or the whole memory, for minutes.
_WORKING: Final = (
    "/ingest", "/distill", "/consolidate", "/import", "/export", "/backup", "/forget", "/memories", "/sync", "/test", "/mcp",
    "/embeddings", "/embed",
)  # fmt: skip


#: Ends of the other paths that only read.
_READING: Final = ("/search", "/search/", "/context")


class PatientProtocol(H11Protocol):
    """HTTP/1.1 that drops clients which neither send nor receive, and with too many connections the longest idle one."""

    _deadline: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None
    #: Since when it is idle; infinite during a request.
    _idle_since = math.inf
    #: Whether a request was answered on it.
    _known = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout of the first request."""
        super().connection_made(transport)
        self._wait()
        if len(self.connections) > MAX_CONNECTIONS:
            # Real clients send their headers at once, so the longest idle connection is dropped, first of those on which
            # nothing was ever asked: who was told to come back later waits on the others.
            dropped = min(self._others(), key=lambda each: (each._known, each._idle_since), default=self)  # noqa: SLF001
            dropped.transport.abort()

    def _others(self) -> list[PatientProtocol]:
        found = (each for each in self.connections if isinstance(each, PatientProtocol) and each is not self)
        return [each for each in found if each._idle_since < math.inf and not each.transport.is_closing()]  # noqa: SLF001

    def data_received(self, data: bytes) -> None:
        """Start the timeout of incomplete headers."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._served()
        elif self._deadline is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timeouts."""
        self._served()
        self._taken()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Restart the idle time; until the next request uvicorn's own limit applies."""
        self._served()
        self._idle_since, self._known = self.loop.time(), True
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Start checking whether the client receives the buffered data."""
        super().pause_writing()
        self._look_again(self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        self._taken()
        super().resume_writing()

    def _look_again(self, left: int) -> None:
        self._taken()
        self._taking = self.loop.call_later(TAKE_SECONDS, self._look, left)

    def _look(self, before: int) -> None:
        left = self.transport.get_write_buffer_size()
        if before - left < TAKE_RATE * TAKE_SECONDS:
            self.transport.abort()
        else:
            self._look_again(left)

    def _taken(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
            self._taking = None

    def _wait(self) -> None:
        self._idle_since = self.loop.time()
        self._deadline = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _served(self) -> None:
        self._idle_since = math.inf
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


@dataclass(slots=True)
class _Promise:
    """When a rejected request was told to retry, and how often it came in time and was rejected again."""

    due: float
    who: Hashable
    missed: int = 0


class Line:
    """Limits concurrent requests of one kind to what is served before clients give up, by the recent pace.

    For the event loop's thread only.

    Args:
        words: message for rejected requests.
        least: always admitted; slow models would otherwise get only one.
        most: maximum admitted at once; each holds a thread.
        patience: seconds that clients wait.
        pace: initial estimate of the seconds between two completions.
        now: a monotonic clock, in seconds.
    """

    def __init__(
        self,
        words: str,
        *,
        least: int,
        most: int,
        patience: float,
        pace: float,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._words, self._least, self._most, self._patience = words, least, most, patience
        self._pace, self._now = pace, now
        self._inside = 0
        #: Since when the queue has been longer than when crowded, and until when it counts as crowded.
        self._long_since = math.inf
        self._crowded_until = -math.inf
        #: Start of the current interval between completions.
        self._since = 0.0
        #: When rejected requests were told to retry, by what they ask; the same may be asked by several clients.
        self._promises: dict[Hashable, list[_Promise]] = {}

    @property
    def inside(self) -> int:
        """How many are in progress."""
        return self._inside

    @property
    def room(self) -> int:
        """How many may be in progress."""
        return max(self._least, int(min(self._most, self._patience / max(self._pace, 1e-6))))

    @property
    def crowded_room(self) -> int:
        """How many may be in progress for one that is in a hurry, once a queue has stood."""
        return max(LEAST_CROWDED, int(CROWDED / max(self._pace, 1e-6)))

    def enter(self, what: Callable[[], Hashable], *, who: Hashable = None, hurried: bool = False) -> None:
        """Admit a request.

        Args:
            what: returns a request's identity, the same on a retry; called if needed.
            who: its connection, which tells those apart who ask the same; a retry may come on another one.
            hurried: it is rejected rather than served late: no more than the least are admitted, and fewer while the line is crowded.

        Raises:
            TooManyRequestsError: it would wait too long. Each is told a later time than the one before, at the pace
                of completions; retries at that time take precedence over new requests.
        """
        now = self._now()
        self._note_length(now)
        strict = hurried and now < self._crowded_until
        room, owed = self.crowded_room if strict else self._least if hurried else self.room, 0
        if strict and self._inside:
            # Room is kept for those who were told to come about now, but never left empty.
            owed = sum(now - COMING < each.due <= now for each in self._every(now))
        if self._inside + owed >= room:
            self._refuse_unless_due(what(), who, now, room if hurried else self._most)
        if not self._inside:
            self._since = now
        self._inside += 1

    def _refuse_unless_due(self, key: Hashable, who: Hashable, now: float, room: int) -> None:
        """Use up the promise of a request that was told to retry by now, if there is room; else refuse it, telling when."""
        every = self._every(now)
        alike = self._promises.get(key, [])
        turn = next((each for each in alike if each.who == who), None)
        # Others who ask the same have a turn only if who was told does not come.
        turn = turn or next((each for each in alike if each.due <= now - COMING), None)
        # Each time that it came in vain it is let in sooner.
        if turn is not None and turn.due <= now and self._inside < min(room + 2 * turn.missed, self._most):
            alike.remove(turn)
            return
        if now < self._crowded_until:
            self._crowded_until = now + CALM
        if turn is not None and turn.due <= now:
            turn.due, turn.missed, turn.who = now, turn.missed + 1, who
        elif turn is None:
            last = max((each.due for each in every), default=now)
            turn = _Promise(min(max(last, now) + self._pace, now + LONGEST), who)
            if len(every) < PROMISES and len(alike) < ALIKE:
                self._promises[key] = [*alike, turn]
        raise TooManyRequestsError(self._words, seconds=max(1, math.ceil(turn.due - now)))

    def _every(self, now: float) -> list[_Promise]:
        """Return all promises, and drop those whose clients did not come."""
        kept = ((key, [each for each in alike if now < each.due + KEPT_FOR]) for key, alike in self._promises.items())
        self._promises = {key: alike for key, alike in kept if alike}
        return [each for alike in self._promises.values() for each in alike]

    def _note_length(self, now: float) -> None:
        if self._inside * self._pace <= CROWDED:
            self._long_since = math.inf
            return
        self._long_since = min(self._long_since, now)
        if now - self._long_since >= STANDING:
            self._crowded_until = now + CALM

    def leave(self, *, served: bool) -> None:
        """Release a place; rejected requests do not count for the pace."""
        self._inside -= 1
        if served:
            now = self._now()
            self._pace += 0.2 * (now - self._since - self._pace)
            self._since = now


class Admission:
    """The queues before the app; for the event loop's thread only."""

    def __init__(self) -> None:
        self.answers = Line("The models are busy with other requests.", least=4, most=64, patience=30.0, pace=2.0)
        self.work = Line("Too much work is under way.", least=64, most=64, patience=math.inf, pace=1.0)
        self.requests = Line("Too many requests are under way.", least=16, most=80, patience=2.0, pace=0.02)

    @contextmanager
    def admit(
        self,
        method: str,
        path: str,
        what: Callable[[], Hashable],
        served: Callable[[], bool],
        *,
        who: Hashable = None,
    ) -> Iterator[None]:
        """Admit a request for the block's duration.

        ``what`` and ``who`` as in :meth:`Line.enter`; ``served`` is called at its end.

        Raises:
            TooManyRequestsError: as many are in progress as can be served before clients give up.
        """
        line = self.requests
        if method != "GET":
            line = self.answers if path.endswith(_ANSWERING) else self.work if path.endswith(_WORKING) else line
        line.enter(what, who=who, hurried=line is self.requests and (method == "GET" or path.endswith(_READING)))
        self._share_threads()
        try:
            yield
        finally:
            line.leave(served=served())
            self._share_threads()

    def _share_threads(self) -> None:
        """Give each piece of work a thread, which it may hold for minutes, beside those that take turns."""
        current_default_thread_limiter().total_tokens = SHORT_THREADS + self.work.inside


class BodyPatience:
    """Waits for the pieces of one body while they arrive fast enough."""

    def __init__(self) -> None:
        self._until = time.monotonic() + BODY_SECONDS

    async def piece(self, receive: Receive) -> Message:
        """Return the next piece.

        Raises:
            SlowClientError: it did not arrive in time.
        """
        try:
            message = await asyncio.wait_for(receive(), max(self._until - time.monotonic(), 0.001))
        except TimeoutError as error:
            raise SlowClientError("The body of this request did not arrive in time.") from error
        self._until += len(message.get("body", b"")) / BODY_RATE
        return message
