"""A copy of a gateway's entries in Qdrant: ids and vectors, without text. Off unless the user sets its location.

The copy follows the encrypted store, never the other way round: changes here are copied shortly after; a server that
was unreachable is compared with the store once it answers again.
"""

from __future__ import annotations

import logging
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import numpy as np
from attrs import define

from memdesk.domain.items.asking import stored_name
from memdesk.domain.items.filters import And, Where
from memdesk.domain.items.item import ME, MemoryItem
from memdesk.domain.items.scope import Scope
from memdesk.domain.models import every
from memdesk.errors import BadRequestError, LockedError, MemdeskError
from memdesk.ports.item_store import Listing, Search
from memdesk.services.events import EventBus, LockChanged, MemoryChanged, RunChanged, SettingsChanged
from memdesk.services.moments import now_ms
from memdesk.services.recalling import Sieve

if TYPE_CHECKING:
    from memdesk.ports import Clock, Lanes, SecretStore, Store, Vectors
    from memdesk.ports.item_store import ItemHit, ItemStore
    from memdesk.ports.seams import SettingsReader
    from memdesk.services.recalling import IndexingService
    from memdesk.services.remembering import ItemsService

log = logging.getLogger(__name__)

#: Account of the server's key.
QDRANT_KEY: Final = "qdrant"
#: Seconds before a change is copied, and before a failed server is retried.
REST_SECONDS, RETRY_SECONDS = 1.0, 60.0
_SYNC: Final = "qdrant.sync"
_ALL: Final = Scope(user_id=ME)


