"""The vectors of an index by row number, in half precision, and which of them its graph knows."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Hits = list[tuple[int, float]]

_ROOM = 256
#: Rows compared at a time; a chunk and its copy in single precision fit in the processor's cache.
_PART = 2048
#: Up to this many rows are also kept in single precision (12 MB), since converting takes longer than comparing.
_READY = 8192


class VectorRows:
    """Unit vectors in float16, numbered by ``seq`` >= 0. Not thread-safe; its owner locks.

    A row *waits* from when it is put until it is *settled*, when a graph finds it too. Numbers are dense enough (rows
    of one table in the order of their writing) for a plain array of places. Places of dropped rows are reused.
    """

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self._vectors: NDArray[np.float16] = np.zeros((0, dim), dtype=np.float16)
        #: seq of each place, -1 if empty
        self._seqs: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._settled: NDArray[np.bool_] = np.zeros(0, dtype=bool)
        #: place of each seq, -1 if none
        self._place: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
        self._free: list[int] = []
        self._used = 0
        #: no row waits at a place before this one
        self._first = 0
        #: all places in single precision, while there are few
        self._ready: Vectors | None = None
        self.waiting = 0

    def __len__(self) -> int:
        return self._used - len(self._free)

    def put(self, seqs: Sequence[int], vectors: NDArray[np.floating[Any]]) -> None:
        """Add or replace rows, shape (len(seqs), dim); they wait. Of a ``seq`` given twice, the last counts."""
        numbers, last = np.unique(np.asarray(seqs, dtype=np.int64)[::-1], return_index=True)
        if not len(numbers):
            return
        self._number(int(numbers[-1]))
        new = numbers[self._place[numbers] < 0]
        if len(new):
            self._place[new] = self._places(len(new))
            self._seqs[self._place[new]] = new
        places = self._place[numbers]
        self.waiting += len(new) + int(self._settled[places].sum())
        self._settled[places] = False
        self._vectors[places] = vectors[len(seqs) - 1 - last]
        self._ready = None
        self._first = min(self._first, int(places.min()))

    def drop(self, seqs: Collection[int]) -> NDArray[np.int64]:
        """Blank and drop rows; unknown ones are fine. Return those of them that were settled."""
        numbers = self.known(np.unique(np.fromiter(seqs, dtype=np.int64, count=len(seqs))))
        places = self._place[numbers]
        settled = self._settled[places]
        self.waiting -= int((~settled).sum())
        self._vectors[places], self._seqs[places], self._settled[places] = 0, -1, False
        self._ready = None
        self._place[numbers] = -1
        self._free += places.tolist()
        return numbers[settled]

    def known(self, seqs: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the seqs that have a row."""
        inside = seqs[(seqs >= 0) & (seqs < len(self._place))]
        return inside[self._place[inside] >= 0]

    def settle(self, seqs: NDArray[np.int64]) -> None:
        """Mark known seqs as settled."""
        places = self._place[seqs]
        self.waiting -= int((~self._settled[places]).sum())
        self._settled[places] = True

    def unsettle(self) -> None:
        """Mark every row as waiting."""
        self._settled[:] = False
        self._first, self.waiting = 0, len(self)

    def next(self, count: int) -> NDArray[np.int64]:
        """Return up to ``count`` seqs that wait."""
        found: list[NDArray[np.int64]] = []
        at = self._first
        while count > 0 and at < self._used:
            part = self._seqs[at : at + _PART]
            ours = np.flatnonzero((part >= 0) & ~self._settled[at : at + _PART])[:count]
            if not found:
                self._first = at + int(ours[0]) if len(ours) else at + len(part)
            if len(ours):
                found.append(part[ours])
                count -= len(ours)
            at += _PART
        return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)

    def seqs(self) -> NDArray[np.int64]:
        held = self._seqs[: self._used]
        return held[held >= 0]

    def get(self, seqs: Sequence[int] | NDArray[np.int64]) -> Vectors:
        """Return float32 of shape (len(seqs), dim), zeros for missing rows."""
        out = np.zeros((len(seqs), self.dim), dtype=np.float32)
        numbers = np.asarray(seqs, dtype=np.int64)
        inside = np.flatnonzero((numbers >= 0) & (numbers < len(self._place)))
        places = self._place[numbers[inside]]
        held = places >= 0
        out[inside[held]] = self._vectors[places[held]]
        return out

    def search(self, query: Vectors, k: int, allowed: Collection[int] | None = None, *, waiting: bool = False) -> Hits:
        """Return up to ``k`` pairs ``(seq, cosine)``, best first, by comparing row by row.

        Args:
            query: unit vector of shape (dim,).
            k: how many.
            allowed: only these; None for all.
            waiting: only rows that wait.
        """
        if allowed is None:
            places = np.flatnonzero(self._seqs[: self._used] >= 0)
        else:
            places = self._place[self.known(np.fromiter(allowed, dtype=np.int64, count=len(allowed)))].astype(np.intp)
        return self._best(places[~self._settled[places]] if waiting else places, query, k)

    def best_of(self, seqs: NDArray[np.int64], query: Vectors, k: int) -> Hits:
        """Return the ``k`` of known seqs that are nearest to the query, best first."""
        return self._best(self._place[seqs], query, k)

    def _best(self, places: NDArray[np.integer[Any]], query: Vectors, k: int) -> Hits:
        if not len(places) or k <= 0:
            return []
        scores = self._scores(places, query)
        top = np.argpartition(-scores, k - 1)[:k] if k < len(scores) else np.arange(len(scores))
        seqs = self._seqs[places[top]]
        order = np.lexsort((seqs, -scores[top]))
        return list(zip(seqs[order].tolist(), scores[top][order].tolist(), strict=True))

    def _scores(self, places: NDArray[np.integer[Any]], query: Vectors) -> Vectors:
        if self._used <= _READY and 2 * len(places) >= self._used:
            if self._ready is None:
                self._ready = self._vectors[: self._used].astype(np.float32)
            return np.asarray((self._ready @ query)[places], dtype=np.float32)
        parts = (places[at : at + _PART] for at in range(0, len(places), _PART))
        return np.concatenate([self._vectors[part].astype(np.float32) @ query for part in parts])

    def _number(self, seq: int) -> None:
        if seq >= len(self._place):
            place = np.full(max(seq + 1, len(self._place) * 2), -1, dtype=np.int32)
            place[: len(self._place)] = self._place
            self._place = place

    def _places(self, count: int) -> NDArray[np.int64]:
        """Return places for ``count`` new rows: those of dropped rows, then new ones."""
        again = [self._free.pop() for _ in range(min(count, len(self._free)))]
        start, self._used = self._used, self._used + count - len(again)
        if self._used > len(self._vectors):
            room = max(self._used, len(self._vectors) * 3 // 2, _ROOM)
            vectors = np.zeros((room, self.dim), dtype=np.float16)
            vectors[:start] = self._vectors[:start]
            self._vectors = vectors
            self._seqs = np.concatenate([self._seqs[:start], np.full(room - start, -1, dtype=np.int64)])
            self._settled = np.concatenate([self._settled[:start], np.zeros(room - start, dtype=bool)])
        return np.asarray([*again, *range(start, self._used)], dtype=np.int64)
