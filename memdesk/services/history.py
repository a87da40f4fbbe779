"""The append-only log of changes, for people to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.domain.models import HistoryEntry, Page

if TYPE_CHECKING:
    from memdesk.ports import Store


class HistoryService:
    """Reads the history. Those who change something write it, in the same transaction as the change."""

    def __init__(self, *, store: Store) -> None:
        self._store = store

    def page(
        self,
        *,
        kind: str | None = None,
        ref_id: str | None = None,
        agent_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[HistoryEntry]:
        """List changes, newest first.

        Args:
            kind: fact, episode, identity, entity, conversation or agent; None for all.
            ref_id: of one thing only.
            agent_id: of one agent only.
            limit: entries a page.
            cursor: ``next`` of the page before.
        """
        with self._store.read() as repos:
            return repos.history.page(kind=kind, ref_id=ref_id, agent_id=agent_id, limit=limit, cursor=cursor)

    def of(self, kind: str, ref_id: str) -> list[HistoryEntry]:
        """Return every change of one thing, newest first."""
        found: list[HistoryEntry] = []
        cursor: str | None = None
        with self._store.read() as repos:
            while True:
                page = repos.history.page(kind=kind, ref_id=ref_id, limit=500, cursor=cursor)
                found += page.items
                cursor = page.next
                if cursor is None:
                    return found
