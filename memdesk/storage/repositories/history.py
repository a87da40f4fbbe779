"""Append-only log of changes."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memdesk.domain.models import HistoryEntry, Page
from memdesk.storage.paging import Listing, given
from memdesk.storage.queries import load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.repositories.columns import JSON_OR_NONE, MESSAGE, MOMENT, TEXT, Columns
from memdesk.storage.values import clean, from_ms, ids, to_ms

_Q: Any = load("history")
#: Number of changes to look back through.
_MOST_CHANGES = 10_000
_NEWEST = Listing(columns="h.*", source="history h", key="h.seq", tie="h.seq")
_ENTRY = Columns(
    HistoryEntry,
    "seq id agent_id kind ref_id action actor actor_detail old new reason at",
    actor_detail=TEXT,
    old=JSON_OR_NONE,
    new=JSON_OR_NONE,
    reason=MESSAGE,
    at=MOMENT,
)


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
        _Q.add(self._conn, [_ENTRY.values(entry) for entry in entries])

    def get(self, entry_id: str) -> HistoryEntry | None:
        row = _Q.get(self._conn, entry_id=entry_id)
        return None if row is None else _ENTRY.of(row)

    def alike(self, entry: HistoryEntry, *, before: int, limit: int) -> list[HistoryEntry]:
        """Return changes made together with an entry, newest first, below the number ``before``.

        They have the same kind, author and time, and the log has the previous values.
        """
        return _ENTRY.all(_Q.alike(self._conn, **_together(entry), before=before, bound=limit))

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
        return self._page(_NEWEST, given(_Q, kind=kind, ref_id=ref_id, agent_id=agent_id), _ENTRY.all, limit, cursor)

    def of_program(self, program: str) -> list[HistoryEntry]:
        name = clean(program)
        return _ENTRY.all(_Q.of_program(self._conn, detail=name, begins=f"{name}: "))

    def writers(self) -> list[tuple[str, int, datetime]]:
        return [(name, count, from_ms(at)) for name, count, at in _Q.writers(self._conn)]

    def scrub(self, kind: str, ref_ids: Sequence[str]) -> None:
        _Q.scrub(self._conn, kind=kind, ids=ids(ref_ids))

    def forget_items(self, collection: str) -> None:
        _Q.forget_items(self._conn, agent_id=collection)

    def since(self, agent_id: str, kind: str, at: datetime) -> list[HistoryEntry]:
        rows = _Q.since(self._conn, agent_id=agent_id, kind=kind, at=to_ms(at), bound=_MOST_CHANGES)
        return _ENTRY.all(rows)
