"""Step three: what agents know of the user from the first word."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.notices import describe
from memdesk.gui.pages import PageContext
from memdesk.gui.views.firststart.step import Step
from memdesk.gui.widgets.forms import Field


class NameStep(Step):
    """Name and form of address, kept as lines about the user that every agent sees."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.introduce(
            self.tr("You"),
            self.tr("Who are you?"),
            self.tr("Every agent sees these lines with each reply. You can change them under Memory, Identity."),
        )
        self.name = QLineEdit()
        self.name.setPlaceholderText(self.tr("for example Anna Berger"))
        self.call = QLineEdit()
        self.call.setPlaceholderText(self.tr("for example Anna"))
        self.about = QLineEdit()
        self.about.setPlaceholderText(self.tr("for example: I live in Graz and write software."))
        self.body.addWidget(Field(self.tr("Your name"), self.name))
        self.body.addWidget(Field(self.tr("What should agents call you?"), self.call))
        self.body.addWidget(Field(self.tr("Something they should always know"), self.about))
        self.body.addWidget(self.fault)

    def enter(self) -> None:
        """Begin with the name."""
        self.name.setFocus()

    def lines(self) -> list[str]:
        """Return the identity lines made from what was typed."""
        name, call, about = (edit.text().strip() for edit in (self.name, self.call, self.about))
        found = []
        if name:
            found.append(f"The user's name is {name}.")
        if call and call != name:
            found.append(f"The user wants to be called {call}.")
        if about:
            found.append(about)
        return found

    def finish(self, done: Callable[[], object], refused: Callable[[], object]) -> None:
        """Store the lines."""
        lines, memories = self.lines(), self.context.services.memories

        def work(_op: object) -> None:
            for line in lines:
                memories.add_identity(line)

        def failed(error: Exception) -> None:
            self.show_fault(describe(error)["message"])
            refused()

        op: ServiceOp[None] = ServiceOp(self.context.bridge, self, work)
        op.success(lambda _none: done()).failure(failed).start()
