"""Episodes and their details."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import Episode, Page
from memdesk.ports import SalienceRow
from memdesk.storage import fts
from memdesk.storage.paging import Listing, fetch
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.base import Repository, salience_values, update
from memdesk.storage.repositories.item_rows import SELECTED, items_of
from memdesk.storage.repositories.statements import statement_values
from memdesk.storage.values import (
    clean,
    dated,
    from_ms,
    from_ms_or_none,
    ids,
    strings,
    to_json,
    to_ms,
    to_ms_or_none,
)

_Q: Any = load("episodes")
_LATEST = Listing(columns="e.*", source="episodes e", key="e.ended_at", tie="e.seq")
#: Columns of items that go by other names than an episode's fields.
_RENAMED = {"conversation_id": "run_id", "summary": "content", "topics": "tags", "merged_into": "superseded_by"}


def _episode(row: Row, details: tuple[MemoryItem, ...]) -> Episode:
    (seq, id_, agent_id, conversation_id, summary, topics, entities, decisions, actions, salience, decayed, *rest) = row
    (source_count, use_count, last_used, model, status, merged_into, *rest) = rest
    (started, ended, created, updated, *_) = rest
    return Episode(
        id=id_,
        agent_id=agent_id,
        conversation_id=conversation_id,
        summary=summary,
        topics=strings(topics),
        entities=strings(entities),
        decisions=strings(decisions),
        action_items=strings(actions),
        details=details,
        salience=salience,
        decayed_at=from_ms_or_none(decayed),
        source_count=source_count,
        use_count=use_count,
        last_used=from_ms_or_none(last_used),
        model=model,
        status=status,
        merged_into=merged_into,
        started_at=from_ms(started),
        ended_at=from_ms(ended),
        created_at=from_ms(created),
        updated_at=from_ms(updated),
        seq=seq,
    )


def _values(episode: Episode) -> dict[str, Any]:
    return {
        "id": episode.id,
        "agent_id": episode.agent_id,
        "run_id": episode.conversation_id,
        "content": clean(episode.summary),
        "tags": clean(to_json(episode.topics)),
        "entities": clean(to_json(episode.entities)),
        "decisions": clean(to_json(episode.decisions)),
        "action_items": clean(to_json(episode.action_items)),
        "salience": episode.salience,
        "decayed_at": to_ms_or_none(episode.decayed_at),
        "source_count": episode.source_count,
        "use_count": episode.use_count,
        "last_used": to_ms_or_none(episode.last_used),
        "model": episode.model,
        "status": episode.status,
        "superseded_by": episode.merged_into,
        "started_at": to_ms(episode.started_at),
        "ended_at": to_ms(episode.ended_at),
        "created_at": to_ms(episode.created_at),
        "updated_at": to_ms(episode.updated_at),
        "dated": dated(episode.ended_at),
    }


class SqlEpisodes(Repository):
    """:class:`memdesk.ports.EpisodesRepo` over SQLCipher. Without ``details``, episodes' details are left empty."""

    def get(self, episode_id: str) -> Episode | None:
        """Return one episode."""
        row = _Q.get(self._conn, episode_id=episode_id)
        return None if row is None else self._with_details([row])[0]

    def many(self, episode_ids: Sequence[str], *, details: bool = True) -> list[Episode]:
        """Return the episodes that exist, in the order asked for."""
        return self._built(details=details)(_Q.many(self._conn, ids=ids(episode_ids)))

    def by_seq(self, seqs: Sequence[int], *, details: bool = True) -> dict[int, Episode]:
        """Return the episodes that exist by ``seq``."""
        return {e.seq: e for e in self._built(details=details)(_Q.by_seq(self._conn, seqs=ids(seqs)))}

    def page(
        self,
        *,
        agent_id: str | None = None,
        query: str = "",
        status: str | None = "active",
        since: datetime | None = None,
        until: datetime | None = None,
        entity_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
        details: bool = True,
    ) -> Page[Episode]:
        """List episodes, latest first. ``since`` and ``until`` keep sessions that touch the span."""
        where: list[str] = []
        values: dict[str, Any] = {}
        for piece, name, value in (
            (_Q.where_agent, "agent_id", agent_id),
            (_Q.where_status, "status", status),
            (_Q.where_since, "since", to_ms_or_none(since)),
            (_Q.where_until, "until", to_ms_or_none(until)),
            (_Q.where_entity, "entity_id", entity_id),
        ):
            if value is not None:
                where.append(piece.sql)
                values[name] = value
        if query.strip():
            match = fts.match_typed(query)
            where.append(_Q.where_like.sql if match is None else _Q.where_match.sql)
            values |= {"pattern": fts.like(query)} if match is None else {"match": match}
        return fetch(
            self._conn,
            _LATEST,
            where=where,
            parameters=values,
            limit=limit,
            cursor=cursor,
            build=self._built(details=details),
        )

    def active(self, agent_id: str) -> list[Episode]:
        """Return all active episodes of an agent, earliest first."""
        rows = _Q.active(self._conn, agent_id=agent_id)
        details = self._grouped(_Q.active_details, agent_id=agent_id)
        return [_episode(row, tuple(details.get(row[1], ()))) for row in rows]

    def of_conversation(self, agent_id: str, conversation_id: str) -> list[Episode]:
        """Return the episodes of one session, whatever their status."""
        rows = _Q.of_conversation(self._conn, agent_id=agent_id, conversation_id=conversation_id)
        return self._with_details(rows)

    def holding(self, agent_id: str, words: str) -> list[str]:
        """Return the ids of all episodes, of any state, that hold these words in their text or in a detail."""
        match = fts.match_typed(words)
        if match is None:
            return [row[0] for row in _Q.holding_like(self._conn, agent_id=agent_id, pattern=fts.like(words))]
        return [row[0] for row in _Q.holding(self._conn, agent_id=agent_id, match=match)]

    def put(self, episode: Episode) -> int:
        """Insert or update with its details (those not among them are deleted); return the ``seq``."""
        seq = int(_Q.put(self._conn, **_values(episode)))
        self._put_details(episode)
        return seq

    def change(self, episode: Episode, names: Collection[str]) -> None:
        """Write the fields of these names of an episode that is stored.

        Details that were there keep their day in words: it is when they were said, whatever the episode takes in.
        """
        columns = {_RENAMED.get(name, name) for name in names} - {"details"}
        if "ended_at" in columns:
            columns.add("dated")
        update(self._conn, "items", _values(episode), columns)
        if "details" in names:
            self._put_details(episode, keep_days=True)

    def _put_details(self, episode: Episode, *, keep_days: bool = False) -> None:
        held = dict(_Q.detail_days(self._conn, episode_id=episode.id))
        gone = held.keys() - {detail.id for detail in episode.details}
        if gone:
            _Q.drop_details(self._conn, ids=ids(sorted(gone)))
        if not episode.details:
            return
        day = dated(episode.ended_at)
        days = held if keep_days else {}
        rows = [
            (
                *(d.id, episode.agent_id, episode.conversation_id, d.kind, clean(d.content), days.get(d.id, day)),
                *(
                    d.salience,
                    episode.id,
                    position,
                    to_ms(d.created_at),
                    to_ms(d.updated_at),
                    *statement_values(d.statement).values(),
                ),
            )
            for position, d in enumerate(episode.details)
        ]
        _Q.put_details(self._conn, rows=to_json(rows))
        _Q.place_facts(self._conn, rows=to_json([(d.id, episode.id, n) for n, d in enumerate(episode.details)]))
        _Q.drop_detail_sources(self._conn, episode_id=episode.id)
        _Q.add_detail_sources(self._conn, rows=to_json([(d.id, d.turn_ids) for d in episode.details if d.turn_ids]))

    def absorbed(self, episode_ids: Sequence[str]) -> list[Episode]:
        """Return episodes whose ``merged_into`` is one of these."""
        return self._with_details(_Q.absorbed(self._conn, ids=ids(episode_ids)))

    def set_salience(self, rows: Sequence[SalienceRow]) -> int:
        """Set the ageing columns alone; return how many rows were there and as expected."""
        return int(_Q.set_salience(self._conn, [salience_values(row) for row in rows]))

    def delete(self, episode_ids: Sequence[str]) -> None:
        """Delete episodes with details, links and vectors."""
        _Q.delete(self._conn, ids=ids(episode_ids))

    def _built(self, *, details: bool) -> Callable[[list[Row]], list[Episode]]:
        return self._with_details if details else lambda rows: [_episode(row, ()) for row in rows]

    def _with_details(self, rows: list[Row]) -> list[Episode]:
        if not rows:
            return []
        details = self._grouped(_Q.details, ids=ids(row[1] for row in rows))
        return [_episode(row, tuple(details.get(row[1], ()))) for row in rows]

    def _grouped(self, query: Any, **values: Any) -> dict[str, list[MemoryItem]]:
        found: dict[str, list[MemoryItem]] = {}
        for item in items_of(self._conn, self._conn.rows(query.sql.replace("i.*", SELECTED), values)):
            found.setdefault(item.parent_id or "", []).append(item)
        return found
