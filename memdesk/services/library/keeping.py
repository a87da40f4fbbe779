"""Stores items with their history, and searches them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, cast

from memdesk.domain.items.filters import Filter
from memdesk.domain.items.history import Event, HistoryRecord
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import new_id
from memdesk.errors import CancelledError, EnvironmentFault, MemdeskError
from memdesk.ports.item_store import ItemHit, ItemStore, Listing, Scope, Search
from memdesk.services.library.behind import FAILED, Behind
from memdesk.services.library.errors import EmbeddingError, NotFoundError
from memdesk.services.library.graph import Mirror

if TYPE_CHECKING:
    from memdesk.ports import Clock, Embedder
    from memdesk.ports.engines import Vectors
    from memdesk.ports.library import Decide, Extractor, GapStore, Grammar, GraphCopy, ItemHistory, RecordingStore

log = logging.getLogger(__name__)

#: The default collection.
COLLECTION: Final = "memories"
#: Items read at once when reading all.
PAGE: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of a memory.

    Attributes:
        history: stores the history; the store itself if it can.
        embedder: makes the vectors; None for search by words alone.
        grammar: reads messages, and texts of memories that are in no message: a model's, or edited ones.
        extractor: reads messages instead; None for the grammar.
        decide: what a new statement does to the nearest known ones.
        gaps: the store, if messages added as they are may be embedded after they are stored; else None.
        calibrate: turns the store's score into a probability that a memory is meant.
        graph: a copy of the entities for other programs, or None.
        alone: a lock by name, across all processes that share the store; None for a lock in this process.
    """

    store: ItemStore
    history: ItemHistory
    embedder: Embedder | None
    grammar: Grammar
    decide: Decide
    clock: Clock
    extractor: Extractor | None = None
    gaps: GapStore | None = None
    collection: str = COLLECTION
    calibrate: Callable[[float], float] = float
    graph: GraphCopy | None = None
    alone: Callable[[str], AbstractContextManager[None]] | None = None
    close: Callable[[], None] = lambda: None


