"""Widgets that are made in slices. Part of what the first paint waits for, and imports no more than it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from memdesk.gui.bridge import Bridge
    from memdesk.gui.slices import SliceOp


class Sliced(QWidget):
    """A widget that is made in slices: its frame at once, what it holds by :meth:`build`."""

    #: Whether everything is there.
    built = False

    def build(self) -> Iterator[None]:
        """Make what the widget holds, giving way after each part."""
        yield from ()

    def building(self) -> Iterator[None]:
        """Build it, and note that it is built."""
        yield from self.build()
        self.built = True

    def make(self, bridge: Bridge, then: Callable[[], object]) -> SliceOp:
        """Return the work that builds it and calls ``then``."""
        from memdesk.gui.slices import SliceOp

        return SliceOp(bridge, self, self.building()).done(then)
