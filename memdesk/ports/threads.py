"""Time and threads."""

from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime
from typing import Literal, Protocol, TypeVar

T = TypeVar("T")

LaneName = Literal["interactive", "background"]


class Clock(Protocol):
    """The only source of time."""

    def now(self) -> datetime:
        """Return the present, timezone-aware, in UTC."""

    def local(self, when: datetime) -> datetime:
        """Return ``when`` in the user's timezone, for text and dates shown to people."""


class CancelToken(Protocol):
    """Tells work that nobody waits for its result any more. ``threading.Event`` satisfies it by name."""

    def is_set(self) -> bool:
        """Return whether the work should stop at its next safe point."""


class AnyToken:
    """A cancel token that is set when any of its members is."""

    def __init__(self, *tokens: CancelToken | None) -> None:
        self._tokens = [token for token in tokens if token is not None]

    def is_set(self) -> bool:
        return any(token.is_set() for token in self._tokens)


class Lanes(Protocol):
    """Small named executors with a priority."""

    def submit(self, lane: LaneName, work: Callable[[], T]) -> Future[T]:
        """Run ``work`` on a lane's thread."""

    def later(self, seconds: float, lane: LaneName, work: Callable[[], object], *, key: str) -> None:
        """Run ``work`` once after ``seconds``; a second call with the same ``key`` re-arms it."""

    def forget(self, key: str) -> None:
        """Drop a delayed call; unknown keys are fine."""

    def close(self, timeout: float = 5.0) -> None:
        """Stop taking work and wait for running work. Idempotent."""
