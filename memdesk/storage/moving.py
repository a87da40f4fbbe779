"""Moves the rows of a 0.1 store to the table of items, in slices, so that a killed process can resume.

Schema 5 creates the new tables and a mark in ``meta``; from then on an older memdesk refuses the file. Each slice is
one transaction together with the mark, which records the progress. The last one drops the old tables.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import aiosql
from sqlcipher3 import dbapi2 as sqlcipher

from memdesk.storage.connection import Connection
from memdesk.storage.errors import translate
from memdesk.storage.queries import SqlCipherAdapter
from memdesk.storage.values import from_json, to_json

#: Called with ``(rows moved, rows in all)`` after each slice.
Progress = Callable[[int, int], object]

FOLDER: Final = Path(__file__).parent / "migrations" / "0005"
#: Rows per slice; a tenth of a second on a slow disk.
SLICE: Final = 2000
_MARK: Final = "moving"
#: The tables that are merged, in the order of their new numbers.
_TABLES: Final = ("facts", "episodes", "episode_details", "identity")
_KINDS: Final = {"fact": "facts", "episode": "episodes", "detail": "episode_details"}
#: Pending forgetting names rows of a table by number.
_FORGOTTEN: Final = "being_forgotten:"
_SAME: Final = (
    "CREATE TEMP TABLE IF NOT EXISTS same (gone INTEGER, gone_id TEXT, kept INTEGER, kept_id TEXT, parent_id TEXT)"
)


def is_moving(conn: Connection) -> bool:
    known = conn.rows("SELECT 1 FROM sqlite_schema WHERE name = 'meta'")
    return bool(known) and bool(conn.rows("SELECT 1 FROM meta WHERE key = ?", (_MARK,)))


def move(conn: Connection, progress: Progress | None = None) -> None:
    """Move the remaining rows. Does nothing if none are left.

    Raises:
        EnvironmentFault: the disk is full or fails; the next call resumes.
    """
    if is_moving(conn):
        try:
            _Move(conn, progress).run()
        except sqlcipher.Error as error:
            raise translate(error, conn.path) from error


@cache
def _queries() -> Any:
    adapter: Any = SqlCipherAdapter
    return aiosql.from_path(FOLDER / "slices.sql", adapter, mandatory_parameters=False, encoding="utf-8")


class _Move:
    """One pass over what is left."""

    def __init__(self, conn: Connection, progress: Progress | None) -> None:
        self._conn = conn
        self._progress = progress
        self._last = {table: int(_queries().last(conn, name=table) or 0) for table in _TABLES}
        self._first: dict[str, int] = {}
        total = 0
        for table in _TABLES:
            self._first[table] = total
            total += self._last[table]
        self._total = total
        # While rows are being forgotten, none is renumbered: they are identified by number.
        self._unify = not conn.rows("SELECT 1 FROM meta WHERE key LIKE ? LIMIT 1", (f"{_FORGOTTEN}%",))

    def run(self) -> None:
        self._conn.execute(_SAME)
        rows = [lambda after, table=table: self._rows(table, after) for table in _TABLES]
        vectors = [lambda _, kind=kind: self._vectors(kind) for kind in _KINDS]
        parts: list[Callable[[int], int | None]] = [*rows, *vectors, lambda _: self._windows()]
        mark = from_json(self._conn.rows("SELECT value FROM meta WHERE key = ?", (_MARK,))[0][0])
        after: int | None = mark["after"]
        for number in range(mark["part"], len(parts)):
            while after is not None:
                after = self._slice(number, parts[number], after)
            after = 0
        self._end()

    def _slice(self, number: int, part: Callable[[int], int | None], after: int) -> int | None:
        """Do one slice of a part; return the start of the next, None after the last."""
        self._conn.execute("BEGIN IMMEDIATE")
        try:
            self._conn.execute("DELETE FROM temp.same")
            reached = part(after)
            mark = {"part": number, "after": reached} if reached is not None else {"part": number + 1, "after": 0}
            self._conn.execute("UPDATE meta SET value = ? WHERE key = ?", (to_json(mark), _MARK))
            self._conn.execute("COMMIT")
        except BaseException:
            if self._conn.in_transaction:
                self._conn.execute("ROLLBACK")
            raise
        if self._progress is not None and number < len(_TABLES):
            table = _TABLES[number]
            self._progress(self._first[table] + (self._last[table] if reached is None else reached), self._total)
        return reached

    def _rows(self, table: str, after: int) -> int | None:
        upto = min(after + SLICE, self._last[table])
        _COPIES[table](self, {"after": after, "upto": upto, "first": self._first[table]})
        return upto if upto < self._last[table] else None

    def _facts(self, span: dict[str, int]) -> None:
        for query in ("facts", "fact_sources", "fact_tags"):
            getattr(_queries(), query)(self._conn, **span)

    def _episodes(self, span: dict[str, int]) -> None:
        _queries().episodes(self._conn, **span)

    def _details(self, span: dict[str, int]) -> None:
        queries, conn = _queries(), self._conn
        if self._unify:
            queries.find_same_facts(conn, after=span["after"], upto=span["upto"])
        queries.details(conn, **span)
        queries.detail_sources(conn, **span)
        queries.same_sources(conn)
        queries.same_parents(conn)
        queries.same_receipts(conn, kind="detail", kept_kind="fact")

    def _identity(self, span: dict[str, int]) -> None:
        queries, conn = _queries(), self._conn
        if self._unify:
            queries.find_same_lines(conn, after=span["after"], upto=span["upto"])
        queries.identity(conn, **span)
        queries.identity_sources(conn, **span)
        queries.same_lines(conn)
        queries.same_history(conn)
        queries.same_receipts(conn, kind="identity", kept_kind="identity")
        queries.same_successors(conn)

    def _vectors(self, kind: str) -> int | None:
        moved = int(_queries().vectors(self._conn, kind=kind, first=self._first[_KINDS[kind]], bound=SLICE))
        return 0 if moved else None

    def _windows(self) -> int | None:
        return 0 if int(_queries().drop_vectors(self._conn, bound=SLICE)) else None

    def _end(self) -> None:
        """Drop the old tables, in one transaction with the mark."""
        conn = self._conn
        # Dropping a table would delete its rows one by one, with all references to them.
        conn.execute("PRAGMA foreign_keys = OFF").fetchall()
        try:
            conn.execute("BEGIN IMMEDIATE")
            _queries().drop_strays(conn)
            for kind, table in _KINDS.items():
                _queries().gaps(conn, kind=kind, first=self._first[table])
            self._renumber_forgotten()
            self._keep_numbers()
            for statement in _statements((FOLDER / "end.sql").read_text(encoding="utf-8")):
                conn.execute(statement)
            conn.execute("COMMIT")
        except BaseException:
            if conn.in_transaction:
                conn.execute("ROLLBACK")
            raise
        finally:
            conn.execute("PRAGMA foreign_keys = ON").fetchall()
            conn.execute("DROP TABLE IF EXISTS temp.same")

    def _renumber_forgotten(self) -> None:
        for key, text in self._conn.rows("SELECT key, value FROM meta WHERE key LIKE ?", (f"{_FORGOTTEN}%",)):
            mark = from_json(text)
            rows = mark["hidden"]["rows"]
            for table in _TABLES:
                first = self._first[table]
                rows[table] = [[low + first, high + first] for low, high in rows.get(table, ())]
            self._conn.execute("UPDATE meta SET value = ? WHERE key = ?", (to_json(mark), key))

    def _keep_numbers(self) -> None:
        """Make sure that no number of an old row is reused."""
        if self._total and not self._conn.rows("SELECT 1 FROM sqlite_sequence WHERE name = 'items'"):
            self._conn.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('items', 0)")
        self._conn.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'items'", (self._total,))


_COPIES: Final[dict[str, Callable[[_Move, dict[str, int]], None]]] = {
    "facts": _Move._facts,  # noqa: SLF001 - the class's own table of parts
    "episodes": _Move._episodes,  # noqa: SLF001
    "episode_details": _Move._details,  # noqa: SLF001
    "identity": _Move._identity,  # noqa: SLF001
}


def _statements(script: str) -> list[str]:
    """Return the statements of a script; a trigger is one."""
    found: list[str] = []
    held = ""
    for line in script.splitlines(keepends=True):
        held += line
        if sqlcipher.complete_statement(held):
            found.append(held)
            held = ""
    return found
