"""Rich text that is as high as its content, and code with a copy button."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QContextMenuEvent, QDesktopServices, QGuiApplication, QResizeEvent, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QTextBrowser, QWidget

from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import IconButton
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column, row


def syntax_colours() -> dict[str, str]:
    """Return the colours of code in the present theme."""
    theme = Theme.current()
    return {name: theme.hex(f"syntax_{name}") for name in ("keyword", "string", "comment", "number", "name")}


class RichText(QTextBrowser):
    """Read-only HTML without scroll bars. Loads nothing; links open outside.

    ``menu_wanted`` tells ``(selected text, menu)`` before the context menu shows, for more actions.
    """

    menu_wanted = Signal(str, object)

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
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
            | Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        if wrap:
            self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        else:
            self.setLineWrapMode(QTextBrowser.LineWrapMode.NoWrap)
            self.setFont(Theme.current().mono())

    def show_html(self, html: str) -> None:
        """Show HTML and take the height it needs."""
        self.document().setDefaultStyleSheet(_css())
        self.setHtml(html)
        self._fit()

    def show_plain(self, text: str) -> None:
        """Show text as it is."""
        self.setPlainText(text)
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
        """Scroll what it is in; sideways is its own."""
        if not self._wrap and abs(event.angleDelta().x()) > abs(event.angleDelta().y()):
            super().wheelEvent(event)
            return
        event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer copy and select all, and what others add."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        selected = self.textCursor().selectedText().replace("\u2029", "\n")
        copy = menu.addAction(self.tr("Copy"), self.copy)
        copy.setEnabled(bool(selected))
        menu.addAction(self.tr("Select all"), self.selectAll)
        self.menu_wanted.emit(selected, menu)
        menu.popup(event.globalPos())

    def sizeHint(self) -> QSize:
        """Return the content's size."""
        return QSize(super().sizeHint().width(), self._height)

    def _fit(self) -> None:
        document = self.document()
        if self._wrap:
            document.setTextWidth(self.viewport().width())
        height = int(document.size().height()) + 1
        if not self._wrap and document.idealWidth() > self.viewport().width():
            height += self.horizontalScrollBar().sizeHint().height()
        if height != self._height:
            self._height = height
            self.setFixedHeight(height)


class CodeBlock(QFrame):
    """Source with its language and a copy button; long lines scroll sideways."""

    menu_wanted = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme = Theme.current()
        self._source = ""
        self._shown: tuple[str, str] = ("", "")
        self.setObjectName("codeBlock")
        self.setStyleSheet("")
        self.language = Label("", "small")
        self.copy = IconButton("copy", self.tr("Copy code"), self._copy, side=14)
        self.view = RichText(self.tr("Code"), wrap=False)
        self.view.menu_wanted.connect(self.menu_wanted)
        head = row(self.language, None, self.copy, margins=(12, 2, 4, 0))
        body = column(self.view, margins=(12, 0, 12, 10))
        self.setLayout(column(head, body, gap=0))
        del theme

    def show_code(self, source: str, language: str, html: str) -> None:
        """Show source; the same again costs nothing."""
        if (source, html) == self._shown:
            return
        self._shown = (source, html)
        self._source = source
        self.language.setText(language or self.tr("text"))
        self.view.show_html(html)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._source)
        self.copy.set_icon("check", "success")
        QTimer.singleShot(1500, self, lambda: self.copy.set_icon("copy", "muted"))


def _open_outside(url: QUrl) -> None:
    if url.scheme() in {"http", "https", "mailto"}:
        QDesktopServices.openUrl(url)


def _css() -> str:
    theme = Theme.current()
    size, gap = theme.text_px(), theme.px(8)
    return f"""
    body, p, li, td, th {{ color: {theme.hex("text")}; font-size: {size}px; }}
    p, li {{ line-height: 125%; }}
    p {{ margin-top: 0; margin-bottom: {gap}px; }}
    ul, ol {{ margin-top: 0; margin-bottom: {gap}px; }}
    h1 {{ font-size: {theme.text_px("f_xl")}px; margin: {gap}px 0 {gap}px 0; }}
    h2 {{ font-size: {theme.text_px("f_l") + 1}px; margin: {gap}px 0 {gap}px 0; }}
    h3, h4, h5, h6 {{ font-size: {theme.text_px("f_l") - 1}px; margin: {gap}px 0 {gap // 2}px 0; }}
    a {{ color: {theme.hex("accent")}; }}
    code {{ font-family: monospace; font-size: {size - 1}px; background-color: {theme.hex("code")}; }}
    pre {{ font-family: monospace; font-size: {size - 1}px; color: {theme.hex("text")}; margin: 0; }}
    blockquote {{ color: {theme.hex("muted")}; margin-left: {gap * 2}px; margin-top: 0; margin-bottom: {gap}px; }}
    table.grid {{ border-color: {theme.hex("border_strong")}; border-style: solid; border-collapse: collapse; margin-top: {gap}px;
      margin-bottom: {gap}px; }}
    th {{ background-color: {theme.hex("code")}; font-weight: 600; }}
    """
