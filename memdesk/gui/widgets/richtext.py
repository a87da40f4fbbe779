"""Rich text at full height, and long plain text."""

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QByteArray, QMimeData, QRectF, QSize, Qt, QUrl, Signal, SignalInstance
from PySide6.QtGui import (
    QContextMenuEvent,
    QDesktopServices,
    QFont,
    QFontMetrics,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QFrame, QMenu, QPlainTextEdit, QSizePolicy, QTextBrowser, QTextEdit, QWidget

from memdesk.gui import formulas
from memdesk.gui.text import tr
from memdesk.gui.theme import MONO_FAMILIES, Theme

TextView = QTextEdit | QPlainTextEdit
#: The placeholder of a picture in text.
_OBJECT = "\ufffc"
#: After this many seconds of drawing, the rest waits for the next round of the event loop.
SLICE_SECONDS = 0.008
#: Line height of prose, in percent of the font's.
LINE_PERCENT = 125


def syntax_colors() -> dict[str, str]:
    """Return the colors of code in the present theme."""
    theme = Theme.current()
    return {name: theme.hex(f"syntax_{name}") for name in ("keyword", "string", "comment", "number", "name")}


class RichText(QTextBrowser):
    """Read-only HTML without scroll bars, as high as its content. Loads nothing; links open outside.

    ``menu_wanted`` has ``(selected text, menu)`` before the context menu shows, for more actions; ``released``: the
    mouse was released, possibly after a selection.
    """

    menu_wanted = Signal(str, object)
    released = Signal(object)

    def __init__(self, name: str) -> None:
        super().__init__()
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
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        # By default, each change of height lays out the text again.
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)

    def show_html(self, html: str) -> None:
        """Show HTML and take the height it needs."""
        self.document().setDefaultStyleSheet(_css())
        self.setHtml(html)
        self._set_on_the_line()
        self._fit()

    def show_plain(self, text: str) -> None:
        self.ensurePolished()  # or it is measured in the window's smaller font
        self.setPlainText(text)
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        every = QTextCursor(self.document())
        every.select(QTextCursor.SelectionType.Document)
        spaced = QTextBlockFormat()
        spaced.setLineHeight(LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        every.mergeBlockFormat(spaced)
        self._fit()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Draw formulas; load nothing else: neither files nor the network."""
        del kind
        drawn = _formula(name.toString() if isinstance(name, QUrl) else name)
        return "" if drawn is None else self._picture(drawn)

    def _picture(self, drawn: formulas.Formula) -> QImage:
        """Return a formula in the text's size and color, no wider than the view."""
        ratio, em = self.devicePixelRatioF(), self._em(drawn)
        width, below = drawn.width * em, QFontMetrics(self._strut(drawn)).descent()
        height = drawn.ascent * em + below
        image = QImage(math.ceil(width * ratio), math.ceil(height * ratio), QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        svg = QSvgRenderer(QByteArray(drawn.colored(Theme.current().hex("text")).encode()))
        svg.render(painter, QRectF(0, 0, width, drawn.height * em))
        painter.end()
        return image

    def _em(self, drawn: formulas.Formula) -> float:
        em = float(Theme.current().text_px("f_l"))
        return em * min(1.0, max(1, self.viewport().width()) / (drawn.width * em))

    def _strut(self, drawn: formulas.Formula) -> QFont:
        """Return a font whose descent is at least a formula's."""
        font = QFont(self.font())
        font.setPixelSize(Theme.current().text_px("f_l"))
        descent = (drawn.height - drawn.ascent) * self._em(drawn)
        while QFontMetrics(font).descent() < descent:
            font.setPixelSize(font.pixelSize() + 2)
        return font

    def _set_on_the_line(self) -> None:
        """Align formulas with the baseline: Qt lowers a picture by its font's descent."""
        cursor = self.document().find(_OBJECT)
        while not cursor.isNull():
            shape = cursor.charFormat()
            drawn = _formula(shape.toImageFormat().name())
            if drawn is not None:
                shape.setFont(self._strut(drawn))
                shape.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
                cursor.setCharFormat(shape)
            cursor = self.document().find(_OBJECT, cursor)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, with a bar beside quotes."""
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        theme, layout = Theme.current(), self.document().documentLayout()
        step, bar = theme.px(16), theme.px(3)
        block = self.document().begin()
        while block.isValid():
            # Only quotes have a left margin, growing with depth.
            level, after = round(block.blockFormat().leftMargin() / step), block.next()
            box = layout.blockBoundingRect(block)
            for number in range(level):
                goes_on = after.isValid() and after.blockFormat().leftMargin() > number * step
                end = layout.blockBoundingRect(after).top() if goes_on else box.bottom()
                painter.fillRect(QRectF(number * step, box.top(), bar, end - box.top()), theme.color("border"))
            block = after

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy formulas as their source."""
        if _OBJECT not in self.textCursor().selectedText():
            return super().createMimeDataFromSelection()
        copied = QMimeData()
        copied.setText(selected_text(self))
        return copied

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Signal that something may be selected now."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.released.emit(self)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        show_menu(self, event, self.menu_wanted)

    def mark(self, words: Sequence[str]) -> int:
        """Highlight words; see :func:`mark_words`."""
        return mark_words(self, words)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height)

    def ideal_width(self) -> int:
        """Return the text's ideal width, in px."""
        self.document().setTextWidth(-1)
        wide = int(self.document().idealWidth())
        self._fit()
        return wide

    def _fit(self) -> None:
        width = self.viewport().width()
        if int(self.document().textWidth()) != width:
            self.setLineWrapColumnOrWidth(width)
        height = int(self.document().size().height()) + 1
        if height != self._height:
            self._height = height
            self.setFixedHeight(height)


class PlainBox(QPlainTextEdit):
    """A long plain text to read and select; it scrolls, at any length."""

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
        show_menu(self, event, self.menu_wanted)


def selected_text(view: TextView) -> str:
    """Return the selection, with line breaks and formulas as source."""
    text = view.textCursor().selectedText().replace("\u2029", "\n").replace("\u2028", "\n")
    if _OBJECT not in text:
        return text
    cursor = QTextCursor(view.document())
    cursor.setPosition(view.textCursor().selectionStart())
    first, *parts = text.split(_OBJECT)
    for part in parts:
        cursor = view.document().find(_OBJECT, cursor)
        wanted = formulas.named(cursor.charFormat().toImageFormat().name())
        if wanted is not None:
            marks = "$$" if wanted[1] else "$"
            first += marks + wanted[0] + marks
        first += part
    return first


def mark_words(view: TextView, words: Sequence[str]) -> int:
    """Highlight words, ignoring case; return the position of the first, in px from the top, or -1."""
    theme, first = Theme.current(), -1
    found: list[QTextEdit.ExtraSelection] = []
    for word in filter(None, words):
        cursor = view.document().find(word)
        while not cursor.isNull():
            selection = QTextEdit.ExtraSelection()
            selection.cursor = cursor
            selection.format.setBackground(theme.color("mark"))
            found.append(selection)
            top = view.cursorRect(cursor).top()
            first = top if first < 0 else min(first, top)
            cursor = view.document().find(word, cursor)
    view.setExtraSelections(found)
    return first


def show_menu(view: TextView, event: QContextMenuEvent, wanted: SignalInstance) -> None:
    """Offer copy, select all, and actions added by receivers of ``wanted``, ``(selected text, menu)``."""
    menu = QMenu(view)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    selected = selected_text(view)
    copy = menu.addAction(tr("Copy"), view.copy)
    copy.setEnabled(bool(selected))
    menu.addAction(tr("Select all"), view.selectAll)
    wanted.emit(selected, menu)
    menu.popup(event.globalPos())


def _formula(address: str) -> formulas.Formula | None:
    wanted = formulas.named(address)
    return formulas.formula(wanted[0], display=wanted[1]) if wanted is not None else None


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
    li ul, li ol {{ margin-bottom: 0; }}
    h1 {{ font-size: {size + 5}px; margin: {gap}px 0 {gap}px 0; }}
    h2 {{ font-size: {size + 3}px; margin: {gap}px 0 {gap}px 0; }}
    h3, h4, h5, h6 {{ font-size: {size + 1}px; margin: {gap}px 0 {gap // 2}px 0; }}
    a {{ color: {theme.hex("accent")}; }}
    code {{ font-family: {MONO_FAMILIES}; font-size: {theme.text_px()}px; background-color: {theme.hex("code")}; }}
    pre {{ font-family: {MONO_FAMILIES}; font-size: {theme.text_px()}px; color: {theme.hex("text")}; margin: 0; }}
    blockquote, blockquote p, blockquote li {{ color: {theme.hex("muted")}; }}
    p.note {{ color: {theme.hex("muted")}; font-size: {theme.text_px()}px; margin-bottom: {gap // 2}px; }}
    blockquote {{ margin-left: {theme.px(16)}px; margin-top: 0; margin-bottom: {gap}px; }}
    table.grid {{ border-color: {theme.hex("border")}; border-style: solid; border-collapse: collapse; margin-top: {gap}px;
      margin-bottom: {gap}px; }}
    th, td {{ padding: {theme.px(6)}px; }}
    th {{ background-color: {theme.hex("code")}; font-weight: 600; text-align: left; }}
    """
