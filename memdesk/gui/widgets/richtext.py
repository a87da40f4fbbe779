"""Rich text that is as high as its content, and code with a copy button."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDesktopServices,
    QGuiApplication,
    QMouseEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QMenu,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

from memdesk.gui.text import tr
from memdesk.gui.theme import MONO_FAMILIES, Theme
from memdesk.gui.widgets.buttons import IconButton
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column, row

#: After so many seconds of drawing, the rest waits for the next round of the event loop.
SLICE_SECONDS = 0.008
#: Height of a line of prose, in percent of what its letters need.
LINE_PERCENT = 125


def syntax_colours() -> dict[str, str]:
    """Return the colours of code in the present theme."""
    theme = Theme.current()
    return {name: theme.hex(f"syntax_{name}") for name in ("keyword", "string", "comment", "number", "name")}


class RichText(QTextBrowser):
    """Read-only HTML without scroll bars. Loads nothing; links open outside. Unwrapped, it is as wide as its lines.

    ``menu_wanted`` tells ``(selected text, menu)`` before the context menu shows, for more actions; ``released`` that
    the pointer let go, perhaps of a selection.
    """

    menu_wanted = Signal(str, object)
    released = Signal(object)

    def __init__(self, name: str, *, wrap: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wrap = wrap
        self._height = 0
        self.setProperty("bare", True)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.anchorClicked.connect(_open_outside)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
            | Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(Theme.current().px(26))
        self.viewport().setAutoFillBackground(False)
        if wrap:
            self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        else:
            self.setLineWrapMode(QTextBrowser.LineWrapMode.NoWrap)
            self.setFont(Theme.current().mono("f_m"))

    def show_html(self, html: str) -> None:
        """Show HTML and take the height it needs."""
        self.document().setDefaultStyleSheet(_css())
        self.setHtml(html)
        self._fit()

    def show_plain(self, text: str) -> None:
        """Show text as it is."""
        self.ensurePolished()  # or it is measured in the smaller letters of the rest of the window
        self.setPlainText(text)
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        every = QTextCursor(self.document())
        every.select(QTextCursor.SelectionType.Document)
        spaced = QTextBlockFormat()
        spaced.setLineHeight(LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        every.mergeBlockFormat(spaced)
        self._fit()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Load nothing: neither files nor the network."""
        del kind, name
        return ""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the height for the new width."""
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll what it is in."""
        event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell that something may be selected now."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.released.emit(self)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer copy and select all, and what others add."""
        _menu(self, event)

    def mark(self, words: Sequence[str]) -> int:
        """Show where words stand, without regard to case; return where the first one does, in px from the top, or -1."""
        theme, first = Theme.current(), -1
        found: list[QTextEdit.ExtraSelection] = []
        for word in filter(None, words):
            cursor = self.document().find(word)
            while not cursor.isNull():
                selection = QTextEdit.ExtraSelection()
                selection.cursor = cursor
                selection.format.setBackground(theme.colour("mark"))
                found.append(selection)
                top = self.cursorRect(cursor).top()
                first = top if first < 0 else min(first, top)
                cursor = self.document().find(word, cursor)
        self.setExtraSelections(found)
        return first

    def sizeHint(self) -> QSize:
        """Return the content's size."""
        return QSize(super().sizeHint().width(), self._height)

    def _fit(self) -> None:
        document = self.document()
        if self._wrap:
            document.setTextWidth(self.viewport().width())
        else:
            self.setMinimumWidth(math.ceil(document.idealWidth()) + 1)
        height = int(document.size().height()) + 1
        if height != self._height:
            self._height = height
            self.setFixedHeight(height)


class CodeLines(QScrollArea):
    """Blocks of code below each other, as high as they are; long lines scroll sideways, all together."""

    menu_wanted = Signal(str, object)
    released = Signal(object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        #: The blocks that still come, and which is next.
        self._coming: Iterator[str] | None = None
        self._position = 0
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._go_on)
        self._shown: list[str] = []
        self._views: list[RichText] = []
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inner = QWidget()
        inner.setProperty("role", "scroll")
        self._column = column(gap=0)
        inner.setLayout(self._column)
        self.setWidget(inner)

    @property
    def growing(self) -> bool:
        """Whether blocks wait to be shown."""
        return self._coming is not None

    def show_blocks(self, blocks: Iterable[str]) -> None:
        """Show blocks of HTML: those that changed, and many of them over some rounds of the event loop."""
        self._coming, self._position = iter(blocks), 0
        self._go_on()

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

    def _show(self, position: int, block: str) -> None:
        if position == len(self._views):
            self._add_view()
            self._shown.append("")
        if self._shown[position] != block:
            self._views[position].show_html(block)
            self._shown[position] = block

    def _cut(self, length: int) -> None:
        for view in self._views[length:]:
            self._column.removeWidget(view)
            view.hide()
            view.deleteLater()
        del self._views[length:], self._shown[length:]

    def _add_view(self) -> None:
        view = RichText(self._name, wrap=False)
        view.menu_wanted.connect(self.menu_wanted)
        view.released.connect(self.released)
        self._views.append(view)
        self._column.addWidget(view)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave room for the bar when there is one now."""
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll what it is in; sideways is its own."""
        if abs(event.angleDelta().x()) > abs(event.angleDelta().y()):
            super().wheelEvent(event)
            return
        event.ignore()

    def _fit(self) -> None:
        height = sum(view.height() for view in self._views)
        widest = max((view.minimumWidth() for view in self._views), default=0)
        if widest > self.viewport().width():
            height += self.horizontalScrollBar().sizeHint().height()
        if height != self.height():
            self.setFixedHeight(height)


