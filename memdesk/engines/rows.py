"""Vectors in one growing matrix, searched exactly. Not thread-safe; its owner locks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Rows:
    """A matrix of unit vectors keyed by ``seq``; the last row fills the gap of one that goes.

    Args:
        dim: length of a vector.
    """

    def __init__(self, dim: int) -> None:
        self._matrix: Vectors = np.empty((0, dim), dtype=np.float32)
        self._seqs: list[int] = []
        self._where: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._seqs)

    def put(self, seqs: Sequence[int], vectors: Vectors) -> None:
        """Add or replace rows; of a ``seq`` given twice, the last counts."""
        self._reserve(len(self._seqs) + len(seqs))
        for seq, vector in zip(seqs, vectors, strict=True):
            row = self._where.get(seq)
            if row is None:
                row = self._where[seq] = len(self._seqs)
                self._seqs.append(seq)
            self._matrix[row] = vector

    def drop(self, seqs: Sequence[int]) -> None:
        """Remove rows; unknown ones are fine."""
        for seq in seqs:
            row = self._where.pop(seq, None)
            if row is None:
                continue
            last = self._seqs.pop()
            if last != seq:
                self._seqs[row] = last
                self._where[last] = row
                self._matrix[row] = self._matrix[len(self._seqs)]

    def take(self, count: int) -> tuple[list[int], Vectors]:
        """Remove and return up to ``count`` rows."""
        start = max(0, len(self._seqs) - count)
        seqs, vectors = self._seqs[start:], self._matrix[start : len(self._seqs)].copy()
        del self._seqs[start:]
        for seq in seqs:
            del self._where[seq]
        if not self._seqs:
            self._matrix = self._matrix[:0].copy()
        return seqs, vectors

    def get(self, seq: int) -> Vectors | None:
        """Return one row, or None."""
        row = self._where.get(seq)
        return None if row is None else self._matrix[row]

    def search(self, query: Vectors, k: int, allowed: set[int] | None) -> list[tuple[int, float]]:
        """Return up to ``k`` pairs ``(seq, cosine)``, best first."""
        rows: NDArray[np.int64] | None = None
        if allowed is not None:
            rows = np.asarray(sorted(self._where[seq] for seq in allowed if seq in self._where), dtype=np.int64)
        matrix = self._matrix[: len(self._seqs)] if rows is None else self._matrix[rows]
        if not len(matrix):
            return []
        scores = matrix @ query
        best = _largest(scores, k)
        found = best if rows is None else rows[best]
        return [(self._seqs[row], float(scores[at])) for at, row in zip(best, found, strict=True)]

    def arrays(self) -> tuple[NDArray[np.int64], Vectors]:
        """Return all seqs and their vectors."""
        return np.asarray(self._seqs, dtype=np.int64), self._matrix[: len(self._seqs)]

    def _reserve(self, size: int) -> None:
        if size > len(self._matrix):
            grown = np.empty((max(size, 64, 2 * len(self._matrix)), self._matrix.shape[1]), dtype=np.float32)
            grown[: len(self._seqs)] = self._matrix[: len(self._seqs)]
            self._matrix = grown


def _largest(scores: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """Return the positions of the ``k`` largest scores, best first, ties in order of position."""
    if k < len(scores):
        top = np.argpartition(-scores, k - 1)[:k]
        top.sort()
    else:
        top = np.arange(len(scores))
    return top[np.argsort(-scores[top], kind="stable")]
