"""A debounced search field, and a list's filters beside it."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLineEdit, QWidget

from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import IconButton
from memdesk.gui.widgets.labels import IconLabel
from memdesk.gui.widgets.layout import column, row

#: Debounce of a search, in ms.
DEBOUNCE_MS = 300
#: Width in px at 100 % below which filters are behind a button.
NARROW = 480


class SearchField(QLineEdit):
    """``searched`` has the text 300 ms after the last key, at once on Enter; Escape clears."""

    searched = Signal(str)

    def __init__(self, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, placeholderText=placeholder)
        self.setAccessibleName(placeholder)
        self.setClearButtonEnabled(True)
        #: The present search, without text still being typed.
        self.told = ""
        self._timer = QTimer(self, singleShot=True, interval=DEBOUNCE_MS)
        self._timer.timeout.connect(self._tell)
        # Not a field action: Qt draws those at a fixed size, whatever the text size.
        self._glyph = IconLabel("search", "faint", 15, parent=self)
        self._glyph.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.textChanged.connect(lambda _text: self._timer.start())
        self.returnPressed.connect(self._tell)
        Theme.current().changed.connect(self._place)
        self._place()

    def put(self, text: str) -> None:
        """Show the present search, without signals."""
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
    """A search field with a list's filters, which a button shows in narrow windows.

    Args:
        search: the field.
        choices: the list's filters, if any.
        below: whether they are always below the field, as there are many.
        note: text at the end of the field's line, if it fits.
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
        """Show that the list is filtered, even while the filters are hidden."""
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
