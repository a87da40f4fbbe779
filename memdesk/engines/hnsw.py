"""``ports.VectorIndex``: exact while small, HNSW beyond, always complete.

HNSW: Malkov and Yashunin, "Efficient and robust approximate nearest neighbor search using Hierarchical
Navigable Small World graphs", https://arxiv.org/abs/1603.09320, by hnswlib.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import hnswlib
import numpy as np
from numpy.typing import NDArray

from memdesk.engines.hnsw_snapshot import pack, rebuilt, unpack
from memdesk.engines.rows import Rows
from memdesk.errors import BadRequestError

Vectors = NDArray[np.float32]
Hits = list[tuple[int, float]]

#: Below it, comparing with every vector is as quick as walking a graph, and exact.
EXACT_BELOW = 4000
#: Graph degree, and candidates considered while building and while searching. Of the true ten nearest among 60,000
#: vectors spread like the bundled model's, 200 candidates find 0.987 in half a millisecond, 300 0.994, 400 0.998 in one.
M, EF_CONSTRUCTION, EF = 16, 200, 400
#: Vectors added to the graph between two chances for a search to get in.
CHUNK = 32
#: Up to so many allowed rows are compared exactly; more are filtered out of a wider search.
EXACT_ALLOWED = 8192


class HnswIndex:
    """Nearest neighbours by cosine among unit vectors keyed by ``seq``. Thread-safe.

    New vectors are searchable at once: they wait in an exactly searched list until they are in the graph.
    Vectors of length 0 are never found.

    Args:
        dim: length of a vector.
    """

    def __init__(self, dim: int) -> None:
        self._dim = dim
        self._lock = threading.Lock()
        #: one thread at a time moves rows into the graph.
        self._building = threading.Lock()
        self._rows = Rows(dim)
        self._graph: Any = None
        self._in_graph: set[int] = set()

    def __len__(self) -> int:
        with self._lock:
            return len(self._rows) + len(self._in_graph)

    def add(self, seqs: Sequence[int], vectors: Vectors) -> None:
        """Add vectors of shape ``(len(seqs), dim)``; a known ``seq`` is replaced.

        Returns when they are in the graph; they are found from the first moment on.

        Raises:
            BadRequestError: the shapes do not fit.
        """
        vectors = np.ascontiguousarray(vectors, dtype=np.float32)
        if vectors.shape != (len(seqs), self._dim):
            raise BadRequestError(f"Expected vectors of shape {(len(seqs), self._dim)}, not {vectors.shape}.")
        with self._lock:
            self._drop(seqs)
            self._rows.put(seqs, vectors)
        self._absorb()

    def remove(self, seqs: Sequence[int]) -> None:
        """Remove vectors; unknown ones are fine."""
        with self._lock:
            self._drop(seqs)

    def search(self, query: Vectors, k: int, *, allowed: set[int] | None = None) -> Hits:
        """Return up to ``k`` pairs ``(seq, cosine)``, best first.

        Args:
            query: unit vector of shape ``(dim,)``.
            k: how many.
            allowed: only these; None for all.
        """
        if k <= 0 or (allowed is not None and not allowed):
            return []
        query = np.ascontiguousarray(query, dtype=np.float32).reshape(self._dim)
        with self._lock:
            hits = self._rows.search(query, k, allowed)
            if self._in_graph:
                hits += self._search_graph(query, k, allowed)
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:k]

    def vectors(self, seqs: Sequence[int]) -> Vectors:
        """Return vectors of shape ``(len(seqs), dim)``; rows of unknown seqs are zero."""
        with self._lock:
            found = np.zeros((len(seqs), self._dim), dtype=np.float32)
            in_graph = [position for position, seq in enumerate(seqs) if seq in self._in_graph]
            if in_graph:
                found[in_graph] = self._graph.get_items([seqs[position] for position in in_graph])
            for position, seq in enumerate(seqs):
                if (row := self._rows.get(seq)) is not None:
                    found[position] = row
            return found

    def holds(self, seqs: Sequence[int]) -> NDArray[np.bool_]:
        """Return for each ``seq`` whether it is in the index."""
        with self._lock:
            return np.array([seq in self._in_graph or self._rows.get(seq) is not None for seq in seqs], dtype=bool)

    def dump(self) -> bytes:
        """Return the graph, without its vectors, as bytes in memory; nothing is written to disk.

        Vectors are kept with their rows. So a snapshot is a tenth of the index, and what was deleted is not in it.
        """
        with self._lock:
            return pack(self._dim, None if self._graph is None else self._graph.__getstate__()[0])

    @classmethod
    def load(cls, data: bytes, seqs: NDArray[np.int64], vectors: NDArray[np.floating[Any]]) -> HnswIndex:
        """Restore the graph that ``dump`` returned, over the vectors that there are now.

        Args:
            data: the snapshot.
            seqs: rows that exist, ascending, shape (n,); of others the graph keeps the way, not the vector.
            vectors: theirs, shape (n, dim).

        Returns:
            An index of those of the rows that the snapshot knew; the others wait to be added.

        Raises:
            BadRequestError: it is damaged, or of another dimension.
        """
        index = cls(int(vectors.shape[1]))
        state = unpack(data, index._dim)
        if state is not None:
            state, alive, gone = rebuilt(state, seqs, vectors)
            graph = hnswlib.Index.__new__(hnswlib.Index)
            graph.__setstate__((state,))
            graph.set_ef(EF)
            for seq in gone:
                graph.mark_deleted(seq)
            index._graph, index._in_graph = graph, set(alive)
        return index

    # ------------------------------------------------------------------ inside

    def _drop(self, seqs: Sequence[int]) -> None:
        self._rows.drop(seqs)
        for seq in seqs:
            if seq in self._in_graph:
                self._in_graph.discard(seq)
                self._graph.mark_deleted(seq)

    def _absorb(self) -> None:
        """Move waiting rows into the graph, in chunks that let searches through."""
        with self._building:
            while True:
                with self._lock:
                    if self._graph is None and len(self._rows) < EXACT_BELOW:
                        return
                    seqs, vectors = self._rows.take(CHUNK)
                    if seqs:
                        self._insert(seqs, vectors)
                    elif not self._renew_if_worn():
                        return

    def _insert(self, seqs: list[int], vectors: Vectors) -> None:
        if self._graph is None:
            self._graph = _new_graph(self._dim, 2 * EXACT_BELOW)
        room = self._graph.get_max_elements() - self._graph.get_current_count()
        if room < len(seqs):
            self._graph.resize_index(int(self._graph.get_max_elements() * 1.5) + len(seqs))
        self._graph.add_items(vectors, np.asarray(seqs, dtype=np.int64), num_threads=-1)
        self._in_graph.update(seqs)

    def _renew_if_worn(self) -> bool:
        """Start over when a third of the graph is dead wood; the live rows then wait as if they were new."""
        dead = self._graph.get_current_count() - len(self._in_graph)
        if dead * 3 < self._graph.get_current_count() or dead < EXACT_BELOW:
            return False
        live = sorted(self._in_graph)
        self._rows.put(live, np.asarray(self._graph.get_items(live), dtype=np.float32))
        self._graph, self._in_graph = None, set()
        return True

    def _search_graph(self, query: Vectors, k: int, allowed: set[int] | None) -> Hits:
        total = len(self._in_graph)
        if allowed is None:
            return self._walk(query, min(k, total))
        wanted = allowed & self._in_graph
        if len(wanted) <= EXACT_ALLOWED:
            return self._compare(query, k, wanted)
        # Enough of a wider search is allowed on average; if not here, compare exactly.
        hits = [hit for hit in self._walk(query, min(total, 4 * k * total // len(wanted))) if hit[0] in wanted]
        return hits if len(hits) >= k else self._compare(query, k, wanted)

    def _walk(self, query: Vectors, k: int) -> Hits:
        self._graph.set_ef(max(EF, 2 * k))
        try:
            labels, distances = self._graph.knn_query(query, k=k, num_threads=1)
        except RuntimeError:
            # The walk met too many deleted vectors.
            return self._compare(query, k, self._in_graph)
        return [(int(seq), 1.0 - float(far)) for seq, far in zip(labels[0], distances[0], strict=True)]

    def _compare(self, query: Vectors, k: int, seqs: set[int]) -> Hits:
        hits: Hits = []
        ordered = sorted(seqs)
        for start in range(0, len(ordered), EXACT_ALLOWED):
            part = ordered[start : start + EXACT_ALLOWED]
            scores = np.asarray(self._graph.get_items(part), dtype=np.float32) @ query
            best = np.argsort(-scores, kind="stable")[:k]
            hits += [(part[position], float(scores[position])) for position in best]
        return sorted(hits, key=lambda hit: -hit[1])[:k]


class HnswFactory:
    """``ports.VectorIndexFactory`` for ``HnswIndex``."""

    def create(self, dim: int) -> HnswIndex:
        """Return an empty index."""
        return HnswIndex(dim)

    def restore(self, data: bytes, seqs: NDArray[np.int64], vectors: NDArray[np.floating[Any]]) -> HnswIndex:
        """Return the index whose graph ``dump`` described; see ``HnswIndex.load``."""
        return HnswIndex.load(data, seqs, vectors)


def _new_graph(dim: int, room: int) -> Any:
    graph = hnswlib.Index("ip", dim)
    graph.init_index(max_elements=room, ef_construction=EF_CONSTRUCTION, M=M, random_seed=1)
    graph.set_ef(EF)
    return graph
