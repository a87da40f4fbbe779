"""Shared by the steps of the first start."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from memdesk.gui.pages import PageContext
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column

#: Time until the layout of wrapped text has settled, even on a busy machine.
SETTLED_MS = 1000


def reveal(widget: QWidget) -> None:
    """Scroll to a newly shown widget once it is laid out; to its top if it is too tall."""

    def area() -> QScrollArea | None:
        above = widget.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        return above

    def scroll() -> None:
        page = found.widget() if (found := area()) is not None else None
        if found is None or page is None or not widget.isVisible():
            return
        bar, gap = found.verticalScrollBar(), Theme.current().px(12)
        top = widget.mapTo(page, QPoint(0, 0)).y() - gap
        bottom = top + widget.height() + 2 * gap - found.viewport().height()
        bar.setValue(min(top, max(bar.value(), bottom)))

    def follow() -> None:
        scroll()
        if (found := area()) is not None:
            moved = found.verticalScrollBar().rangeChanged.connect(scroll)
            QTimer.singleShot(SETTLED_MS, found, lambda: QObject.disconnect(moved))

    QTimer.singleShot(0, widget, follow)


class Step(QWidget):
    """One step. ``changed``: ``ready`` or the buttons' texts may have changed.

    A step with ``next_words`` has its own button for its action; going on skips it.
    """

    changed = Signal()

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.context = context
        self.title = ""
        self.ready = True
        self.may_skip = True
        self.skip_words = ""
        self.next_words = ""
        self.fault = Label("", "danger", wrap=True)
        self.fault.hide()
        self.heading = Label("", "display", wrap=True)
        self.text = Label("", "muted", wrap=True)
        self.body: QVBoxLayout = column(gap=10)
        self.setLayout(self.body)

    def introduce(self, title: str, heading: str, text: str) -> None:
        """Set the step's title and purpose; call before adding to ``body``."""
        self.title = title
        self.heading.setText(heading)
        self.body.addWidget(self.heading)
        self.text.setText(text)
        self.body.addWidget(self.text)
        self.body.addSpacing(6)

    def enter(self) -> None:
        """Called when shown."""

    def leave(self) -> None:
        """Called when left, done or skipped."""

    def finish(self, done: Callable[[], object], refused: Callable[[], object]) -> None:
        """Do the step's action, then call ``done``, or ``refused`` if it is not possible now."""
        del refused
        done()

    def show_fault(self, text: str) -> None:
        """Show an error; an empty text removes it."""
        self.fault.setText(text)
        self.fault.setVisible(bool(text))
        if text:
            reveal(self.fault)
