"""The conversations of the sidebar: those in folders, then the others page by page under date headings."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from PySide6.QtCore import QAbstractListModel, QLocale, QMimeData, QModelIndex, QObject, Qt, Signal

from memdesk.domain.chatting.folders import Folder
from memdesk.domain.decoding import UndecodableError, decode
from memdesk.domain.models import Conversation, Hit, Page
from memdesk.gui.bridge import Bridge
from memdesk.gui.models.paged import ITEM, Index
from memdesk.gui.text import tr
from memdesk.gui.words import moment

#: Conversations per fetch.
PAGE_ROWS = 200
#: The search hit of a row, or None.
HIT = ITEM + 1
Hits = dict[tuple[str, str], Hit]
ToLocal = Callable[[datetime], datetime]


@dataclass(frozen=True, slots=True)
class Heading:
    """A row that names the group below it."""

    title: str


@dataclass(frozen=True, slots=True)
class Hint:
    """A row that explains an open folder without chats."""

    title: str
    folder_id: str


@dataclass(frozen=True, slots=True)
class Shelf:
    """A row of a folder, with how many conversations it holds."""

    folder: Folder
    count: int

    @property
    def title(self) -> str:
        return self.folder.name


Row = Conversation | Heading | Hint | Shelf


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page of conversations with search hits, and the folders if shown."""

    page: Page[Conversation]
    hits: Hits = field(default_factory=dict)
    shelves: tuple[Shelf, ...] = ()


Fetch = Callable[[int, str | None], Fetched]
#: Dragged data: ["talk", agent, conversation] or ["folder", id], as JSON.
MIME = "application/x-memdesk-row"


def group_of(talk: Conversation, today: date, to_local: ToLocal) -> str:
    """Return the heading of a conversation."""
    if talk.pinned:
        return tr("Pinned")
    day = to_local(talk.updated_at).date()
    if day >= today:
        return tr("Today")
    if day == today - timedelta(days=1):
        return tr("Yesterday")
    if day > today - timedelta(days=7):
        return tr("Last 7 days")
    if day > today - timedelta(days=30):
        return tr("Last 30 days")
    month = QLocale().standaloneMonthName(day.month)
    return month if day.year == today.year else f"{month} {day.year}"


