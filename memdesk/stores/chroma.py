"""Chroma: a server by its address, or its embedded mode in a folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import urlsplit

import numpy as np

from memdesk.domain.items.matching import is_number
from memdesk.domain.items.plain import from_plain
from memdesk.errors import BadRequestError, EnvironmentFault
from memdesk.stores.chroma_filter import HAS, VECTOR, key_of, limits_of, translate
from memdesk.stores.foreign import ForeignStore, Plan, document, pages

if TYPE_CHECKING:
    from memdesk.domain.items.filters import Filter
    from memdesk.domain.items.item import MemoryItem
    from memdesk.ports.engines import Vectors
    from memdesk.ports.item_store import ItemStore

#: Rows of one request.
PAGE: Final = 1000
Condition: TypeAlias = dict[str, Any]


class ChromaStore(ForeignStore[Condition]):
    """``ports.ItemStore`` on Chroma 1.5 or later.

    Args:
        url: of a server, ``http://localhost:8000``; else ``path``.
        path: folder of the embedded mode, for one process.
    """

    title = "Chroma"

    def __init__(self, url: str = "", *, path: str = "") -> None:
        super().__init__()
        import chromadb
        import httpx
        from chromadb.config import Settings
        from chromadb.errors import ChromaError

        if not url and not path:
            raise BadRequestError("Chroma needs the address of a server or a folder.")
        settings = Settings(anonymized_telemetry=False)
        # Its own types do not describe what it takes.
        self._client: Any
        try:
            if url:
                place = urlsplit(url)
                port = place.port or (443 if place.scheme == "https" else 8000)
                self._client = chromadb.HttpClient(
                    host=place.hostname or "", port=port, ssl=place.scheme == "https", settings=settings
                )
            else:
                self._client = chromadb.PersistentClient(path=path, settings=settings)
        except (ValueError, httpx.HTTPError, ChromaError, OSError) as error:
            raise EnvironmentFault("Chroma does not answer.", hint="Check its address, then try again.") from error
        self._opened: dict[str, Any] = {}

    def close(self) -> None:
        self._opened.clear()
        self._client.close()
        # Chroma's client and its inner one each leave an HTTP session open.
        for client in (self._client, getattr(self._client, "_admin_client", None)):
            session = getattr(getattr(client, "_server", None), "_session", None)
            if session is not None:
                session.close()

    def errors(self) -> tuple[type[Exception], ...]:
        import httpx
        from chromadb.errors import ChromaError

        return (ChromaError, httpx.HTTPError, OSError)

    def names(self) -> list[str]:
        return [one.name for one in self._client.list_collections()]

    def width(self, collection: str) -> int | None:
        from chromadb.errors import NotFoundError

        try:
            found = self._client.get_collection(collection, embedding_function=None)
        except NotFoundError:
            return None
        self._opened[collection] = found
        return int((found.metadata or {})["dimensions"])

    def make(self, collection: str, dimensions: int) -> None:
        self._opened[collection] = self._client.create_collection(
            collection,
            metadata={"dimensions": dimensions},
            configuration={"hnsw": {"space": "cosine"}},
            embedding_function=None,
        )

    def remove(self, collection: str) -> None:
        from chromadb.errors import NotFoundError

        self._opened.pop(collection, None)
        try:
            self._client.delete_collection(collection)
        except NotFoundError:
            return

    def rows(self, collection: str, plan: Plan[Condition]) -> Iterator[MemoryItem]:
        for page in pages(plan.ids or (), PAGE):
            yield from self._page(collection, ids=page, where=plan.native)
        offset = 0
        while plan.ids is None:
            found = self._page(collection, where=plan.native, limit=PAGE, offset=offset)
            yield from found
            offset += PAGE
            if len(found) < PAGE:
                return

    def _page(self, collection: str, **asked: Any) -> list[MemoryItem]:
        found = self._opened[collection].get(include=["metadatas"], **asked)
        return [_item(metadata) for metadata in found["metadatas"] or ()]

    def put(self, collection: str, items: Sequence[MemoryItem], vectors: Vectors | None) -> None:
        chroma = self._opened[collection]
        for start in range(0, len(items), PAGE):
            some = items[start : start + PAGE]
            ids = [item.id for item in some]
            before = chroma.get(ids=ids, include=["metadatas", "embeddings"])
            old = dict(zip(before["ids"], before["metadatas"] or (), strict=True))
            kept = dict(zip(before["ids"], [] if before["embeddings"] is None else before["embeddings"], strict=True))
            rows: list[dict[str, Any]] = []
            numbers: list[Any] = []
            for offset, item in enumerate(some, start):
                known = old.get(item.id) or {}
                has_vector = vectors is not None or VECTOR in known.get(HAS, ())
                # Chroma merges what it is given into what it has: a key that went must be told to go.
                rows.append({**dict.fromkeys(known), **_metadata(item, has_vector=has_vector)})
                numbers.append(kept.get(item.id, self._axis(collection)) if vectors is None else vectors[offset])
            documents = [item.content for item in some]
            chroma.upsert(
                ids=ids, embeddings=np.asarray(numbers, dtype=np.float32), metadatas=rows, documents=documents
            )

    def _axis(self, collection: str) -> Vectors:
        """Return what stands where there is no vector: Chroma wants one for each row. Searches pass such rows over."""
        row: Vectors = np.eye(1, self.known(collection), dtype=np.float32)[0]
        return row

    def erase(self, collection: str, ids: Sequence[str]) -> None:
        for page in pages(ids, PAGE):
            self._opened[collection].delete(ids=page)

    def nearest(
        self, collection: str, vector: Vectors, plan: Plan[Condition], limit: int
    ) -> list[tuple[MemoryItem, float]]:
        has_vector = {HAS: {"$contains": VECTOR}}
        found = self._opened[collection].query(
            query_embeddings=[vector],
            n_results=limit,
            ids=plan.ids,
            where=has_vector if plan.native is None else {"$and": [has_vector, plan.native]},
            include=["metadatas", "distances"],
        )
        metadatas, distances = found["metadatas"], found["distances"]
        assert metadatas is not None
        assert distances is not None
        return [(_item(one), 1 - far) for one, far in zip(metadatas[0], distances[0], strict=True)]

    def say(self, where: Filter) -> Condition:
        return translate(where)


def _item(metadata: Any) -> MemoryItem:
    return from_plain(json.loads(metadata["item"]))


def _metadata(item: MemoryItem, *, has_vector: bool) -> Condition:
    """Return an item as Chroma keeps it: flat, each list of one type, what is there told in a list of its own."""
    fields = document(item)
    whole, metadata = fields.pop("item"), fields.pop("metadata")
    found: Condition = {"item": json.dumps(whole)}
    has = [VECTOR] if has_vector else []
    for name, value in (*fields.items(), *metadata.items()):
        key = key_of(name)
        values = [one for one in (value if isinstance(value, list | tuple) else [value]) if one is not None]
        if not values or (name in fields and key in has):
            continue
        has.append(key)
        if not isinstance(value, list | tuple):
            if isinstance(value, str | int | float):
                found[key] = value
            continue
        if len({type(one) for one in values}) > 1 or not isinstance(values[0], str | int | float):
            raise BadRequestError(f"Chroma keeps lists of one type only; {name!r} is none.")
        found[key] = values
        if is_number(values[0]):
            least, most = limits_of(key)
            found |= {least: min(values), most: max(values)}
    return {**found, HAS: has}


if TYPE_CHECKING:
    _CONFORMS: type[ItemStore] = ChromaStore
