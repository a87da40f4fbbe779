"""Qdrant: a server by its address, or its local mode in a folder or in memory.

Items have a dense vector, and a sparse one of their words whose rarity Qdrant counts itself (``idf``). Ids are UUIDs there:
an item's own id is in its payload, and the point's is made of it.
"""

from __future__ import annotations

import uuid
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Final

from memdesk.domain.items import scoring
from memdesk.domain.items.filters import OWN_FIELDS, And, Filter, Not, Or, Where
from memdesk.domain.items.matching import is_number
from memdesk.domain.items.plain import from_plain
from memdesk.errors import EnvironmentFault
from memdesk.stores.foreign import ForeignStore, Plan, UnsayableError, document

if TYPE_CHECKING:
    from qdrant_client import QdrantClient, models

    from memdesk.domain.items.item import MemoryItem
    from memdesk.ports.engines import Vectors
    from memdesk.ports.item_store import ItemStore

#: Names of the two vectors of a point.
MEANING: Final = "meaning"
WORDS: Final = "words"
#: Points of one request.
PAGE: Final = 500
_POINTS: Final = uuid.UUID("6f1f2b0e-3f0c-5f57-9d63-0d8f4a1c2b7e")


class QdrantStore(ForeignStore["models.Filter"]):
    """``ports.ItemStore`` on Qdrant 1.10 or later.

    Args:
        url: of a server; else ``path`` of a folder; else everything is in memory.
        path: folder of the local mode, for one process.
        api_key: of the server.
        timeout: seconds that a request may take.
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
        """Turn the client's exceptions into ours. In the local mode one call at a time: it searches arrays while it grows them."""
        with self._writing if self._local else nullcontext(), super().translated():
            yield

    def close(self) -> None:
        self._client.close()

    def errors(self) -> tuple[type[Exception], ...]:
        import httpx
        from qdrant_client.common.client_exceptions import QdrantException
        from qdrant_client.http.exceptions import ApiException

        return (QdrantException, ApiException, httpx.HTTPError, OSError, RuntimeError)

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

    def rows(self, collection: str, plan: Plan[models.Filter]) -> Iterator[MemoryItem]:
        offset: Any = None
        while True:
            points, offset = self._client.scroll(
                collection, scroll_filter=_limited(plan), limit=PAGE, offset=offset, with_payload=["item"]
            )
            for point in points:
                yield _item(point)
            if offset is None:
                return

    def put(self, collection: str, items: Sequence[MemoryItem], vectors: Vectors | None) -> None:
        from qdrant_client import models

        for start in range(0, len(items), PAGE):
            points = []
            for number, item in enumerate(items[start : start + PAGE], start):
                kept: dict[str, Any] = {WORDS: _sparse(item.content)}
                meaning = self._kept(collection, item.id) if vectors is None else vectors[number].tolist()
                if meaning is not None:
                    kept[MEANING] = meaning
                points.append(models.PointStruct(id=_point(item.id), vector=kept, payload=document(item)))
            self._client.upsert(collection, points, wait=True)

    def _kept(self, collection: str, name: str) -> list[float] | None:
        points = self._client.retrieve(collection, [_point(name)], with_vectors=[MEANING], with_payload=False)
        return _meaning(points[0].vector) if points else None

    def erase(self, collection: str, ids: Sequence[str]) -> None:
        from qdrant_client import models

        self._client.delete(collection, models.PointIdsList(points=[_point(name) for name in ids]), wait=True)

    def nearest(
        self, collection: str, vector: Vectors, plan: Plan[models.Filter], limit: int
    ) -> list[tuple[MemoryItem, float]]:
        found = self._client.query_points(
            collection,
            query=vector.tolist(),
            using=MEANING,
            query_filter=_limited(plan),
            limit=limit,
            with_payload=["item"],
        )
        return [(_item(point), point.score) for point in found.points]

    def worded(
        self, collection: str, text: str, plan: Plan[models.Filter], limit: int
    ) -> list[tuple[MemoryItem, float]]:
        query = _sparse(text)
        if not query.indices:
            return []
        found = self._client.query_points(
            collection, query=query, using=WORDS, query_filter=_limited(plan), limit=limit, with_payload=["item"]
        )
        return [(_item(point), point.score) for point in found.points if point.score > 0]

    def say(self, where: Filter) -> models.Filter:
        from qdrant_client import models

        if isinstance(where, And):
            return models.Filter(must=[self.say(part) for part in where.parts])
        if isinstance(where, Or):
            # Without any alternative nothing passes: a point without an id does not exist.
            nothing = [models.HasIdCondition(has_id=[])]
            return models.Filter(should=[self.say(part) for part in where.parts] or nothing)
        if isinstance(where, Not):
            return models.Filter(must_not=[self.say(where.part)])
        return _condition(where)


def _condition(where: Where) -> models.Filter:
    from qdrant_client import models

    key = where.field if where.field in OWN_FIELDS else f"metadata.{_key(where.field)}"
    if where.operator == "eq" and where.value is None:
        return models.Filter(must=[models.IsEmptyCondition(is_empty=models.PayloadField(key=key))])
    if where.operator == "eq":
        return models.Filter(must=[_equal(key, where.value)])
    if where.operator == "in":
        nothing = [models.HasIdCondition(has_id=[])]
        return models.Filter(should=[_equal(key, value) for value in where.value] or nothing)
    if where.operator in {"gt", "gte", "lt", "lte"} and is_number(where.value):
        return models.Filter(must=[models.FieldCondition(key=key, range=models.Range(**{where.operator: where.value}))])
    raise UnsayableError(where.operator)


def _equal(key: str, value: Any) -> models.FieldCondition:
    from qdrant_client import models

    if isinstance(value, str | bool):
        return models.FieldCondition(key=key, match=models.MatchValue(value=value))
    if is_number(value):
        # Qdrant matches whole numbers only; as a range 3 and 3.0 are the same.
        return models.FieldCondition(key=key, range=models.Range(gte=value, lte=value))
    raise UnsayableError("eq")


def _key(field: str) -> str:
    if '"' in field:
        raise UnsayableError(field)
    return field if field.isidentifier() else f'"{field}"'


def _limited(plan: Plan[models.Filter]) -> models.Filter | None:
    from qdrant_client import models

    if plan.ids is None:
        return plan.native
    by_id: list[models.Condition] = [models.HasIdCondition(has_id=[_point(name) for name in plan.ids])]
    if plan.native is not None:
        by_id.append(plan.native)
    return models.Filter(must=by_id)


def _point(name: str) -> str:
    return str(uuid.uuid5(_POINTS, name))


def _item(point: Any) -> MemoryItem:
    return from_plain(point.payload["item"])


def _meaning(vector: Any) -> list[float] | None:
    found = vector.get(MEANING) if isinstance(vector, dict) else None
    return None if found is None else list(found)


def _sparse(text: str) -> models.SparseVector:
    """Return a text's words as a sparse vector: a term's number is its checksum, its weight grows ever less with repeats."""
    from qdrant_client import models

    counts = Counter(zlib.crc32(term.encode()) for term in scoring.terms(text))
    weights = [number * (scoring.K1 + 1) / (number + scoring.K1) for number in counts.values()]
    return models.SparseVector(indices=list(counts), values=weights)


if TYPE_CHECKING:
    _CONFORMS: type[ItemStore] = QdrantStore
