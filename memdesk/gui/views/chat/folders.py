"""Folders in the list of conversations: create, rename, fold, move and delete."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLineEdit, QRadioButton, QWidget

from memdesk.domain.chatting.folders import Folder
from memdesk.domain.models import Conversation
from memdesk.gui.commands import Command
from memdesk.gui.models.chat import DEFAULT_AGENT
from memdesk.gui.models.conversations import ConversationsModel, Shelf
from memdesk.gui.operations import folders as operations
from memdesk.gui.pages import PageContext
from memdesk.gui.widgets.dialog import ConfirmDialog, Dialog
from memdesk.gui.widgets.forms import Field, TextArea
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column
from memdesk.gui.widgets.undo_bar import UndoBar
from memdesk.services.recording import Rehoused


class FolderDialog(Dialog):
    """A new or existing folder; ``saved`` is called with the stored one."""

    def __init__(
        self,
        parent: QWidget,
        context: PageContext,
        folder: Folder | None,
        agent_id: str,
        saved: Callable[[Folder], object],
    ) -> None:
        super().__init__(parent, self.tr("Edit folder") if folder else self.tr("New folder"), width=520)
        self.name = QLineEdit(folder.name if folder else "")
        self.instructions = TextArea(folder.instructions if folder else "", rows=6)
        self.body.addWidget(Field(self.tr("Name"), self.name))
        self.body.addWidget(Field(self.tr("Instructions"), self.instructions))
        words = self.tr("The model reads them in every chat of this folder, after the agent's own system prompt.")
        self.body.addWidget(Label(words, "small", wrap=True))
        self.shared = QRadioButton(self.tr("Shared: its chats use what their agents know, and add to it"))
        self.own = QRadioButton(self.tr("Only this folder: what is learned here is recalled only here"))
        self.shared.setChecked(True)
        choice = column(self.shared, self.own, gap=6)
        about = self.tr(
            "This cannot be changed later, and chats cannot be moved in or out. What you wrote about yourself under Memory, "
            "such as an allergy, is known here too."
        )
        told = Label(about, "small", wrap=True)
        told.hide()
        self.own.toggled.connect(told.setVisible)
        if folder is None:
            self.body.addWidget(Label(self.tr("Memory"), "strong"))
            self.body.addLayout(choice)
            self.body.addWidget(told)
        elif folder.agent_id is not None:
            self.body.addWidget(
                Label(self.tr("What is learned in this folder is recalled only here."), "small", wrap=True)
            )

        def save() -> None:
            operations.save(
                context,
                self,
                folder=folder,
                name=self.name.text(),
                instructions=self.instructions.toPlainText(),
                own_memory_as=agent_id if self.own.isChecked() else None,
            ).success(stored).failure(self.show_fault).start()

        def stored(made: Folder) -> None:
            self.accept()
            saved(made)

        self.set_action(self.tr("Save") if folder else self.tr("Create"), save)


class Folders(QObject):
    """Actions on the folders of a list.

    ``changed``: fetch the list again; ``wanted_new``: a chat in a folder; ``moved``: a conversation in its new place;
    ``deleted``: a folder's id and whether its chats were deleted too.
    """

    changed = Signal()
    wanted_new = Signal(object)
    moved = Signal(object)
    #: A conversation moved to another agent: ``(before, after)``.
    rehoused = Signal(object, object)
    deleted = Signal(str, bool)

    def __init__(self, context: PageContext, model: ConversationsModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._context, self._model, self._list = context, model, parent
        #: The answering agent of a new folder with its own memory.
        self.agent_id = DEFAULT_AGENT
        self.bar = UndoBar()
        self.bar.undone.connect(self._bring_back)
        #: Conversations that moved to another agent, by their new id.
        self._gone_over: dict[str, Rehoused] = {}
        model.dropped_talk.connect(self._dropped)
        model.dropped_folder.connect(self._put)

    def ask(self, folder: Folder | None = None, then: Callable[[Folder], object] | None = None) -> FolderDialog:
        """Ask for a new folder, or for changes of one."""

        def saved(made: Folder) -> None:
            self.changed.emit()
            if then is not None:
                then(made)

        dialog = FolderDialog(self._list.window(), self._context, folder, self.agent_id, saved)
        dialog.open()
        return dialog

    def toggle(self, folder: Folder) -> None:
        """Fold a folder, or open it."""
        self._edit(folder, collapsed=not folder.collapsed)

    def move(self, agent_id: str, conversation_id: str, folder_id: str | None) -> None:
        """Put a conversation into a folder, or out of its own."""

        def done(talk: Conversation) -> None:
            self.changed.emit()
            self.moved.emit(talk)

        put = self._context.services.conversations.move
        self._context.bridge.call(self, put, agent_id, conversation_id, folder_id or None).success(done).start()

    def _dropped(self, agent_id: str, conversation_id: str, folder_id: str) -> None:
        talk = next((one for one in self._model.talks if (one.agent_id, one.id) == (agent_id, conversation_id)), None)
        shelf = self._model.shelf(folder_id)
        if talk is not None and shelf is not None:
            self._put_into(talk, shelf.folder)
        else:
            self.move(agent_id, conversation_id, folder_id)

    def _put_into(self, talk: Conversation, folder: Folder) -> None:
        """Move a conversation into a folder; with its own memory, after asking what goes along."""
        if folder.takes(talk.agent_id):
            self.move(talk.agent_id, talk.id, folder.id)
        else:
            self.ask_rehouse(talk, folder)

    def ask_rehouse(self, talk: Conversation, folder: Folder) -> ConfirmDialog:
        """Ask what goes along with a conversation into a folder with its own memory."""

        def done(moved: Rehoused) -> None:
            self._gone_over[moved.talk.id] = moved
            words = self.tr("“{title}” is in “{name}” now").format(title=talk.title, name=folder.name)
            self.bar.did(words, moved.talk.id)
            self.changed.emit()
            self.rehoused.emit(moved.former, moved.talk)

        return operations.ask_rehouse(self._context, self._list, talk=talk, folder=folder, done=done)

    def _bring_back(self, conversation_id: str) -> None:
        moved = self._gone_over.pop(conversation_id)

        def done(back: Conversation) -> None:
            self.changed.emit()
            self.rehoused.emit(moved.talk, back)

        self._context.bridge.call(self, self._context.services.ingest.bring_back, moved).success(done).start()

    def ask_delete(self, shelf: Shelf) -> ConfirmDialog:
        """Confirm the deletion of a folder."""

        def done(chats: bool) -> None:
            self.changed.emit()
            self.deleted.emit(shelf.folder.id, chats)

        return operations.ask_delete(self._context, self._list, folder=shelf.folder, done=done)

    def commands_of(self, shelf: Shelf) -> list[list[Command]]:
        """Return the actions on a folder, in groups."""
        folder, last = shelf.folder, len(self._model.shelves) - 1
        fold = self.tr("Expand") if folder.collapsed else self.tr("Collapse")

        def command(name: str, icon_name: str, title: str, handler: Callable[[], object]) -> Command:
            return Command(f"folder.{name}", title, icon_name, handler)

        up = command("up", "chevron-up", self.tr("Move up"), partial(self._edit, folder, position=folder.position - 1))
        down = command(
            "down", "chevron-down", self.tr("Move down"), partial(self._edit, folder, position=folder.position + 1)
        )
        return [
            [
                command("chat", "message-square-plus", self.tr("New chat here"), partial(self.wanted_new.emit, folder)),
                command("edit", "pencil", self.tr("Name and instructions…"), partial(self.ask, folder)),
                command("fold", "folder" if folder.collapsed else "folder-open", fold, partial(self.toggle, folder)),
            ],
            [*([up] if folder.position > 0 else []), *([down] if folder.position < last else [])],
            [command("delete", "trash-2", self.tr("Delete folder…"), partial(self.ask_delete, shelf))],
        ]

    def places_for(self, talk: Conversation) -> list[Command]:
        """Return the places a conversation can be moved to."""
        here = (talk.agent_id, talk.id)
        if self._model.closed(talk.agent_id):
            return []
        places = [
            Command(
                f"conversation.move.{shelf.folder.id}",
                self.tr("Move to “{name}”").format(name=shelf.folder.name),
                "folder",
                partial(self._put_into, talk, shelf.folder),
            )
            for shelf in self._model.shelves
            if shelf.folder.id != talk.folder_id
        ]
        new = Command(
            "conversation.move.new",
            self.tr("Move to a new folder…"),
            "folder-plus",
            lambda: self.ask(then=partial(self._put_into, talk)),
        )
        out = Command(
            "conversation.move.out", self.tr("Remove from its folder"), "log-out", partial(self.move, *here, None)
        )
        return [*places, new, *([out] if self._model.shelf(talk.folder_id) else [])]

    def _put(self, folder_id: str, position: int) -> None:
        shelf = self._model.shelf(folder_id)
        if shelf is not None:
            self._edit(shelf.folder, position=position)

    def _edit(self, folder: Folder, **fields: Any) -> None:
        op = self._context.bridge.call(self, self._context.services.folders.edit, folder.id, **fields)
        op.then(self.changed.emit).start()
