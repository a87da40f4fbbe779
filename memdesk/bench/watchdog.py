"""Watches the main thread: every event of the event loop is timed."""

import time
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject

from memdesk.gui.application import Application

#: CPU seconds of the main thread that one event may take. Waiting for a busy machine does not count.
LIMIT = 0.050
#: CPU seconds of :func:`_work` on an idle core of the machine on which the limit was set.
REFERENCE = 0.003
#: First paint, show and polish of a window happen once and are measured separately.
FIRST = {
    QEvent.Type.Show,
    QEvent.Type.ShowToParent,
    QEvent.Type.Polish,
    QEvent.Type.PolishRequest,
    QEvent.Type.Expose,
    QEvent.Type.DeferredDelete,
}


class WatchedApplication(Application):
    """Measures every event that comes from the event loop while ``watching``.

    Attributes:
        slow: descriptions of events that took more than :data:`LIMIT`. The limit grows with the time of a fixed piece
            of work, as another process may share the core's caches and clock.
        worst: CPU seconds of the longest event.
        worst_wall: wall seconds of the longest event, waiting included.
    """

    def __init__(self, argv: Sequence[str]) -> None:
        super().__init__(list(argv))
        self.watching = False
        self.slow: list[str] = []
        self.worst = 0.0
        self.worst_wall = 0.0
        self._inside = False

    def reset(self) -> None:
        self.slow.clear()
        self.worst = self.worst_wall = 0.0

    def notify(self, receiver: QObject, event: QEvent) -> bool:
        """Deliver an event and record its time, including nested events."""
        if not self.watching or self._inside:
            return bool(super().notify(receiver, event))
        kind = event.type()
        name, owner = type(receiver).__name__, type(receiver.parent()).__name__
        self._inside = True
        started, clock = time.thread_time(), time.perf_counter()
        try:
            return bool(super().notify(receiver, event))
        finally:
            self._inside = False
            taken, wall = time.thread_time() - started, time.perf_counter() - clock
            if kind not in FIRST:
                self.worst = max(self.worst, taken)
                self.worst_wall = max(self.worst_wall, wall)
                if taken > LIMIT and taken > LIMIT * slowdown():
                    self.slow.append(f"{name} of {owner}, {QEvent.Type(kind).name}: {taken * 1000:.0f} ms")


def slowdown() -> float:
    """Return how many times longer than on an idle core a fixed piece of work takes now, at least 1.

    Takes the worst of a few samples: load on a shared core changes within the time of a slow event.
    """
    taken = []
    for _ in range(5):
        started = time.thread_time()
        _work()
        taken.append(time.thread_time() - started)
    return max(1.0, max(taken) / REFERENCE)


def _work() -> None:
    """Make, join and cut strings, as handlers do."""
    " ".join(str(number) for number in range(12_000)).split()
