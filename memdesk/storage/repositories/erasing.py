"""Deletion in batches, for what is too large for one transaction."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any, Literal

from memdesk.messages import recalled
from memdesk.ports import CopiedTexts, CopySource, ForgettableTable
from memdesk.storage.queries import load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.values import from_json, ids

_Q: Any = load("erasing")
#: The full-text indexes over a table's rows.
_INDEXED = {
    "turns": ("turns",),
    "conversations": ("turns",),
    "facts": ("items",),
    "episodes": ("items",),
    "identity": ("items",),
}


class SqlErasing(Repository):
    """:class:`memdesk.ports.ErasingRepo` over SQLCipher."""

    def rows(self, table: ForgettableTable, seqs: Sequence[int], *, marks: bool) -> list[tuple[str, str]]:
        """Delete rows by number, with their dependents; return ``(agent_id, id)`` of those that existed.

        A conversation is deleted only when it has no turns. With ``marks``, words stay in the full-text indexes,
        invisible to search, until :meth:`merge_indexes` is done; otherwise each word is removed at once.
        """
        with self._leaving_marks(_INDEXED.get(table, ())) if marks else nullcontext():
            return list(getattr(_Q, f"rows_{table}")(self._conn, seqs=ids(seqs)))

    def texts(self, source: CopySource, agent_ids: Sequence[str], after: int, bound: int) -> list[CopiedTexts]:
        rows = getattr(_Q, f"texts_{source}")(self._conn, agents=ids(agent_ids), after=after, bound=bound)
        return [
            CopiedTexts(
                seq, kind, ref_id, tuple(from_json(text) for text in (old, new) if text is not None), recalled(reason)
            )
            for seq, kind, ref_id, old, new, reason in rows
        ]

    def blank(self, source: CopySource, seqs: Sequence[int]) -> None:
        getattr(_Q, f"blank_{source}")(self._conn, seqs=ids(seqs))

    def asked(self, agent_ids: Sequence[str]) -> list[tuple[str, str]]:
        return list(_Q.asked(self._conn, agents=ids(agent_ids)))

    def shown(self, agent_ids: Sequence[str]) -> list[tuple[str, str, str, str]]:
        return list(_Q.shown(self._conn, agents=ids(agent_ids)))

    def showing(self, kind: str, ref_id: str) -> set[str]:
        return {row[0] for row in _Q.showing(self._conn, kind=kind, ref_id=ref_id)}

    def seqs(self, table: Literal["receipts", "identity", "entities"], row_ids: Sequence[str]) -> list[int]:
        return [row[0] for row in getattr(_Q, f"seqs_{table}")(self._conn, ids=ids(row_ids))]

    def all_of(self, agent_id: str, table: Literal["turns", "items"]) -> list[int]:
        return [row[0] for row in getattr(_Q, f"all_{table}")(self._conn, agent_id=agent_id)]

    def thread(self, agent_id: str, conversation_id: str) -> tuple[int, list[int]] | None:
        seq = _Q.thread(self._conn, agent_id=agent_id, conversation_id=conversation_id)
        if seq is None:
            return None
        receipts = _Q.receipts_of(self._conn, agent_id=agent_id, conversation_id=conversation_id)
        return seq, [row[0] for row in receipts]

    def links(self, entity_seqs: Sequence[int], bound: int) -> int:
        wanted = ids(entity_seqs)
        gone = int(_Q.drain_links(self._conn, seqs=wanted, bound=bound))
        return gone or int(_Q.drain_relations(self._conn, seqs=wanted, bound=bound))

    def drain(self, agent_id: str, part: str, bound: int) -> int:
        """Delete up to ``bound`` rows of a part of an agent's memory; return how many, 0 when none are left.

        Their words stay in the full-text indexes, invisible to search, until :meth:`merge_indexes` is done.

        ``part`` is one of :data:`memdesk.ports.AGENT_PARTS`, in that order: what deleting a row would cascade to all at
        once (snapshots, vectors, receipts) goes first.
        """
        with self._leaving_marks(_INDEXED.get(part, ())):
            return int(getattr(_Q, f"drain_{part}")(self._conn, agent_id=agent_id, bound=bound))

    def merge_indexes(self, mirror: str, pages: int, *, first: bool) -> bool:
        """Rewrite some pages of a full-text index without deleted words; return whether there may be more.

        ``first`` begins instead of continuing.
        """
        return self._merge(mirror, -pages if first else pages) or first
