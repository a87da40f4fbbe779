"""The field a message is written in."""

from PySide6.QtCore import QEvent, QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFocusEvent, QImage, QKeyEvent, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy

MOST_LINES = 9
#: And their maximum share of the window's height.
MOST_SHARE = 0.2
#: Longer pastes are attached: layout would block the window.
LONG_CHARS = 5000


def files_in(data: QMimeData) -> list[str]:
    """Return the paths of local files that are dragged, dropped or pasted."""
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]


def picture_in(data: QMimeData) -> QImage | None:
    """Return the picture that is dragged, dropped or pasted without text; programs also add pictures to text."""
    if not data.hasImage() or data.text().strip() or files_in(data):
        return None
    picture = QImage(data.imageData())
    return None if picture.isNull() else picture


class Editor(QPlainTextEdit):
    """Grows with its text up to nine lines. Enter sends, Shift+Enter inserts a line break, Escape stops an answer."""

    sent = Signal()
    escaped = Signal()
    #: Paths of files that were dropped or pasted.
    dropped = Signal(list)
    #: A long text that was pasted, or dropped.
    pasted = Signal(str)
    #: A picture that was pasted or dropped.
    pictured = Signal(QImage)
    focused = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("bare", True)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())
        self.viewport().setAutoFillBackground(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
            return
        enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if enter and not event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier):
            self.sent.emit()
            return
        super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() or event.mimeData().hasImage():
            event.acceptProposedAction()
            return
        super().dragEnterEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return bool(files_in(source)) or source.hasImage() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert pasted text; emit files, pictures and long texts for attaching."""
        paths, text, picture = files_in(source), source.text(), picture_in(source)
        if paths:
            self.dropped.emit(paths)
        elif picture is not None:
            self.pictured.emit(picture)
        elif len(text) > LONG_CHARS:
            self.pasted.emit(text)
        else:
            super().insertFromMimeData(source)

    def dropEvent(self, event: QDropEvent) -> None:
        """Emit dropped files and pictures."""
        if files_in(event.mimeData()) or picture_in(event.mimeData()) is not None:
            event.acceptProposedAction()
            self.setFocus()
            self.insertFromMimeData(event.mimeData())
            return
        super().dropEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focused.emit(False)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        lines = max(1, int(self.document().size().height()))
        line = self.fontMetrics().lineSpacing()
        # In a low window, or with large text, the messages above keep most of the space.
        most = max(2, min(MOST_LINES, int(self.window().height() * MOST_SHARE / line)))
        self.setFixedHeight(line * min(most, lines) + 6)
