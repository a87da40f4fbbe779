"""Lists of any length: the whole list can be scrolled at once, rows are read as they come into view."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

from memdesk.domain.models import Page, cursor_at
from memdesk.errors import ConflictError
from memdesk.gui.bridge import Bridge
from memdesk.messages import say
from memdesk.ports import Clock

T = TypeVar("T")
#: Rows per fetch; at most two blocks are in view.
BLOCK = 100
#: Blocks kept; least recently viewed ones go first.
KEPT = 50
#: Rows per fetch when reading many selected ones.
MANY = 5000
#: The first column of a row that is still loading.
UNREAD = "…"
#: The role that returns the row's own object.
ITEM = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
Fetch = Callable[[int, str | None], Page[T]]
_Block = tuple[int, Page[T]]


class PagedModel(QAbstractTableModel, Generic[T]):
    """A table over ``fetch(limit, cursor) -> Page``; nothing is fetched before ``reload``.

    Subclasses override ``heads`` and ``text``. ``loaded`` has the total after each reload, ``turned`` means another
    list, ``failed`` has the error of a fetch. Rows are read in blocks of :data:`BLOCK`, last requested first;
    ``dataChanged`` means that a block arrived. A reload makes a pending block stale.
    """

    loaded = Signal(int)
    turned = Signal()
    failed = Signal(object)

    def __init__(self, bridge: Bridge, fetch: Fetch[T] | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._heads = self.heads()
        self._fetch = fetch
        #: The query of the rows shown; another may be pending.
        self._shown = fetch
        self._query: object = None
        self.total = 0
        self._blocks: OrderedDict[int, list[T]] = OrderedDict()
        #: Missing blocks in view, last requested at the end.
        self._wanted: list[int] = []
        self._reading = False
        self._awaited: tuple[int, Callable[[T], object]] | None = None
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._read)

    @property
    def clock(self) -> Clock:
        """Converts times to the user's timezone."""
        return self._bridge.services.clock

    def heads(self) -> tuple[str, ...]:
        """Return the column headers."""
        return ("",)

    def text(self, item: T, column: int) -> str:
        del column
        return str(item)

    def more(self, item: T, column: int, role: int) -> Any:
        """Return data of other roles (tooltips, alignment, accessible text)."""
        del item, column, role

    # -- reading -------------------------------------------------------------------------

    def reload(self, fetch: Fetch[T] | None = None, *, query: object = None) -> None:
        """Reload the list. The old rows stay until those in view arrive.

        Args:
            fetch: reads one page; the previous one by default.
            query: the query; a changed one starts at the top.
        """
        same = fetch is None or (query is not None and query == self._query)
        self._fetch = fetch or self._fetch
        self._query = query if fetch is not None else self._query
        if self._fetch is None:
            return
        self._bridge.supersede(self, "block")
        self._reading = True
        self._run(
            [*self._blocks][-2:] if same and self._blocks else [0], partial(self._reset, self._fetch, same), "list"
        )

    def item(self, index: Index) -> T | None:
        """Return the object of a row; None if missing or not read yet."""
        return self._at(index.row()) if index.isValid() else None

    def known(self) -> Iterator[tuple[int, T]]:
        """Yield the loaded rows with their numbers."""
        for block, items in self._blocks.items():
            yield from enumerate(items, block * BLOCK)

    def when_read(self, index: Index, then: Callable[[T], object]) -> None:
        """Call ``then`` with the object of a row, at once or when it is loaded; only the last requested row counts."""
        self._awaited = (index.row(), then) if index.isValid() else None
        self._tell_awaited()

    def read_rows(self, spans: Sequence[tuple[int, int]], then: Callable[[list[T]], object]) -> None:
        """Call ``then`` with the objects of spans of rows (first and last), at once if all are loaded.

        A list that has changed since it was read is reloaded instead, with a notice: a selection by position might now
        mean something else.
        """
        rows = [row for first, last in spans for row in range(first, last + 1)] if _length(spans) <= MANY else []
        found = [item for row in rows if (item := self._at(row, want=False)) is not None]
        if len(found) == _length(spans):
            then(found)
            return
        fetch, total = self._shown, self.total
        assert fetch is not None

        def failed(error: Exception) -> None:
            self._bridge.notices.error(error)
            self.reload()

        self._bridge.run(self, lambda: list(_items(fetch, spans, total)), then, failed, latest="rows")

    def _at(self, row: int, *, want: bool = True) -> T | None:
        block, place = divmod(row, BLOCK)
        items = self._blocks.get(block)
        if items is None:
            if want and 0 <= row < self.total:
                self._want(block)
            return None
        self._blocks.move_to_end(block)
        return items[place] if place < len(items) else None

    def _want(self, block: int) -> None:
        if block in self._wanted:
            self._wanted.remove(block)
        self._wanted = [*self._wanted[-1:], block]
        if not self._reading and not self._soon.isActive():
            self._soon.start(0)

    def _read(self) -> None:
        """Fetch the last requested block, with its neighbor if both are in view."""
        self._wanted = [block for block in self._wanted if block not in self._blocks]
        if self._reading or not self._wanted:
            return
        self._reading = True
        blocks = sorted(self._wanted)
        if blocks[-1] - blocks[0] != len(blocks) - 1:
            blocks = [self._wanted.pop()]
        else:
            self._wanted.clear()
        fetch = self._fetch
        assert fetch is not None
        self._bridge.run(self, lambda: _together(fetch, blocks), self._put, self._failed, latest="block")

    def _run(self, blocks: list[int], success: Callable[[list[_Block[T]]], object], name: str) -> None:
        fetch = self._fetch
        assert fetch is not None
        self._bridge.run(
            self,
            lambda: [(block, fetch(BLOCK, cursor_at(block * BLOCK) if block else None)) for block in blocks],
            success,
            self._failed,
            latest=name,
        )

    def _failed(self, error: Exception) -> None:
        self._reading = False
        self._wanted.clear()
        self.failed.emit(error)

    def _reset(self, fetch: Fetch[T], same: bool, read: list[_Block[T]]) -> None:
        self.beginResetModel()
        self._shown = fetch
        self._blocks.clear()
        self._wanted.clear()
        self._awaited = None
        self._reading = False
        self.total = read[0][1].total
        self._blocks.update((block, page.items) for block, page in read if page.items)
        self.endResetModel()
        if not same:
            self.turned.emit()
        self.loaded.emit(self.total)

    def _put(self, read: list[_Block[T]]) -> None:
        self._reading = False
        if any(page.total != self.total for _block, page in read):
            # Rows were added or removed meanwhile; positions would mean other rows.
            self.reload()
            return
        self._blocks.update((block, page.items) for block, page in read)
        while len(self._blocks) > KEPT:
            self._blocks.popitem(last=False)
        first, last = read[0][0] * BLOCK, read[-1][0] * BLOCK + len(read[-1][1].items) - 1
        self.dataChanged.emit(self.index(first, 0), self.index(last, self.columnCount() - 1))
        self._tell_awaited()
        self._read()

    def _tell_awaited(self) -> None:
        if self._awaited is None:
            return
        row, then = self._awaited
        item = self._at(row)
        if item is not None:
            self._awaited = None
            then(item)

    # -- Qt ------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else self.total

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._heads)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's text, the row's object (``ITEM``), or ``more``; a row that is not loaded yet has dots."""
        item = self.item(index)
        if item is None:
            return UNREAD if role == Qt.ItemDataRole.DisplayRole and index.column() == 0 else None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(item, index.column())
        if role == ITEM:
            return item
        return self.more(item, index.column(), role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._heads[section]
        return None


def _together(fetch: Fetch[T], blocks: Sequence[int]) -> list[_Block[T]]:
    """Return neighboring blocks, read together, so that rows are counted to their position once; on a lane."""
    first = blocks[0]
    page = fetch(BLOCK * len(blocks), cursor_at(first * BLOCK) if first else None)
    starts = [(block, (block - first) * BLOCK) for block in blocks]
    return [(block, Page(page.items[start : start + BLOCK], page.total)) for block, start in starts]


def _length(spans: Sequence[tuple[int, int]]) -> int:
    return sum(last - first + 1 for first, last in spans)


def _items(fetch: Fetch[T], spans: Sequence[tuple[int, int]], total: int) -> Iterable[T]:
    """Yield the objects of spans of rows of a list of ``total``; on a lane.

    Raises:
        ConflictError: the list has changed.
    """
    for first, last in spans:
        row = first
        while row <= last:
            page = fetch(min(MANY, last - row + 1), cursor_at(row))
            if page.total != total or not page.items:
                raise ConflictError(say("The list changed meanwhile."), hint=say("Choose again."))
            yield from page.items
            row += len(page.items)
