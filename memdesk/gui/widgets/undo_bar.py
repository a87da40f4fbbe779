"""The last action, with undo."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from memdesk.gui.widgets.buttons import Button, IconButton
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import row

#: Actions that can be undone, last first; the log keeps all.
KEPT = 20


class UndoBar(QFrame):
    """Shown while there is something to undo; ``undone`` has its id."""

    undone = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "choice-bar")
        self._done: list[tuple[str, str]] = []
        self.words = Label("", "strong", wrap=True)
        self.words.setAccessibleName(self.tr("What was done"))
        self.undo = Button(self.tr("Undo"), self.take_back, variant="link", icon_name="undo-2")
        self.shut = IconButton("x", self.tr("Close"), self.forget)
        self.box = row((self.words, 1), self.undo, self.shut, margins=(12, 6, 12, 6))
        self.setLayout(self.box)
        self.hide()

    def did(self, words: str, entry_id: str) -> None:
        """Say what was done and offer undo."""
        self._done = [*self._done[1 - KEPT :], (words, entry_id)]
        self._refresh()

    def take_back(self) -> None:
        if self._done:
            _words, entry_id = self._done.pop()
            self._refresh()
            self.undone.emit(entry_id)

    def forget(self) -> None:
        """Clear the offers."""
        self._done.clear()
        self._refresh()

    def _refresh(self) -> None:
        self.setVisible(bool(self._done))
        if self._done:
            self.words.setText(self._done[-1][0])
