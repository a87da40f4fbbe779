"""Watches the main thread: no handler may keep it longer than 50 ms of its own time."""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

#: CPU seconds of the main thread that one event may take. Waiting for a busy machine does not count.
LIMIT = 0.050
#: First paint, show and polish of a window happen once and are measured on their own.
FIRST = {
    QEvent.Type.Show,
    QEvent.Type.ShowToParent,
    QEvent.Type.Polish,
    QEvent.Type.PolishRequest,
    QEvent.Type.Expose,
    QEvent.Type.DeferredDelete,
}


class WatchedApplication(QApplication):
    """Measures every event that comes from the event loop while ``watching``."""

    def __init__(self, argv):
        super().__init__(argv)
        self.watching = False
        self.slow: list[str] = []
        self.worst = 0.0
        self._depth = 0

    def notify(self, receiver, event):
        if not self.watching:
            return super().notify(receiver, event)
        kind = event.type()
        name = type(receiver).__name__
        self._depth += 1
        started = time.thread_time()
        try:
            return super().notify(receiver, event)
        finally:
            self._depth -= 1
            taken = time.thread_time() - started
            if self._depth == 0 and kind not in FIRST:
                self.worst = max(self.worst, taken)
                if taken > LIMIT:
                    self.slow.append(f"{name} {QEvent.Type(kind).name}: {taken * 1000:.0f} ms")
