"""What every repository shares: one connection, lent for one transaction."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from memdesk.domain.models import Page
from memdesk.ports import MIRRORS, SalienceRow
from memdesk.storage.connection import Connection
from memdesk.storage.paging import Listing, fetch
from memdesk.storage.queries import Row, load
from memdesk.storage.shared import Shared
from memdesk.storage.values import to_ms_or_none

T = TypeVar("T")
_Q: Any = load("maintenance")
#: Turns from which a deletion rewrites the full-text indexes instead of taking words out one by one.
BULK_TURNS = 2000
#: Rows that one statement inserts with each value bound; a statement is compiled for each number of rows.
FEW = 8
#: Pieces that an index may have before FTS5 merges them whatever it is told; it can hold 2000.
MOST_SEGMENTS = 1999
#: Changes that a merge makes at least when it does something (as FTS5's manual says).
_MERGED = 2


class Repository:
    """A group of tables over one connection. Valid inside the ``read`` or ``write`` that lent it."""

    def __init__(self, conn: Connection, shared: Shared) -> None:
        self._conn = conn
        self._shared = shared

    def _page(
        self,
        listing: Listing,
        asked: tuple[Sequence[str], Mapping[str, Any]],
        build: Callable[[list[Row]], list[T]],
        limit: int,
        cursor: str | None,
    ) -> Page[T]:
        """Return a page of the rows that meet some conditions, given with their values."""
        where, values = asked
        return fetch(self._conn, listing, where=where, parameters=values, limit=limit, cursor=cursor, build=build)

    @contextmanager
    def _deleting(self, turns: int) -> Iterator[None]:
        """Make a deletion of many turns, and of what hangs on them, cheap; as thorough as any other."""
        if turns < BULK_TURNS:
            yield
            return
        with self._leaving_marks(MIRRORS):
            yield
            for mirror in MIRRORS:
                getattr(_Q, f"rewrite_{mirror}")(self._conn)

    @contextmanager
    def _leaving_marks(self, mirrors: Sequence[str]) -> Iterator[None]:
        """Let deletions leave words in full-text indexes behind marks, until these are rewritten or merged.

        Meanwhile FTS5 merges nothing by itself: now and then that takes several times what the deletion takes.
        """
        for mirror in mirrors:
            self._configure(mirror, secure=0, automerge=0, crisismerge=MOST_SEGMENTS)
        yield
        for mirror in mirrors:
            self._configure(mirror, secure=1, automerge=4, crisismerge=16)

    def _configure(self, mirror: str, *, secure: int, automerge: int, crisismerge: int) -> None:
        getattr(_Q, f"secure_{mirror}")(self._conn, on=secure)
        getattr(_Q, f"automerge_{mirror}")(self._conn, segments=automerge)
        getattr(_Q, f"crisismerge_{mirror}")(self._conn, segments=crisismerge)

    def _merge(self, mirror: str, pages: int) -> bool:
        """Merge some pages of a full-text index; return whether there was something to merge."""
        before = self._conn.total_changes
        getattr(_Q, f"merge_{mirror}")(self._conn, pages=pages)
        # The statement counts as a change itself.
        return bool(self._conn.total_changes - before >= _MERGED)


def update(conn: Connection, table: str, values: dict[str, Any], names: Iterable[str]) -> None:
    """Write some columns of one row, found by its ``id``; the indexes over the other columns are left in peace.

    ``values`` are of all columns, as for an insert; those of ``names`` are written.
    """
    written = ", ".join(f"{name} = :{name}" for name in sorted(names))
    if written:
        conn.change(f"UPDATE {table} SET {written} WHERE id = :id", values)


def insert_few(conn: Connection, insert: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert up to :data:`FEW` rows by one statement; ``insert`` ends with ``VALUES``."""
    if rows:
        row = f"({', '.join('?' * len(rows[0]))})"
        conn.change(f"{insert} {', '.join([row] * len(rows))}", [value for values in rows for value in values])


def salience_values(row: SalienceRow) -> dict[str, Any]:
    """Return the placeholders of ``set_salience``."""
    return {
        "id": row.id,
        "salience": row.salience,
        "decayed_at": to_ms_or_none(row.decayed_at),
        "expected": row.expected,
        "promoted_at": to_ms_or_none(row.promoted_at),
        "keep_promoted": row.keep_promoted,
    }
