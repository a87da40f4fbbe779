"""The history of programs' items, in the encrypted file's own history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from memdesk.domain.items.history import HistoryRecord
from memdesk.domain.models import HistoryEntry, every

if TYPE_CHECKING:
    from memdesk.ports.library import ItemHistory
    from memdesk.storage.database import Database
    from memdesk.storage.repositories import SqlRepositories


class SqlItemHistory:
    """``ports.library.ItemHistory`` over one open database. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def note(self, collection: str, records: Sequence[HistoryRecord]) -> None:
        self._database.write(lambda repos: note(repos, collection, records))

    def noted(self, collection: str, memory_id: str | None = None) -> list[HistoryRecord]:
        with self._database.read() as repos:
            found = list(every(repos.history.page, kind="item", ref_id=memory_id, agent_id=collection))
        return [_record(one) for one in reversed(found)]

    def forget(self, collection: str) -> None:
        self._database.write(lambda repos: repos.history.forget_items(collection))

    def close(self) -> None:
        self._database.close()


def note(repos: SqlRepositories, collection: str, records: Sequence[HistoryRecord]) -> None:
    """Append records in the open transaction."""
    if records:
        repos.history.add([_entry(collection, one) for one in records])


def _entry(collection: str, record: HistoryRecord) -> HistoryEntry:
    return HistoryEntry(
        id=record.id,
        agent_id=collection,
        kind="item",
        ref_id=record.memory_id,
        action=record.event,
        actor="api",
        old=_text(record.old_value),
        new=_text(record.new_value),
        at=record.at,
    )


def _text(value: str | None) -> dict[str, Any] | None:
    return None if value is None else {"content": value}


def _record(entry: HistoryEntry) -> HistoryRecord:
    return HistoryRecord(
        id=entry.id,
        memory_id=entry.ref_id,
        event=cast("Any", entry.action),
        old_value=None if entry.old is None else entry.old["content"],
        new_value=None if entry.new is None else entry.new["content"],
        at=entry.at,
        is_deleted=entry.action == "DELETE",
    )


if TYPE_CHECKING:
    _CONFORMS: type[ItemHistory] = SqlItemHistory
