"""Copies what is still readable in a damaged database to a new one; the damaged file is not touched.

Pages with a valid HMAC are decrypted in memory, and rows read from each separately. No plain text is ever written.
"""

import logging
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlcipher3 import dbapi2 as sqlcipher

from memdesk.domain.models import Agent, Conversation
from memdesk.messages import say
from memdesk.settings.files import create_private, sync
from memdesk.storage.connection import Connection, connect
from memdesk.storage.errors import DamagedDatabaseError, NewerSchemaError, translate, translate_os
from memdesk.storage.migrate import latest, migrate
from memdesk.storage.pages import pages, wal_frames
from memdesk.storage.preflight import codec_of
from memdesk.storage.repositories import SqlRepositories
from memdesk.storage.shared import Shared
from memdesk.storage.trees import Trees

log = logging.getLogger(__name__)

#: Rebuilt from the rows that were read: full-text mirrors and picture uses by triggers, vector indexes on use.
_MADE_ANEW: Final = ("index_snapshots", "image_uses", "sqlite_sequence")
#: Rows of these are kept even if their agent or conversation is lost.
_OWNED: Final = ("turns", "items")
_LOST: Final = "(its name was lost)"


@dataclass(slots=True)
class Salvage:
    """The result of a salvage.

    Attributes:
        unreadable: how many of them cannot be decrypted.
        rows: read from each table.
        gaps: places in each table where rows may be missing; intact tables are left out.
        orphans: rows left out because the rows they belong to could not be read.
    """

    pages: int = 0
    unreadable: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    gaps: dict[str, int] = field(default_factory=dict)
    orphans: int = 0


def salvage(path: Path, key: bytes, target: Path) -> Salvage:
    """Write a new database with every readable row of a damaged one.

    No process may have ``path`` open; ``target`` must not exist and gets the same key.

    Raises:
        DamagedDatabaseError: nothing in it can be read.
        NewerSchemaError: a newer memdesk wrote it.
        EnvironmentFault: the target cannot be written.
    """
    found = Salvage()
    plain = _plain(path, key, found)
    if not any(plain.values()):
        raise DamagedDatabaseError(
            say("Nothing in {path} can be read.", path=path), hint=say("Restore a snapshot or a backup.")
        )
    # Without its first page, the file is assumed to have the current schema; columns added since do not matter.
    schema = int.from_bytes(first[60:64], "big") if (first := plain.get(1)) else latest()
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
            _copy_all(Trees(plain, fresh), fresh, found)
            migrate(fresh)
        except sqlcipher.Error as error:
            raise translate(error, target) from error
    sync(target)
    return found


def _plain(path: Path, key: bytes, found: Salvage) -> dict[int, bytes | None]:
    """Return the plain pages, from the log where it is readable; None for unreadable ones."""
    try:
        if (codec := codec_of(path, key)) is None:
            return {}
        plain = {number: codec.decrypt(number, data) for number, data in pages(path)}
        for frame in wal_frames(path):
            # SQLite ignores everything after a damaged frame; here each page is checked separately.
            if frame.current:
                found.pages += 1
                data = codec.decrypt(frame.number, frame.data)
                found.unreadable += data is None
                plain[frame.number] = data or plain.get(frame.number)
    except OSError as error:
        raise translate_os(error, path) from error
    found.pages += len(plain)
    found.unreadable += sum(data is None for data in plain.values())
    return plain


def _copy_all(source: Trees, fresh: Connection, found: Salvage) -> None:
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


def _copy(source: Trees, fresh: Connection, table: str, found: Salvage) -> None:
    tree, read = source.of[table], 0
    fresh.execute(f'DELETE FROM "{table}"')
    for row in source.rows(tree):
        columns = ", ".join(f'"{column.name}"' for column in tree.columns[: len(row)])
        places = ", ".join("?" * len(row))
        try:
            read += fresh.execute(f'INSERT OR IGNORE INTO "{table}" ({columns}) VALUES ({places})', row).rowcount
        except sqlcipher.IntegrityError:
            found.orphans += 1
    found.rows[table] = read
    if tree.gaps:
        found.gaps[table] = len(tree.gaps)


def _add_owners(source: Trees, fresh: Connection, table: str) -> None:
    """Recreate unreadable agents and conversations that rows belong to."""
    now = datetime.now(UTC)
    repos = SqlRepositories(fresh, Shared())
    names = [column.name for column in source.of[table].columns]
    agent, talk = names.index("agent_id"), names.index("conversation_id") if table == "turns" else None
    owners = {(row[agent], None if talk is None else row[talk]) for row in source.rows(source.of[table])}
    for agent_id, conversation_id in owners:
        if agent_id is None:
            continue
        if repos.agents.get(agent_id) is None:
            repos.agents.put(Agent(id=agent_id, name=f"{agent_id} {_LOST}", created_at=now, updated_at=now))
        if conversation_id is not None and repos.conversations.get(agent_id, conversation_id) is None:
            repos.conversations.put(
                Conversation(agent_id=agent_id, id=conversation_id, title=_LOST, created_at=now, updated_at=now)
            )


def _drop_orphans(fresh: Connection) -> int:
    """Delete rows that refer to unreadable rows, until none do; return how many."""
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
    """Return the columns of each foreign key of a table, with those they refer to."""
    found: dict[tuple[int, str], list[tuple[str, str]]] = {}
    for number, _, parent, ours, theirs, *_ in fresh.rows(f"PRAGMA foreign_key_list({table})"):
        found.setdefault((number, parent), []).append((ours, theirs))
    return found
