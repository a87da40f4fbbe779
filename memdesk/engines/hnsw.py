"""``ports.VectorIndex``: exact while small, HNSW beyond, always complete.

HNSW: Malkov and Yashunin, "Efficient and robust approximate nearest neighbor search using Hierarchical
Navigable Small World graphs", https://arxiv.org/abs/1603.09320, by hnswlib. The graph is searched along the directions
of largest spread; its candidates are then compared by their whole vectors.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Any

import hnswlib
import numpy as np
from numpy.typing import NDArray

from memdesk.domain.models import VectorKind
from memdesk.engines.hnsw_axes import Axes
from memdesk.engines.hnsw_snapshot import pack, rebuilt, unpack
from memdesk.engines.rows import Hits, VectorRows, Vectors
from memdesk.errors import BadRequestError
from memdesk.messages import say

#: Below this size, comparing with every vector is as fast as a graph, and exact.
EXACT_BELOW = 4000
#: Graph degree, and candidates considered while building and while searching. Of the true ten nearest among 100,000
#: vectors spread like the bundled model's these find 0.996, among 20,000 sentences embedded by it 0.998. Twice the
#: candidates while building find 0.002 more and cost half as much again.
M, EF_CONSTRUCTION, EF = 16, 120, 500
#: Candidates from the graph per requested row, for comparison by whole vectors.
COMPARED = 3
#: Vectors added to the graph before a waiting search gets its turn.
CHUNK = 32
#: Up to this many allowed rows are compared exactly; for more, a wider search is filtered.
EXACT_ALLOWED = 8192


class HnswIndex:
    """Nearest neighbors by cosine among unit vectors keyed by ``seq``. Thread-safe.

    Vectors are found as soon as they are put: until they are in the graph, they are compared one by one.
    Vectors of length 0 are never among the best.
    """

    def __init__(self, dim: int) -> None:
        self._lock = threading.Lock()
        #: held by the thread that moves rows into the graph.
        self._building = threading.Lock()
        self._rows = VectorRows(dim)
        self._graph: Any = None
        self._axes = Axes()
        #: rows put or dropped while a snapshot is loaded, else None
        self._meanwhile: set[int] | None = None

    def __len__(self) -> int:
        with self._lock:
            return len(self._rows)

    def put(self, seqs: Sequence[int], vectors: NDArray[np.floating[Any]]) -> None:
        """Add vectors of shape ``(len(seqs), dim)``, moved into the graph by ``grow``; an existing ``seq`` is replaced.

        Raises:
            BadRequestError: the shapes do not fit.
        """
        if vectors.shape != (len(seqs), self._rows.dim):
            raise BadRequestError(
                say(
                    "Expected vectors of shape {value}, not {shape}.",
                    value=(len(seqs), self._rows.dim),
                    shape=vectors.shape,
                )
            )
        with self._lock:
            self._drop(seqs)
            self._rows.put(seqs, vectors)

    def remove(self, seqs: Sequence[int]) -> None:
        """Remove vectors; unknown ones are fine."""
        with self._lock:
            self._drop(seqs)

    def grow(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Move waiting rows into the graph, in chunks that let searches through, until none waits or ``stopped()``."""
        with self._building:
            while not stopped():
                with self._lock:
                    if self._graph is None and len(self._rows) < EXACT_BELOW:
                        return
                    seqs = self._rows.next(CHUNK)
                    if len(seqs):
                        self._insert(seqs)
                    elif not self._is_worn():
                        return
                    else:
                        self._graph = None
                        self._rows.unsettle()

    def search(self, query: Vectors, k: int, *, allowed: set[int] | None = None) -> Hits:
        if k <= 0 or (allowed is not None and not allowed):
            return []
        query = np.ascontiguousarray(query, dtype=np.float32).reshape(self._rows.dim)
        with self._lock:
            if self._graph is None or (allowed is not None and len(allowed) <= EXACT_ALLOWED):
                return self._rows.search(query, k, allowed)
            hits = self._rows.search(query, k, allowed, waiting=True) if self._rows.waiting else []
            found = self._walk(query, k, allowed)
            if found is None:
                return self._rows.search(query, k, allowed)
        return sorted(hits + found, key=lambda hit: (-hit[1], hit[0]))[:k]

    def vectors(self, seqs: Sequence[int]) -> Vectors:
        with self._lock:
            return self._rows.get(seqs)

    def dump(self) -> bytes:
        """Return the graph, without its vectors, as bytes in memory; nothing is written to disk.

        Vectors are stored with their rows, so a snapshot is a tenth of the index, without deleted data.
        """
        with self._lock:
            state = None if self._graph is None else self._graph.__getstate__()[0]
            return pack(self._rows.dim, state, self._axes.arrays())

    def adopt(self, data: bytes) -> int:
        """Adopt the graph that ``dump`` returned, for the present rows; return how many it has.

        Rows missing in it wait to be added by ``grow``; for deleted rows it keeps the links, not the vector. Searches
        go on meanwhile.

        Raises:
            BadRequestError: it is damaged, or of another dimension.
        """
        state = unpack(data, self._rows.dim)
        if state is None:
            return 0
        axes = Axes.restored(state)
        with self._building:
            with self._lock:
                self._meanwhile = set()
                seqs = self._rows.seqs()
            try:
                state, alive, gone = rebuilt(state, seqs, lambda part: axes.project(self.vectors(part.tolist())))
                graph = hnswlib.Index.__new__(hnswlib.Index)
                graph.__setstate__((state,))
                graph.set_ef(EF)
                with self._lock:
                    return self._take_over(graph, axes, alive, [*gone, *self._meanwhile.intersection(alive)])
            finally:
                with self._lock:
                    self._meanwhile = None

    def _take_over(self, graph: Any, axes: Axes, alive: list[int], gone: list[int]) -> int:
        for seq in gone:
            graph.mark_deleted(seq)
        self._graph, self._axes = graph, axes
        self._rows.unsettle()
        left = np.setdiff1d(np.asarray(alive, dtype=np.int64), np.asarray(gone, dtype=np.int64))
        self._rows.settle(left)
        return len(left)

    def _drop(self, seqs: Sequence[int]) -> None:
        if self._meanwhile is not None:
            self._meanwhile.update(seqs)
        for seq in self._rows.drop(seqs).tolist():
            self._graph.mark_deleted(seq)

    def _insert(self, seqs: NDArray[np.int64]) -> None:
        if self._graph is None:
            every = self._rows.seqs()
            sample = every[:: max(1, len(every) // EXACT_BELOW)]
            self._axes = Axes.of(self._rows.get(sample), len(every))
        vectors = self._axes.projected_new(self._rows.get(seqs))
        if self._graph is None:
            self._graph = _new_graph(vectors.shape[1], 2 * EXACT_BELOW)
        room = self._graph.get_max_elements() - self._graph.get_current_count()
        if room < len(seqs):
            self._graph.resize_index(int(self._graph.get_max_elements() * 1.5) + len(seqs))
        self._graph.add_items(vectors, seqs, num_threads=-1)
        self._rows.settle(seqs)

    def _is_worn(self) -> bool:
        """Return whether a third of the graph is deleted, or its vectors now spread in other directions."""
        count = self._graph.get_current_count()
        dead = count - (len(self._rows) - self._rows.waiting)
        return (dead * 3 >= count and dead >= EXACT_BELOW) or self._axes.are_outgrown()

    def _walk(self, query: Vectors, k: int, allowed: set[int] | None) -> Hits | None:
        """Return up to ``k`` rows of the graph, best first; None if the search did not find enough."""
        total = len(self._rows) - self._rows.waiting
        # On average, enough results of a wider search are allowed.
        wide = k if allowed is None else 4 * k * len(self._rows) // len(allowed)
        wide = min(total, max(EF, COMPARED * wide))
        self._graph.set_ef(wide)
        try:
            labels, _ = self._graph.knn_query(self._axes.project(query[None]), k=wide, num_threads=1)
        except RuntimeError:
            # The search met too many deleted vectors.
            return None
        named = labels[0].astype(np.int64)
        if allowed is not None:
            named = named[[seq in allowed for seq in named.tolist()]]
            if len(named) < k:
                return None
        return self._rows.best_of(named, query, k)


class HnswFactory:
    """``ports.VectorIndexFactory`` for ``HnswIndex``."""

    def create(self, agent_id: str, kind: VectorKind, model: str, dim: int) -> HnswIndex:  # noqa: ARG002 - the port's
        """Return an empty index; it is in memory only, so it needs no name."""
        return HnswIndex(dim)


def _new_graph(dim: int, room: int) -> Any:
    graph = hnswlib.Index("ip", dim)
    graph.init_index(max_elements=room, ef_construction=EF_CONSTRUCTION, M=M, random_seed=1)
    graph.set_ef(EF)
    return graph
