"""The vectors of one agent and kind: loaded from the store in the background, and searchable from the first one on."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from memdesk.errors import MemdeskError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memdesk.domain.models import VectorKind
    from memdesk.ports import StoreUpkeep, VectorIndex, VectorIndexFactory

log = logging.getLogger(__name__)

#: Vectors read at a time.
LOADED_AT_ONCE = 16_384
#: Rows from which loading an index takes long.
SNAPSHOT_FROM = 4000


def is_large(rows: int) -> bool:
    """Return whether loading this many rows takes so long that a snapshot is worthwhile and nobody waits for it."""
    return rows >= SNAPSHOT_FROM


class Entry:
    """An index in one model's space. Thread-safe.

    Changes during loading take precedence over data loaded from the store.

    Args:
        kind: which rows.
        dim: length of a vector.
        factory: makes the index.
        waited_for: whether questions wait until it is loaded, as they do if that is quick.
    """

    def __init__(
        self, agent_id: str, kind: VectorKind, model: str, dim: int, factory: VectorIndexFactory, *, waited_for: bool
    ) -> None:
        self.agent_id = agent_id
        self.kind: VectorKind = kind
        self.model = model
        self.index: VectorIndex = factory.create(agent_id, kind, model, dim)
        #: all data of the store is searchable (or never will be: the store was locked)
        self.complete = threading.Event()
        #: and found quickly, by the graph
        self.ready = threading.Event()
        self.began_at = self.used_at = time.monotonic()
        #: changes since the last snapshot
        self.unsaved = 0
        self.waited_for = waited_for
        self._lock = threading.Lock()
        #: rows changed during loading
        self._meanwhile: set[int] = set()

    @property
    def is_large(self) -> bool:
        """Whether loading it takes long."""
        return is_large(len(self.index))

    def give_up(self) -> None:
        """Release all waiters."""
        self.complete.set()
        self.ready.set()

    def add(self, seqs: Sequence[int], blob: bytes) -> None:
        """Add or replace vectors: their float16 values, joined."""
        with self._lock:
            if not self.ready.is_set():
                self._meanwhile.update(seqs)
            self._put(seqs, np.frombuffer(blob, dtype=np.float16).reshape(len(seqs), -1))
        if self.ready.is_set():
            self.index.grow()
        self.unsaved += len(seqs)
        self.used_at = time.monotonic()

    def remove(self, seqs: Sequence[int]) -> None:
        """Drop vectors; unknown ones are fine."""
        with self._lock:
            if not self.ready.is_set():
                self._meanwhile.update(seqs)
            self.index.remove(seqs)
        self.unsaved += len(seqs)

    def load(self, store: StoreUpkeep, stopped: Callable[[], bool]) -> None:
        """Load the vectors in parts, then the graph, and add missing rows to it.

        ``stopped`` ends it early when True; it is then never ready.

        Raises:
            LockedError: the store was closed meanwhile.
        """
        with store.read() as repos:
            last = 0
            while not stopped():
                load = repos.embeddings.load
                seqs, blob = load(self.agent_id, self.kind, self.model, after_seq=last, limit=LOADED_AT_ONCE)
                if not seqs:
                    break
                self._put_unchanged(seqs, blob)
                last = seqs[-1]
            self.complete.set()
            snapshot = repos.embeddings.snapshot(self.agent_id, self.kind, self.model) if last else None
        waiting = len(self.index)
        if snapshot is not None:
            try:
                waiting -= self.index.adopt(snapshot)
            except MemdeskError as error:
                log.warning("an index snapshot could not be read and is rebuilt: %s", error.code)
        self.index.grow(stopped)
        if stopped():
            return
        if is_large(waiting):
            self.unsaved += waiting
        with self._lock:
            self._meanwhile.clear()
            self.ready.set()
        self.index.grow()
        if self.is_large:
            # Their decrypted pages take as much memory as the vectors themselves.
            store.release_memory()

    def _put_unchanged(self, seqs: Sequence[int], blob: bytes) -> None:
        vectors = np.frombuffer(blob, dtype=np.float16).reshape(len(seqs), -1)
        with self._lock:
            held = [place for place, seq in enumerate(seqs) if seq not in self._meanwhile]
            self._put([seqs[place] for place in held], vectors[held])

    def _put(self, seqs: Sequence[int], vectors: NDArray[np.float16]) -> None:
        """Add vectors to the index, except those of local-only texts, which are zeros."""
        made: list[bool] = np.asarray(vectors.any(axis=1)).tolist()
        if not all(made):
            self.index.remove([seq for seq, one in zip(seqs, made, strict=True) if not one])
            seqs, vectors = [seq for seq, one in zip(seqs, made, strict=True) if one], vectors[made]
        self.index.put(seqs, vectors)
