"""How long and how much the server waits: for a client's headers and body, and for work that others asked for before."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from memdesk.api.errors import SlowClientError, TooManyRequestsError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import Message, Receive

#: Seconds from the first byte of a request, or from the connection, to the end of its headers.
HEADER_SECONDS: Final = 20.0
#: Seconds between two pieces of a body.
BODY_SECONDS: Final = 30.0
#: Answers of models under way at once. A local model makes them one after the other; whoever comes after these would
#: wait longer for a first word than people do.
MAX_ANSWERS: Final = 16
#: Other requests under way at once. Those that wait for a distillation are among them.
MAX_REQUESTS: Final = 120
#: Seconds after which one that was turned away may come again.
AGAIN_ANSWER: Final = 5
AGAIN_REQUEST: Final = 1
#: Ends of the addresses at which models answer, of every dialect.
_ANSWERING: Final = (
    "/chat/completions", "/completions", "/responses", "/messages", "/chat", "/generate",
)  # fmt: skip


class PatientProtocol(H11Protocol):
    """HTTP/1.1 that closes connections which send no whole request head in :data:`HEADER_SECONDS`."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Wait for the rest of a head that is not whole yet."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._served()
        elif self._deadline is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._served()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Leave the time until the next request to uvicorn's own limit."""
        self._served()
        super().on_response_complete()

    def _wait(self) -> None:
        self._deadline = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _served(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class Admission:
    """Counts the requests under way; for the event loop's thread alone."""

    def __init__(self) -> None:
        self._answers = 0
        self._requests = 0

    @contextmanager
    def admit(self, path: str) -> Iterator[None]:
        """Let a request in for the block's duration.

        Raises:
            TooManyRequestsError: as many as can be served in a client's patience are under way.
        """
        answer = path.endswith(_ANSWERING)
        if answer and self._answers >= MAX_ANSWERS:
            raise TooManyRequestsError("The models are busy with other requests.", seconds=AGAIN_ANSWER)
        if not answer and self._requests >= MAX_REQUESTS:
            raise TooManyRequestsError("Too many requests are under way.", seconds=AGAIN_REQUEST)
        self._answers += answer
        self._requests += not answer
        try:
            yield
        finally:
            self._answers -= answer
            self._requests -= not answer


async def in_time(receive: Receive) -> Message:
    """Return the next piece of a body.

    Raises:
        SlowClientError: it did not come.
    """
    try:
        return await asyncio.wait_for(receive(), BODY_SECONDS)
    except TimeoutError as error:
        raise SlowClientError("The body of this request did not arrive in time.") from error
