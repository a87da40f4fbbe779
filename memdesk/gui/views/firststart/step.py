"""What the steps of the first start have in common."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from memdesk.gui.pages import PageContext
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column

#: After this a page that was added to has its final height.
SETTLED_MS = 60


def reveal(widget: QWidget) -> None:
    """Scroll to what has just been shown, as soon as it has its place; of what is too tall, to its beginning."""

    def scroll() -> None:
        area = widget.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        page = area.widget() if area is not None else None
        if area is None or page is None or not widget.isVisible():
            return
        bar, gap = area.verticalScrollBar(), Theme.current().px(12)
        top = widget.mapTo(page, QPoint(0, 0)).y() - gap
        bottom = top + widget.height() + 2 * gap - area.viewport().height()
        bar.setValue(min(top, max(bar.value(), bottom)))

    # Wrapped labels know their height in the second pass only.
    for wait in (0, SETTLED_MS):
        QTimer.singleShot(wait, widget, scroll)


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
