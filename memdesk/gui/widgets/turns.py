"""A list with one entry beside it, or instead of it if both do not fit."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.layout import beside, column

#: Width from which both fit, and the minimum of the entry's, in px at 100 %.
BOTH, LEAST = 680, 380


class TakingTurns(QWidget):
    """Shows ``one`` unless hidden; if it replaces the list, a button leads back.

    Args:
        listed: the list; it gets the focus back.
        one: the selected entry; hiding it closes it.
        shares: of the width, if both are visible.

    ``alone``: whether it replaces the list.
    """

    alone = Signal(bool)

    def __init__(self, listed: QWidget, one: QWidget, shares: tuple[int, int]) -> None:
        super().__init__()
        self._listed, self._one = listed, one
        self.back = Button(self.tr("Back to the list"), self._go_back, variant="link", icon_name="chevron-left")
        self._place = QWidget()
        box = column(gap=4)
        box.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        box.addWidget(one, 1)
        self._place.setLayout(box)
        self.split: QSplitter = beside(listed, self._place, shares)
        self.setLayout(column(self.split, gap=0))
        one.installEventFilter(self)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow visibility changes."""
        if watched is self._one and event.type() in {QEvent.Type.ShowToParent, QEvent.Type.HideToParent}:
            self._fit()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        px, shown = Theme.current().px, not self._one.isHidden()
        both = self.width() >= px(BOTH)
        focus = self.window().focusWidget()
        within = focus is not None and self._listed.isAncestorOf(focus)
        self._one.setMinimumWidth(px(LEAST) if both else 0)
        self._place.setVisible(shown)
        self.back.setVisible(not both)
        self._listed.setVisible(both or not shown)
        self.alone.emit(shown and not both)
        self.back.setMinimumHeight(self.back.sizeHint().height())  # a layout without enough space would shrink it
        if within and shown and not both:
            self.back.setFocus()

    def _go_back(self) -> None:
        self._one.hide()
        self._listed.setFocus()
