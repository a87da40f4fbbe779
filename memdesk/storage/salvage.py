"""Reads what can still be read of a damaged database into a new one; the damaged file is not touched.

Pages whose HMAC is right are decrypted into a database in memory; the others stay empty in it. Tables are then read row by
row, around what is missing. Nothing is ever written in the clear.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlcipher3 import dbapi2 as sqlcipher

from memdesk.domain.models import Agent, Conversation
from memdesk.messages import say
from memdesk.settings.files import create_private, sync
from memdesk.storage.connection import Connection, connect
from memdesk.storage.errors import DamagedDatabaseError, NewerSchemaError, translate, translate_os
from memdesk.storage.migrate import latest, migrate
from memdesk.storage.pages import PAGE, PLAIN_HEADER, SALT, PageCodec, page_at, pages, wal_frames
from memdesk.storage.repositories import SqlRepositories
from memdesk.storage.shared import Shared

log = logging.getLogger(__name__)

#: Made anew from the rows that were read: full-text mirrors and uses of pictures by their triggers, indexes of vectors when they are used.
_MADE_ANEW: Final = ("index_snapshots", "image_uses", "sqlite_sequence")
#: Rows of these are kept although their agent or their conversation is lost.
_OWNED: Final = ("turns", "items")
#: Above any number that a row has.
_NO_ROW: Final = 2**62
_LOST: Final = "(its name was lost)"


@dataclass(slots=True)
class Salvage:
    """What was read.

    Attributes:
        unreadable: how many of them do not decrypt to what was written.
        rows: read from each table.
        gaps: places in each table where rows may be missing; tables without any are left out.
        orphans: rows left out because what they belong to could not be read.
    """

    pages: int = 0
    unreadable: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    gaps: dict[str, int] = field(default_factory=dict)
    orphans: int = 0


def salvage(path: Path, key: bytes, target: Path) -> Salvage:
    """Write a new database with every row of a damaged one that can be read.

    No process may have ``path`` open; ``target`` must not exist and gets the same key.

    Raises:
        DamagedDatabaseError: the first page, by which all others are found, cannot be read.
        NewerSchemaError: a newer memdesk wrote it.
        EnvironmentFault: the target cannot be written.
    """
    found = Salvage()
    image = _image(path, key, found)
    with closing(sqlite3.connect(":memory:")) as source:
        source.deserialize(bytes(image))
        schema = int.from_bytes(image[60:64], "big")
        if schema > latest():
            raise NewerSchemaError(
                say(
                    "{path} has schema {schema}; this memdesk knows up to {latest}.",
                    path=path,
                    schema=schema,
                    latest=latest(),
                )
            )
        try:
            create_private(target)
        except OSError as error:
            raise translate_os(error, target) from error
        with closing(connect(target, key, writable=True)) as fresh:
            try:
                migrate(fresh, upto=schema)
                _copy_all(source, fresh, found)
                migrate(fresh)
            except sqlcipher.Error as error:
                raise translate(error, target) from error
    sync(target)
    if not any(found.rows.values()):
        target.unlink()
        raise DamagedDatabaseError(
            say("Nothing of {path} can be read.", path=path), hint=say("Restore a snapshot or a backup.")
        )
    return found


def _image(path: Path, key: bytes, found: Salvage) -> bytearray:
    """Return the plain database, as its log has it where that can be read."""
    try:
        with path.open("rb") as file:
            codec = PageCodec(key, page_at(file, 1)[:SALT])
        plain = {number: codec.decrypt(number, data) for number, data in pages(path)}
        for frame in wal_frames(path):
            # SQLite ignores everything after a damaged frame; here each page is checked by itself.
            if frame.current:
                found.pages += 1
                data = codec.decrypt(frame.number, frame.data)
                found.unreadable += data is None
                plain[frame.number] = data or plain.get(frame.number)
    except OSError as error:
        raise translate_os(error, path) from error
    found.pages += len(plain)
    found.unreadable += sum(data is None for data in plain.values())
    first = plain.get(1)
    if first is None:
        raise DamagedDatabaseError(
            say("The first page of {path} cannot be read, and without it none of the others can be found.", path=path),
            hint=say("Restore a snapshot or a backup."),
        )
    image = bytearray(PAGE * max(plain))
    for number, data in plain.items():
        if data is not None:
            image[(number - 1) * PAGE : (number - 1) * PAGE + len(data)] = data
    image[: len(PLAIN_HEADER)] = PLAIN_HEADER
    # Not in WAL mode: a database in memory has no log beside it.
    image[18:20] = b"\1\1"
    image[28:32] = max(plain).to_bytes(4, "big")
    return image


def _copy_all(source: sqlite3.Connection, fresh: Connection, found: Salvage) -> None:
    fresh.execute("PRAGMA foreign_keys = OFF").fetchall()
    fresh.execute("BEGIN IMMEDIATE")
    tables = _tables(fresh)
    for table in tables:
        if table not in _OWNED:
            _copy(source, fresh, table, found)
    for table in tables:
        if table in _OWNED:
            _add_owners(source, fresh, table)
            _copy(source, fresh, table, found)
    found.orphans = _drop_orphans(fresh)
    fresh.execute("COMMIT")
    fresh.execute("PRAGMA foreign_keys = ON").fetchall()


def _tables(fresh: Connection) -> list[str]:
    made = fresh.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")
    mirrors = [name for name, sql in made if sql.startswith("CREATE VIRTUAL")]
    return [
        name for name, _ in made if name not in _MADE_ANEW and not any(name.startswith(mirror) for mirror in mirrors)
    ]


def _copy(source: sqlite3.Connection, fresh: Connection, table: str, found: Salvage) -> None:
    columns = ", ".join(f'"{row[1]}"' for row in fresh.rows(f"PRAGMA table_info({table})"))
    places = ", ".join("?" * (columns.count(",") + 1))
    read, before = _Reader(source, table, columns), found.rows.get(table, 0)
    fresh.execute(f'DELETE FROM "{table}"')
    for row in read:
        try:
            before += fresh.execute(f'INSERT OR IGNORE INTO "{table}" ({columns}) VALUES ({places})', row).rowcount
        except sqlcipher.IntegrityError:
            found.orphans += 1
    found.rows[table] = before
    if read.gaps:
        found.gaps[table] = read.gaps


class _Reader:
    """Yields the rows of a table that can be read, and counts the places where some cannot."""

    def __init__(self, source: sqlite3.Connection, table: str, columns: str) -> None:
        self._source = source
        self._table = table
        self._columns = columns
        self.gaps = 0

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        try:
            self._source.execute(f'SELECT rowid FROM "{self._table}" LIMIT 0').fetchall()
        except sqlite3.OperationalError:
            yield from self._from_both_ends()
        except sqlite3.DatabaseError:
            # What the tables are called is itself on a page.
            self.gaps += 1
        else:
            yield from self._by_number()

    def _by_number(self) -> Iterator[tuple[Any, ...]]:
        begin: int | None = 0
        while begin is not None:
            try:
                for number, *row in self._source.execute(self._select(f"rowid >= {begin}", "rowid")):
                    begin = int(number) + 1
                    yield tuple(row)
            except sqlite3.DatabaseError:
                self.gaps += 1
                begin = self._readable_from(begin)
            else:
                return

    def _readable_from(self, begin: int) -> int | None:
        """Return the first number from which on a row, or the end, can be read; None when there is none."""
        step = 1
        while not self._reads(begin + step):
            step *= 2
            if begin + step > _NO_ROW:
                return None
        low, high = begin + step // 2, begin + step
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self._reads(middle) else (middle + 1, high)
        return high

    def _reads(self, begin: int) -> bool:
        try:
            self._source.execute(self._select(f"rowid >= {begin}", "rowid") + " LIMIT 1").fetchall()
        except sqlite3.DatabaseError:
            return False
        return True

    def _from_both_ends(self) -> Iterator[tuple[Any, ...]]:
        """Read a table whose rows have no number from its beginning and, where that breaks off, from its end."""
        keys = [row[1] for row in self._source.execute(f"PRAGMA table_info({self._table})") if row[5]]
        for order in ("ASC", "DESC"):
            try:
                for _, *row in self._source.execute(
                    self._select("1", ", ".join(f'"{key}" {order}' for key in keys), number="0")
                ):
                    yield tuple(row)
            except sqlite3.DatabaseError:
                self.gaps += order == "ASC"
            else:
                return

    def _select(self, where: str, order: str, number: str = "rowid") -> str:
        return f'SELECT {number}, {self._columns} FROM "{self._table}" NOT INDEXED WHERE {where} ORDER BY {order}'


def _add_owners(source: sqlite3.Connection, fresh: Connection, table: str) -> None:
    """Make agents and conversations anew that rows belong to and that could not be read themselves."""
    now = datetime.now(UTC)
    repos = SqlRepositories(fresh, Shared())
    columns = "agent_id, conversation_id" if table == "turns" else "agent_id, NULL"
    for agent_id, conversation_id in set(_Reader(source, table, columns)):
        if agent_id is None:
            continue
        if repos.agents.get(agent_id) is None:
            repos.agents.put(Agent(id=agent_id, name=f"{agent_id} {_LOST}", created_at=now, updated_at=now))
        if conversation_id is not None and repos.conversations.get(agent_id, conversation_id) is None:
            repos.conversations.put(
                Conversation(agent_id=agent_id, id=conversation_id, title=_LOST, created_at=now, updated_at=now)
            )


def _drop_orphans(fresh: Connection) -> int:
    """Delete rows that refer to what could not be read, until nothing does; return how many went."""
    dropped = 0
    while broken := {str(row[0]) for row in fresh.rows("PRAGMA foreign_key_check")}:
        for table in sorted(broken):
            for parent, pairs in _references(fresh, table).items():
                joined = " AND ".join(f'parent."{theirs}" = child."{ours}"' for ours, theirs in pairs)
                given = " AND ".join(f'child."{ours}" IS NOT NULL' for ours, _ in pairs)
                dropped += fresh.execute(
                    f'DELETE FROM "{table}" AS child WHERE {given} AND NOT EXISTS '
                    f'(SELECT 1 FROM "{parent[1]}" AS parent WHERE {joined})'
                ).rowcount
    return dropped


def _references(fresh: Connection, table: str) -> dict[tuple[int, str], list[tuple[str, str]]]:
    """Return the columns of each reference of a table, with those they refer to."""
    found: dict[tuple[int, str], list[tuple[str, str]]] = {}
    for number, _, parent, ours, theirs, *_ in fresh.rows(f"PRAGMA foreign_key_list({table})"):
        found.setdefault((number, parent), []).append((ours, theirs))
    return found
