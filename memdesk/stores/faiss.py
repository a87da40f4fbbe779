"""FAISS: an index in this process, with its rows and vectors in a file beside it, for one process at a time."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from memdesk.domain.items.plain import from_plain, to_plain
from memdesk.stores.memory import InMemoryStore, Shelf

if TYPE_CHECKING:
    from memdesk.domain.items.item import MemoryItem
    from memdesk.ports.engines import Vectors

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS collections (name TEXT PRIMARY KEY, width INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS items (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    collection TEXT NOT NULL REFERENCES collections (name) ON DELETE CASCADE,
    id TEXT NOT NULL, item TEXT NOT NULL, terms TEXT NOT NULL, vector BLOB,
    UNIQUE (collection, id)
);
"""
#: ``terms`` is from an earlier release and no longer read.
_PUT: Final = """
INSERT INTO items (collection, id, item, terms, vector) VALUES (?, ?, ?, '[]', ?)
ON CONFLICT (collection, id) DO UPDATE SET item = excluded.item, vector = coalesce(excluded.vector, vector)
"""


class _Indexed(Shelf):
    """A shelf whose vectors are in an index by row number."""

    def __init__(self, width: int) -> None:
        import faiss

        super().__init__(width)
        self._index: Any = faiss.IndexIDMap2(faiss.IndexFlatIP(width))
        self._next = count()
        self._numbers: dict[str, int] = {}
        self._named: dict[int, str] = {}

    def place(self, ids: Sequence[str], vectors: Vectors) -> None:
        self.displace(ids)
        numbers = [next(self._next) for _ in ids]
        self._numbers.update(zip(ids, numbers, strict=True))
        self._named.update(zip(numbers, ids, strict=True))
        self._index.add_with_ids(vectors, np.asarray(numbers, dtype=np.int64))

    def displace(self, ids: Sequence[str]) -> None:
        gone = [self._numbers.pop(name) for name in ids if name in self._numbers]
        for number in gone:
            del self._named[number]
        if gone:
            self._index.remove_ids(np.asarray(gone, dtype=np.int64))

    def nearest(self, vector: Vectors, ids: Sequence[str], limit: int) -> list[tuple[str, float]]:
        import faiss

        asked = np.asarray([self._numbers[name] for name in ids if name in self._numbers], dtype=np.int64)
        if not asked.size:
            return []
        # Its stubs do not describe its arguments.
        parameters: Any = faiss.SearchParameters
        query = np.ascontiguousarray(vector[None], dtype=np.float32)
        only = parameters(sel=faiss.IDSelectorBatch(asked))
        cosines, numbers = self._index.search(query, min(limit, asked.size), params=only)
        found = zip(numbers[0].tolist(), cosines[0].tolist(), strict=True)
        return [(self._named[number], cosine) for number, cosine in found]


class FaissStore(InMemoryStore):
    """``ports.ItemStore`` on FAISS: an exact index of inner products, rebuilt from its file when opened.

    Args:
        path: a folder.
    """

    title = "FAISS"
    shelf = _Indexed

    def __init__(self, path: str) -> None:
        super().__init__()
        # Report that it is missing before creating a folder.
        import faiss  # noqa: F401

        with self.translated():
            Path(path).mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(Path(path) / "items.db", check_same_thread=False)
            # Another process would not see this process's memory.
            self._file.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._file.execute("PRAGMA foreign_keys = ON")
            self._file.executescript(_TABLES)
            self._load()

    def close(self) -> None:
        """Close the file. Idempotent."""
        self._shelves.clear()
        self._file.close()

    def errors(self) -> tuple[type[Exception], ...]:
        return (sqlite3.Error, OSError, RuntimeError)

    def make(self, collection: str, dimensions: int) -> None:
        with self._file:
            self._file.execute("INSERT INTO collections VALUES (?, ?)", (collection, dimensions))
        super().make(collection, dimensions)

    def remove(self, collection: str) -> None:
        with self._file:
            self._file.execute("DELETE FROM collections WHERE name = ?", (collection,))
        super().remove(collection)

    def put(self, collection: str, items: Sequence[MemoryItem], vectors: Vectors | None) -> None:
        kept = [None] * len(items) if vectors is None else [row.tobytes() for row in np.asarray(vectors, np.float32)]
        rows = [
            (collection, item.id, json.dumps(to_plain(item)), vector) for item, vector in zip(items, kept, strict=True)
        ]
        with self._file:
            self._file.executemany(_PUT, rows)
        super().put(collection, items, vectors)

    def erase(self, collection: str, ids: Sequence[str]) -> None:
        with self._file:
            self._file.executemany(
                "DELETE FROM items WHERE collection = ? AND id = ?", [(collection, name) for name in ids]
            )
        super().erase(collection, ids)

    def _load(self) -> None:
        """Load the file."""
        for name, width in self._file.execute("SELECT name, width FROM collections").fetchall():
            super().make(name, width)
            shelf, ids, vectors = self._shelves[name], [], []
            asked = "SELECT id, item, vector FROM items WHERE collection = ? ORDER BY number"
            for item_id, item, vector in self._file.execute(asked, (name,)):
                shelf.put([from_plain(json.loads(item))], None)
                if vector is not None:
                    ids.append(item_id)
                    vectors.append(np.frombuffer(vector, dtype=np.float32))
            if ids:
                shelf.place(ids, np.stack(vectors))