class Keeper:
    """One collection of a store, with its history. Thread-safe if the store is."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._guard = threading.Lock()
        self._made = False
        # The store's own history fails with it; a separate one may fail alone.
        self._recording = cast("RecordingStore", parts.store) if id(parts.history) == id(parts.store) else None
        self._behind = None if parts.gaps is None else Behind(parts.gaps, parts.collection, self.vectors)
        self._mirror = None if parts.graph is None else Mirror(parts.graph, parts.collection, self.count, self.pages)

    def there(self) -> bool:
        """Whether the collection exists; reading neither creates it nor needs an embedder."""
        with self._guard:
            self._made = self._made or self._parts.collection in self._parts.store.collections()
            return self._made

    def ready(self) -> ItemStore:
        """Return the store; the first use creates the collection with the dimensions of the embedder's vectors.

        Raises:
            EmbeddingError: the collection does not exist yet, and the embedder failed.
        """
        if not self.there():
            with _embedding():
                width = 1 if self._parts.embedder is None else self._parts.embedder.dim
            self._parts.store.create(self._parts.collection, dimensions=width)
        return self._parts.store

    @property
    def embedder(self) -> str:
        """Return the name of the embedding model; "" without one."""
        return "" if self._parts.embedder is None else self._parts.embedder.model_id

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors | None:
        """Return the vectors of texts, or of questions; None without an embedder.

        Raises:
            EmbeddingError: the embedder failed.
        """
        if self._parts.embedder is None:
            return None
        with _embedding():
            return self._parts.embedder.embed(texts, query=query)

    def vectors(self, texts: Sequence[str]) -> list[Any]:
        """Return the vectors of texts, in one call, or if that fails one by one, so that one failure affects no other.

        ``FAILED`` stands for one that failed, None for each without an embedder.
        """
        if not texts:
            return []
        try:
            together = self.embed(texts)
        except EmbeddingError as error:
            if len(texts) > 1:
                return [vector for text in texts for vector in self.vectors([text])]
            log.warning("a memory could not be embedded: %s", error.message)
            return [FAILED]
        return [None] * len(texts) if together is None else list(together)

    def nearest(
        self,
        text: str,
        vector: Vectors | None,
        scope: Scope,
        *,
        where: Filter | None = None,
        limit: int,
        enough: int | None = None,
        expired: bool = False,
    ) -> list[ItemHit]:
        """Return the items nearest to a text and its vector, best first; see ``Search.enough``."""
        if not self.there():
            return []
        if vector is not None and self._behind is not None:
            self._behind.now()
        wanted = Search(vector=vector, text=text, scope=scope, where=where, limit=limit, enough=enough, expired=expired)
        return self._parts.store.search(self._parts.collection, wanted)

    def items(
        self,
        scope: Scope,
        *,
        where: Filter | None = None,
        limit: int,
        expired: bool = False,
        newest: bool = False,
        offset: int = 0,
    ) -> list[MemoryItem]:
        """Return the items of a scope, oldest first by default."""
        wanted = Listing(scope=scope, where=where, limit=limit, expired=expired, descending=newest, offset=offset)
        return self._parts.store.list(self._parts.collection, wanted) if self.there() else []

    def pages(self, scope: Scope = Scope()) -> Iterator[list[MemoryItem]]:  # noqa: B008 -- a value
        start = 0
        while page := self.items(scope, limit=PAGE, offset=start):
            yield page
            start += len(page)

    def count(self, scope: Scope = Scope(), where: Filter | None = None) -> int:  # noqa: B008 -- a value
        return self._parts.store.count(self._parts.collection, scope=scope, where=where) if self.there() else 0

    def item(self, memory_id: str) -> MemoryItem | None:
        found = self._parts.store.get(self._parts.collection, [str(memory_id)]) if self.there() else []
        return found[0] if found else None

    def history(self, memory_id: str | None = None) -> list[HistoryRecord]:
        """Return the history of a memory, or of all, including deleted ones."""
        return self._parts.history.noted(self._parts.collection, memory_id)

    def add(self, items: Sequence[MemoryItem], vectors: Vectors | None) -> None:
        """Store new items, all or none."""
        self.bring(items, vectors)

    def add_first(self, items: Sequence[MemoryItem]) -> bool:
        """Store new items, all or none, to embed them later; return False, doing nothing, if the store does not support that."""
        if self._behind is None:
            return False
        self.bring(items, None)
        self._behind.later(len(items))
        return True

    def bring(self, items: Sequence[MemoryItem], vectors: Vectors | None, told: Container[str] = ()) -> None:
        """Store new items, all or none; those in ``told`` already have a history."""
        store = self.ready()
        unknown = [item for item in items if item.id not in told]
        records = [record("ADD", item.id, None, item.content, item.created_at) for item in unknown]
        if self._recording is not None:
            self._recording.insert(self._parts.collection, items, vectors, records=records)
        else:
            store.insert(self._parts.collection, items, vectors)
            self._note(records)
        if self._mirror is not None:
            self._mirror.changed(items)

    def bring_history(self, records: Sequence[HistoryRecord], *, dry_run: bool = False) -> int:
        """Store history records from elsewhere, unless known; return how many were new."""
        known = {one.id for name in {record.memory_id for record in records} for one in self.history(name)}
        new = [record for record in records if record.id not in known]
        if new and not dry_run:
            self._parts.history.note(self._parts.collection, new)
        return len(new)

    def replace(self, item: MemoryItem, vector: Vectors | None, *, old: str) -> None:
        """Overwrite an item, and its vector unless None. Raises ``NotFoundError``."""
        store = self.ready()
        records = [record("UPDATE", item.id, old, item.content, item.updated_at)]
        if self._recording is not None:
            there = self._recording.update(self._parts.collection, item, vector, records=records)
        elif there := store.update(self._parts.collection, item, vector):
            self._note(records)
        if not there:
            raise NotFoundError(f"Memory with id {item.id} not found")
        if self._mirror is not None:
            self._mirror.changed([item])

    def delete(self, items: Sequence[MemoryItem]) -> None:
        now = self._parts.clock.now()
        store = self.ready()
        ids, records = (
            [item.id for item in items],
            [record("DELETE", item.id, item.content, None, now) for item in items],
        )
        if self._recording is not None:
            self._recording.delete(self._parts.collection, ids, records=records)
        else:
            store.delete(self._parts.collection, ids)
            self._note(records)
        if self._mirror is not None:
            self._mirror.changed(gone=ids)

    def close(self) -> None:
        if self._behind is not None:
            self._behind.close()

    def reset(self) -> None:
        """Delete everything, the history too."""
        with self._guard:
            self._made = False
            self._parts.store.drop(self._parts.collection)
            self._parts.history.forget(self._parts.collection)
        if self._mirror is not None:
            self._mirror.forget()

    def _note(self, records: Sequence[HistoryRecord]) -> None:
        """Record changes; if a separate history does not answer, the memory is kept anyway."""
        try:
            self._parts.history.note(self._parts.collection, records)
        except EnvironmentFault as error:
            log.warning("the history was not written: %s", error.message)


@contextmanager
def _embedding() -> Iterator[None]:
    """Raise an embedder's errors as ``EmbeddingError``."""
    try:
        yield
    except CancelledError:
        raise
    except MemdeskError as error:
        raise EmbeddingError(error.message, hint=error.hint) from error


def record(event: Event, memory_id: str, old: str | None, new: str | None, at: datetime) -> HistoryRecord:
    return HistoryRecord(
        id=new_id(), memory_id=memory_id, event=event, old_value=old, new_value=new, at=at, is_deleted=event == "DELETE"
    )
