"""The list of facts: every filter and sort with its own index."""

from collections.abc import Callable
from typing import Any, Final

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import Page
from memdesk.ports import FactFilter
from memdesk.storage import fts
from memdesk.storage.connection import Connection
from memdesk.storage.paging import Listing, fetch
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.item_rows import SELECTED
from memdesk.storage.values import fold, ids, to_ms

_Q: Any = load("facts")
_FACTS: Final = "(SELECT * FROM items WHERE collection = '' AND tier = 'pinned') i"
_SORT_KEYS: Final = {
    "updated": "i.updated_at",
    "created": "i.created_at",
    "salience": "i.salience",
    "last_used": "coalesce(i.last_used, 0)",
    "content": "i.content COLLATE NOCASE",
}


def list_facts(
    conn: Connection, flt: FactFilter, limit: int, cursor: str | None, build: Callable[[list[Row]], list[MemoryItem]]
) -> Page[MemoryItem]:
    """Return one page of facts in the filter's order."""
    where, walk, values = _conditions(flt)
    listing = Listing(columns=SELECTED, source=_FACTS, key=_SORT_KEYS[flt.sort], tie="i.seq", descending=flt.descending)
    return fetch(conn, listing, where=where, parameters=values, limit=limit, cursor=cursor, walk=walk, build=build)


def _conditions(flt: FactFilter) -> tuple[list[str], list[str], dict[str, Any]]:
    """Return the filter twice, for looking rows up and for testing rows (see ``paging.fetch``), and its values."""
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
    if flt.type is not None:
        narrow(_Q.where_type, type=flt.type)
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
