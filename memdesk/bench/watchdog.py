"""Watches the main thread: every event of the event loop is timed."""

import time
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject

from memdesk.gui.application import Application

#: CPU seconds of the main thread that one event may take. Waiting for a busy machine does not count.
LIMIT = 0.050
#: CPU seconds that :func:`_work` takes on an idle core of the machine on which the limit was set.
REFERENCE = 0.003
#: First paint, show and polish of a window happen once and are measured on their own.
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
        slow: events that took more than :data:`LIMIT`, in words. A core that is slower just now, since another shares
            its caches and its clock, is given as much more as a fixed piece of work takes on it.
        worst: CPU seconds of the longest event.
        worst_wall: seconds of the longest event by the clock, waiting included.
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
        """Deliver an event and note what it took, events within events included."""
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
    """Return how many times as long as on an idle core a fixed piece of work takes at this moment, at least 1.

    The worst of a few counts: who shares the core comes and goes within the time that a slow event takes.
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
