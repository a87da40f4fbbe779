"""FAISS: an index in this process, with its rows and vectors in a file beside it, for one process at a time."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from memdesk.domain.items import scoring
from memdesk.domain.items.matching import Fields, fields_of, holds
from memdesk.domain.items.plain import from_plain, to_plain
from memdesk.stores.foreign import ForeignStore, Plan

if TYPE_CHECKING:
    from memdesk.domain.items.filters import Filter
    from memdesk.domain.items.item import MemoryItem
    from memdesk.ports.engines import Vectors
    from memdesk.ports.item_store import ItemStore
    from memdesk.stores.foreign import Found

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS collections (name TEXT PRIMARY KEY, width INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS items (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    collection TEXT NOT NULL REFERENCES collections (name) ON DELETE CASCADE,
    id TEXT NOT NULL, item TEXT NOT NULL, terms TEXT NOT NULL, vector BLOB,
    UNIQUE (collection, id)
);
"""
_PUT: Final = """
INSERT INTO items (collection, id, item, terms, vector) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (collection, id) DO UPDATE
SET item = excluded.item, terms = excluded.terms, vector = coalesce(excluded.vector, vector)
RETURNING number
"""


@dataclass(slots=True)
class _Shelf:
    """A collection in memory; its rows by the numbers that the index knows them by."""

    index: Any
    numbers: dict[str, int] = field(default_factory=dict)
    items: dict[int, MemoryItem] = field(default_factory=dict)
    fields: dict[int, Fields] = field(default_factory=dict)
    terms: dict[int, list[str]] = field(default_factory=dict)

    def put(self, number: int, item: MemoryItem, terms: list[str]) -> None:
        self.numbers[item.id] = number
        self.items[number], self.fields[number], self.terms[number] = item, fields_of(item), terms

    def passing(self, plan: Plan[Filter]) -> list[int]:
        """Return the rows of a plan. FAISS is asked for these numbers and no others."""
        some = self.items if plan.ids is None else [self.numbers[name] for name in plan.ids if name in self.numbers]
        return [number for number in some if plan.native is None or holds(self.fields[number], plan.native)]


class FaissStore(ForeignStore["Filter"]):
    """``ports.ItemStore`` on FAISS: an exact index of inner products, made anew from its file when it is opened.

    Args:
        path: a folder.
    """

    title = "FAISS"

    def __init__(self, path: str) -> None:
        super().__init__()
        # Where it is missing that is told before a folder is made.
        import faiss  # noqa: F401

        self._shelves: dict[str, _Shelf] = {}
        with self.translated():
            Path(path).mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(Path(path) / "items.db", check_same_thread=False)
            # Another process would not see what is in memory here.
            self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._file.execute("PRAGMA foreign_keys = ON")
            self._file.executescript(_TABLES)
            self._load()

    def close(self) -> None:
        self._shelves.clear()
        self._file.close()

    def errors(self) -> tuple[type[Exception], ...]:
        return (sqlite3.Error, OSError, RuntimeError)

    def say(self, where: Filter) -> Filter:
        """Return the filter: what FAISS is asked for are the numbers of the rows that pass it."""
        return where

    def names(self) -> list[str]:
        return list(self._shelves)

    def width(self, collection: str) -> int | None:
        known = self._shelves.get(collection)
        return None if known is None else int(known.index.d)

    def make(self, collection: str, dimensions: int) -> None:
        with self._file:
            self._file.execute("INSERT INTO collections VALUES (?, ?)", (collection, dimensions))
        self._shelves[collection] = _shelf(dimensions)

    def remove(self, collection: str) -> None:
        with self._file:
            self._file.execute("DELETE FROM collections WHERE name = ?", (collection,))
        self._shelves.pop(collection, None)

    def rows(self, collection: str, plan: Plan[Filter]) -> Iterator[MemoryItem]:
        with self._writing:
            shelf = self._shelves[collection]
            found = [shelf.items[number] for number in shelf.passing(plan)]
        yield from found

    def put(self, collection: str, items: Sequence[MemoryItem], vectors: Vectors | None) -> None:
        shelf = self._shelves[collection]
        terms = [scoring.terms(item.content) for item in items]
        kept = None if vectors is None else np.ascontiguousarray(vectors, dtype=np.float32)
        numbers = []
        with self._file:
            for row, item in enumerate(items):
                vector = None if kept is None else kept[row].tobytes()
                values = (collection, item.id, json.dumps(to_plain(item)), json.dumps(terms[row]), vector)
                numbers.append(self._file.execute(_PUT, values).fetchone()[0])
        for number, item, words in zip(numbers, items, terms, strict=True):
            shelf.put(number, item, words)
        if kept is not None:
            places = np.asarray(numbers, dtype=np.int64)
            shelf.index.remove_ids(places)
            shelf.index.add_with_ids(kept, places)

    def erase(self, collection: str, ids: Sequence[str]) -> None:
        shelf = self._shelves[collection]
        with self._file:
            self._file.executemany(
                "DELETE FROM items WHERE collection = ? AND id = ?", [(collection, name) for name in ids]
            )
        gone = [shelf.numbers.pop(name) for name in ids if name in shelf.numbers]
        for number in gone:
            del shelf.items[number], shelf.fields[number], shelf.terms[number]
        shelf.index.remove_ids(np.asarray(gone, dtype=np.int64))

    def nearest(self, collection: str, vector: Vectors, plan: Plan[Filter], limit: int) -> Found:
        import faiss

        with self._writing:
            shelf = self._shelves[collection]
            passing = np.asarray(shelf.passing(plan), dtype=np.int64)
            if not passing.size:
                return []
            asked = np.ascontiguousarray(vector[None], dtype=np.float32)
            # Its stubs do not know what it takes.
            parameters: Any = faiss.SearchParameters
            only = parameters(sel=faiss.IDSelectorBatch(passing))
            cosines, numbers = shelf.index.search(asked, min(limit, passing.size), params=only)
            # Places that it found nothing for are -1: rows without a vector.
            pairs = zip(numbers[0].tolist(), cosines[0].tolist(), strict=True)
            return [(shelf.items[number], cosine) for number, cosine in pairs if number >= 0]

    def worded(self, collection: str, text: str, plan: Plan[Filter], limit: int) -> Found:
        with self._writing:
            shelf = self._shelves[collection]
            passing = {shelf.items[number].id: number for number in shelf.passing(plan)}
            scores = scoring.bm25(text, {name: shelf.terms[number] for name, number in passing.items()})
            best = sorted(scores, key=lambda name: scores[name], reverse=True)[:limit]
            return [(shelf.items[passing[name]], scores[name]) for name in best]

    def _load(self) -> None:
        """Bring the file into memory."""
        for name, width in self._file.execute("SELECT name, width FROM collections").fetchall():
            self._shelves[name] = shelf = _shelf(width)
            numbers, vectors = [], []
            asked = "SELECT number, item, terms, vector FROM items WHERE collection = ? ORDER BY number"
            for number, item, terms, vector in self._file.execute(asked, (name,)):
                shelf.put(number, from_plain(json.loads(item)), json.loads(terms))
                if vector is not None:
                    numbers.append(number)
                    vectors.append(np.frombuffer(vector, dtype=np.float32))
            if numbers:
                shelf.index.add_with_ids(np.stack(vectors), np.asarray(numbers, dtype=np.int64))


def _shelf(width: int) -> _Shelf:
    import faiss

    return _Shelf(faiss.IndexIDMap2(faiss.IndexFlatIP(width)))


if TYPE_CHECKING:
    _CONFORMS: type[ItemStore] = FaissStore
