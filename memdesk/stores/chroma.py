"""Chroma: a server, or its embedded mode in a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import urlsplit

from memdesk.errors import BadRequestError, EnvironmentFault
from memdesk.stores.foreign import pages
from memdesk.stores.tagged import NUMBERS, PAGE, Row, TaggedStore

if TYPE_CHECKING:
    from memdesk.ports.engines import Vectors

Condition: TypeAlias = dict[str, Any]
_KEPT: Final = ("id", "item", "tags", *NUMBERS)


class ChromaStore(TaggedStore[Condition]):
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
        # Its own types do not describe its arguments.
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

        return (ChromaError, httpx.HTTPError, OSError, ValueError)

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

    def having(self, tags: Sequence[str], *, holds: bool = True) -> Condition:
        found: list[Condition] = [{"tags": {"$contains" if holds else "$not_contains": one}} for one in tags]
        return found[0] if len(found) == 1 else (self.some if holds else self.every)(found)

    def among(self, ids: Sequence[str]) -> Condition:
        return {"id": {"$in": list(ids)}}

    def compared(self, column: str, order: str, value: float) -> Condition:
        return {column: {f"${order}": float(value)}}

    def every(self, parts: Sequence[Condition]) -> Condition:
        return {"$and": list(parts)}

    def some(self, parts: Sequence[Condition]) -> Condition:
        return {"$or": list(parts)}

    def write(self, collection: str, rows: list[Row]) -> None:
        self._opened[collection].upsert(
            ids=[row["id"] for row in rows],
            embeddings=[row["vector"] for row in rows],
            metadatas=[{name: row[name] for name in _KEPT} | _floats(row) for row in rows],
        )

    def erase(self, collection: str, ids: Sequence[str]) -> None:
        for page in pages(ids, PAGE):
            self._opened[collection].delete(ids=page)

    def read(self, collection: str, condition: Condition, fields: Sequence[str]) -> Iterator[Row]:
        offset, include = 0, ["metadatas", *(["embeddings"] if "vector" in fields else [])]
        while True:
            page = self._opened[collection].get(where=condition, include=include, limit=PAGE, offset=offset)
            for number, row in enumerate(page["metadatas"]):
                yield row | ({"vector": page["embeddings"][number].tolist()} if "vector" in fields else {})
            offset += PAGE
            if len(page["ids"]) < PAGE:
                return

    def near(self, collection: str, vector: Vectors, condition: Condition, limit: int) -> list[tuple[Row, float]]:
        found = self._opened[collection].query(
            query_embeddings=[vector], n_results=limit, where=condition, include=["metadatas", "distances"]
        )
        return [(row, 1 - far) for row, far in zip(found["metadatas"][0], found["distances"][0], strict=True)]


def _floats(row: Row) -> dict[str, float]:
    """Return a row with all numbers as floats: Chroma distinguishes 3 and 3.0."""
    return {name: float(row[name]) for name in NUMBERS}
