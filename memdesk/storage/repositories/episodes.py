"""The list of episodes, and their details as rows."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import Page
from memdesk.storage import fts
from memdesk.storage.connection import Connection
from memdesk.storage.paging import Listing, fetch, given
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.item_rows import SELECTED, statement_values
from memdesk.storage.values import clean, dated, ids, to_json, to_ms, to_ms_or_none

_Q: Any = load("episodes")
_EPISODES: Final = "(SELECT * FROM items WHERE collection = '' AND form = 'episode') i"
_LATEST: Final = Listing(columns=SELECTED, source=_EPISODES, key="i.ended_at", tie="i.seq")


def list_episodes(
    conn: Connection,
    *,
    agent_id: str | None,
    query: str,
    status: str | None,
    since: datetime | None,
    until: datetime | None,
    entity_id: str | None,
    limit: int,
    cursor: str | None,
    build: Callable[[list[Row]], list[MemoryItem]],
) -> Page[MemoryItem]:
    """Return one page of episodes, latest first; see the port."""
    where, values = given(
        _Q,
        agent_id=agent_id,
        status=status,
        since=to_ms_or_none(since),
        until=to_ms_or_none(until),
        entity_id=entity_id,
    )
    typed, words = fts.typed(_Q, query)
    return fetch(conn, _LATEST, where=where + typed, parameters=values | words, limit=limit, cursor=cursor, build=build)


def holding(conn: Connection, agent_id: str, words: str) -> list[str]:
    """Return the ids of all episodes, of any status, with these words in their text or a detail."""
    match = fts.match_typed(words)
    if match is None:
        return [row[0] for row in _Q.holding_like(conn, agent_id=agent_id, pattern=fts.like(words))]
    return [row[0] for row in _Q.holding(conn, agent_id=agent_id, match=match)]


def put_details(conn: Connection, episode: MemoryItem, *, keep_days: bool) -> None:
    """Write the details of a stored episode; others are deleted.

    With ``keep_days``, existing details keep their day in words: it is when they were said, even if the episode grows.
    """
    told = episode.session
    held = dict(_Q.detail_days(conn, episode_id=episode.id))
    gone = held.keys() - {detail.id for detail in told.details}
    if gone:
        _Q.drop_details(conn, ids=ids(sorted(gone)))
    if not told.details:
        return
    day = dated(told.ended_at)
    days = held if keep_days else {}
    rows = [
        (
            *(d.id, episode.agent_id, episode.run_id, d.kind, clean(d.content), days.get(d.id, day), d.salience),
            *(episode.id, position, to_ms(d.created_at), to_ms(d.updated_at)),
            *statement_values(d.statement).values(),
            d.provenance,
        )
        for position, d in enumerate(told.details)
    ]
    _Q.put_details(conn, rows=to_json(rows))
    _Q.place_facts(conn, rows=to_json([(d.id, episode.id, n) for n, d in enumerate(told.details)]))
    _Q.drop_detail_sources(conn, episode_id=episode.id)
    _Q.add_detail_sources(conn, rows=to_json([(d.id, d.turn_ids) for d in told.details if d.turn_ids]))
