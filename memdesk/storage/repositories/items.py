"""Items as one kind of row."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

from memdesk.domain.items.filters import Filter
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import Page
from memdesk.messages import stored
from memdesk.ports import FactFilter, ItemOrder, SalienceRow, StatusRow
from memdesk.storage import fts
from memdesk.storage.item_filter import condition_of
from memdesk.storage.paging import Listing
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories import episodes
from memdesk.storage.repositories.base import Repository, salience_values, update
from memdesk.storage.repositories.fact_list import list_facts
from memdesk.storage.repositories.item_rows import (
    COLUMNS,
    DIGEST,
    SELECTED,
    columns_of,
    item_of,
    items_of,
    selected,
    values_of,
)
from memdesk.storage.values import clean, fold, ids, to_json, to_ms, to_ms_or_none

_Q: Any = load("items")
ORDERS: Final = {"created": "i.created_at", "updated": "i.updated_at", "salience": "i.salience"}


def _upsert(columns: Sequence[str]) -> str:
    return (
        f"INSERT INTO items ({', '.join(columns)}) VALUES ({', '.join(f':{name}' for name in columns)}) "
        f"ON CONFLICT (id) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in columns if name != 'id')} "
        "RETURNING seq"
    )


_UPSERT: Final = _upsert(COLUMNS)
_UPSERT_EPISODE: Final = _upsert((*COLUMNS, *DIGEST))


class SqlItems(Repository):
    """:class:`memdesk.ports.ItemsRepo` over SQLCipher."""

    def get(self, item_id: str, *, collection: str = "") -> MemoryItem | None:
        found = self.many([item_id], collection=collection)
        return found[0] if found else None

    def many(self, item_ids: Sequence[str], *, collection: str = "", details: bool = True) -> list[MemoryItem]:
        rows = selected(self._conn, _Q.many, collection=collection, ids=ids(item_ids))
        return items_of(self._conn, rows, details=details)

    def by_seq(self, seqs: Sequence[int], *, details: bool = True) -> dict[int, MemoryItem]:
        rows = selected(self._conn, _Q.by_seq, seqs=ids(seqs))
        return {item.seq: item for item in items_of(self._conn, rows, details=details)}

    def keyed(
        self, key: str, *, user_id: str, agent_id: str | None, run_id: str | None, collection: str = ""
    ) -> MemoryItem | None:
        scope = {"user_id": user_id, "agent_id": agent_id or "", "run_id": run_id or "", "key": clean(key)}
        found = self._rows(_Q.keyed, collection=collection, **scope)
        return found[0] if found else None

    def add(self, item: MemoryItem, *, collection: str = "") -> int:
        """Store a new item; return its number.

        Raises:
            ConstraintError: its id, or its key in its scope, exists already.
        """
        values = {**values_of(item), "collection": collection}
        names = ", ".join(values)
        self._conn.change(f"INSERT INTO items ({names}) VALUES ({', '.join(f':{name}' for name in values)})", values)
        return self._hang_on(item, collection)

    def replace(self, item: MemoryItem, *, collection: str = "") -> int | None:
        """Overwrite a stored item; return its number, None if it does not exist.

        What only episodes have (decisions, action items, its span) stays as it is.
        """
        values = values_of(item)
        written = ", ".join(f"{name} = :{name}" for name in values if name != "id")
        where = "WHERE collection = :collection AND id = :id"
        done = self._conn.change(f"UPDATE items SET {written} {where}", {**values, "collection": collection})
        return self._hang_on(item, collection) if done else None

    def put(self, item: MemoryItem) -> int:
        """Insert or update an item of memdesk's own memory; return its number.

        Empty ``sources`` keep the stored ones, so that items from :meth:`active` can be put back. Details that the
        episode no longer has are deleted.
        """
        seq = int(self._conn.rows(_UPSERT if item.digest is None else _UPSERT_EPISODE, values_of(item))[0][0])
        if item.digest is not None:
            episodes.put_details(self._conn, item, keep_days=False)
        if item.sources:
            self._put_sources(seq, item)
        self._put_tags(seq, item)
        return seq

    def put_many(self, items: Sequence[MemoryItem]) -> None:
        for item in items:
            self.put(item)

    def change(self, item: MemoryItem, names: Collection[str]) -> None:
        update(self._conn, "items", values_of(item), columns_of(set(names)))
        if "digest.details" in names:
            episodes.put_details(self._conn, item, keep_days=True)
        if "sources" in names:
            self._put_sources(item.seq, item)
        if "tags" in names:
            self._put_tags(item.seq, item)

    def set_status(self, rows: Sequence[StatusRow]) -> int:
        values = [
            {
                "id": row.id,
                "status": row.status,
                "reason": clean(stored(row.reason)),
                "updated_at": to_ms(row.updated_at),
                "expected_status": row.expected_status,
                "expected_updated_at": to_ms(row.expected_updated_at),
            }
            for row in rows
        ]
        return int(_Q.set_status(self._conn, values))

    def set_salience(self, rows: Sequence[SalienceRow]) -> int:
        return int(_Q.set_salience(self._conn, [salience_values(row) for row in rows]))

    def touch(self, item_ids: Sequence[str], at: datetime) -> None:
        _Q.touch(self._conn, ids=ids(item_ids), at=to_ms(at))

    def absorbed(self, item_ids: Sequence[str]) -> list[MemoryItem]:
        return self._rows(_Q.absorbed, ids=ids(item_ids))

    def delete(self, item_ids: Sequence[str], *, collection: str = "") -> int:
        return int(_Q.delete(self._conn, collection=collection, ids=ids(item_ids)))

    def page(
        self,
        where: Filter,
        *,
        collection: str = "",
        tag: str | None = None,
        query: str = "",
        order: ItemOrder = "created",
        descending: bool = False,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[MemoryItem]:
        narrowed = condition_of(where)
        pieces = [_Q.where_collection.sql, narrowed.sql]
        values = {**narrowed.values, "collection": collection}
        if tag is not None:
            pieces.append(_Q.where_tag.sql)
            values["tag"] = fold(clean(tag))
        if query.strip():
            match = fts.match_typed(query)
            values |= {"pattern": fts.like(query)} if match is None else {"match": match}
            pieces.append(
                "i.content LIKE :pattern ESCAPE '\\'"
                if match is None
                else "i.seq IN (SELECT rowid FROM items_fts WHERE items_fts MATCH :match)"
            )
        listing = Listing(columns=SELECTED, source="items i", key=ORDERS[order], tie="i.seq", descending=descending)
        return self._page(listing, (pieces, values), self._built, limit, cursor)

    def facts(self, flt: FactFilter, *, limit: int = 50, cursor: str | None = None) -> Page[MemoryItem]:
        return list_facts(self._conn, flt, limit, cursor, self._built)

    def episode(self, episode_id: str) -> MemoryItem | None:
        found = self.get(episode_id)
        return found if found is not None and found.digest is not None else None

    def episodes(
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
    ) -> Page[MemoryItem]:
        return episodes.list_episodes(
            self._conn,
            agent_id=agent_id,
            query=query,
            status=status,
            since=since,
            until=until,
            entity_id=entity_id,
            limit=limit,
            cursor=cursor,
            build=partial(items_of, self._conn, details=details),
        )

    def active_episodes(self, agent_id: str) -> list[MemoryItem]:
        return self._rows(_Q.active_episodes, agent_id=agent_id)

    def episodes_of(self, agent_id: str, *conversation_ids: str) -> list[MemoryItem]:
        return self._rows(_Q.episodes_of, agent_id=agent_id, conversation_ids=ids(conversation_ids))

    def holding(self, agent_id: str, words: str) -> list[str]:
        return episodes.holding(self._conn, agent_id, words)

    def active(self, agent_id: str) -> list[MemoryItem]:
        return [item_of(row) for row in selected(self._conn, _Q.active, agent_id=agent_id)]

    def of_attributes(self, agent_id: str, attributes: Sequence[str]) -> list[MemoryItem]:
        rows = selected(self._conn, _Q.of_attributes, agent_id=agent_id, attributes=to_json(attributes))
        return [item_of(row) for row in rows]

    def named(self, agent_id: str) -> list[tuple[str, str]]:
        return [(row[0], row[1]) for row in _Q.named(self._conn, agent_id=agent_id)]

    def spoken(self, agent_id: str) -> str:
        return next((row[0] for row in _Q.spoken(self._conn, agent_id=agent_id)), "")

    def of_conversation(self, agent_id: str, conversation_id: str) -> list[MemoryItem]:
        return self._rows(_Q.of_conversation, agent_id=agent_id, conversation_id=conversation_id)

    def lines(self, *, include_inactive: bool = False) -> list[MemoryItem]:
        return self._rows(_Q.lines if include_inactive else _Q.active_lines)

    def tags(self, agent_id: str | None = None, *, most: int = 100) -> list[str]:
        return [row[0] for row in _Q.tags(self._conn, agent_id=agent_id, most=most)]

    def hidden(self, seqs: Sequence[int], now: datetime | None) -> set[int]:
        return {row[0] for row in _Q.hidden(self._conn, seqs=ids(seqs), now=to_ms_or_none(now))}

    def outdated(self, turn_ids: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
        return _by_place(_Q.outdated(self._conn, turn_ids=to_json(turn_ids)))

    def corrected(self, agent_id: str, conversation_ids: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
        return _by_place(_Q.corrected(self._conn, agent_id=agent_id, conversation_ids=to_json(conversation_ids)))

    def private(self, agent_id: str) -> set[str]:
        return {row[0] for row in _Q.private(self._conn, agent_id=agent_id)}

    def private_conversations(self, agent_id: str) -> set[str]:
        return {row[0] for row in _Q.private_conversations(self._conn, agent_id=agent_id)}

    def _hang_on(self, item: MemoryItem, collection: str) -> int:
        """Write the sources and tags of a just written item; return its number."""
        seq = int(_Q.seq_of(self._conn, collection=collection, id=item.id))
        self._put_sources(seq, item)
        self._put_tags(seq, item)
        return seq

    def _put_sources(self, seq: int, item: MemoryItem) -> None:
        _Q.drop_sources(self._conn, item_seq=seq)
        _Q.add_sources(
            self._conn,
            [
                {"item_seq": seq, "position": n, "turn_id": source.turn_id, "quote": clean(source.quote)}
                for n, source in enumerate(item.sources)
            ],
        )

    def _put_tags(self, seq: int, item: MemoryItem) -> None:
        _Q.drop_tags(self._conn, item_seq=seq)
        if item.tags and item.digest is None:
            _Q.add_tags(self._conn, [{"tag": fold(clean(tag)), "item_seq": seq} for tag in item.tags])

    def _rows(self, query: Any, **values: Any) -> list[MemoryItem]:
        return self._built(selected(self._conn, query, **values))

    def _built(self, rows: list[Row]) -> list[MemoryItem]:
        return items_of(self._conn, rows)


def _by_place(rows: Iterable[tuple[str, str, str]]) -> dict[str, list[tuple[str, str]]]:
    """Return what was said and what holds now, by where it was said."""
    found: dict[str, list[tuple[str, str]]] = {}
    for place, said, now in rows:
        found.setdefault(place, []).append((said, now))
    return found