@define(kw_only=True, eq=False, repr=False, slots=False)
class EntriesCopy:
    """Maintains and searches the copy. Thread-safe.

    Args:
        keys: stores the server's key.
        connect: opens a URL or folder with a key; raises ``MissingPartError`` if its client is not installed.
    """

    _store: Store
    _items: ItemsService
    _settings: SettingsReader
    _indexing: IndexingService
    keys: SecretStore
    _clock: Clock
    _lanes: Lanes
    _events: EventBus
    _connect: Callable[[str, str | None], ItemStore]

    def __attrs_post_init__(self) -> None:
        self._opening, self._syncing = threading.Lock(), threading.Lock()
        self._place: ItemStore | None = None
        #: A location, and the vectors sent there by id; None if unknown.
        self._known: tuple[ItemStore, dict[str, str]] | None = None
        self._following, self._again_at = False, 0.0

    @property
    def on(self) -> bool:
        """Whether a copy is maintained."""
        memory = self._settings.current.memory
        return memory.qdrant_enabled and bool(memory.qdrant_address)

    def start(self) -> None:
        """Follow the store from now on, for as long as the app runs. Called again after each unlock."""
        if not self._following:
            self._following = True
            listen = self._events.subscribe
            listen(MemoryChanged, lambda _: self._soon())
            listen(RunChanged, self._indexed)
            listen(SettingsChanged, self._settings_changed)
            listen(LockChanged, lambda event: self.close() if event.locked else None)
        self._soon()

    def close(self) -> None:
        """Close the connection. Idempotent; the next use reopens it."""
        with self._opening:
            place, self._place = self._place, None
        if place is not None:
            place.close()

    def use_key(self, key: str) -> None:
        """Store the server's key; empty: none."""
        if key:
            self.keys.set(QDRANT_KEY, key)
        else:
            self.keys.delete(QDRANT_KEY)
        self.close()
        self._soon()

    def ask(self) -> None:
        """Check that the server answers, regardless of earlier failures.

        Raises:
            EnvironmentFault: it does not answer, or refuses.
            MissingPartError: its client is not installed.
        """
        with self._reached() as (place, _):
            place.collections()

    def sync(self) -> tuple[int, int]:
        """Bring the copy up to date (empty while it is off); return the numbers of added and removed entries.

        Raises:
            EnvironmentFault: the server does not answer, or refuses.
            MissingPartError: its client is not installed.
        """
        with self._syncing, self._reached() as (place, collection):
            there = self._known[1] if self._known is not None and self._known[0] is place else None
            if there is None:
                made = collection in place.collections()
                listed = place.list(collection, Listing(scope=_ALL, limit=2**31, expired=True)) if made else []
                there = {item.id: item.metadata["vector"] for item in listed}
            wanted = self._wanted() if self.on else {}
            fresh = [name for name, (item, _) in wanted.items() if there.get(name) != item.metadata["vector"]]
            gone = [name for name in there if name not in wanted]
            self._known = None  # until everything succeeded
            if not wanted:
                place.drop(collection)
            elif fresh:
                vectors = np.stack([wanted[name][1] for name in fresh])
                kept = _room_for(place, collection, vectors.shape[1])
                place.delete(collection, [*gone, *(name for name in fresh if kept and name in there)])
                place.insert(collection, [wanted[name][0] for name in fresh], vectors)
            elif gone:
                place.delete(collection, gone)
            self._known = place, {name: item.metadata["vector"] for name, (item, _) in wanted.items()}
        return len(fresh), len(gone)

    def nearest(self, agent_id: str | None, query: str, limit: int) -> list[ItemHit]:
        """Return the nearest entries, best first, without their texts: of one agent, or of all for None.

        Raises:
            EnvironmentFault: the server does not answer, or refuses.
            MissingPartError: its client is not installed.
        """
        embedded = self._indexing.embed_query(query)
        if embedded is None:
            return []
        model, vector = embedded
        with self._reached() as (place, collection):
            if collection not in place.collections():
                return []
            scope = Scope(user_id=ME, agent_id=agent_id)
            return place.search(
                collection, Search(vector=vector, scope=scope, where=Where("model", "eq", model), limit=limit)
            )

    def found(self, agent_id: str, query: str, limit: int) -> list[str]:
        """Return ids of the nearest entries of an agent; none if the copy is off or does not answer."""
        if not self.on or time.monotonic() < self._again_at:
            return []
        try:
            return [hit.item.id for hit in self.nearest(agent_id, query, limit)]
        except MemdeskError as error:
            log.warning("the copy of a gateway's entries was not searched: %s", error.code)
            return []

    # ------------------------------------------------------------------ pieces

    @contextmanager
    def _reached(self) -> Iterator[tuple[ItemStore, str]]:
        """Hold the connection open. A failed one is closed, and searches skip it for a while."""
        memory = self._settings.current.memory
        try:
            with self._opening:
                if self._place is None:
                    self._place = self._connect(memory.qdrant_address, self.keys.get(QDRANT_KEY))
                place = self._place
            yield place, stored_name(memory.qdrant_collection)
        except LockedError:
            raise
        except MemdeskError:
            self._again_at = time.monotonic() + RETRY_SECONDS
            self.close()
            raise
        self._again_at = 0.0

    def _wanted(self) -> Mapping[str, tuple[MemoryItem, Vectors]]:
        """Return the desired entries by id, with vectors; those not embedded yet follow later."""
        memory = self._settings.current.memory
        where = [Where("key", "ne", ""), Where("status", "eq", "active")]
        if memory.episode_retention_days:
            since = now_ms(self._clock) - timedelta(days=memory.episode_retention_days)
            where.append(Where("updated_at", "gte", since))
        by_agent: dict[str, list[MemoryItem]] = {}
        for item in every(self._items.page, _ALL, And(tuple(where))):
            if item.agent_id:
                by_agent.setdefault(item.agent_id, []).append(item)
        wanted: dict[str, tuple[MemoryItem, Vectors]] = {}
        for agent_id, items in by_agent.items():
            with self._store.read() as repos:
                sieve = Sieve.of(repos, agent_id, memory.local_only_kinds)
            model, vectors = (
                self._indexing.model,
                self._indexing.vectors(agent_id, "item", [item.seq for item in items]),
            )
            for item, vector in zip(items, () if vectors is None else vectors, strict=False):
                stays = sieve.keeps(kind=item.form, row_id=item.id, conversation_id=item.run_id, text=item.content)
                if vector.any() and not stays:
                    wanted[item.id] = _bare(item, model, vector), vector
        return wanted

    def _soon(self) -> None:
        if self.on:
            self._lanes.later(REST_SECONDS, "background", self._keep_up, key=_SYNC)

    def _keep_up(self) -> None:
        try:
            self.sync()
        except LockedError:
            return
        except MemdeskError as error:
            log.warning("the copy of a gateway's entries waits: %s", error.code)
            self._lanes.later(RETRY_SECONDS, "background", self._keep_up, key=_SYNC)

    def _indexed(self, event: RunChanged) -> None:
        if (event.kind, event.status) == ("reembed", "done"):
            self._soon()

    def _settings_changed(self, event: SettingsChanged) -> None:
        if any(name.startswith("memory.qdrant_") for name in event.names):
            self.close()
        self._soon()


def _bare(item: MemoryItem, model: str, vector: Vectors) -> MemoryItem:
    """Return the data sent of an item: owner, times, and the version of its vector."""
    return MemoryItem(
        id=item.id,
        agent_id=item.agent_id,
        content="",
        metadata={"model": model, "vector": f"{model}:{zlib.crc32(vector.tobytes()):08x}"},
        created_at=item.created_at,
        updated_at=item.updated_at,
        expires_at=item.expires_at,
    )


def _room_for(place: ItemStore, collection: str, dimensions: int) -> bool:
    """Create the collection, or recreate it if its width differs; return whether its contents were kept."""
    try:
        place.create(collection, dimensions=dimensions)
    except BadRequestError:
        place.drop(collection)
        place.create(collection, dimensions=dimensions)
        return False
    return True
