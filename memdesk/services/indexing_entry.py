"""The vectors of one agent and kind: rows that are compared one by one, and the index that answers once it is loaded."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from memdesk.errors import MemdeskError
from memdesk.services.indexing_matrix import VectorRows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memdesk.domain.models import VectorKind
    from memdesk.ports import Store, VectorIndex, VectorIndexFactory, Vectors

log = logging.getLogger(__name__)

#: Vectors read at a time, and put into a graph before it is asked whether to go on (a second or two).
LOADED_AT_ONCE = 16_384
GROWN_AT_ONCE = 1024
#: A snapshot is worth while from here on: loading fewer rows is quick.
SNAPSHOT_FROM = 4000


class Entry:
    """Rows and index in one model's space. Thread-safe.

    What changes while it is loaded is kept, and counts for more than what was read from the store before.

    Args:
        agent_id: whose rows.
        kind: which rows.
        model: names the space.
        dim: length of a vector.
        factory: makes the index.
        waited_for: whether questions wait until it is loaded, as they do when that is quick.
    """

    def __init__(
        self,
        agent_id: str,
        kind: VectorKind,
        model: str,
        dim: int,
        factory: VectorIndexFactory,
        *,
        waited_for: bool,
    ) -> None:
        self.agent_id = agent_id
        self.kind: VectorKind = kind
        self.model = model
        self.index: VectorIndex = factory.create(dim)
        self.rows = VectorRows(dim)
        #: the index is complete (or will never be: the store was locked)
        self.ready = threading.Event()
        #: changes since the last snapshot
        self.unsaved = 0
        self.waited_for = waited_for
        self._factory = factory
        self._lock = threading.Lock()
        #: while it is loaded: a row's new vector, None for a row that is gone
        self._meanwhile: dict[int, NDArray[np.float16] | None] = {}

    def search(self, query: Vectors, k: int, allowed: set[int] | None = None) -> list[tuple[int, float]]:
        """Return up to ``k`` pairs ``(seq, cosine)``, best first: of what was read so far, until all is."""
        return (self.index if self.ready.is_set() else self.rows).search(query, k, allowed=allowed)

    def add(self, seqs: Sequence[int], blob: bytes) -> None:
        """Add or replace vectors: their float16 values, joined."""
        vectors = np.frombuffer(blob, dtype=np.float16).reshape(len(seqs), -1)
        with self._lock:
            ready = self.ready.is_set()
            if not ready:
                self._meanwhile.update(zip(seqs, vectors, strict=True))
        self.rows.put(seqs, vectors)
        if ready:
            self.index.add(seqs, vectors.astype(np.float32))
        self.unsaved += len(seqs)

    def remove(self, seqs: Sequence[int]) -> None:
        """Drop vectors; unknown ones are fine. The store dropped the snapshot with the rows."""
        with self._lock:
            if not self.ready.is_set():
                self._meanwhile.update(dict.fromkeys(seqs))
        self.index.remove(seqs)
        self.rows.remove(seqs)
        self.unsaved += len(seqs)

    def load(self, store: Store, stopped: Callable[[], bool]) -> None:
        """Read the vectors, part by part, then the graph; from then on the index answers.

        Args:
            store: the database.
            stopped: ends it early when True; the index then never answers.

        Raises:
            LockedError: the store was closed meanwhile.
        """
        with store.read() as repos:
            last = 0
            while True:
                load = repos.embeddings.load
                seqs, blob = load(self.agent_id, self.kind, self.model, after_seq=last, limit=LOADED_AT_ONCE)
                if not seqs:
                    break
                self.rows.put(seqs, np.frombuffer(blob, dtype=np.float16).reshape(len(seqs), -1))
                last = seqs[-1]
            snapshot = repos.embeddings.snapshot(self.agent_id, self.kind, self.model) if last else None
        numbers, matrix = self.rows.all()
        if snapshot is not None:
            try:
                self.index = self._factory.restore(snapshot, numbers, matrix)
            except MemdeskError as error:
                log.warning("an index snapshot could not be read and is rebuilt: %s", error.code)
        fresh = np.flatnonzero(~self.index.holds(numbers.tolist()))
        for start in range(0, len(fresh), GROWN_AT_ONCE):
            if stopped():
                return
            part = fresh[start : start + GROWN_AT_ONCE]
            self.index.add(numbers[part].tolist(), matrix[part].astype(np.float32))
        if len(fresh) >= SNAPSHOT_FROM:
            self.unsaved += len(fresh)
        self._catch_up()

    def _catch_up(self) -> None:
        while True:
            with self._lock:
                changed, self._meanwhile = self._meanwhile, {}
                if not changed:
                    self.ready.set()
                    return
            self.index.remove(list(changed))
            self.rows.remove([seq for seq, vector in changed.items() if vector is None])
            late = {seq: vector for seq, vector in changed.items() if vector is not None}
            if late:
                vectors = np.stack(list(late.values()))
                self.rows.put(list(late), vectors)
                self.index.add(list(late), vectors.astype(np.float32))
