"""Edits a message in its place."""

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.forms import TextArea
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column, flowing


class Rewording(QWidget):
    """A field for another text. ``sent`` and ``apart`` (in a new chat) have it; ``left``: the field is gone."""

    sent = Signal(str)
    apart = Signal(str)
    left = Signal()

    def __init__(self, text: str) -> None:
        super().__init__()
        self._before = text
        self.area = TextArea(text, rows=min(10, max(3, text.count("\n") + 2)), name=self.tr("Edit message"))
        self.setFocusProxy(self.area)
        hint = self.tr(
            "The arrows bring back the former version and what followed it; what was learned from these alone is "
            "forgotten. In a new chat, everything here stays as it is."
        )
        buttons = flowing(
            Button(self.tr("Cancel"), self._leave),
            Button(self.tr("In a new chat"), lambda: self._send(self.apart)),
            Button(self.tr("Send again"), lambda: self._send(self.sent), variant="primary"),
        )
        self.setLayout(column(self.area, Label(hint, "small", wrap=True), buttons))
        for keys, call in (("Ctrl+Return", lambda: self._send(self.sent)), ("Escape", self._leave)):
            # Each edit field has its own; the window could have only one.
            QShortcut(QKeySequence(keys), self.area, call).setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def _leave(self) -> None:
        self.hide()
        self.deleteLater()
        self.left.emit()

    def _send(self, told: SignalInstance) -> None:
        text = self.area.toPlainText().strip()
        self._leave()
        if text and text != self._before:
            told.emit(text)
