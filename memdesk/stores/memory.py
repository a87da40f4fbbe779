"""Items in this process alone: for tests, for throw-away memories, and as the measure of what the others must do."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from memdesk.domain.items import asking, scoring
from memdesk.domain.items.filters import Filter
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.matching import Fields, fields_of, holds
from memdesk.ports.item_store import ItemHit, Listing, Scope, Search

if TYPE_CHECKING:
    from memdesk.ports.engines import Vectors
    from memdesk.ports.item_store import ItemStore


@dataclass(slots=True)
class _Collection:
    dimensions: int
    items: dict[str, MemoryItem] = field(default_factory=dict)
    vectors: dict[str, Vectors] = field(default_factory=dict)
    terms: dict[str, list[str]] = field(default_factory=dict)
    fields: dict[str, Fields] = field(default_factory=dict)

    def put(self, item: MemoryItem, vector: Vectors | None) -> None:
        self.items[item.id] = item
        self.terms[item.id] = scoring.terms(item.content)
        self.fields[item.id] = fields_of(item)
        if vector is not None:
            self.vectors[item.id] = np.asarray(vector, dtype=np.float32)

    def passing(self, asked: Filter) -> dict[str, MemoryItem]:
        return {name: item for name, item in self.items.items() if holds(self.fields[name], asked)}


class InMemoryStore:
    """``ports.ItemStore`` in dictionaries; gone with the process."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._collections: dict[str, _Collection] = {}

    def collections(self) -> list[str]:
        with self._lock:
            return sorted(self._collections)

    def create(self, collection: str, *, dimensions: int) -> None:
        asking.check_name(collection)
        with self._lock:
            known = self._collections.setdefault(collection, _Collection(dimensions))
        asking.check_width(collection, known.dimensions, dimensions)

    def drop(self, collection: str) -> None:
        with self._lock:
            self._collections.pop(collection, None)

    def insert(self, collection: str, items: Sequence[MemoryItem], vectors: Vectors | None) -> None:
        ids = asking.check_ids(items)
        with self._lock:
            known = self._known(collection)
            asking.check_vectors(vectors, items, known.dimensions)
            if any(name in known.items for name in ids):
                raise asking.taken()
            for number, item in enumerate(items):
                known.put(item, None if vectors is None else vectors[number])

    def get(self, collection: str, ids: Sequence[str]) -> list[MemoryItem]:
        with self._lock:
            known = self._known(collection).items
            return [known[name] for name in ids if name in known]

    def update(self, collection: str, item: MemoryItem, vector: Vectors | None) -> bool:
        with self._lock:
            known = self._known(collection)
            asking.check_vector(vector, known.dimensions)
            if item.id not in known.items:
                return False
            known.put(item, vector)
            return True

    def delete(self, collection: str, ids: Sequence[str]) -> int:
        with self._lock:
            known = self._known(collection)
            gone = [name for name in dict.fromkeys(ids) if known.items.pop(name, None) is not None]
            for name in gone:
                for kept in (known.vectors, known.terms, known.fields):
                    kept.pop(name, None)
            return len(gone)

    def search(self, collection: str, wanted: Search) -> list[ItemHit]:
        with self._lock:
            known = self._known(collection)
            asking.check_vector(wanted.vector, known.dimensions)
            found = known.passing(wanted.narrowed())
            cosines = _cosines(wanted.vector, {name: known.vectors[name] for name in found if name in known.vectors})
            words = scoring.bm25(wanted.text, {name: known.terms[name] for name in found})
        hit = cosines.keys() | words.keys()
        return scoring.ranked({name: found[name] for name in hit}, cosines, words, wanted.limit)

    def list(self, collection: str, wanted: Listing) -> list[MemoryItem]:
        with self._lock:
            found = list(self._known(collection).passing(wanted.narrowed()).values())
        found.sort(key=lambda item: (getattr(item, f"{wanted.order}_at"), item.id), reverse=wanted.descending)
        return found[wanted.offset : wanted.offset + wanted.limit]

    def count(self, collection: str, *, scope: Scope, where: Filter | None = None) -> int:
        asked = asking.asked(scope, where, expired=False)
        with self._lock:
            return len(self._known(collection).passing(asked))

    def close(self) -> None:
        """Do nothing: the items live as long as the object."""

    def _known(self, collection: str) -> _Collection:
        try:
            return self._collections[collection]
        except KeyError:
            raise asking.unknown(collection) from None


def _cosines(vector: Vectors | None, vectors: dict[str, Vectors]) -> dict[str, float]:
    if vector is None or not vectors:
        return {}
    near = np.stack(list(vectors.values())) @ np.asarray(vector, dtype=np.float32)
    return dict(zip(vectors, near.tolist(), strict=True))


if TYPE_CHECKING:
    _CONFORMS: type[ItemStore] = InMemoryStore
