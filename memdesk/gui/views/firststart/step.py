"""What the steps of the first start have in common."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from memdesk.gui.pages import PageContext
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column

#: Words that wrap find their height in a later pass, which takes longer on a busy machine; by then it is over.
SETTLED_MS = 1000


def reveal(widget: QWidget) -> None:
    """Scroll to what has just been shown, as soon as it has its place; of what is too tall, to its beginning."""

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
    """One step. ``changed`` tells that ``ready`` or the words of the buttons may have changed.

    A step with ``next_words`` has a button of its own for what comes next; to go on then leaves it undone.
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
        """Name the step and say what it is for; before anything is put into ``body``."""
        self.title = title
        self.heading.setText(heading)
        self.body.addWidget(self.heading)
        self.text.setText(text)
        self.body.addWidget(self.text)
        self.body.addSpacing(6)

    def enter(self) -> None:
        """Be shown."""

    def leave(self) -> None:
        """Be left, done or skipped."""

    def finish(self, done: Callable[[], object], refused: Callable[[], object]) -> None:
        """Do what the step is for, then call ``done``; ``refused`` when it cannot be done now."""
        del refused
        done()

    def show_fault(self, text: str) -> None:
        """Say what went wrong; an empty text takes it back."""
        self.fault.setText(text)
        self.fault.setVisible(bool(text))
        if text:
            reveal(self.fault)
