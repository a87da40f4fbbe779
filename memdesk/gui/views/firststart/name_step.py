"""Step three: what agents know about the user from the start."""

from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit

from memdesk.gui.notices import describe
from memdesk.gui.pages import PageContext
from memdesk.gui.views.firststart.step import Step
from memdesk.gui.widgets.forms import Field


class NameStep(Step):
    """Name and form of address, stored as lines about the user that every agent sees."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.introduce(
            self.tr("You"),
            self.tr("Who are you?"),
            self.tr(
                "Every agent knows these lines and uses them where they matter. You can change them under Memory, Identity."
            ),
        )
        #: Ids of the lines stored here, by topic.
        self._known: dict[str, str] = {}
        self.name = QLineEdit(placeholderText=self.tr("for example Anna Berger"))
        self.call = QLineEdit(placeholderText=self.tr("for example Anna"))
        self.about = QLineEdit(placeholderText=self.tr("for example: I live in Graz and write software."))
        self.body.addWidget(Field(self.tr("Your name"), self.name))
        self.body.addWidget(Field(self.tr("What should agents call you?"), self.call))
        self.body.addWidget(Field(self.tr("Something they should always know"), self.about))
        self.body.addWidget(self.fault)
        self.setFocusProxy(self.name)

    def lines(self) -> dict[str, str]:
        """Return the identity lines of the input, by topic; an empty field gives an empty line.

        They are in the window's language: people read them under Memory, and models see them unchanged. The German ones
        are in the first person, as memory extracts them from chats, so that they are recognized as duplicates.
        """
        name, call, about = (edit.text().strip() for edit in (self.name, self.call, self.about))
        return {
            "name": self.tr("The user's name is {name}.").format(name=name) if name else "",
            "call": self.tr("The user wants to be called {name}.").format(name=call) if call not in {"", name} else "",
            "about": about,
        }

    def finish(self, done: Callable[[], object], refused: Callable[[], object]) -> None:
        """Store the lines, replacing earlier ones if the user corrects them."""
        lines, memories, known = self.lines(), self.context.services.memories, dict(self._known)

        def work() -> dict[str, str]:
            for about, line in lines.items():
                if line and about in known:
                    memories.edit_identity(known[about], content=line, status="active")
                elif line:
                    known[about] = memories.add_identity(line).id
                elif about in known:
                    memories.edit_identity(known[about], status="disabled")
            return known

        def kept(found: dict[str, str]) -> None:
            self._known = found
            done()

        def failed(error: Exception) -> None:
            self.show_fault(describe(error)["message"])
            refused()

        self.context.bridge.call(self, work).success(kept).failure(failed).start()