class CodeBlock(QFrame):
    """Source with its language and a copy button; long lines scroll sideways."""

    menu_wanted = Signal(str, object)
    released = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source = ""
        self.setObjectName("codeBlock")
        self.language = Label("", "small")
        self.copy = IconButton("copy", self.tr("Copy code"), self._copy, side=14)
        self.lines = CodeLines(self.tr("Code"))
        self.lines.menu_wanted.connect(self.menu_wanted)
        self.lines.released.connect(self.released)
        head = row(self.language, None, self.copy, margins=(12, 2, 4, 0))
        body = column(self.lines, margins=(12, 0, 12, 10))
        self.setLayout(column(head, body, gap=0))

    def show_code(self, source: str, language: str, blocks: Iterable[str]) -> None:
        """Show source, given as blocks of HTML too (:func:`memdesk.gui.rich.code_html`)."""
        self._source = source
        self.language.setText(language or self.tr("text"))
        self.lines.show_blocks(blocks)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._source)
        self.copy.set_icon("check", "success")
        QTimer.singleShot(1500, self, lambda: self.copy.set_icon("copy", "muted"))


class PlainBox(QPlainTextEdit):
    """A long text as it is, to read and to select from; it scrolls by itself, whatever its length."""

    menu_wanted = Signal(str, object)

    def __init__(self, text: str, name: str, *, height: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bare", True)
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setAutoFillBackground(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setPlainText(text)
        self.setFixedHeight(height)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer copy and select all, and what others add."""
        _menu(self, event)


def selected_text(view: RichText | PlainBox) -> str:
    """Return what is selected, lines as lines."""
    return view.textCursor().selectedText().replace("\u2029", "\n").replace("\u2028", "\n")


def _menu(view: RichText | PlainBox, event: QContextMenuEvent) -> None:
    menu = QMenu(view)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    selected = selected_text(view)
    copy = menu.addAction(tr("Copy"), view.copy)
    copy.setEnabled(bool(selected))
    menu.addAction(tr("Select all"), view.selectAll)
    view.menu_wanted.emit(selected, menu)
    menu.popup(event.globalPos())


def _open_outside(url: QUrl) -> None:
    if url.scheme() in {"http", "https", "mailto"}:
        QDesktopServices.openUrl(url)


def _css() -> str:
    theme = Theme.current()
    size, gap = theme.text_px("f_l"), theme.px(8)
    return f"""
    body, p, li, td, th {{ color: {theme.hex("text")}; font-size: {size}px; }}
    p, li {{ line-height: {LINE_PERCENT}%; }}
    p {{ margin-top: 0; margin-bottom: {gap}px; }}
    ul, ol {{ margin-top: 0; margin-bottom: {gap}px; }}
    h1 {{ font-size: {size + 5}px; margin: {gap}px 0 {gap}px 0; }}
    h2 {{ font-size: {size + 3}px; margin: {gap}px 0 {gap}px 0; }}
    h3, h4, h5, h6 {{ font-size: {size + 1}px; margin: {gap}px 0 {gap // 2}px 0; }}
    a {{ color: {theme.hex("accent")}; }}
    code {{ font-family: {MONO_FAMILIES}; font-size: {theme.text_px()}px; background-color: {theme.hex("code")}; }}
    pre {{ font-family: {MONO_FAMILIES}; font-size: {theme.text_px()}px; color: {theme.hex("text")}; margin: 0; }}
    blockquote {{ color: {theme.hex("muted")}; margin-left: {gap * 2}px; margin-top: 0; margin-bottom: {gap}px; }}
    table.grid {{ border-color: {theme.hex("border")}; border-style: solid; border-collapse: collapse; margin-top: {gap}px;
      margin-bottom: {gap}px; }}
    th, td {{ padding: {theme.px(6)}px; }}
    th {{ background-color: {theme.hex("code")}; font-weight: 600; text-align: left; }}
    """
