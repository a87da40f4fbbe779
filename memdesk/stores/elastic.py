"""Elasticsearch: an index for each collection, with nearest neighbors and its own text ranking."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from memdesk.stores.foreign import pages
from memdesk.stores.tagged import NUMBERS, PAGE, RankingStore, Row, words_of

if TYPE_CHECKING:
    from memdesk.ports.engines import Vectors

Condition: TypeAlias = dict[str, Any]
_PREFIX: Final = "memdesk-"
#: Maximum number of neighbors that it considers.
CANDIDATES: Final = 10_000


class ElasticStore(RankingStore[Condition]):
    """``ports.ItemStore`` on Elasticsearch 8.12 or later.

    Args:
        url: of a server, ``https://host:9200``.
        api_key: of the server.
    """

    title = "Elasticsearch"

    def __init__(self, url: str, *, api_key: str | None = None) -> None:
        super().__init__()
        from elasticsearch import Elasticsearch

        self._client: Any
        with self.translated():
            self._client = Elasticsearch(url, api_key=api_key)

    def close(self) -> None:
        self._client.close()

    def errors(self) -> tuple[type[Exception], ...]:
        from elasticsearch import ApiError, TransportError
        from elasticsearch.helpers import BulkIndexError, ScanError

        return (ApiError, TransportError, BulkIndexError, ScanError, OSError, ValueError)

    def names(self) -> list[str]:
        return [name.removeprefix(_PREFIX) for name in self._client.indices.get(index=f"{_PREFIX}*")]

    def width(self, collection: str) -> int | None:
        from elasticsearch import NotFoundError

        try:
            (found,) = self._client.indices.get_mapping(index=_PREFIX + collection).values()
        except NotFoundError:
            return None
        return int(found["mappings"]["properties"]["vector"]["dims"])

    def make(self, collection: str, dimensions: int) -> None:
        fields: dict[str, Any] = {
            "id": {"type": "keyword"},
            "item": {"type": "keyword", "index": False, "doc_values": False},
            "tags": {"type": "keyword"},
            "words": {"type": "text", "analyzer": "whitespace"},
            # Its default index quantizes the vectors.
            "vector": {
                "type": "dense_vector", "dims": dimensions, "index": True, "similarity": "cosine",
                "index_options": {"type": "hnsw"},
            },
            **{name: {"type": "double"} for name in NUMBERS},
        }  # fmt: skip
        self._client.indices.create(index=_PREFIX + collection, mappings={"dynamic": "strict", "properties": fields})

    def remove(self, collection: str) -> None:
        self._client.indices.delete(index=_PREFIX + collection, ignore_unavailable=True)

    def having(self, tags: Sequence[str], *, holds: bool = True) -> Condition:
        found = {"terms": {"tags": list(tags)}}
        return found if holds else {"bool": {"must_not": [found]}}

    def among(self, ids: Sequence[str]) -> Condition:
        return {"terms": {"id": list(ids)}}

    def compared(self, column: str, order: str, value: float) -> Condition:
        return {"range": {column: {order: value}}}

    def every(self, parts: Sequence[Condition]) -> Condition:
        return {"bool": {"filter": list(parts)}}

    def some(self, parts: Sequence[Condition]) -> Condition:
        return {"bool": {"should": list(parts), "minimum_should_match": 1}}

    def write(self, collection: str, rows: list[Row]) -> None:
        self._change(
            collection, [{"_op_type": "index", "_id": row["id"], **row, "words": words_of(row)} for row in rows]
        )

    def erase(self, collection: str, ids: Sequence[str]) -> None:
        for page in pages(ids, PAGE):
            self._change(collection, [{"_op_type": "delete", "_id": name} for name in page])

    def _change(self, collection: str, changes: list[dict[str, Any]]) -> None:
        from elasticsearch.helpers import bulk

        # The next read, by any client, sees the change.
        bulk(self._client, changes, index=_PREFIX + collection, refresh=True)

    def read(self, collection: str, condition: Condition, fields: Sequence[str]) -> Iterator[Row]:
        from elasticsearch.helpers import scan

        asked = {"query": condition, "_source": list(fields)}
        for found in scan(self._client, query=asked, index=_PREFIX + collection, size=PAGE):
            yield found["_source"]

    def near(self, collection: str, vector: Vectors, condition: Condition, limit: int) -> list[tuple[Row, float]]:
        knn = {
            "field": "vector",
            "query_vector": vector.tolist(),
            "k": limit,
            "num_candidates": min(max(4 * limit, 100), CANDIDATES),
            "filter": condition,
        }
        found = self._client.search(index=_PREFIX + collection, knn=knn, size=limit, source=["item"])
        # Its score is (1 + cosine) / 2.
        return [(hit["_source"], 2 * hit["_score"] - 1) for hit in found["hits"]["hits"]]

    def by_words(self, collection: str, words: str, condition: Condition, limit: int) -> list[tuple[Row, float]]:
        asked = {"bool": {"must": [{"match": {"words": words}}], "filter": [condition]}}
        found = self._client.search(index=_PREFIX + collection, query=asked, size=limit, source=["item"])
        return [(hit["_source"], hit["_score"]) for hit in found["hits"]["hits"]]
