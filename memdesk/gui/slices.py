"""Long work on the main thread, done in slices with input and painting in between."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer

from memdesk.gui.bridge import Bridge, Work

#: Duration of a slice in seconds, to the end of its step.
SLICE_SECONDS = 0.004


class SliceOp(Work):
    """One piece of work in steps: create it, add callbacks, ``start`` it. The bridge is busy until it is done.

    Each ``next`` of ``steps`` takes a few milliseconds at most; none is called once ``owner`` is gone.
    """

    def __init__(self, bridge: Bridge, owner: QObject, steps: Iterator[None]) -> None:
        super().__init__(bridge, owner)
        self._steps = steps
        self._on_done: Callable[[], object] | None = None
        self._timer = QTimer(bridge, interval=0)
        self._timer.timeout.connect(self._slice)

    def done(self, callback: Callable[[], object]) -> SliceOp:
        """Add a callback for the end."""
        self._on_done = callback
        return self

    def failure(self, callback: Callable[[Exception], object]) -> SliceOp:
        """Handle the error of a step instead of the notice."""
        self._on_failure = callback
        return self

    def start(self, *, latest: str = "") -> SliceOp:
        """Start with the next round of the event loop. See :meth:`Bridge.run` for ``latest``."""
        self.bridge.track(self, latest)
        self._timer.start()
        return self

    def _slice(self) -> None:
        end = time.perf_counter() + SLICE_SECONDS
        try:
            while self._heard and not self.token.is_set():
                next(self._steps)
                if time.perf_counter() > end:
                    return
        except StopIteration:
            self._leave()
            if self._on_done is not None:
                self._on_done()
        except Exception as error:  # noqa: BLE001 - shown to the user, as the failure of any other work
            self._leave()
            self._fail(error)
        else:
            self._leave()

    def _leave(self) -> None:
        self._timer.stop()
        self._timer.deleteLater()
        self.bridge.untrack(self)
