"""Pinned facts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from memdesk.domain.models import Fact, FactKind, FactSource, FactStatus, Page
from memdesk.ports import FactFilter, SalienceRow, StatusRow
from memdesk.storage import fts
from memdesk.storage.paging import Listing, fetch
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.base import Repository, salience_values, update
from memdesk.storage.values import clean, fold, from_ms, from_ms_or_none, ids, strings, to_json, to_ms, to_ms_or_none

_Q: Any = load("facts")
_SORT_KEYS = {
    "updated": "f.updated_at",
    "created": "f.created_at",
    "salience": "f.salience",
    "last_used": "coalesce(f.last_used, 0)",
    "content": "f.content COLLATE NOCASE",
}


def _fact(row: Row, sources: tuple[FactSource, ...] = ()) -> Fact:
    (seq, id_, agent_id, content, kind, tags, salience, decayed, promoted, confidence, *rest) = row
    (source_count, use_count, last_used, *rest) = rest
    (status, pinned, origin, provenance, valid_from, valid_until, superseded_by, reason, *rest) = rest
    (conversation_id, episode_id, created, updated, *_) = rest
    return Fact(
        id=id_,
        agent_id=agent_id,
        content=content,
        kind=FactKind(kind),
        tags=strings(tags),
        salience=salience,
        decayed_at=from_ms_or_none(decayed),
        promoted_at=from_ms_or_none(promoted),
        confidence=confidence,
        source_count=source_count,
        use_count=use_count,
        last_used=from_ms_or_none(last_used),
        status=FactStatus(status),
        user_pinned=bool(pinned),
        origin=origin,
        provenance=provenance,
        valid_from=from_ms_or_none(valid_from),
        valid_until=from_ms_or_none(valid_until),
        superseded_by=superseded_by,
        reason=reason,
        sources=sources,
        conversation_id=conversation_id,
        episode_id=episode_id,
        created_at=from_ms(created),
        updated_at=from_ms(updated),
        seq=seq,
    )


def _values(fact: Fact) -> dict[str, Any]:
    return {
        "id": fact.id,
        "agent_id": fact.agent_id,
        "content": clean(fact.content),
        "kind": fact.kind,
        "tags": clean(to_json(fact.tags)),
        "salience": fact.salience,
        "decayed_at": to_ms_or_none(fact.decayed_at),
        "promoted_at": to_ms_or_none(fact.promoted_at),
        "confidence": fact.confidence,
        "source_count": fact.source_count,
        "use_count": fact.use_count,
        "last_used": to_ms_or_none(fact.last_used),
        "status": fact.status,
        "user_pinned": fact.user_pinned,
        "origin": fact.origin,
        "provenance": fact.provenance,
        "valid_from": to_ms_or_none(fact.valid_from),
        "valid_until": to_ms_or_none(fact.valid_until),
        "superseded_by": fact.superseded_by,
        "reason": clean(fact.reason),
        "conversation_id": fact.conversation_id,
        "episode_id": fact.episode_id,
        "created_at": to_ms(fact.created_at),
        "updated_at": to_ms(fact.updated_at),
    }


def _conditions(flt: FactFilter) -> tuple[list[str], list[str], dict[str, Any]]:
    """Return the filter twice, to look rows up by and to test rows by (see ``paging.fetch``), and its values."""
    where: list[str] = []
    walk: list[str] = []
    values: dict[str, Any] = {}

    def narrow(piece: Any, tested: Any = None, **parameters: Any) -> None:
        where.append(piece.sql)
        walk.append((tested or piece).sql)
        values.update(parameters)

    if flt.agent_id is not None:
        narrow(_Q.where_agent, agent_id=flt.agent_id)
    if flt.query.strip():
        match = fts.match_typed(flt.query)
        if match is None:
            narrow(_Q.where_like, pattern=fts.like(flt.query))
        else:
            narrow(_Q.where_match, match=match)
    if len(flt.status) == 1:
        narrow(_Q.where_one_status, _Q.test_one_status, status=flt.status[0])
    elif flt.status:
        narrow(_Q.where_status, _Q.test_status, statuses=ids(flt.status))
    if flt.kind is not None:
        narrow(_Q.where_kind, _Q.test_kind, kind=flt.kind)
    if flt.tag is not None:
        narrow(_Q.where_tag, _Q.test_tag, tag=fold(flt.tag))
    if flt.user_pinned is not None:
        narrow(_Q.where_pinned if flt.user_pinned else _Q.where_not_pinned)
    if flt.min_salience is not None:
        narrow(_Q.where_min_salience, _Q.test_min_salience, min_salience=flt.min_salience)
    if flt.max_salience is not None:
        narrow(_Q.where_max_salience, _Q.test_max_salience, max_salience=flt.max_salience)
    if flt.since is not None:
        narrow(_Q.where_since, _Q.test_since, since=to_ms(flt.since))
    if flt.until is not None:
        narrow(_Q.where_until, _Q.test_until, until=to_ms(flt.until))
    if flt.as_of is not None:
        narrow(_Q.where_as_of, as_of=to_ms(flt.as_of))
    if flt.entity_id is not None:
        narrow(_Q.where_entity, entity_id=flt.entity_id)
    if flt.conversation_id is not None:
        narrow(_Q.where_conversation, conversation_id=flt.conversation_id)
    return where, walk, values


class SqlFacts(Repository):
    """:class:`memdesk.ports.FactsRepo` over SQLCipher."""

    def get(self, fact_id: str) -> Fact | None:
        """Return one fact with its sources."""
        row = _Q.get(self._conn, fact_id=fact_id)
        return None if row is None else self._with_sources([row])[0]

    def many(self, fact_ids: Sequence[str]) -> list[Fact]:
        """Return the facts that exist, in the order asked for."""
        return self._with_sources(_Q.many(self._conn, ids=ids(fact_ids)))

    def by_seq(self, seqs: Sequence[int]) -> dict[int, Fact]:
        """Return the facts that exist by ``seq``."""
        return {fact.seq: fact for fact in self._with_sources(_Q.by_seq(self._conn, seqs=ids(seqs)))}

    def page(self, flt: FactFilter, *, limit: int = 50, cursor: str | None = None) -> Page[Fact]:
        """List facts in the filter's order."""
        where, walk, values = _conditions(flt)
        listing = Listing(
            columns="f.*", source="facts f", key=_SORT_KEYS[flt.sort], tie="f.seq", descending=flt.descending
        )
        return fetch(
            self._conn,
            listing,
            where=where,
            parameters=values,
            limit=limit,
            cursor=cursor,
            walk=walk,
            build=self._with_sources,
        )

    def active(self, agent_id: str) -> list[Fact]:
        """Return all active facts of an agent, oldest first; their sources are left empty."""
        return [_fact(row) for row in _Q.active(self._conn, agent_id=agent_id)]

    def tags(self, agent_id: str | None = None, *, most: int = 100) -> list[str]:
        """Return the tags of active facts, case folded, the most frequent first."""
        return [row[0] for row in _Q.tags(self._conn, agent_id=agent_id, most=most)]

    def put(self, fact: Fact) -> int:
        """Insert or update; return the ``seq``.

        Empty ``sources`` leave the stored ones as they are, so that facts from :meth:`active` can be put back.
        """
        seq = int(_Q.put(self._conn, **_values(fact)))
        if fact.sources:
            self._put_sources(seq, fact)
        self._put_tags(seq, fact)
        return seq

    def change(self, fact: Fact, names: Collection[str]) -> None:
        """Write the fields of these names of a fact that is stored, an empty list of sources too."""
        update(self._conn, "facts", _values(fact), set(names) - {"sources"})
        if "sources" in names:
            self._put_sources(fact.seq, fact)
        if "tags" in names:
            self._put_tags(fact.seq, fact)

    def _put_sources(self, seq: int, fact: Fact) -> None:
        _Q.drop_sources(self._conn, fact_seq=seq)
        _Q.add_sources(
            self._conn,
            [
                {"fact_seq": seq, "position": n, "turn_id": s.turn_id, "quote": clean(s.quote)}
                for n, s in enumerate(fact.sources)
            ],
        )

    def _put_tags(self, seq: int, fact: Fact) -> None:
        _Q.drop_tags(self._conn, fact_seq=seq)
        if fact.tags:
            _Q.add_tags(self._conn, [{"tag": fold(clean(tag)), "fact_seq": seq} for tag in fact.tags])

    def put_many(self, facts: Sequence[Fact]) -> None:
        """Put each of them."""
        for fact in facts:
            self.put(fact)

    def set_status(self, rows: Sequence[StatusRow]) -> int:
        """Set status, reason and ``updated_at`` alone; return how many rows were there and as expected."""
        values = [
            {
                "id": row.id,
                "status": row.status,
                "reason": clean(row.reason),
                "updated_at": to_ms(row.updated_at),
                "expected_status": row.expected_status,
                "expected_updated_at": to_ms(row.expected_updated_at),
            }
            for row in rows
        ]
        return int(_Q.set_status(self._conn, values))

    def absorbed(self, fact_ids: Sequence[str]) -> list[Fact]:
        """Return facts whose ``superseded_by`` is one of these."""
        return self._with_sources(_Q.absorbed(self._conn, ids=ids(fact_ids)))

    def set_salience(self, rows: Sequence[SalienceRow]) -> int:
        """Set the ageing columns alone; return how many rows were there and as expected."""
        return int(_Q.set_salience(self._conn, [salience_values(row) for row in rows]))

    def delete(self, fact_ids: Sequence[str]) -> None:
        """Delete facts with sources, tags, links, relations and vectors."""
        _Q.delete(self._conn, ids=ids(fact_ids))

    def of_conversation(self, agent_id: str, conversation_id: str) -> list[Fact]:
        """Return facts, of any state, made from the conversation or with at least one source turn in it."""
        rows = _Q.of_conversation(self._conn, agent_id=agent_id, conversation_id=conversation_id)
        return self._with_sources(rows)

    def touch(self, fact_ids: Sequence[str], at: datetime) -> None:
        """Count one use of each at ``at``."""
        _Q.touch(self._conn, ids=ids(fact_ids), at=to_ms(at))

    def _with_sources(self, rows: list[Row]) -> list[Fact]:
        if not rows:
            return []
        sources: dict[int, list[FactSource]] = {}
        for seq, turn_id, quote in _Q.sources(self._conn, seqs=ids(row[0] for row in rows)):
            sources.setdefault(seq, []).append(FactSource(turn_id=turn_id, quote=quote))
        return [_fact(row, tuple(sources.get(row[0], ()))) for row in rows]
