"""Widgets built in slices. The first paint waits for this module, so it imports little."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from memdesk.gui.bridge import Bridge
    from memdesk.gui.slices import SliceOp


class Sliced(QWidget):
    """A widget built in slices: its frame at once, its contents by :meth:`build`."""

    #: Whether it is completely built.
    built = False

    def build(self) -> Iterator[None]:
        """Build the contents, yielding after each part."""
        yield from ()

    def building(self) -> Iterator[None]:
        """Build it, and set ``built``."""
        yield from self.build()
        self.built = True

    def make(self, bridge: Bridge, then: Callable[[], object]) -> SliceOp:
        """Return the work that builds it and then calls ``then``."""
        from memdesk.gui.slices import SliceOp

        return SliceOp(bridge, self, self.building()).done(then)
