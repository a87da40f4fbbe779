"""“Forget this” on a selection: the user chooses the memories that say it, which are then forgotten."""

from PySide6.QtWidgets import QCheckBox, QWidget

from memdesk.domain.items.item import MemoryItem
from memdesk.gui.operations.forgetting import forget
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.gui.widgets.dialog import Dialog
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import clear, column
from memdesk.gui.words import quoted
from memdesk.ports import FactFilter
from memdesk.services.forgetting import ForgetTarget

MOST = 8


class ForgetSelection(Dialog):
    """Finds facts similar to the selection and forgets the ticked ones."""

    def __init__(self, context: PageContext, parent: QWidget, agent_id: str, text: str) -> None:
        super().__init__(parent.window(), tr("Forget this?"))
        self._context = context
        self._agent_id = agent_id
        self._boxes: list[tuple[QCheckBox, MemoryItem]] = []
        self.body.addWidget(Label(quoted(" ".join(text.split())[:300]), "quote", wrap=True))
        self._found = column(Label(self.tr("Looking for memories that say so…"), "muted"))
        self.body.addLayout(self._found)
        self.button = self.set_action(self.tr("Forget"), self._forget, "danger-solid")
        self.button.setEnabled(False)
        memories = context.services.memories
        context.bridge.run(
            self,
            lambda: memories.facts(FactFilter(agent_id=agent_id, query=text[:400]), limit=MOST).items,
            self._show,
            self.show_fault,
        )

    def _show(self, facts: list[MemoryItem]) -> None:
        clear(self._found)
        if not facts:
            self._found.addWidget(
                Label(
                    self.tr(
                        "No fact says this. To lose the message itself, delete the conversation or edit the message."
                    ),
                    wrap=True,
                )
            )
            return
        self._found.addWidget(Label(self.tr("These memories are about it. Tick what should go."), wrap=True))
        for number, fact in enumerate(facts):
            box = QCheckBox(fact.content if len(fact.content) < 90 else f"{fact.content[:88]}…")
            box.setToolTip(fact.content)
            box.setChecked(number == 0)
            box.toggled.connect(lambda _on: self._count())
            self._found.addWidget(box)
            self._boxes.append((box, fact))
        self._count()

    def _count(self) -> None:
        self.button.setEnabled(any(box.isChecked() for box, _fact in self._boxes))

    def _forget(self) -> None:
        ids = tuple(fact.id for box, fact in self._boxes if box.isChecked())
        target = ForgetTarget(kind="facts", ids=ids, agent_id=self._agent_id)
        forget(self._context, self, target=target).then(self.accept).failure(self.show_fault).start()
