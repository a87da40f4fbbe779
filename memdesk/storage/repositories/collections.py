"""Items that programs keep in their own collections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memdesk.domain.items.filters import Filter
from memdesk.domain.items.item import MemoryItem
from memdesk.ports.item_store import Listing, Search
from memdesk.storage import fts
from memdesk.storage.item_filter import condition_of
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.item_rows import SELECTED
from memdesk.storage.repositories.items import ORDERS, SqlItems
from memdesk.storage.repositories.scopes import Rows, kept
from memdesk.storage.repositories.text import SqlTextSearch

_Q: Any = load("items")


class SqlCollections(SqlItems):
    """Items of any collection, and the collections themselves."""

    def collections(self) -> list[str]:
        return [row[0] for row in _Q.collections(self._conn)]

    def dimensions(self, collection: str) -> int | None:
        """Return the width of a collection's vectors, None if it does not exist."""
        found = _Q.dimensions(self._conn, name=collection)
        return None if found is None else int(found)

    def add_collection(self, collection: str, dimensions: int) -> None:
        _Q.add_collection(self._conn, name=collection, dimensions=dimensions)

    def drop_collection(self, collection: str) -> None:
        _Q.drop_items(self._conn, name=collection)
        _Q.drop_collection(self._conn, name=collection)

    def put_vector(self, seq: int, vector: bytes) -> None:
        _Q.put_vector(self._conn, item_seq=seq, vector=vector)

    def gaps(self, collection: str, after: int, limit: int) -> list[tuple[int, str]]:
        """Return ``(number, text)`` of items without a vector."""
        return list(_Q.gaps(self._conn, collection=collection, after=after, most=limit))

    def fill(self, seq: int, content: str, vector: bytes) -> None:
        _Q.fill(self._conn, item_seq=seq, content=content, vector=vector)

    def passing(self, wanted: Search, collection: str) -> Rows:
        """Return the rows that a search looks at; without their vectors if it has none."""
        if wanted.where is not None:
            return Rows.of(self._passing(wanted, collection))
        name = (collection, wanted.scope, wanted.expired, wanted.vector is None)
        return kept(self._conn, name, lambda: self._passing(wanted, collection))

    def _passing(self, wanted: Search, collection: str) -> list[Row]:
        narrowed = condition_of(wanted.narrowed())
        source = (_Q.without_vectors if wanted.vector is None else _Q.with_vectors).sql
        sql = f"{source} WHERE {_Q.where_collection.sql} AND {narrowed.sql}"
        return self._conn.rows(sql, {**narrowed.values, "collection": collection})

    def words(self, rows: Rows, terms: Sequence[str], limit: int) -> dict[int, float]:
        """Return the BM25 scores of the best rows that contain any of the terms, by number; with very many rows, any of the rarer ones."""
        wanted = [term for term in fts.normalize(terms) if fts.indexable(term)]
        if not wanted:
            return {}
        wanted, lowest = SqlTextSearch(self._conn, self._shared).affordable("fact", wanted, rows.count)
        match = fts.match_any(wanted)
        return dict(_Q.words(self._conn, match=match, lowest=lowest, seqs=rows.seqs, wanted=limit))

    def listed(self, wanted: Listing, collection: str) -> list[MemoryItem]:
        narrowed = condition_of(wanted.narrowed())
        way = "DESC" if wanted.descending else "ASC"
        sql = (
            f"SELECT {SELECTED} FROM items i WHERE {_Q.where_collection.sql} AND {narrowed.sql} "
            f"ORDER BY {ORDERS[wanted.order]} {way}, i.id {way} LIMIT :most OFFSET :skipped"
        )
        values = {**narrowed.values, "collection": collection, "most": wanted.limit, "skipped": wanted.offset}
        return self._built(self._conn.rows(sql, values))

    def count(self, where: Filter, collection: str) -> int:
        """Return how many pass a settled filter."""
        narrowed = condition_of(where)
        sql = f"SELECT count(*) FROM items i WHERE {_Q.where_collection.sql} AND {narrowed.sql}"
        return int(self._conn.rows(sql, {**narrowed.values, "collection": collection})[0][0])
