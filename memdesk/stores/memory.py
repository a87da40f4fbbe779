"""In-memory items: for tests and throw-away memories; stores backed by a file also use the shelves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from memdesk.domain.items import scoring
from memdesk.domain.items.filters import Filter
from memdesk.domain.items.matching import Fields, fields_of, holds
from memdesk.stores.foreign import ForeignStore, Plan

if TYPE_CHECKING:
    from memdesk.domain.items.item import MemoryItem
    from memdesk.ports.engines import Vectors
    from memdesk.stores.foreign import Found


class Shelf:
    """A collection: its items, their fields and terms by id. Only the four methods handle vectors."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.items: dict[str, MemoryItem] = {}
        self._fields: dict[str, Fields] = {}
        self._terms: dict[str, list[str]] = {}
        self._vectors: dict[str, Vectors] = {}

    def put(self, items: Sequence[MemoryItem], vectors: Vectors | None) -> None:
        for item in items:
            self.items[item.id] = item
            self._fields[item.id], self._terms[item.id] = fields_of(item), scoring.terms(item.content)
        if vectors is not None:
            self.place([item.id for item in items], np.ascontiguousarray(vectors, dtype=np.float32))

    def erase(self, ids: Sequence[str]) -> None:
        for name in ids:
            for kept in (self.items, self._fields, self._terms):
                kept.pop(name, None)
        self.displace(ids)

    def place(self, ids: Sequence[str], vectors: Vectors) -> None:
        self._vectors.update(zip(ids, vectors, strict=True))

    def displace(self, ids: Sequence[str]) -> None:
        for name in ids:
            self._vectors.pop(name, None)

    def nearest(self, vector: Vectors, ids: Sequence[str], limit: int) -> list[tuple[str, float]]:
        """Return the nearest of some rows with their cosines, best first, leaving out those without a vector."""
        near = [name for name in ids if name in self._vectors]
        if not near:
            return []
        cosines = np.stack([self._vectors[name] for name in near]) @ np.asarray(vector, dtype=np.float32)
        return [(near[row], float(cosines[row])) for row in np.argsort(-cosines, kind="stable")[:limit]]

    def worded(self, text: str, ids: Sequence[str]) -> dict[str, float]:
        return scoring.bm25(text, {name: self._terms[name] for name in ids})

    def passing(self, plan: Plan[Filter]) -> list[str]:
        some = self.items if plan.ids is None else [name for name in plan.ids if name in self.items]
        return [name for name in some if plan.native is None or holds(self._fields[name], plan.native)]


class InMemoryStore(ForeignStore[Filter]):
    """``ports.ItemStore`` in dictionaries; gone with the process."""

    title = "This process"
    shelf: Callable[[int], Shelf] = Shelf

    def __init__(self) -> None:
        super().__init__()
        self._shelves: dict[str, Shelf] = {}

    def close(self) -> None:
        """Do nothing: the items live as long as the object."""

    def errors(self) -> tuple[type[Exception], ...]:
        return ()

    def say(self, where: Filter) -> Filter:
        """Return the filter: rows are checked one by one."""
        return where

    def names(self) -> list[str]:
        return list(self._shelves)

    def width(self, collection: str) -> int | None:
        known = self._shelves.get(collection)
        return None if known is None else known.width

    def make(self, collection: str, dimensions: int) -> None:
        self._shelves[collection] = self.shelf(dimensions)

    def remove(self, collection: str) -> None:
        self._shelves.pop(collection, None)

    def rows(self, collection: str, plan: Plan[Filter]) -> Iterator[MemoryItem]:
        with self._writing:
            shelf = self._shelves[collection]
            found = [shelf.items[name] for name in shelf.passing(plan)]
        yield from found

    def put(self, collection: str, items: Sequence[MemoryItem], vectors: Vectors | None) -> None:
        self._shelves[collection].put(items, vectors)

    def erase(self, collection: str, ids: Sequence[str]) -> None:
        self._shelves[collection].erase(ids)

    def nearest(self, collection: str, vector: Vectors, plan: Plan[Filter], limit: int) -> Found:
        with self._writing:
            shelf = self._shelves[collection]
            near = shelf.nearest(vector, shelf.passing(plan), limit)
            return [(shelf.items[name], cosine) for name, cosine in near]

    def worded(self, collection: str, text: str, plan: Plan[Filter], limit: int) -> Found:
        with self._writing:
            shelf = self._shelves[collection]
            scores = shelf.worded(text, shelf.passing(plan))
            best = sorted(scores, key=lambda name: scores[name], reverse=True)[:limit]
            return [(shelf.items[name], scores[name]) for name in best]
