"""Placeholder states of a view: empty, loading, failed. And the headers of pages and sections."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QMenu, QProgressBar, QWidget

from memdesk.gui.notices import describe, fault_words
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import Button, IconButton
from memdesk.gui.widgets.labels import Emblem, Label, Role, Tone
from memdesk.gui.widgets.layout import Stack, column, flowing, row

#: Width in px at 100 % below which a header with tools omits its sentence.
NARROW_HEAD = 640
#: Width in px at 100 % below which plain buttons move to a menu.
NARROWEST_HEAD = 320
#: Minimum width of the sentence beside the tools, in px at 100 %.
LEAST_WORDS = 240


class EmptyState(QWidget):
    """A picture, a sentence, an explanation, and one or two actions.

    Without ``icon_name`` it has no picture: for a list beside a view that has one.
    """

    def __init__(
        self,
        icon_name: str,
        title: str,
        text: str = "",
        *,
        action: str = "",
        handler: Callable[[], object] | None = None,
        other: QWidget | None = None,
        tone: Tone = "accent",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._title = Label(title, "heading", wrap=True)
        self._text = Label(text, "muted", wrap=True)
        for label in (self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        least, margin = (220, 24) if icon_name else (140, 12)
        self._inner = inner = QWidget()
        self._margin = Theme.current().px(margin)
        inner.setMaximumWidth(Theme.current().px(420))
        inner.setMinimumWidth(Theme.current().px(least))
        self._picture = Emblem(icon_name, tone) if icon_name else None
        face = (row(None, self._picture, None), 6) if self._picture is not None else ()
        self._body = body = column(*face, self._title, self._text, gap=6)
        ways = [*([Button(action, handler)] if action else []), *([other] if other is not None else [])]
        if ways:
            body.addSpacing(Theme.current().px(8))
            body.addLayout(row(None, *ways, None))
        inner.setLayout(body)
        outer = row(None, (inner, 1000), None, margins=(margin, 0, margin, 0))
        self.setLayout(column(None, outer, None))

    def hasHeightForWidth(self) -> bool:
        """Fit the available height, without the picture if needed."""
        return False

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._high(self._inner.maximumWidth()) + 2 * self._margin)

    def minimumSizeHint(self) -> QSize:
        """Allow the size without the picture."""
        return QSize(super().minimumSizeHint().width(), self._high(self._wide(), picture=False))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the picture if the text needs the space."""
        super().resizeEvent(event)
        if self._picture is not None:
            self._picture.setVisible(self.height() >= self._high(self._wide()))
        self.updateGeometry()

    def _wide(self) -> int:
        return min(self._inner.maximumWidth(), max(self._inner.minimumWidth(), self.width() - 2 * self._margin))

    def _high(self, wide: int, *, picture: bool = True) -> int:
        """Return the height with or without the picture, with text ``wide`` px wide."""
        high = self._body.heightForWidth(wide)
        if self._picture is not None and self._picture.isHidden() == picture:
            room = self._picture.height() + self._body.spacing()
            high += room if picture else -room
        return high

    def set_words(self, title: str, text: str = "", icon_name: str = "") -> None:
        """Change the text, and optionally the picture."""
        if icon_name and self._picture is not None:
            self._picture.set_icon(icon_name)
        self._title.setText(title)
        self._text.setText(text)


class StatePane(Stack):
    """A view with its placeholder states: ``loading``, ``empty``, ``failed``; the view itself is ``content``."""

    def __init__(self, content: QWidget, empty: QWidget) -> None:
        super().__init__()
        self.content = content
        self.empty = empty
        self._failed: QWidget | None = None
        self._loading = QWidget()
        bar = QProgressBar(minimum=0, maximum=0, textVisible=False)
        bar.setMaximumWidth(Theme.current().px(160))
        bar.setAccessibleName(self.tr("Loading"))
        self._loading.setLayout(column(None, row(None, bar, None), None))
        for widget in (self._loading, content, empty):
            self.addWidget(widget)

    def show_loading(self) -> None:
        self.setCurrentWidget(self._loading)

    def show_content(self, *, empty: bool = False) -> None:
        """Show the view, or its empty state."""
        self.setCurrentWidget(self.empty if empty else self.content)

    def show_failed(self, error: Exception, retry: Callable[[], object]) -> None:
        """Show an error with a retry button."""
        if self._failed is not None:
            self.removeWidget(self._failed)
            self._failed.deleteLater()
        title, text, again = describe(error)["title"], fault_words(error), self.tr("Try again")
        self._failed = EmptyState("circle-alert", title, text, action=again, handler=retry, tone="danger")
        self.addWidget(self._failed)
        self.setCurrentWidget(self._failed)


class PageHead(QWidget):
    """Title, a sentence below it, actions at the right; if narrow, a menu holds the secondary ones."""

    def __init__(
        self, title: str, text: str = "", *actions: QWidget, role: Role = "title", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.title = Label(title, role)
        self.text = Label(text, "muted", wrap=True)
        self.text.setVisible(bool(text))
        words = column(self.title, self.text, gap=2)
        plain = [each for each in actions if isinstance(each, Button) and not each.property("variant")]
        self._lesser = plain if role == "title" else []
        self.more = IconButton("ellipsis", self.tr("More"))
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.more.setMenu(self._menu)
        self.more.hide()
        self.tools = flowing(*actions, self.more)
        self.tools.setVisible(bool(actions))
        self._line = head = row(gap=16)
        head.addLayout(words, 1)
        head.addWidget(self.tools)
        head.setAlignment(self.tools, Qt.AlignmentFlag.AlignTop)
        self.setLayout(head)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """If narrow, drop the sentence, then the secondary actions."""
        super().resizeEvent(event)
        px, wide = Theme.current().px, self.width()
        cramped = not self.tools.isHidden() and wide < px(NARROW_HEAD)
        self.text.setVisible(bool(self.text.text()) and not cramped)
        self._fold(on=cramped and wide < px(NARROWEST_HEAD) and len(self._lesser) > 1)
        words = max(self.title.sizeHint().width(), 0 if self.text.isHidden() else px(LEAST_WORDS))
        tight = not self.tools.isHidden() and words + self._line.spacing() + self.tools.sizeHint().width() > wide
        self._line.setDirection(QBoxLayout.Direction.TopToBottom if tight else QBoxLayout.Direction.LeftToRight)

    def _fold(self, *, on: bool) -> None:
        if on == self.more.isVisibleTo(self.tools):
            return
        self.more.setVisible(on)
        for button in self._lesser:
            button.setVisible(not on)

    def _fill_menu(self) -> None:
        self._menu.clear()
        for button in self._lesser:
            way = self._menu.addAction(button.icon(), button.text().strip(), button.click)
            way.setEnabled(button.isEnabled())


class SectionHead(PageHead):
    """The header of a section of a page."""

    def __init__(self, title: str, text: str = "", *actions: QWidget) -> None:
        super().__init__(title, text, *actions, role="heading")
