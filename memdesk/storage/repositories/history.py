"""Append-only log of changes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memdesk.domain.models import HistoryEntry, Page
from memdesk.messages import recalled, stored
from memdesk.storage.paging import Listing, fetch
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.values import clean, from_json, from_ms, ids, to_json, to_ms

_Q: Any = load("history")
#: Changes that are looked back through.
_MOST_CHANGES = 10_000
_NEWEST = Listing(columns="h.*", source="history h", key="h.seq", tie="h.seq")


def _entry(row: Row) -> HistoryEntry:
    (seq, id_, agent_id, kind, ref_id, action, actor, actor_detail, old, new, reason, at, *_) = row
    return HistoryEntry(
        id=id_,
        agent_id=agent_id,
        kind=kind,
        ref_id=ref_id,
        action=action,
        actor=actor,
        actor_detail=actor_detail,
        old=None if old is None else from_json(old),
        new=None if new is None else from_json(new),
        reason=recalled(reason),
        at=from_ms(at),
        seq=seq,
    )


def _values(entry: HistoryEntry) -> dict[str, Any]:
    return {
        "id": entry.id,
        "agent_id": entry.agent_id,
        "kind": entry.kind,
        "ref_id": entry.ref_id,
        "action": entry.action,
        "actor": entry.actor,
        "actor_detail": clean(entry.actor_detail),
        "old": None if entry.old is None else clean(to_json(entry.old)),
        "new": None if entry.new is None else clean(to_json(entry.new)),
        "reason": clean(stored(entry.reason)),
        "at": to_ms(entry.at),
    }


def _together(entry: HistoryEntry) -> dict[str, Any]:
    return {
        "kind": entry.kind,
        "action": entry.action,
        "actor": entry.actor,
        "actor_detail": entry.actor_detail,
        "at": to_ms(entry.at),
    }


class SqlHistory(Repository):
    """:class:`memdesk.ports.HistoryRepo` over SQLCipher."""

    def add(self, entries: Sequence[HistoryEntry]) -> None:
        _Q.add(self._conn, [_values(entry) for entry in entries])

    def get(self, entry_id: str) -> HistoryEntry | None:
        row = _Q.get(self._conn, entry_id=entry_id)
        return None if row is None else _entry(row)

    def alike(self, entry: HistoryEntry, *, before: int, limit: int) -> list[HistoryEntry]:
        """Return changes made in one go with an entry, newest first, from below the number ``before``.

        They are of the same kind of thing, by the same hand, at the same moment, and the log holds what was before.
        """
        return [_entry(row) for row in _Q.alike(self._conn, **_together(entry), before=before, bound=limit)]

    def count_alike(self, entry: HistoryEntry) -> int:
        return int(_Q.count_alike(self._conn, **_together(entry)))

    def page(
        self,
        *,
        kind: str | None = None,
        ref_id: str | None = None,
        agent_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[HistoryEntry]:
        where: list[str] = []
        values: dict[str, Any] = {}
        for piece, name, value in (
            (_Q.where_kind, "kind", kind),
            (_Q.where_ref, "ref_id", ref_id),
            (_Q.where_agent, "agent_id", agent_id),
        ):
            if value is not None:
                where.append(piece.sql)
                values[name] = value
        return fetch(
            self._conn,
            _NEWEST,
            where=where,
            parameters=values,
            limit=limit,
            cursor=cursor,
            build=lambda rows: [_entry(row) for row in rows],
        )

    def of_program(self, program: str) -> list[HistoryEntry]:
        name = clean(program)
        return [_entry(row) for row in _Q.of_program(self._conn, detail=name, begins=f"{name}: ")]

    def writers(self) -> list[tuple[str, int, datetime]]:
        return [(name, count, from_ms(at)) for name, count, at in _Q.writers(self._conn)]

    def scrub(self, kind: str, ref_ids: Sequence[str]) -> None:
        _Q.scrub(self._conn, kind=kind, ids=ids(ref_ids))

    def forget_items(self, collection: str) -> None:
        """Delete what is told of the items of one collection."""
        _Q.forget_items(self._conn, agent_id=collection)

    def since(self, agent_id: str, kind: str, at: datetime) -> list[HistoryEntry]:
        rows = _Q.since(self._conn, agent_id=agent_id, kind=kind, at=to_ms(at), bound=_MOST_CHANGES)
        return [_entry(row) for row in rows]
