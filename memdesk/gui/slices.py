"""Work of the main thread that would keep it too long in one go: done in slices, with input and painting in between."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, QTimer

from memdesk.gui.bridge import Bridge, Work

#: After so many seconds a slice ends with the step it is at.
SLICE_SECONDS = 0.004


class SliceOp(Work):
    """One piece of work in steps: build it, add callbacks, ``start`` it. The bridge is busy until it is done.

    ``steps`` does a little with each ``next``, a few milliseconds at most, and none once ``owner`` is gone.
    """

    def __init__(self, bridge: Bridge, owner: QObject, steps: Iterator[None]) -> None:
        super().__init__(bridge, owner)
        self._steps = steps
        self._on_done: Callable[[], object] | None = None
        self._timer = QTimer(bridge, interval=0)
        self._timer.timeout.connect(self._slice)

    def done(self, callback: Callable[[], object]) -> SliceOp:
        """Call after the last step."""
        self._on_done = callback
        return self

    def failure(self, callback: Callable[[Exception], object]) -> SliceOp:
        """Take the error of a step instead of the notice."""
        self._on_failure = callback
        return self

    def start(self, *, latest: str = "") -> SliceOp:
        """Begin with the next round of the event loop. See :meth:`Bridge.run` for ``latest``."""
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
