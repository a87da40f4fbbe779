"""A search field that waits for the typing to rest, and what narrows a list beside it."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLineEdit, QWidget

from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import IconButton
from memdesk.gui.widgets.labels import IconLabel
from memdesk.gui.widgets.layout import column, row

#: Rest before a search starts, in ms.
DEBOUNCE_MS = 300
#: px at 100 % below which what narrows a list waits behind a button.
NARROW = 480


class SearchField(QLineEdit):
    """``searched`` tells the text 300 ms after the last key, at once on Enter; Escape clears."""

    searched = Signal(str)

    def __init__(self, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, placeholderText=placeholder)
        self.setAccessibleName(placeholder)
        self.setClearButtonEnabled(True)
        #: What is searched for: not yet what is being typed.
        self.told = ""
        self._timer = QTimer(self, singleShot=True, interval=DEBOUNCE_MS)
        self._timer.timeout.connect(self._tell)
        # Not an action of the field: Qt draws those at one size, whatever the text size is.
        self._glyph = IconLabel("search", "faint", 15, parent=self)
        self._glyph.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.textChanged.connect(lambda _text: self._timer.start())
        self.returnPressed.connect(self._tell)
        Theme.current().changed.connect(self._place)
        self._place()

    def put(self, text: str) -> None:
        """Show what is searched for already, without telling."""
        self.setText(text)
        self.told = text.strip()
        self._timer.stop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            self._tell()
            return
        super().keyPressEvent(event)

    def _tell(self) -> None:
        self._timer.stop()
        text = self.text().strip()
        if text != self.told:
            self.told = text
            self.searched.emit(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        px = Theme.current().px
        self.setTextMargins(px(15) + px(8), 0, 0, 0)
        self._glyph.move(px(10), (self.height() - self._glyph.height()) // 2)


class Narrowing(QWidget):
    """A search field with the choices that narrow a list, which a button brings where there is little room.

    Args:
        search: the field.
        choices: what narrows the list besides, if anything does.
        below: whether they stand below the field also where there is room, as there are many.
        note: what is said at the end of the field's line, where there is room.
    """

    def __init__(
        self, search: SearchField, choices: QWidget | None = None, *, below: bool = False, note: QWidget | None = None
    ) -> None:
        super().__init__()
        self._choices, self._below, self._note = choices, below, note
        self.toggle = IconButton("list-filter", self.tr("Filters"), self._fit, checkable=True)
        line = row(search, *([note] if note is not None else []), self.toggle, gap=12)
        line.setStretch(0, 1)
        self._box = column(line, *([choices] if choices is not None else []), gap=10)
        self._box.setStretch(0, 1)
        self.setLayout(self._box)
        self._fit()

    def mark(self, *, on: bool) -> None:
        """Show that the list is narrowed, also while what narrows it is out of sight."""
        self.toggle.set_icon("list-filter", "accent" if on else "muted")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        narrow = self.width() < Theme.current().px(NARROW)
        stacked = narrow or self._below
        way = QBoxLayout.Direction
        self._box.setDirection(way.TopToBottom if stacked else way.LeftToRight)
        self.toggle.setVisible(narrow and self._choices is not None)
        if self._choices is not None:
            self._choices.setVisible(not narrow or self.toggle.isChecked())
        if self._note is not None:
            self._note.setVisible(not narrow)
