"""What the steps of the first start have in common."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memdesk.gui.pages import PageContext
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column


class Step(QWidget):
    """One step. ``changed`` tells that ``ready`` or the words of the buttons may have changed."""

    changed = Signal()

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.context = context
        self.title = ""
        self.ready = True
        self.may_skip = True
        self.skip_words = ""
        self.fault = Label("", "danger", wrap=True)
        self.fault.hide()
        self.text = Label("", "muted", wrap=True)
        self.body: QVBoxLayout = column(gap=10)
        self.setLayout(self.body)

    def introduce(self, title: str, heading: str, text: str) -> None:
        """Name the step and say what it is for; before anything is put into ``body``."""
        self.title = title
        self.body.addWidget(Label(heading, "display", wrap=True))
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
