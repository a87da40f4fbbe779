"""Long lists of widgets, a portion at a time: laying out thousands at once blocks the window."""

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from memdesk.gui.text import tr
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.layout import boxed, row

#: Parts shown at first, and added at a time.
STEP = 50


class Portion:
    """How many parts of a list are shown.

    Args:
        again: draws the list anew, with ``most`` of it.
    """

    def __init__(self, again: Callable[[], object], step: int = STEP) -> None:
        self._again, self._step = again, step
        self.most = step

    def rest(self, left: int) -> list[QWidget]:
        """Return a button that shows the next ones, if ``left`` are not shown."""
        if left <= 0:
            return []
        more = Button(tr("Show %n more", "", min(left, self._step)), self._add, variant="link")
        return [boxed(row(more, None))]

    def _add(self) -> None:
        self.most += self._step
        self._again()
