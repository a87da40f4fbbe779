"""Weaviate: a collection for each of ours, with its own text ranking."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from memdesk.errors import EnvironmentFault
from memdesk.stores.foreign import pages
from memdesk.stores.tagged import NUMBERS, PAGE, RankingStore, Row, tag, words_of

if TYPE_CHECKING:
    from memdesk.ports.engines import Vectors

_PREFIX: Final = "Memdesk_"
#: Namespace of the UUIDs that Weaviate requires as ids.
_OBJECTS: Final = uuid.UUID("0f9d7c3e-52a4-5c8e-9a51-6f0f5f2f4a77")
_SIGNS: Final = {"gt": "greater_than", "gte": "greater_or_equal", "lt": "less_than", "lte": "less_or_equal"}


class WeaviateStore(RankingStore[Any]):
    """``ports.ItemStore`` on Weaviate 1.33 or later.

    Args:
        url: of a server, ``http://host:8080``.
        grpc_port: gRPC port on the same host.
        api_key: of the server.
    """

    title = "Weaviate"

    def __init__(self, url: str, *, grpc_port: int = 50051, api_key: str | None = None) -> None:
        super().__init__()
        import weaviate
        from weaviate.auth import Auth
        from weaviate.config import AdditionalConfig

        place = urlsplit(url)
        secure = place.scheme == "https"
        self._client: Any
        with self.translated():
            self._client = weaviate.connect_to_custom(
                http_host=place.hostname or "", http_port=place.port or (443 if secure else 8080), http_secure=secure,
                grpc_host=place.hostname or "", grpc_port=grpc_port, grpc_secure=secure,
                auth_credentials=Auth.api_key(api_key) if api_key else None,
                additional_config=AdditionalConfig(trust_env=False),
                # They query PyPI for the client's latest version.
                skip_init_checks=True,
            )  # fmt: skip

    def close(self) -> None:
        self._client.close()

    def errors(self) -> tuple[type[Exception], ...]:
        import httpx
        from weaviate.exceptions import WeaviateBaseError

        return (WeaviateBaseError, httpx.HTTPError, httpx.InvalidURL, OSError, ValueError)

    def _in(self, collection: str) -> Any:
        return self._client.collections.get(_PREFIX + collection)

    def names(self) -> list[str]:
        found = self._client.collections.list_all(simple=True)
        return [name.removeprefix(_PREFIX) for name in found if name.startswith(_PREFIX)]

    def width(self, collection: str) -> int | None:
        """Return the width of a collection's vectors from its description: Weaviate infers it from the first vector."""
        if not self._client.collections.exists(_PREFIX + collection):
            return None
        return int(self._in(collection).config.get(simple=True).description.split()[0])

    def make(self, collection: str, dimensions: int) -> None:
        from weaviate.classes.config import Configure, DataType, Property, Tokenization, VectorDistances

        kept: Any = {"index_filterable": False, "index_searchable": False}
        self._client.collections.create(
            _PREFIX + collection,
            description=f"{dimensions} numbers",
            vector_config=Configure.Vectors.self_provided(
                vector_index_config=Configure.VectorIndex.hnsw(distance_metric=VectorDistances.COSINE)
            ),
            properties=[
                Property(name="key", data_type=DataType.TEXT, tokenization=Tokenization.FIELD, index_searchable=False),
                Property(name="name", data_type=DataType.TEXT, **kept),
                Property(name="item", data_type=DataType.TEXT, **kept),
                Property(
                    name="tags", data_type=DataType.TEXT_ARRAY, tokenization=Tokenization.FIELD, index_searchable=False
                ),
                Property(
                    name="words", data_type=DataType.TEXT, tokenization=Tokenization.WHITESPACE, index_filterable=False
                ),
                *(
                    Property(name=name, data_type=DataType.NUMBER, index_range_filters=True, index_filterable=False)
                    for name in NUMBERS
                ),
            ],
        )

    def remove(self, collection: str) -> None:
        if self._client.collections.exists(_PREFIX + collection):
            self._client.collections.delete(_PREFIX + collection)

    def having(self, tags: Sequence[str], *, holds: bool = True) -> Any:
        from weaviate.classes.query import Filter

        asked = Filter.by_property("tags")
        return asked.contains_any(list(tags)) if holds else asked.contains_none(list(tags))

    def compared(self, column: str, order: str, value: float) -> Any:
        from weaviate.classes.query import Filter

        return getattr(Filter.by_property(column), _SIGNS[order])(float(value))

    def every(self, parts: Sequence[Any]) -> Any:
        from weaviate.classes.query import Filter

        return Filter.all_of(list(parts))

    def some(self, parts: Sequence[Any]) -> Any:
        from weaviate.classes.query import Filter

        return Filter.any_of(list(parts))

    def write(self, collection: str, rows: list[Row]) -> None:
        """Store or overwrite rows.

        Raises:
            EnvironmentFault: Weaviate refused some.
        """
        from weaviate.classes.data import DataObject

        objects = [
            DataObject(
                uuid=_object(row["id"]),
                properties={
                    **{name: row[name] for name in ("item", "tags")},
                    **{name: float(row[name]) for name in NUMBERS},
                    # "id" is reserved.
                    "name": row["id"],
                    "key": tag("id", row["id"]),
                    "words": words_of(row),
                },
                vector=row["vector"],
            )
            for row in rows
        ]
        refused = self._in(collection).data.insert_many(objects).errors
        if refused:
            raise EnvironmentFault(f"Weaviate refused {len(refused)} of {len(rows)} memories.")

    def erase(self, collection: str, ids: Sequence[str]) -> None:
        from weaviate.classes.query import Filter

        for page in pages(ids, PAGE):
            objects = [_object(name) for name in page]
            self._in(collection).data.delete_many(where=Filter.by_id().contains_any(objects))

    def read(self, collection: str, condition: Any, fields: Sequence[str]) -> Iterator[Row]:
        """Yield fields of every row that meets a condition, by key, as Weaviate cannot skip more than 10,000."""
        from weaviate.classes.query import Filter, Sort

        asked = condition
        while True:
            page = (
                self._in(collection)
                .query.fetch_objects(
                    filters=asked,
                    limit=PAGE,
                    sort=Sort.by_property("key"),
                    include_vector="vector" in fields,
                    return_properties=["key", "name", *(name for name in fields if name not in {"id", "vector"})],
                )
                .objects
            )
            for found in page:
                row = {**found.properties, "id": found.properties["name"], "vector": found.vector.get("default")}
                yield {name: row[name] for name in fields}
            if len(page) < PAGE:
                return
            asked = self.every([condition, Filter.by_property("key").greater_than(page[-1].properties["key"])])

    def near(self, collection: str, vector: Vectors, condition: Any, limit: int) -> list[tuple[Row, float]]:
        from weaviate.classes.query import MetadataQuery

        found = self._in(collection).query.near_vector(
            vector.tolist(), limit=limit, filters=condition, return_properties=["item"],
            return_metadata=MetadataQuery(distance=True),
        )  # fmt: skip
        return [(hit.properties, 1 - hit.metadata.distance) for hit in found.objects]

    def by_words(self, collection: str, words: str, condition: Any, limit: int) -> list[tuple[Row, float]]:
        from weaviate.classes.query import MetadataQuery

        found = self._in(collection).query.bm25(
            words, query_properties=["words"], limit=limit, filters=condition, return_properties=["item"],
            return_metadata=MetadataQuery(score=True),
        )  # fmt: skip
        return [(hit.properties, hit.metadata.score) for hit in found.objects]


def _object(name: str) -> uuid.UUID:
    return uuid.uuid5(_OBJECTS, name)
