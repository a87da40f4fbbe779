"""The conversations of the sidebar: fetched page by page, under headings by date."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QLocale, QModelIndex, QObject, Qt, Signal

from memdesk.domain.models import Conversation, Hit, Page
from memdesk.gui.models.paged import ITEM, Index
from memdesk.gui.text import tr
from memdesk.gui.words import moment

if TYPE_CHECKING:
    from memdesk.gui.bridge import Bridge

#: Conversations of one fetch.
PAGE_ROWS = 200
#: Where a row's words were found, or None.
HIT = ITEM + 1
Hits = dict[tuple[str, str], Hit]
Fetch = Callable[[int, str | None], tuple[Page[Conversation], Hits]]
ToLocal = Callable[[datetime], datetime]


@dataclass(frozen=True, slots=True)
class Heading:
    """A row that names the group below it."""

    title: str


Row = Conversation | Heading


def group_of(talk: Conversation, today: date, to_local: ToLocal) -> str:
    """Return the heading a conversation stands under."""
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
    """Rows are conversations and headings. ``loaded`` tells the total, ``failed`` an error."""

    loaded = Signal(int)
    failed = Signal(object)

    def __init__(self, bridge: Bridge, to_local: ToLocal, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._to_local = to_local
        self._fetch: Fetch | None = None
        self.talks: list[Conversation] = []
        self.hits: Hits = {}
        self.rows: list[Row] = []
        self._cursor: str | None = None
        self._waiting = False
        self._grouped = True

    def reload(self, fetch: Fetch | None = None, *, grouped: bool = True) -> None:
        """Start again from the first page. The old rows stay until it is here.

        Args:
            fetch: another query, ``(limit, cursor) -> (page, where the words were found)``.
            grouped: headings by date; search results have none.
        """
        self._fetch = fetch or self._fetch
        self._grouped = grouped
        self._ask(None)

    def talk(self, index: Index) -> Conversation | None:
        """Return the conversation of a row; None for headings."""
        row = self.rows[index.row()] if index.isValid() and index.row() < len(self.rows) else None
        return row if isinstance(row, Conversation) else None

    def hit(self, talk: Conversation) -> Hit | None:
        """Return where the words that were searched for stand in a conversation."""
        return self.hits.get((talk.agent_id, talk.id))

    def position(self, agent_id: str, conversation_id: str) -> int:
        """Return the row of a conversation, or -1."""
        for number, row in enumerate(self.rows):
            if isinstance(row, Conversation) and (row.agent_id, row.id) == (agent_id, conversation_id):
                return number
        return -1

    # -- Qt ------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """Return the rows fetched so far."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the row's object (``ITEM``) or its words."""
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
        if self.talk(index) is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def canFetchMore(self, parent: Index) -> bool:
        """Whether the last page was not the end."""
        return not parent.isValid() and self._cursor is not None and not self._waiting

    def fetchMore(self, parent: Index) -> None:
        """Ask for the next page."""
        if self.canFetchMore(parent):
            self._ask(self._cursor)

    def _ask(self, cursor: str | None) -> None:
        fetch = self._fetch
        if fetch is None:
            return
        self._waiting = True
        self._bridge.run(
            lambda: fetch(PAGE_ROWS, cursor),
            owner=self,
            success=lambda found: self._took(*found, fresh=cursor is None),
            failure=self._failed,
            latest="page",
        )

    def _failed(self, error: Exception) -> None:
        self._waiting = False
        self.failed.emit(error)

    def _took(self, page: Page[Conversation], hits: Hits, *, fresh: bool) -> None:
        self._waiting = False
        self.hits = hits if fresh else self.hits | hits
        self._cursor = page.next
        if fresh:
            self.beginResetModel()
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
            # An older conversation is pinned: it moves to the top.
            self.layoutAboutToBeChanged.emit()
            self.rows = rows
            self.layoutChanged.emit()

    def _arrange(self, talks: list[Conversation]) -> list[Row]:
        if not self._grouped:
            return list(talks)
        today = self._to_local(datetime.now().astimezone()).date()
        rows: list[Row] = []
        last = ""
        # Pinned ones come beside the first page.
        for talk in sorted(talks, key=lambda item: (not item.pinned, -item.updated_at.timestamp())):
            group = group_of(talk, today, self._to_local)
            if group != last:
                rows.append(Heading(group))
                last = group
            rows.append(talk)
        return rows
