"""Lists of any length: rows are fetched page by page, as far as the user scrolls."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

from memdesk.domain.models import Page

if TYPE_CHECKING:
    from memdesk.gui.bridge import Bridge

T = TypeVar("T")
#: Rows the first fetch asks for; each further one asks for as many as are there, so that the end of a long list
#: is not hundreds of fetches away,
PAGE_ROWS = 200
#: but for no more than this: what a fetch brings is put in place in one go.
MOST_ROWS = 2000
RELEASED_AT_ONCE = 4000
#: The role that returns the row's own object.
ITEM = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
Fetch = Callable[[int, str | None], Page[T]]


class PagedModel(QAbstractTableModel, Generic[T]):
    """A table over ``fetch(limit, cursor) -> Page``; nothing is fetched before ``reload``.

    Subclasses set ``headers`` and override ``text``. ``loaded`` tells the total after each page,
    ``failed`` the error of one. A reload while a page is on its way makes that page stale.
    """

    loaded = Signal(int)
    failed = Signal(object)
    headers: tuple[str, ...] = ("",)

    def __init__(self, bridge: Bridge, fetch: Fetch[T] | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._fetch = fetch
        self.rows: list[T] = []
        self.total = 0
        self._cursor: str | None = None
        self._more = False
        self._waiting = False

    def text(self, item: T, column: int) -> str:
        """Return what a cell says."""
        del column
        return str(item)

    def more(self, item: T, column: int, role: int) -> Any:
        """Return data of other roles (tooltips, alignment, accessible text)."""
        del item, column, role

    def reload(self, fetch: Fetch[T] | None = None) -> None:
        """Start again from the first page, perhaps with another query. The old rows stay until it is here."""
        if fetch is not None:
            self._fetch = fetch
        self._ask(None)

    def item(self, index: Index) -> T | None:
        """Return the object of a row, or None."""
        return self.rows[index.row()] if index.isValid() and index.row() < len(self.rows) else None

    def replace(self, match: Callable[[T], bool], item: T) -> None:
        """Put a changed object in the place of the first that matches."""
        for position, present in enumerate(self.rows):
            if match(present):
                self.rows[position] = item
                self.dataChanged.emit(self.index(position, 0), self.index(position, self.columnCount() - 1))
                return

    def drop(self, match: Callable[[T], bool]) -> None:
        """Take out every loaded object that matches."""
        for position in reversed([n for n, item in enumerate(self.rows) if match(item)]):
            self.beginRemoveRows(QModelIndex(), position, position)
            del self.rows[position]
            self.total -= 1
            self.endRemoveRows()
        self.loaded.emit(self.total)

    def clear(self) -> None:
        """Show nothing."""
        self._reset(Page([], 0))

    # -- Qt ------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """Return the rows fetched so far."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """Return the number of headers."""
        return 0 if parent.isValid() else len(self.headers)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's text, the row's object (``ITEM``), or ``more``."""
        item = self.item(index)
        if item is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(item, index.column())
        if role == ITEM:
            return item
        return self.more(item, index.column(), role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a column's head."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.headers[section]
        return None

    def canFetchMore(self, parent: Index) -> bool:
        """Whether the last page was not the end."""
        return not parent.isValid() and self._more and not self._waiting

    def fetchMore(self, parent: Index) -> None:
        """Ask for the next page; rows come when it is here."""
        if self.canFetchMore(parent):
            self._ask(self._cursor)

    def _ask(self, cursor: str | None) -> None:
        fetch = self._fetch
        if fetch is None:
            return
        self._waiting = True
        wanted = PAGE_ROWS if cursor is None else min(MOST_ROWS, max(PAGE_ROWS, len(self.rows)))
        self._bridge.run(
            lambda: fetch(wanted, cursor),
            owner=self,
            success=self._reset if cursor is None else self._append,
            failure=self._failed,
            latest="page",
        )

    def _failed(self, error: Exception) -> None:
        self._waiting = False
        self.failed.emit(error)

    def _reset(self, page: Page[T]) -> None:
        self.beginResetModel()
        former, self.rows = self.rows, self.prepare(page.items)
        self._took(page)
        self.endResetModel()
        self.loaded.emit(self.total)
        self._release(former)

    def _release(self, rows: list[T]) -> None:
        """Let go of rows that are no longer shown; a hundred thousand at once would be felt."""
        del rows[-RELEASED_AT_ONCE:]
        if rows:
            QTimer.singleShot(0, self, lambda: self._release(rows))

    def _append(self, page: Page[T]) -> None:
        items = self.prepare(page.items)
        self._took(page)
        if items:
            first = len(self.rows)
            self.beginInsertRows(QModelIndex(), first, first + len(items) - 1)
            self.rows.extend(items)
            self.endInsertRows()
        self.loaded.emit(self.total)

    def prepare(self, items: Iterable[T]) -> list[T]:
        """Hook: what to do with a page's objects before they are shown."""
        return list(items)

    def _took(self, page: Page[T]) -> None:
        self._waiting = False
        self.total = page.total
        self._cursor = page.next
        self._more = page.next is not None
