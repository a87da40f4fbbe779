"""Vectors by row number, in half precision: for scoring a few hundred rows at once without a walk through the index.

They are there before the index is, and are searched exactly until then.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memdesk.ports import Vectors

_ROOM = 256
#: Rows compared at a time; a part and its copy in single precision stay in the processor's cache.
_PART = 2048


class VectorRows:
    """Float16 vectors of rows numbered by ``seq``. Thread-safe.

    Numbers are dense enough (rows of one table in the order of their writing) for a plain array of places.

    Args:
        dim: length of a vector.
    """

    def __init__(self, dim: int) -> None:
        self._dim = dim
        self._lock = threading.Lock()
        self._rows: NDArray[np.float16] = np.zeros((0, dim), dtype=np.float16)
        self._used = 0
        #: seq of each row, 0 where it was dropped
        self._seqs: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        #: place of each seq in ``_rows``, -1 where there is none
        self._place: NDArray[np.int32] = np.full(0, -1, dtype=np.int32)

    def put(self, seqs: Sequence[int], vectors: NDArray[np.float16]) -> None:
        """Add or replace vectors, shape (len(seqs), dim)."""
        if not len(seqs):
            return
        numbers = np.asarray(seqs, dtype=np.int64)
        with self._lock:
            top = int(numbers.max()) + 1
            if top > len(self._place):
                place = np.full(max(top, len(self._place) * 2), -1, dtype=np.int32)
                place[: len(self._place)] = self._place
                self._place = place
            new = self._place[numbers] < 0
            count = int(new.sum())
            if self._used + count > len(self._rows):
                rows = np.zeros((max(self._used + count, len(self._rows) * 3 // 2, _ROOM), self._dim), dtype=np.float16)
                rows[: self._used] = self._rows[: self._used]
                self._rows = rows
                self._seqs = np.concatenate([self._seqs[: self._used], np.zeros(len(rows) - self._used, np.int64)])
            self._place[numbers[new]] = np.arange(self._used, self._used + count, dtype=np.int32)
            self._seqs[self._used : self._used + count] = numbers[new]
            self._used += count
            self._rows[self._place[numbers]] = vectors

    def remove(self, seqs: Sequence[int]) -> None:
        """Blank and drop vectors; unknown numbers are fine."""
        with self._lock:
            for seq in seqs:
                if 0 <= seq < len(self._place) and self._place[seq] >= 0:
                    self._rows[self._place[seq]] = 0
                    self._seqs[self._place[seq]] = 0
                    self._place[seq] = -1

    def __len__(self) -> int:
        with self._lock:
            return int(np.count_nonzero(self._seqs[: self._used]))

    def all(self) -> tuple[NDArray[np.int64], NDArray[np.float16]]:
        """Return all seqs, ascending, and their vectors, shape (n, dim)."""
        with self._lock:
            seqs, rows = self._seqs[: self._used], self._rows[: self._used]
            order = np.argsort(seqs, kind="stable")
            order = order[np.searchsorted(seqs[order], 1) :]
            if len(order) == self._used and bool((order[1:] > order[:-1]).all()):
                # Rows are only ever added and blanked, so that this view stays good.
                return seqs.copy(), rows
            return seqs[order], rows[order]

    def search(self, query: Vectors, k: int, allowed: set[int] | None = None) -> list[tuple[int, float]]:
        """Return up to ``k`` pairs ``(seq, cosine)``, best first, by comparing with every row."""
        with self._lock:
            seqs, rows = self._seqs[: self._used], self._rows[: self._used]
            scores = np.concatenate(
                [rows[at : at + _PART].astype(np.float32) @ query for at in range(0, len(rows), _PART)]
                or [np.zeros(0, np.float32)]
            )
            held = seqs > 0 if allowed is None else np.isin(seqs, list(allowed))
            places = np.flatnonzero(held)
            best = places[np.argsort(-scores[places], kind="stable")[: max(k, 0)]]
            return [(int(seqs[place]), float(scores[place])) for place in best]

    def get(self, seqs: Sequence[int]) -> Vectors:
        """Return float32 of shape (len(seqs), dim), a zero row where there is no vector."""
        out = np.zeros((len(seqs), self._dim), dtype=np.float32)
        numbers = np.asarray(seqs, dtype=np.int64)
        with self._lock:
            known = np.flatnonzero((numbers >= 0) & (numbers < len(self._place)))
            places = self._place[numbers[known]]
            held = places >= 0
            out[known[held]] = self._rows[places[held]]
        return out