class ConversationsModel(QAbstractListModel):
    """Rows are folders, conversations and headings. ``loaded`` has the total, ``failed`` an error.

    ``dropped_talk`` has agent, conversation and the target folder, or ""; ``dropped_folder`` a folder and its new
    position.
    """

    loaded = Signal(int)
    failed = Signal(object)
    dropped_talk = Signal(str, str, str)
    dropped_folder = Signal(str, int)

    def __init__(self, bridge: Bridge, to_local: ToLocal, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._to_local = to_local
        self._fetch: Fetch | None = None
        self.talks: list[Conversation] = []
        self.hits: Hits = {}
        self.shelves: tuple[Shelf, ...] = ()
        self.rows: list[Row] = []
        self._cursor: str | None = None
        self._waiting = False
        self._grouped = True

    def reload(self, fetch: Fetch | None = None, *, grouped: bool = True) -> None:
        """Start again from the first page. The old rows stay until it arrives.

        Args:
            fetch: another query, by limit and cursor; folders come with the first page.
            grouped: headings by date; search results have none.
        """
        self._fetch = fetch or self._fetch
        self._grouped = grouped
        self._ask(None)

    def talk(self, index: Index) -> Conversation | None:
        """Return the conversation of a row; None for headings."""
        row = self.rows[index.row()] if index.isValid() and index.row() < len(self.rows) else None
        return row if isinstance(row, Conversation) else None

    def shelf_at(self, index: Index) -> Shelf | None:
        """Return the folder of a row; None if it is something else."""
        row = self.rows[index.row()] if index.isValid() and index.row() < len(self.rows) else None
        return row if isinstance(row, Shelf) else None

    def shelf(self, folder_id: str | None) -> Shelf | None:
        """Return a folder by its id; None if it is not shown."""
        return next((shelf for shelf in self.shelves if shelf.folder.id == folder_id), None)

    def closed(self, agent_id: str) -> Folder | None:
        """Return the folder whose memory an agent is."""
        return next((shelf.folder for shelf in self.shelves if shelf.folder.agent_id == agent_id), None)

    def inside(self, talk: Conversation) -> bool:
        """Whether a conversation is shown under its folder."""
        return self._grouped and self.shelf(talk.folder_id) is not None

    def hit(self, talk: Conversation) -> Hit | None:
        """Return the search hit in a conversation."""
        return self.hits.get((talk.agent_id, talk.id))

    def position(self, agent_id: str, conversation_id: str) -> int:
        """Return the row of a conversation, or -1."""
        for number, row in enumerate(self.rows):
            if isinstance(row, Conversation) and (row.agent_id, row.id) == (agent_id, conversation_id):
                return number
        return -1

    # -- Qt ------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the row's object (``ITEM``) or its text."""
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == ITEM:
            return row
        if role == HIT:
            return self.hit(row) if isinstance(row, Conversation) else None
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole}:
            return row.title
        if role == Qt.ItemDataRole.ToolTipRole and isinstance(row, Conversation):
            when = self._to_local(row.updated_at)
            return f"{row.title}\n{moment(when)}"
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Headings cannot be chosen."""
        droppable = Qt.ItemFlag.ItemIsDropEnabled if self.shelves else Qt.ItemFlag.NoItemFlags
        if self.talk(index) is None and self.shelf_at(index) is None:
            return droppable
        chosen = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return chosen | droppable | (Qt.ItemFlag.ItemIsDragEnabled if self.shelves else Qt.ItemFlag.NoItemFlags)

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        index = indexes[0]
        talk, shelf = self.talk(index), self.shelf_at(index)
        told = ["talk", talk.agent_id, talk.id] if talk else ["folder", shelf.folder.id if shelf else ""]
        data = QMimeData()
        data.setData(MIME, json.dumps(told).encode())
        return data

    def canDropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        del action, column
        return self._drop(data, row, parent) is not None

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        """Emit what is to be moved. The rows stay until they are fetched again."""
        del action, column
        drop = self._drop(data, row, parent)
        if drop is not None:
            drop()
        return False

    def _drop(self, data: QMimeData, row: int, parent: Index) -> Callable[[], object] | None:
        """Return the effect of a drop onto ``parent``, or between rows above ``row``; None for none."""
        if not data.hasFormat(MIME) or not self.shelves:
            return None
        try:
            told = decode(bytes(data.data(MIME).data()))
        except UndecodableError:
            told = None
        # Any program may drop anything here, under any type.
        if not isinstance(told, list) or len(told) < 2:
            return None
        kind, *ids = told
        # Between rows, it belongs to the row above.
        at = parent.row() if parent.isValid() else row - 1 if row >= 0 else len(self.rows)
        folder_id = self._folder_at(at)
        if kind == "talk":
            talk = next((one for one in self.talks if [one.agent_id, one.id] == ids), None)
            if talk is None or folder_id == (talk.folder_id if self.inside(talk) else ""):
                return None
            if self.closed(talk.agent_id):
                return None
            return partial(self.dropped_talk.emit, *ids, folder_id)
        shelf, onto = self.shelf(ids[0]), self.shelf(folder_id)
        if shelf is None or shelf == onto:
            return None
        below = len(self.shelves) - 1 if at >= 0 else 0
        return partial(self.dropped_folder.emit, ids[0], onto.folder.position if onto else below)

    def _folder_at(self, at: int) -> str:
        """Return the id of the folder that a row is, or is in; empty: none."""
        row = self.rows[at] if 0 <= at < len(self.rows) else None
        if isinstance(row, Shelf):
            return row.folder.id
        if isinstance(row, Hint):
            return row.folder_id
        return row.folder_id or "" if isinstance(row, Conversation) and self.inside(row) else ""

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._cursor is not None and not self._waiting

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._ask(self._cursor)

    def _ask(self, cursor: str | None) -> None:
        fetch = self._fetch
        if fetch is None:
            return
        self._waiting = True
        self._bridge.run(
            self,
            lambda: fetch(PAGE_ROWS, cursor),
            lambda found: self._took(found, fresh=cursor is None),
            self._failed,
            latest="page",
        )

    def _failed(self, error: Exception) -> None:
        self._waiting = False
        self.failed.emit(error)

    def _took(self, found: Fetched, *, fresh: bool) -> None:
        page = found.page
        self._waiting = False
        self.hits = found.hits if fresh else self.hits | found.hits
        self._cursor = page.next
        if fresh:
            self.beginResetModel()
            self.shelves = found.shelves
            self.talks = list(page.items)
            self.rows = self._arrange(self.talks)
            self.endResetModel()
        else:
            self._append(page.items)
        self.loaded.emit(page.total)

    def _append(self, items: list[Conversation]) -> None:
        known = {(talk.agent_id, talk.id) for talk in self.talks if talk.pinned}
        self.talks += [talk for talk in items if (talk.agent_id, talk.id) not in known]
        rows = self._arrange(self.talks)
        if rows[: len(self.rows)] == self.rows:
            self.beginInsertRows(QModelIndex(), len(self.rows), max(len(self.rows), len(rows) - 1))
            self.rows = rows
            self.endInsertRows()
        else:
            # An older conversation was pinned: it moves to the top.
            self.layoutAboutToBeChanged.emit()
            self.rows = rows
            self.layoutChanged.emit()

    def _arrange(self, talks: list[Conversation]) -> list[Row]:
        if not self._grouped:
            return list(talks)
        today = self._to_local(datetime.now().astimezone()).date()
        rows: list[Row] = []
        last = ""
        # Pinned ones come with the first page.
        ordered = sorted(talks, key=lambda item: (not item.pinned, -item.updated_at.timestamp()))
        for shelf in self.shelves:
            rows.append(shelf)
            if not shelf.folder.collapsed:
                inside = [talk for talk in ordered if talk.folder_id == shelf.folder.id]
                rows += inside or [
                    Hint(
                        tr("Drag chats here, or press +")
                        if shelf.folder.agent_id is None
                        else tr("Press + for a chat here"),
                        shelf.folder.id,
                    )
                ]
        for talk in ordered:
            if self.inside(talk):
                continue
            group = group_of(talk, today, self._to_local)
            if group != last:
                rows.append(Heading(group))
                last = group
            rows.append(talk)
        return rows
