"""A call that its caller may give up. Whatever works on it, on any thread, asks here whether to go on."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from memdesk.errors import CancelledError


class Call:
    """A ``CancelToken`` that also interrupts what its work waits for. Thread-safe."""

    def __init__(self) -> None:
        self._over = threading.Event()
        self._guard = threading.Lock()
        self._ends: list[Callable[[], object]] = []

    def is_set(self) -> bool:
        return self._over.is_set()

    def give_up(self) -> None:
        """Interrupt what the work waits for; it stops at its next safe point."""
        with self._guard:
            self._over.set()
            ends = list(self._ends)
        for end in ends:
            end()

    def go_on(self) -> None:
        """Raise ``CancelledError`` if it was given up: a safe point."""
        if self._over.is_set():
            raise CancelledError("The call was given up.")

    def pause(self, seconds: float) -> None:
        """Wait this long. Raises ``CancelledError`` as soon as it is given up."""
        if self._over.wait(seconds):
            raise CancelledError("The call was given up.")

    @contextmanager
    def ended_by(self, end: Callable[[], object]) -> Iterator[None]:
        """Call ``end``, which must not block, if the call is given up within the block. Raises as :meth:`go_on`."""
        with self._guard:
            self.go_on()
            self._ends.append(end)
        try:
            yield
        finally:
            with self._guard:
                self._ends.remove(end)

    @contextmanager
    def made(self) -> Iterator[None]:
        """Make this the current call of this thread within the block."""
        before = _CURRENT.set(self)
        try:
            yield
        finally:
            _CURRENT.reset(before)


#: A blocking call is never given up.
_CURRENT: ContextVar[Call] = ContextVar("memdesk_call", default=Call())  # noqa: B039  # never set


def current() -> Call:
    """Return the call that this thread works on."""
    return _CURRENT.get()
