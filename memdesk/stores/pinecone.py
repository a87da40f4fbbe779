"""Pinecone: an existing index, with a namespace for each collection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from memdesk.domain.items import asking
from memdesk.errors import BadRequestError
from memdesk.stores.foreign import pages
from memdesk.stores.tagged import NUMBERS, PAGE, LateStore, Row, tag

if TYPE_CHECKING:
    from memdesk.ports.engines import Vectors

Condition: TypeAlias = dict[str, Any]
#: Pinecone's limits: bytes of one memory's metadata, and neighbors returned with metadata.
LARGEST: Final = 40_000
NEIGHBORS: Final = 1000
#: Whole rows per request.
FEW: Final = 100


class PineconeStore(LateStore[Condition]):
    """``ports.ItemStore`` on a Pinecone index with dense vectors and the metric ``cosine``.

    Args:
        host: of the index, as shown by Pinecone; else ``index``.
        index: its name.
        api_key: of the project.
    """

    title = "Pinecone"

    def __init__(self, host: str = "", *, index: str = "", api_key: str) -> None:
        super().__init__()
        from pinecone import Pinecone

        self._client: Any
        with self.translated():
            self._client = Pinecone(api_key=api_key).index(index, host=host)

    def close(self) -> None:
        self._client.close()

    def errors(self) -> tuple[type[Exception], ...]:
        from pinecone.errors import PineconeError

        return (PineconeError, OSError, ValueError)

    def names(self) -> list[str]:
        return [one.name for page in self._client.list_namespaces() for one in page.namespaces]

    def width(self, collection: str) -> int | None:
        """Return the width of a collection's vectors, which is the index's."""
        from pinecone.errors import NotFoundError

        try:
            self._client.describe_namespace(name=collection)
        except NotFoundError:
            return None
        return int(self._client.describe_index_stats().dimension)

    def make(self, collection: str, dimensions: int) -> None:
        """Create a collection.

        Raises:
            BadRequestError: the index has another width.
        """
        asking.check_width(collection, int(self._client.describe_index_stats().dimension), dimensions)
        self._client.create_namespace(name=collection)

    def remove(self, collection: str) -> None:
        from pinecone.errors import NotFoundError

        try:
            self._client.delete_namespace(name=collection)
        except NotFoundError:
            return

    def having(self, tags: Sequence[str], *, holds: bool = True) -> Condition:
        return {"tags": {"$in" if holds else "$nin": list(tags)}}

    def compared(self, column: str, order: str, value: float) -> Condition:
        return {column: {f"${order}": value}}

    def every(self, parts: Sequence[Condition]) -> Condition:
        return {"$and": list(parts)}

    def some(self, parts: Sequence[Condition]) -> Condition:
        return {"$or": list(parts)}

    def put_late(self, collection: str, rows: list[Row]) -> None:
        """Send rows.

        Raises:
            BadRequestError: one is too large for Pinecone.
        """
        if any(len(row["item"].encode()) + 30 * len(row["tags"]) > LARGEST for row in rows):
            raise BadRequestError("Pinecone keeps 40 KB of a memory, and this one is longer.")
        for page in pages(rows, FEW):
            vectors = [
                {
                    "id": tag("id", row["id"]),
                    "values": row["vector"],
                    "metadata": {name: row[name] for name in ("id", "item", "tags", *NUMBERS)},
                }
                for row in page
            ]
            self._client.upsert(vectors=vectors, namespace=collection, show_progress=False)

    def erase_late(self, collection: str, ids: Sequence[str]) -> None:
        for page in pages(ids, PAGE):
            self._client.delete(ids=[tag("id", name) for name in page], namespace=collection)

    def read(self, collection: str, condition: Condition, fields: Sequence[str]) -> Iterator[Row]:
        token = None
        while True:
            page = self._client.fetch_by_metadata(
                filter=condition, namespace=collection, limit=FEW, pagination_token=token
            )
            for found in page.vectors.values():
                row = {**found.metadata, "vector": found.values}
                yield {name: row[name] for name in fields}
            token = page.pagination.next if page.pagination else None
            if not token:
                return

    def near(self, collection: str, vector: Vectors, condition: Condition, limit: int) -> list[tuple[Row, float]]:
        whole = limit <= NEIGHBORS
        found = self._client.query(
            top_k=limit, vector=vector.tolist(), filter=condition, namespace=collection,
            include_metadata=whole,
        ).matches  # fmt: skip
        if whole:
            return [(hit.metadata, hit.score) for hit in found]
        rows: dict[str, Row] = {}
        for page in pages(found, FEW):
            fetched = self._client.fetch(ids=[hit.id for hit in page], namespace=collection).vectors
            rows |= {name: one.metadata for name, one in fetched.items()}
        return [(rows[hit.id], hit.score) for hit in found if hit.id in rows]
