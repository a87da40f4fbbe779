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
#: Number of turns from which a deletion rewrites the full-text indexes instead of removing words one by one.
BULK_TURNS = 2000
#: Rows that one statement inserts; a statement is compiled for each number of rows.
FEW = 8
#: Segments that an index may have before FTS5 merges them regardless of settings; it can hold 2000.
MOST_SEGMENTS = 1999
#: Minimum of changes by a merge that did something (from FTS5's manual).
_MERGED = 2


class Repository:
    """A group of tables over one connection. Valid within the ``read`` or ``write`` that lent it."""

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
        """Return a page of the rows that meet conditions, given with their values."""
        where, values = asked
        return fetch(self._conn, listing, where=where, parameters=values, limit=limit, cursor=cursor, build=build)

    @contextmanager
    def _deleting(self, turns: int) -> Iterator[None]:
        """Make deleting many turns and their dependents cheap, and as thorough as usual."""
        if turns < BULK_TURNS:
            yield
            return
        with self._leaving_marks(MIRRORS):
            yield
            for mirror in MIRRORS:
                getattr(_Q, f"rewrite_{mirror}")(self._conn)

    @contextmanager
    def _leaving_marks(self, mirrors: Sequence[str]) -> Iterator[None]:
        """Let deletions leave words in full-text indexes, marked as deleted, until these are rewritten or merged.

        FTS5 does not merge by itself meanwhile: occasionally that takes several times as long as the deletion.
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
        """Merge some pages of a full-text index; return whether there was anything to merge."""
        before = self._conn.total_changes
        getattr(_Q, f"merge_{mirror}")(self._conn, pages=pages)
        # The statement itself counts as a change.
        return bool(self._conn.total_changes - before >= _MERGED)


def update(conn: Connection, table: str, values: dict[str, Any], names: Iterable[str]) -> None:
    """Write some columns of one row, found by its ``id``; indexes of other columns are not touched.

    ``values`` has all columns, as for an insert; only those in ``names`` are written.
    """
    written = ", ".join(f"{name} = :{name}" for name in sorted(names))
    if written:
        conn.change(f"UPDATE {table} SET {written} WHERE id = :id", values)


def insert_few(conn: Connection, insert: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert up to :data:`FEW` rows with one statement; ``insert`` ends with ``VALUES``."""
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
