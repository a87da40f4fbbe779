"""The indexes of all agents: loaded on first use, stored as snapshots, dropped when idle."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from memdesk.domain.models import VectorKind, new_id
from memdesk.errors import EngineError, LockedError
from memdesk.ports import Embedder, Lanes, StoreUpkeep, VectorIndexFactory
from memdesk.services.recalling.index.entry import Entry, is_large
from memdesk.services.recalling.index.texts import KINDS

log = logging.getLogger(__name__)

#: A snapshot is written once an index has been unchanged this long.
SNAPSHOT_SECONDS = 60.0
#: How long a question waits for a loading index; then it uses what is loaded.
WAKE_SECONDS = 2.0
#: Delay after the start before all indexes are loaded: the window comes first.
AHEAD_SECONDS = 2.0
_SAVE, _REST, _AHEAD = "indexing.snapshot", "indexing.rest", "indexing.ahead"


class Entries:
    """One :class:`Entry` for each agent and kind. Thread-safe.

    A large index unused for ``rest_seconds`` leaves memory; the next question reloads it.

    Args:
        embedder: returns the embedder in use, None for text search only.
        indexes: creates vector indexes.
        rest_seconds: returns the seconds without a question after which a large index leaves memory.
    """

    def __init__(
        self,
        *,
        store: StoreUpkeep,
        embedder: Callable[[], Embedder | None],
        indexes: VectorIndexFactory,
        lanes: Lanes,
        rest_seconds: Callable[[], float],
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._factory = indexes
        self._lanes = lanes
        self._rest_seconds = rest_seconds
        self._lock = threading.Lock()
        self._entries: dict[tuple[str, str], Entry] = {}
        self._stopped = False

    def known(self, agent_id: str, kind: str) -> Entry | None:
        """Return an entry if it is in memory."""
        with self._lock:
            return self._entries.get((agent_id, kind))

    def get(self, agent_id: str, kind: VectorKind) -> Entry | None:
        """Return an entry in the embedder's space, loading it if needed; None without an embedder that ever answered.

        A small one is complete when this returns; a large one is loaded in the background.

        Raises:
            LockedError: the store is closed.
        """
        embedder = self._embedder()
        if embedder is None:
            return None
        model = embedder.model_id
        entry = self.known(agent_id, kind)
        if entry is None or entry.model != model:
            try:
                dim = embedder.dim
            except EngineError as error:
                log.warning("the embedding model is not to be reached: %s", error.code)
                return None
            with self._store.read() as repos:
                large = is_large(repos.embeddings.count(agent_id, kind, model))
            fresh = Entry(agent_id, kind, model, dim, self._factory, waited_for=not large)
            with self._lock:
                entry = self._entries.get((agent_id, kind))
                if entry is None or entry.model != model:
                    entry = self._entries[agent_id, kind] = fresh
            if entry is fresh:
                self._begin(entry)
        if entry.waited_for:
            entry.ready.wait(timeout=600)
        entry.used_at = time.monotonic()
        return entry

    def wake(self, agent_id: str) -> list[Entry]:
        """Start loading an agent's unloaded indexes; return them all."""
        return [entry for kind in KINDS if (entry := self.get(agent_id, kind)) is not None]

    def sizes(self) -> dict[str, int]:
        """Return the vectors of each index in memory, by ``agent/kind``."""
        with self._lock:
            return {f"{agent}/{kind}": len(entry.index) for (agent, kind), entry in self._entries.items()}

    def start(self) -> None:
        """Load the indexes of all agents in the background, unless a question needs one sooner."""
        self._stopped = False
        self._lanes.later(AHEAD_SECONDS, "background", self._load_all, key=_AHEAD)

    def drop_unknown(self) -> None:
        """Drop the indexes of deleted agents."""
        try:
            with self._store.read() as repos:
                alive = {agent.id for agent in repos.agents.all()}
        except LockedError:
            # Locking drops every index anyway.
            return
        with self._lock:
            for key in [key for key in self._entries if key[0] not in alive]:
                del self._entries[key]

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()

    def stop(self) -> None:
        """Stop loading; write snapshots that are due. Idempotent."""
        self._stopped = True
        self._lanes.forget(_AHEAD)
        self._lanes.forget(_REST)
        self.save()

    def save_later(self) -> None:
        """Write snapshots once the large indexes have not changed for a while."""
        if any(entry.unsaved and entry.is_large for entry in self._all()):
            self._lanes.later(SNAPSHOT_SECONDS, "background", self.save, key=_SAVE)

    def save(self) -> None:
        """Write the snapshots of large indexes that changed."""
        try:
            for entry in self._all():
                if entry.unsaved and entry.ready.is_set() and entry.is_large:
                    self._write_snapshot(entry)
        except LockedError:
            return

    def rest(self) -> None:
        """Drop idle large indexes, and free their memory."""
        idle = [entry for entry in self._all() if self._is_idle(entry)]
        if idle:
            self.save()
            with self._lock:
                for entry in idle:
                    if self._is_idle(entry) and self._entries.get((entry.agent_id, entry.kind)) is entry:
                        del self._entries[entry.agent_id, entry.kind]
            idle.clear()
            try:
                self._store.release_memory()
            except LockedError:
                return
        self._rest_later()

    def _is_idle(self, entry: Entry) -> bool:
        return entry.is_large and entry.ready.is_set() and time.monotonic() - entry.used_at >= self._rest_seconds()

    def _rest_later(self) -> None:
        if not self._stopped and any(entry.is_large for entry in self._all()):
            self._lanes.later(self._rest_seconds(), "background", self.rest, key=_REST)

    def _all(self) -> list[Entry]:
        with self._lock:
            return list(self._entries.values())

    def _write_snapshot(self, entry: Entry) -> None:
        entry.unsaved = 0
        data = entry.index.dump()
        edition, start = new_id(), 0

        def part(repos: Any) -> int:
            if repos.agents.get(entry.agent_id) is None:
                return len(data)
            put = repos.embeddings.put_snapshot_part
            return int(put(entry.agent_id, entry.kind, entry.model, data, start=start, edition=edition))

        # Part by part: a chat never waits for a large index to be written.
        while start < len(data):
            start = self._store.write(part, priority="background")

    def _load_all(self) -> None:
        try:
            with self._store.read() as repos:
                agents = [agent.id for agent in repos.agents.all()]
            for agent_id in agents:
                for kind in KINDS:
                    if self._stopped:
                        return
                    self.get(agent_id, kind)
        except LockedError:
            return

    def _begin(self, entry: Entry) -> None:
        if entry.waited_for:
            self._load(entry)
            return
        try:
            self._lanes.submit("background", lambda: self._load(entry))
        except BaseException:
            self._unload(entry)
            raise

    def _load(self, entry: Entry) -> None:
        try:
            entry.load(self._store, lambda: self._stopped)
        except LockedError:
            if entry.waited_for:
                raise
        finally:
            if not entry.ready.is_set():
                self._unload(entry)
        self._rest_later()

    def _unload(self, entry: Entry) -> None:
        with self._lock:
            if self._entries.get((entry.agent_id, entry.kind)) is entry:
                del self._entries[entry.agent_id, entry.kind]
        entry.give_up()
