"""The list of conversations at the left of the chat."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QLineEdit, QListView, QMenu, QWidget

from memdesk.domain.models import Agent, Conversation, Page, every
from memdesk.gui.commands import Command
from memdesk.gui.icons import icon
from memdesk.gui.models.conversations import ConversationsModel, Fetched, Shelf
from memdesk.gui.operations import conversations as operations
from memdesk.gui.pages import PageContext
from memdesk.gui.views.chat.conversation_rows import ConversationDelegate
from memdesk.gui.views.chat.folders import Folders
from memdesk.gui.widgets.buttons import Button, IconButton
from memdesk.gui.widgets.dialog import Dialog
from memdesk.gui.widgets.files import ask_place
from memdesk.gui.widgets.forms import Combo, Field
from memdesk.gui.widgets.layout import column, row
from memdesk.gui.widgets.menus import fill, menu_of
from memdesk.gui.widgets.search import SearchField
from memdesk.gui.widgets.states import EmptyState, StatePane
from memdesk.services.events import ConversationsChanged, TurnsRecorded

#: Pinned conversations fetched in addition to the newest ones.
MOST_PINNED = 100


class ConversationList(QWidget):
    """Search, agents, conversations.

    ``chosen`` has agent, conversation and, in a search, its :class:`Hit` or None; ``wanted_new``: a new chat.
    """

    chosen = Signal(str, str, object)
    wanted_new = Signal(bool)
    deleted = Signal(str, str)

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self._context = context
        self._archived = False
        #: Chats whose first answer is in progress; they are stored with it.
        self._underway: list[Conversation] = []
        self._selected = ("", "")
        self._open: Conversation | None = None
        #: A press on a row's dots opens its menu, not the conversation.
        self._for_menu = False
        self.setObjectName("conversations")

    def build(self) -> Iterator[None]:
        self.search = SearchField(self.tr("Search conversations"))
        self.search.searched.connect(lambda _text: self.reload())
        self.search.installEventFilter(self)
        yield
        self.agents = Combo(self.tr("Show conversations of"), [("", self.tr("All agents"))])
        self.agents.setProperty("variant", "ghost")
        self.agents.setMinimumContentsLength(8)
        self.agents.setSizeAdjustPolicy(Combo.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.agents.chosen.connect(lambda _key: self.reload())
        yield
        self._build_rows()
        yield
        new = Button(self.tr("New chat"), lambda: self.wanted_new.emit(False), icon_name="message-square-plus")
        ghost = IconButton("ghost", self.tr("New temporary chat"), lambda: self.wanted_new.emit(True))
        yield
        self.shelf = IconButton(
            "archive", self.tr("Show archived conversations"), self._toggle_archived, checkable=True
        )
        shelve = IconButton("folder-plus", self.tr("New folder"), self.folders.ask)
        self.empty = EmptyState("", self.tr("No conversations yet"), self.tr("What you say to an agent is kept here."))
        yield
        self.pane = StatePane(self.view, self.empty)
        self.model.loaded.connect(self._loaded)
        self.model.failed.connect(lambda error: self.pane.show_failed(error, self.reload))
        head = row((new, 1), ghost, gap=6)
        filters = row((self.agents, 1), shelve, self.shelf, gap=4)
        box = column(
            column(head, self.search, filters, gap=6, margins=(10, 10, 10, 0)), (self.pane, 1), self.folders.bar, gap=6
        )
        self.setLayout(box)
        for kind in (ConversationsChanged, TurnsRecorded):
            self._context.bridge.on(kind, lambda _event: self.reload(), owner=self, settle_ms=200)

    def _build_rows(self) -> None:
        self.model = ConversationsModel(self._context.bridge, self._context.services.clock.local, self)
        self.view = QListView()
        self.view.setProperty("role", "plain")
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setAccessibleName(self.tr("Conversations"))
        self.view.setMouseTracking(True)
        self.view.setModel(self.model)
        self.view.setDragDropMode(QListView.DragDropMode.DragDrop)
        self.view.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.folders = Folders(self._context, self.model, self)
        self.folders.changed.connect(self.reload)
        self.folders.moved.connect(self.know)
        self.delegate = ConversationDelegate(self.view)
        self.view.setItemDelegate(self.delegate)
        self.delegate.menu_wanted.connect(self._dots_pressed)
        self.delegate.new_wanted.connect(self._plus_pressed)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._menu)
        self.view.clicked.connect(self._choose)
        self.view.activated.connect(self._choose)
        for keys, call in (
            (QKeySequence(QKeySequence.StandardKey.Delete), self._delete_current),
            (QKeySequence("F2"), self._rename_current),
        ):
            QShortcut(keys, self.view, call).setContext(Qt.ShortcutContext.WidgetShortcut)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Move from the search to its results with the arrow key."""
        down = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Down
        if watched is self.search and down:
            self.view.setFocus()
            first = next((n for n, row in enumerate(self.model.rows) if isinstance(row, Conversation)), -1)
            if first >= 0 and not self.view.currentIndex().isValid():
                self.view.setCurrentIndex(self.model.index(first))
            return True
        return super().eventFilter(watched, event)

    def set_agents(self, agents: list[Agent]) -> None:
        """Set the agents' names and colors."""
        self.agents.set_options([("", self.tr("All agents")), *((agent.id, agent.name) for agent in agents)])
        self.delegate.colors = {agent.id: agent.color for agent in agents}
        self.view.viewport().update()

    def reload(self) -> None:
        """Fetch again from the top."""
        service = self._context.services.conversations
        query, agent, archived = self.search.told, self.agents.key() or None, self._archived
        underway = [] if archived else [talk for talk in self._underway if agent in {None, talk.agent_id}]

        folders = self._context.services.folders
        # Search results and archived chats are one list, regardless of folders.
        loose = None if query or archived else ""

        def fetch(limit: int, cursor: str | None) -> Fetched:
            page = service.page(
                agent_id=agent, query=query, archived=archived, folder=loose, limit=limit, cursor=cursor
            )
            if query:
                return Fetched(page, service.hits(page.items, query))
            if cursor is not None:
                return Fetched(page)
            # Pinned ones come first, however old.
            pinned = service.page(agent_id=agent, archived=archived, pinned=True, folder=loose, limit=MOST_PINNED).items
            inside: list[Conversation] = []
            shelves = []
            for folder in folders.all() if loose is not None else ():
                # The agent of a folder's memory is not offered as a filter.
                whose = agent if folder.agent_id is None else None
                if folder.collapsed:
                    count = service.page(whose, archived=False, folder=folder.id, limit=1).total
                else:
                    talks = list(every(service.page, whose, archived=False, folder=folder.id))
                    inside += talks
                    count = len(talks)
                shelves.append(Shelf(folder, count))
            present = {(talk.agent_id, talk.id) for talk in (*page.items, *inside)}
            missing = [talk for talk in (*pinned, *underway) if (talk.agent_id, talk.id) not in present]
            return Fetched(Page([*missing, *inside, *page.items], page.total, page.next), {}, tuple(shelves))

        self.model.reload(fetch, grouped=not query)

    def set_underway(self, talks: list[Conversation]) -> None:
        """Also list chats whose first answer is in progress."""
        if talks != self._underway:
            self._underway = talks
            self.reload()

    def listed(self, agent_id: str, conversation_id: str) -> Conversation | None:
        return self.model.talk(self.model.index(self.model.position(agent_id, conversation_id)))

    def select(self, agent_id: str, conversation_id: str) -> None:
        """Select the open conversation."""
        if self._selected != (agent_id, conversation_id):
            self._open = None
        self._selected = (agent_id, conversation_id)
        position = self.model.position(agent_id, conversation_id)
        if position >= 0:
            self.view.setCurrentIndex(self.model.index(position))
        else:
            self.view.clearSelection()

    def _loaded(self, total: int) -> None:
        del total
        if self.search.told:
            self.empty.set_words(self.tr("Nothing found"), self.tr("Titles and every message were searched."))
        elif self._archived:
            self.empty.set_words(self.tr("Nothing archived"))
        else:
            self.empty.set_words(self.tr("No conversations yet"), self.tr("What you say to an agent is kept here."))
        self.pane.show_content(empty=not self.model.rows)
        self.select(*self._selected)

    def _toggle_archived(self) -> None:
        self._archived = self.shelf.isChecked()
        self.reload()

    def _choose(self, index: QModelIndex) -> None:
        talk, shelf = self.model.talk(index), self.model.shelf_at(index)
        if self._for_menu:
            self._for_menu = False
            self.select(*self._selected)
        elif shelf is not None:
            self.folders.toggle(shelf.folder)
        elif talk is not None:
            self._selected = (talk.agent_id, talk.id)
            self.chosen.emit(talk.agent_id, talk.id, self.model.hit(talk))

    def _current(self) -> Conversation | None:
        return self.model.talk(self.view.currentIndex())

    def _delete_current(self) -> None:
        talk, shelf = self._current(), self.model.shelf_at(self.view.currentIndex())
        if talk is not None:
            self.ask_delete(talk)
        elif shelf is not None:
            self.folders.ask_delete(shelf)

    def _rename_current(self) -> None:
        talk, shelf = self._current(), self.model.shelf_at(self.view.currentIndex())
        if talk is not None:
            self.ask_title(talk)
        elif shelf is not None:
            self.folders.ask(shelf.folder)

    def _menu(self, point: QPoint) -> None:
        menu = self._menu_at(self.view.indexAt(point))
        if menu is not None:
            # Its row is selected while the menu is open; afterwards the open conversation is again.
            menu.aboutToHide.connect(self._menu_gone)
            menu.popup(self.view.viewport().mapToGlobal(point))

    def _dots_pressed(self, index: QModelIndex) -> None:
        menu = self._menu_at(index)
        if menu is None:
            return
        self._for_menu = True
        # An opening menu consumes the release, so that no click follows.
        menu.aboutToHide.connect(self._menu_gone)
        menu.popup(self.view.viewport().mapToGlobal(self.view.visualRect(index).bottomRight()))

    def _menu_gone(self) -> None:
        self._for_menu = False
        self.select(*self._selected)

    def _plus_pressed(self, index: QModelIndex) -> None:
        shelf = self.model.shelf_at(index)
        if shelf is not None:
            # The click that follows does not fold it.
            self._for_menu = True
            self.folders.wanted_new.emit(shelf.folder)

    def _menu_at(self, index: QModelIndex) -> QMenu | None:
        talk, shelf = self.model.talk(index), self.model.shelf_at(index)
        if shelf is not None:
            return menu_of(self, *self.folders.commands_of(shelf))
        return self.menu_of(talk) if talk is not None else None

    def menu_of(self, talk: Conversation) -> QMenu:
        menu = menu_of(self, *self._commands_of(talk))
        if found := self.folders.places_for(talk):
            places = fill(QMenu(self.tr("Move to folder"), menu, icon=icon("folder")), found)
            menu.insertMenu(next(action for action in menu.actions() if action.isSeparator()), places)
        return menu

    def commands(self) -> list[Command]:
        """Return the actions on the open conversation; none for a new chat."""
        talk = self.listed(*self._selected) or self._open
        if talk is None:
            return []
        return [
            command for commands in (*self._commands_of(talk), self.folders.places_for(talk)) for command in commands
        ]

    def know(self, talk: Conversation) -> None:
        """Set the open conversation: it may not be listed."""
        if (talk.agent_id, talk.id) == self._selected:
            self._open = talk

    def _commands_of(self, talk: Conversation) -> list[list[Command]]:
        """Return the actions on a conversation, in groups."""
        context, pinned, archived = self._context, talk.pinned, talk.archived

        def command(name: str, icon_name: str, title: str, handler: Callable[[], object]) -> Command:
            return Command(f"conversation.{name}", title, icon_name, handler)

        def pin() -> None:
            keep = context.services.conversations.pin
            context.bridge.call(self, keep, talk.agent_id, talk.id, not pinned).success(self.know).start()

        def archive() -> None:
            operations.archive(context, self, talk=talk, on=not archived).success(self.know).start()

        kept = self.tr("Unarchive") if archived else self.tr("Archive")
        return [
            [
                command("rename", "pencil", self.tr("Rename…"), lambda: self.ask_title(talk)),
                command("pin", "pin-off" if pinned else "pin", self.tr("Unpin") if pinned else self.tr("Pin"), pin),
                command("archive", "archive-restore" if archived else "archive", kept, archive),
            ],
            [
                command("markdown", "download", self.tr("Export as Markdown…"), lambda: self.export(talk, "md")),
                command("json", "download", self.tr("Export as JSON…"), lambda: self.export(talk, "json")),
            ],
            [command("delete", "trash-2", self.tr("Delete…"), lambda: self.ask_delete(talk))],
        ]

    def ask_title(self, talk: Conversation) -> Dialog:
        dialog = Dialog(self.window(), self.tr("Rename conversation"), width=420)
        edit = QLineEdit(talk.title)
        edit.selectAll()
        dialog.body.addWidget(Field(self.tr("Title"), edit))

        def save() -> None:
            rename = self._context.services.conversations.rename
            op = self._context.bridge.call(dialog, rename, talk.agent_id, talk.id, edit.text())
            op.success(self.know).then(dialog.accept).failure(dialog.show_fault).start()

        dialog.set_action(self.tr("Rename"), save)
        dialog.open()
        edit.setFocus()
        return dialog

    def ask_delete(self, talk: Conversation) -> None:
        """Confirm the deletion of a conversation."""
        gone = partial(self.deleted.emit, talk.agent_id, talk.id)
        operations.ask_delete(self._context, self, talk=talk, done=lambda _report: gone())

    def export(self, talk: Conversation, format_: Literal["md", "json"]) -> None:
        """Ask for a file and write the conversation."""
        safe = "".join(c if c.isalnum() or c in " -_" else "_" for c in talk.title)[:60].strip() or "conversation"

        def write(path: str) -> None:
            operations.export(self._context, self, talk=talk, format_=format_, path=path).start()

        ask_place(self.window(), self.tr("Export conversation"), write, f"{safe}.{format_}")
