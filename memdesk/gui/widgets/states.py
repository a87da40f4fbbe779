"""What a view shows when it has nothing to show: empty, loading, failed. And the heads of pages and sections."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QProgressBar, QStackedWidget, QWidget

from memdesk.gui.notices import describe
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Emblem, Label, Role, Tone
from memdesk.gui.widgets.layout import column, flowing, row

#: px at 100 % below which a head with tools leaves its sentence out.
NARROW_HEAD = 640
#: px at 100 % below which its tools stand below the title.
NARROWEST_HEAD = 320


class EmptyState(QWidget):
    """A picture, a sentence, what it means, and the way on, perhaps with another one beside it.

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
        inner = QWidget()
        inner.setMaximumWidth(Theme.current().px(420))
        inner.setMinimumWidth(Theme.current().px(least))
        self._picture = Emblem(icon_name, tone) if icon_name else None
        face = (row(None, self._picture, None), 6) if self._picture is not None else ()
        body = column(*face, self._title, self._text, gap=6)
        if action:
            body.addSpacing(Theme.current().px(8))
            ways = [Button(action, handler), *([other] if other is not None else [])]
            body.addLayout(row(None, *ways, None))
        inner.setLayout(body)
        outer = row(margins=margin)
        outer.addStretch(1)
        outer.addWidget(inner, 10)
        outer.addStretch(1)
        self.setLayout(column(None, outer, None))

    def set_words(self, title: str, text: str = "", icon_name: str = "") -> None:
        """Say something else, perhaps with another picture."""
        if icon_name and self._picture is not None:
            self._picture.set_icon(icon_name)
        self._title.setText(title)
        self._text.setText(text)


class StatePane(QStackedWidget):
    """A view with its other faces: ``loading``, ``empty``, ``failed``; the view itself is ``content``."""

    def __init__(self, content: QWidget, empty: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = content
        self.empty = empty
        self._failed: QWidget | None = None
        self._loading = QWidget()
        bar = QProgressBar()
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        bar.setMaximumWidth(Theme.current().px(160))
        bar.setAccessibleName(self.tr("Loading"))
        self._loading.setLayout(column(None, row(None, bar, None), None))
        for widget in (self._loading, content, empty):
            self.addWidget(widget)

    def show_loading(self) -> None:
        """Show that something is on its way."""
        self.setCurrentWidget(self._loading)

    def show_content(self, *, empty: bool = False) -> None:
        """Show the view, or what stands for nothing."""
        self.setCurrentWidget(self.empty if empty else self.content)

    def show_failed(self, error: Exception, retry: Callable[[], object]) -> None:
        """Show what went wrong and a way to try again."""
        if self._failed is not None:
            self.removeWidget(self._failed)
            self._failed.deleteLater()
        words = describe(error)
        text = " ".join(part for part in (words["message"], words["hint"]) if part)
        self._failed = EmptyState(
            "circle-alert", words["title"], text, action=self.tr("Try again"), handler=retry, tone="danger"
        )
        self.addWidget(self._failed)
        self.setCurrentWidget(self._failed)


class PageHead(QWidget):
    """Title, a sentence below it, actions at the right."""

    def __init__(
        self, title: str, text: str = "", *actions: QWidget, role: Role = "title", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.title = Label(title, role)
        self.text = Label(text, "muted", wrap=True)
        self.text.setVisible(bool(text))
        words = column(self.title, self.text, gap=2)
        self.tools = flowing(*actions)
        self.tools.setVisible(bool(actions))
        self._line = head = row(gap=16)
        head.addLayout(words, 1)
        head.addWidget(self.tools)
        head.setAlignment(self.tools, Qt.AlignmentFlag.AlignTop)
        self.setLayout(head)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Drop the sentence where it would push what matters out of sight."""
        super().resizeEvent(event)
        cramped = not self.tools.isHidden() and self.width() < Theme.current().px(NARROW_HEAD)
        self.text.setVisible(bool(self.text.text()) and not cramped)
        tight = cramped and self.width() < Theme.current().px(NARROWEST_HEAD)
        self._line.setDirection(QBoxLayout.Direction.TopToBottom if tight else QBoxLayout.Direction.LeftToRight)


class SectionHead(PageHead):
    """The head of a part of a page."""

    def __init__(self, title: str, text: str = "", *actions: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(title, text, *actions, role="heading", parent=parent)
