"""The bar at a selection in a message: remember, forget, copy."""

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QWidget

from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.layout import row
from memdesk.gui.widgets.richtext import TextView, selected_text


class SelectionBar(QFrame):
    """Appears on selection with the mouse; keyboard users have the same in the selection's menu.

    ``remember`` and ``forget`` have ``(turn id, text)``.
    """

    remember = Signal(str, str)
    forget = Signal(str, str)

    def __init__(self, host: QWidget) -> None:
        super().__init__(host)
        self._host = host
        self._turn_id = self._text = ""
        self.setObjectName("selectionBar")
        box = row(gap=0, margins=2)
        for words, icon_name, call in (
            (self.tr("Remember this"), "bookmark-plus", lambda: self._tell(self.remember)),
            (self.tr("Forget this…"), "eraser", lambda: self._tell(self.forget)),
            (self.tr("Copy"), "copy", self._copy),
        ):
            button = Button(words, call, variant="ghost", icon_name=icon_name)
            # The selection must keep the focus, and so its color.
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            box.addWidget(button)
        self.setLayout(box)
        self.hide()

    def look_at(self, turn_id: str, view: TextView) -> None:
        """Appear at the selection in a view, if any."""
        self._turn_id, self._text = turn_id, selected_text(view).strip()
        self.setVisible(bool(self._text))
        if not self._text:
            return
        self.adjustSize()
        gap, caret, viewport = Theme.current().px(6), view.cursorRect(), view.viewport()
        below = viewport.mapTo(self._host, caret.bottomLeft())
        above = viewport.mapTo(self._host, caret.topLeft()).y() - self.height() - gap
        top = below.y() + gap
        fits = top + self.height() <= self._host.height()
        left = max(gap, min(below.x() - self.width() // 2, self._host.width() - self.width() - gap))
        self.move(left, top if fits else max(gap, above))
        self.raise_()

    def _tell(self, signal: SignalInstance) -> None:
        self.hide()
        signal.emit(self._turn_id, self._text)

    def _copy(self) -> None:
        self.hide()
        QGuiApplication.clipboard().setText(self._text)
