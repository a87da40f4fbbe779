"""The folders of notes that are remembered: add, scan and remove."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.gui.text import said, tr
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.dialog import ConfirmDialog
from memdesk.gui.widgets.files import ask_folder
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.labels import ElidedLabel, Label
from memdesk.gui.widgets.layout import column, flowing, row
from memdesk.gui.widgets.options import ShownList
from memdesk.services.events import MemoryChanged, RunChanged, SettingsChanged

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLayout

    from memdesk.domain.models import Agent
    from memdesk.gui.pages import PageContext
    from memdesk.services.notes import FolderStatus


class NotesList(ShownList):
    """Folders with what is remembered of each; not an editor, since changes apply at once."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(gap=12)
        self.context = context
        self.agents = Combo(self.tr("For agent"), [])
        self.add = Button(self.tr("Add a folder of notes"), self._pick, icon_name="plus")
        self.setLayout(column(self.rows, flowing(self.add, self.agents), gap=12))
        for kind in (SettingsChanged, MemoryChanged, RunChanged):
            context.bridge.on(kind, lambda _event: self.reload(), owner=self, settle_ms=300)
        self.reload()

    def reload(self) -> None:
        """Fetch the folders and the agents."""
        services = self.context.services

        def read() -> tuple[list[FolderStatus], list[Agent]]:
            return services.notes.folders(), services.agents.all()

        self.context.bridge.run(self, read, self._show, latest="notes")

    def _show(self, found: tuple[list[FolderStatus], list[Agent]]) -> None:
        folders, agents = found
        names = {agent.id: agent.name for agent in agents}
        chosen = self.agents.key()
        self.agents.set_options(list(names.items()))
        self.agents.set_key(chosen if chosen in names else "default")
        self.agents.setVisible(len(names) > 1)
        self.fill([self._row(folder, names.get(folder.agent, folder.agent)) for folder in folders])

    def _row(self, folder: FolderStatus, agent: str) -> QLayout:
        states = {
            "syncing": self.tr("being read"),
            "watched": self.tr("watched"),
            "missing": self.tr("not there"),
            "not watched": self.tr("not watched"),
        }
        files, passages = self.tr("%n files", "", folder.files), self.tr("%n passages", "", folder.passages)
        words = column(
            ElidedLabel(folder.path, "strong"),
            Label(" · ".join((files, passages, agent, states[folder.state])), "small"),
            gap=4,
        )
        if folder.error:
            words.addWidget(Label(said(folder.error), "danger", wrap=True))
        if folder.refused:
            refused = Label(self.tr("%n files could not be read", "", len(folder.refused)), "muted")
            refused.setToolTip("\n".join(f"{each['file']}: {said(each['reason'])}" for each in folder.refused[:20]))
            words.addWidget(refused)
        look, forget = self.tr("Read again"), self.tr("Remove")
        return row(
            (words, 1),
            Button(look, lambda: self._sync(folder), name=f"{look}: {folder.path}"),
            Button(forget, lambda: self._ask(folder), variant="danger", name=f"{forget}: {folder.path}"),
        )

    def _pick(self) -> None:
        ask_folder(self.window(), self.tr("Choose a folder of notes"), self._picked)

    def _picked(self, path: str) -> None:
        agent = self.agents.key() or "default"
        self.context.bridge.call(self, self.context.services.notes.add, path, agent=agent).then(self.reload).start()

    def _sync(self, folder: FolderStatus) -> None:
        self.context.bridge.call(self, self.context.services.notes.sync, folder.id).behind().then(self.reload).start()

    def _ask(self, folder: FolderStatus) -> None:
        def remove(_option: bool) -> None:
            op = self.context.bridge.call(self, self.context.services.notes.remove, folder.id).behind()
            op.tell(tr("The folder is no longer remembered")).then(self.reload).start()

        ConfirmDialog(
            self.window(),
            title=self.tr("Stop remembering this folder?"),
            text=self.tr("What was read from it is removed from the memory. The files stay as they are."),
            action=self.tr("Remove"),
            confirmed=remove,
        ).open()
