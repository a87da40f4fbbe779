"""Milvus: a server, or Milvus Lite in a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from memdesk.stores.tagged import NUMBERS, Row, SpokenStore

if TYPE_CHECKING:
    from memdesk.ports.engines import Vectors

#: Milvus' maximum length of a text and of a list, and rows per page.
LONGEST: Final = 65_535
ELEMENTS: Final = 4096
PAGE: Final = 1000


class MilvusStore(SpokenStore):
    """``ports.ItemStore`` on Milvus 2.4 or later.

    Args:
        url: ``http://host:19530``, or the path of a file ending in ``.db``.
        token: of the server, ``user:password`` or a key.
    """

    title = "Milvus"

    def __init__(self, url: str, *, token: str = "") -> None:
        super().__init__()
        from pymilvus import MilvusClient

        self._client: Any
        self._file = "" if "://" in url else url
        with self.translated():
            self._client = MilvusClient(url, token=token)

    def close(self) -> None:
        self._client.close()
        if self._file:
            from milvus_lite.server_manager import server_manager_instance

            server_manager_instance.release_server(self._file)

    def errors(self) -> tuple[type[Exception], ...]:
        from pymilvus.exceptions import MilvusException

        return (MilvusException, OSError, ValueError)

    def names(self) -> list[str]:
        return list(self._client.list_collections())

    def width(self, collection: str) -> int | None:
        if not self._client.has_collection(collection):
            return None
        # After a restart it is not loaded.
        self._client.load_collection(collection)
        fields = self._client.describe_collection(collection)["fields"]
        return next(int(field["params"]["dim"]) for field in fields if field["name"] == "vector")

    def make(self, collection: str, dimensions: int) -> None:
        from pymilvus import DataType, MilvusClient

        schema = MilvusClient.create_schema()
        schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=512)
        schema.add_field("item", DataType.VARCHAR, max_length=LONGEST)
        schema.add_field("tags", DataType.ARRAY, element_type=DataType.VARCHAR, max_length=24, max_capacity=ELEMENTS)
        for name in NUMBERS:
            schema.add_field(name, DataType.DOUBLE)
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimensions)
        index = MilvusClient.prepare_index_params()
        index.add_index("vector", index_type="AUTOINDEX", metric_type="COSINE")
        # The next read, by any client, sees the change.
        self._client.create_collection(collection, schema=schema, index_params=index, consistency_level="Strong")

    def remove(self, collection: str) -> None:
        self._client.drop_collection(collection)

    def having(self, tags: Sequence[str], *, holds: bool = True) -> str:
        found = f"array_contains_any(tags, {json.dumps(list(tags))})"
        return found if holds else f"(not {found})"

    def among(self, ids: Sequence[str]) -> str:
        return f"id in {json.dumps(list(ids), ensure_ascii=False)}"

    def write(self, collection: str, rows: list[Row]) -> None:
        self._client.upsert(collection, rows)

    def erase(self, collection: str, ids: Sequence[str]) -> None:
        self._client.delete(collection, ids=list(ids))

    def read(self, collection: str, condition: str, fields: Sequence[str]) -> Iterator[Row]:
        if self._file:
            # Its file mode has no iterators, but no limit on a result either.
            yield from self._client.query(collection, filter=condition, output_fields=list(fields))
            return
        pages = self._client.query_iterator(collection, filter=condition, output_fields=list(fields), batch_size=PAGE)
        try:
            while page := pages.next():
                yield from page
        finally:
            pages.close()

    def near(self, collection: str, vector: Vectors, condition: str, limit: int) -> list[tuple[Row, float]]:
        (found,) = self._client.search(
            collection, data=[vector.tolist()], filter=condition, limit=limit, output_fields=["item"],
        )  # fmt: skip
        return [(hit["entity"], float(hit["distance"])) for hit in found]
