"""Code at full height, with its language and a copy button."""

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QMouseEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget

from memdesk.gui.rich import CodeLines, Span
from memdesk.gui.widgets.buttons import IconButton
from memdesk.gui.widgets.copying import copying
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column, row
from memdesk.gui.widgets.richtext import SLICE_SECONDS, mark_words, show_menu

#: Characters that Qt takes for line ends although no line of code ends there.
_NO_ENDS = str.maketrans(dict.fromkeys("\r\u2029\ufdd0\ufdd1", " "))


class CodeView(QPlainTextEdit):
    """Read-only lines at full height; long ones scroll sideways. Many are added over several rounds of the event loop.

    Signals as those of :class:`~memdesk.gui.widgets.richtext.RichText`.
    """

    menu_wanted = Signal(str, object)
    released = Signal(object)

    def __init__(self, name: str) -> None:
        super().__init__()
        #: The pending blocks, and the next one.
        self._coming: Iterator[CodeLines] | None = None
        self._position = 0
        self._shown: list[CodeLines] = []
        #: The height of each block shown, in px.
        self._heights: list[float] = []
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self._go_on)
        self.setProperty("bare", True)
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)

    @property
    def growing(self) -> bool:
        """Whether blocks are pending."""
        return self._coming is not None

    def show_blocks(self, blocks: Iterable[CodeLines]) -> None:
        """Show blocks of lines, redrawing those that changed."""
        self._coming, self._position = iter(blocks), 0
        self._go_on()

    def mark(self, words: Sequence[str]) -> int:
        """Highlight words; see :func:`~memdesk.gui.widgets.richtext.mark_words`."""
        return mark_words(self, words)

    def _go_on(self) -> None:
        started = time.perf_counter()
        while self._coming is not None:
            block = next(self._coming, None)
            if block is None:
                self._coming = None
                self._cut(self._position)
                break
            self._show(self._position, block)
            self._position += 1
            if time.perf_counter() - started > SLICE_SECONDS:
                self._rest.start(0)
                break
        self._fit()

    # -- one block ---------------------------------------------------------------------

    def _show(self, position: int, block: CodeLines) -> None:
        before = self._shown[position] if position < len(self._shown) else None
        if before == block:
            return
        if before is None or before.lines != block.lines:
            self._cut(position)
            self._append(block)
        self._shown[position] = block
        self._color(position)

    def _cut(self, position: int) -> None:
        """Remove everything after the first blocks."""
        if position >= len(self._shown):
            return
        cursor = QTextCursor(self.document())
        if position:
            cursor.setPosition(self.document().findBlockByNumber(self._line(position)).position() - 1)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        del self._shown[position:], self._heights[position:]

    def _append(self, block: CodeLines) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        text = "\n".join(line.translate(_NO_ENDS) for line in block.lines)
        cursor.insertText(f"\n{text}" if self._shown else text)
        self._shown.append(block)
        self._heights.append(0)

    def _color(self, position: int) -> None:
        line = self.document().findBlockByNumber(self._line(position))
        begin, height = line.position(), 0.0
        for spans in self._shown[position].spans:
            line.layout().setFormats([_range(span) for span in spans])
            line = line.next()
        end = line.position() if line.isValid() else self.document().characterCount()
        self.document().markContentsDirty(begin, end - begin)
        line = self.document().findBlock(begin)
        for _ in self._shown[position].lines:
            height += self.blockBoundingRect(line).height()
            line = line.next()
        self._heights[position] = height

    def _line(self, position: int) -> int:
        """Return the number of a block's first line."""
        return sum(len(block.lines) for block in self._shown[:position])

    # -- size --------------------------------------------------------------------------

    def _fit(self) -> None:
        # One extra pixel, or Qt considers it not fully visible, and scrolls.
        height = math.ceil(sum(self._heights)) + 1
        if self.document().documentLayout().documentSize().width() > self.viewport().width():
            height += self.horizontalScrollBar().sizeHint().height()
        if height != self.height():
            self.setFixedHeight(height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave space for the scroll bar if there is one now."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Recompute the height after a change of text size."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
            for position in range(len(self._shown)):
                self._color(position)
            self._fit()

    # -- being used --------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the parent vertically; sideways itself."""
        if abs(event.angleDelta().x()) > abs(event.angleDelta().y()):
            super().wheelEvent(event)
            return
        event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Signal that something may be selected now."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.released.emit(self)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        show_menu(self, event, self.menu_wanted)


class CodeBlock(QFrame):
    """Source with its language and a copy button."""

    menu_wanted = Signal(str, object)
    released = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source = ""
        self.setObjectName("codeBlock")
        self.language = Label("", "small")
        self.copy = copying(IconButton("copy", self.tr("Copy code"), side=14), lambda: self.source)
        self.view = CodeView(self.tr("Code"))
        self.view.menu_wanted.connect(self.menu_wanted)
        self.view.released.connect(self.released)
        self.head = row(self.language, None, self.copy, margins=(12, 2, 4, 0))
        self.body = column(self.view, margins=(12, 0, 12, 10))
        self.setLayout(column(self.head, self.body, gap=0))

    def show_code(self, source: str, language: str, blocks: Iterable[CodeLines]) -> None:
        """Show source, also given as blocks of colored lines (:func:`memdesk.gui.rich.code_lines`)."""
        self.source = source
        self.language.setText(language or self.tr("text"))
        self.view.show_blocks(blocks)


def _range(span: Span) -> QTextLayout.FormatRange:
    start, length, color = span
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = start, length, _format(color)
    return made


@lru_cache(maxsize=16)
def _format(color: str) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setForeground(QColor(color))
    return made
