"""Qdrant: a server, or its local mode in a folder or in memory.

Items have a dense vector, and a sparse one of their words, weighted by rarity by Qdrant itself (``idf``). Ids there are
UUIDs derived from an item's own id, which is in its payload.
"""

from __future__ import annotations

import uuid
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Final

from memdesk.domain.items import scoring
from memdesk.errors import EnvironmentFault
from memdesk.stores.tagged import NUMBERS, PAGE, RankingStore, Row, words_of

if TYPE_CHECKING:
    from qdrant_client import QdrantClient, models

    from memdesk.ports.engines import Vectors

#: Names of the two vectors of a point.
MEANING: Final = "meaning"
WORDS: Final = "words"
_KEPT: Final = ("id", "item", "tags", *NUMBERS)
_POINTS: Final = uuid.UUID("6f1f2b0e-3f0c-5f57-9d63-0d8f4a1c2b7e")


class QdrantStore(RankingStore["models.Filter"]):
    """``ports.ItemStore`` on Qdrant 1.10 or later.

    Args:
        url: of a server; else ``path`` of a folder; else everything is in memory.
        path: folder of the local mode, for one process.
        api_key: of the server.
        timeout: of a request, in seconds.
    """

    title = "Qdrant"

    def __init__(self, url: str = "", *, path: str = "", api_key: str | None = None, timeout: int = 30) -> None:
        super().__init__()
        from qdrant_client import QdrantClient

        self._client: QdrantClient
        self._local = not url
        with self.translated():
            if url:
                self._client = QdrantClient(url=url, api_key=api_key, timeout=timeout, check_compatibility=False)
            else:
                self._client = QdrantClient(path=path) if path else QdrantClient(location=":memory:")

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Translate the client's exceptions into ours. One call at a time in local mode, which is not thread-safe."""
        with self._writing if self._local else nullcontext(), super().translated():
            yield

    def close(self) -> None:
        self._client.close()

    def errors(self) -> tuple[type[Exception], ...]:
        import httpx
        from qdrant_client.common.client_exceptions import QdrantException
        from qdrant_client.http.exceptions import ApiException

        return (QdrantException, ApiException, httpx.HTTPError, OSError, RuntimeError, ValueError)

    def names(self) -> list[str]:
        return [one.name for one in self._client.get_collections().collections]

    def width(self, collection: str) -> int | None:
        if not self._client.collection_exists(collection):
            return None
        vectors = self._client.get_collection(collection).config.params.vectors
        if not isinstance(vectors, dict) or MEANING not in vectors:
            raise EnvironmentFault(
                f"The collection {collection} in Qdrant was made by another program.", hint="Choose another name."
            )
        return int(vectors[MEANING].size)

    def make(self, collection: str, dimensions: int) -> None:
        from qdrant_client import models

        self._client.create_collection(
            collection,
            vectors_config={MEANING: models.VectorParams(size=dimensions, distance=models.Distance.COSINE)},
            sparse_vectors_config={WORDS: models.SparseVectorParams(modifier=models.Modifier.IDF)},
        )

    def remove(self, collection: str) -> None:
        self._client.delete_collection(collection)

    def having(self, tags: Sequence[str], *, holds: bool = True) -> models.Filter:
        from qdrant_client import models

        found = models.FieldCondition(key="tags", match=models.MatchAny(any=list(tags)))
        return models.Filter(must=[found]) if holds else models.Filter(must_not=[found])

    def among(self, ids: Sequence[str]) -> models.Filter:
        from qdrant_client import models

        return models.Filter(must=[models.HasIdCondition(has_id=[_point(name) for name in ids])])

    def compared(self, column: str, order: str, value: float) -> models.Filter:
        from qdrant_client import models

        return models.Filter(must=[models.FieldCondition(key=column, range=models.Range(**{order: value}))])

    def every(self, parts: Sequence[models.Filter]) -> models.Filter:
        from qdrant_client import models

        return models.Filter(must=list(parts))

    def some(self, parts: Sequence[models.Filter]) -> models.Filter:
        from qdrant_client import models

        return models.Filter(should=list(parts))

    def write(self, collection: str, rows: list[Row]) -> None:
        from qdrant_client import models

        points = [
            models.PointStruct(
                id=_point(row["id"]),
                vector={MEANING: row["vector"], WORDS: _sparse(words_of(row))},
                payload={name: row[name] for name in _KEPT},
            )
            for row in rows
        ]
        self._client.upsert(collection, points, wait=True)

    def erase(self, collection: str, ids: Sequence[str]) -> None:
        from qdrant_client import models

        self._client.delete(collection, models.PointIdsList(points=[_point(name) for name in ids]), wait=True)

    def read(self, collection: str, condition: models.Filter, fields: Sequence[str]) -> Iterator[Row]:
        offset: Any = None
        while True:
            points, offset = self._client.scroll(
                collection,
                scroll_filter=condition,
                limit=PAGE,
                offset=offset,
                with_payload=[name for name in fields if name != "vector"],
                with_vectors=[MEANING] if "vector" in fields else False,
            )
            for point in points:
                vector: Any = point.vector or {}
                yield {**(point.payload or {}), "vector": vector.get(MEANING)}
            if offset is None:
                return

    def near(self, collection: str, vector: Vectors, condition: models.Filter, limit: int) -> list[tuple[Row, float]]:
        return self._asked(collection, vector.tolist(), MEANING, condition, limit)

    def by_words(self, collection: str, words: str, condition: models.Filter, limit: int) -> list[tuple[Row, float]]:
        found = self._asked(collection, _sparse(words), WORDS, condition, limit)
        return [(row, score) for row, score in found if score > 0]

    def _asked(
        self, collection: str, query: Any, using: str, condition: models.Filter, limit: int
    ) -> list[tuple[Row, float]]:
        found = self._client.query_points(
            collection, query=query, using=using, query_filter=condition, limit=limit, with_payload=["item"]
        )
        return [(point.payload or {}, point.score) for point in found.points]


def _point(name: str) -> str:
    return str(uuid.uuid5(_POINTS, name))


def _sparse(words: str) -> models.SparseVector:
    """Return words as a sparse vector: a term's index is its checksum, its weight saturates with repeats."""
    from qdrant_client import models

    counts = Counter(zlib.crc32(term.encode()) for term in words.split())
    weights = [number * (scoring.K1 + 1) / (number + scoring.K1) for number in counts.values()]
    return models.SparseVector(indices=list(counts), values=weights)
