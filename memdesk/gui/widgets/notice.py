"""Notices drawn in the window: toasts in a corner, banners above a page."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QEnterEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from memdesk.gui.notices import Notices
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import Button, IconButton, set_property
from memdesk.gui.widgets.labels import IconLabel, Label
from memdesk.gui.widgets.layout import STACKED_BELOW, Stacking, boxed, column, row
from memdesk.services.events import Notice

ICONS = {
    "info": ("info", "accent"),
    "success": ("circle-check", "success"),
    "warning": ("triangle-alert", "warning"),
    "error": ("circle-alert", "danger"),
}
#: How long a notice without action stays, in ms; errors stay until they are closed or their page is left.
STAY_MS = {"info": 6000, "success": 5000, "warning": 12000}
#: How long an error stays at least, in ms, however soon its page is left.
READ_MS = 6000
MOST_TOASTS = 4
#: Events that change the space for toasts.
_MOVED = {QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide}


class Toast(QFrame):
    """One notice. Stays while the mouse is over it."""

    def __init__(self, notice: Notice, close: Callable[[Toast], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.notice = notice
        self._close = close
        self.setProperty("notice", notice.level)
        self.setAccessibleName(f"{notice.title}. {notice.message} {notice.hint}")
        name, token = ICONS[notice.level]
        words = column(Label(notice.title, "strong", wrap=True), gap=2)
        for text, role in ((notice.message, ""), (notice.hint, "muted")):
            if text:
                words.addWidget(Label(text, role, wrap=True, selectable=True))  # type: ignore[arg-type] # both are roles
        box = row(gap=10, margins=(12, 10, 8, 10))
        picture = IconLabel(name, token)
        shut = IconButton("x", self.tr("Close"), lambda: close(self))
        box.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        box.addLayout(words, 1)
        box.addWidget(shut, 0, Qt.AlignmentFlag.AlignTop)
        self.setLayout(box)
        self._stay = STAY_MS.get(notice.level)
        self._age = QElapsedTimer()
        self._age.start()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(lambda: close(self))
        self._arm()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Stay while it is read."""
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._arm()
        super().leaveEvent(event)

    def height_at(self, width: int) -> int:
        """Return the height its words need at ``width``."""
        layout = self.layout()
        assert layout is not None
        return layout.totalHeightForWidth(width)

    def outstay(self) -> None:
        """Leave as soon as it could be read, unless it leaves by itself: the page it came up on is gone."""
        if self._stay is None:
            self._stay = max(0, READ_MS - self._age.elapsed())
            self._arm()

    def _arm(self) -> None:
        if self._stay is not None:
            self._timer.start(self._stay)


class ToastStack(QObject):
    """Places toasts in the lower right corner of a widget, newest lowest, and above what must stay accessible.

    A widget that must never be covered has the property ``uncovered``.
    """

    def __init__(self, host: QWidget, notices: Notices, *, bottom: int = 40) -> None:
        super().__init__(host)
        self._host = host
        self._bottom = bottom
        self.toasts: list[Toast] = []
        self._page = ""
        host.installEventFilter(self)
        notices.shown.connect(self.show)

    def show(self, notice: Notice) -> None:
        """Show a notice; it replaces an equal one."""
        for toast in [t for t in self.toasts if (t.notice.title, t.notice.message) == (notice.title, notice.message)]:
            self._remove(toast)
        while len(self.toasts) >= MOST_TOASTS:
            self._remove(self.toasts[0])
        toast = Toast(notice, self._remove, self._host)
        self.toasts.append(toast)
        toast.show()
        self.place()

    def clear(self) -> None:
        for toast in list(self.toasts):
            self._remove(toast)

    def moved(self, page_id: str) -> None:
        """Let errors go that another page than this brought up; the list under the bell keeps them."""
        before, self._page = self._page, page_id
        if before not in {"", page_id}:
            for toast in self.toasts:
                toast.outstay()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the sizes of the host and of uncovered widgets, whose pages come and go."""
        if event.type() in _MOVED:
            self.place()
        return super().eventFilter(watched, event)

    def _remove(self, toast: Toast) -> None:
        if toast in self.toasts:
            self.toasts.remove(toast)
            toast.hide()
            toast.deleteLater()
            self.place()

    def place(self) -> None:
        """Place the toasts anew, as where a page with uncovered widgets has come."""
        if not self.toasts:
            return
        px = Theme.current().px
        width = min(px(380), self._host.width() - px(32))
        y = self._floor(self._host.width() - width - px(16))
        for toast in reversed(self.toasts):
            toast.setFixedWidth(width)
            height = toast.height_at(width)
            y -= height
            toast.setGeometry(self._host.width() - width - px(16), y, width, height)
            toast.raise_()
            y -= px(8)

    def _floor(self, left: int) -> int:
        """Return the bottom for toasts at ``left``: above the status bar and uncovered widgets."""
        px = Theme.current().px
        floor = self._host.height() - px(self._bottom)
        for widget in self._host.findChildren(QWidget):
            if widget.property("uncovered"):
                # In Qt, installing a filter twice has no effect; it goes with its widget.
                widget.installEventFilter(self)
                corner = widget.mapTo(self._host, QPoint(0, 0))
                if widget.isVisible() and corner.x() + widget.width() > left:
                    floor = min(floor, corner.y() - px(8))
        return floor


class Banner(QFrame):
    """A persistent message above a page, with up to two actions; another sentence if it fits. Hidden until ``say``."""

    def __init__(self) -> None:
        super().__init__()
        self._icon = IconLabel("info", "accent")
        self._text = Label("", wrap=True)
        self._words = ("", "")
        self._actions = row(gap=6)
        words = boxed(row(self._icon, (self._text, 1), gap=10))
        self.setLayout(column(Stacking(words, boxed(self._actions), margins=(16, 6, 12, 6)), gap=0))
        self.hide()

    def say(self, level: str, text: str, *actions: Button, more: str = "") -> None:
        """Show a text with a level (``info``, ``success``, ``warning``, ``error``) and actions; ``more`` if wide."""
        while (item := self._actions.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.deleteLater()
        self._icon.set_icon(*ICONS[level])
        self._words = (text, f"{text} {more}".strip())
        self._fit()
        self.setAccessibleName(self._words[1])
        for action in actions:
            self._actions.addWidget(action)
        set_property(self, "banner", level)
        self.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self._text.setText(self._words[self.width() >= Theme.current().px(STACKED_BELOW)])
