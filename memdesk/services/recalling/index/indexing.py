"""Keeps a vector for every row that can be searched by meaning, and an index of them for each agent and kind.

New and changed rows are embedded in the background, in batches, newest kinds first; a text whose vector is already
known (by its hash) is not embedded again. Vectors of two models are never compared: an index belongs to one model.
When the model changes, the old one answers until every row has a vector of the new one as well.
"""

from __future__ import annotations

import base64
import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from memdesk import __version__
from memdesk.domain.language.text import content_hash
from memdesk.domain.models import Target, VectorKind
from memdesk.errors import CancelledError, LockedError, MemdeskError
from memdesk.messages import say
from memdesk.ports import Embedder, EmbedderChange, Lanes, Repositories, StoreUpkeep, VectorIndexFactory, Vectors
from memdesk.services.events import (
    AgentsChanged,
    DistillationFinished,
    EventBus,
    LockChanged,
    MemoryChanged,
    RunChanged,
    SettingsChanged,
    TurnsRecorded,
)
from memdesk.services.recalling.index.batches import Batches
from memdesk.services.recalling.index.entries import WAKE_SECONDS, Entries
from memdesk.services.recalling.index.questions import Questions, rate
from memdesk.services.recalling.index.texts import KINDS

log = logging.getLogger(__name__)

#: Seconds before a failed embedder is retried.
RETRY_SECONDS = 30.0
#: Factor by which the search widens while too few of the nearest items have the wanted form.
WIDER = 4
#: Counting embedded rows that takes longer than this is cached for a multiple of the time.
SLOW_SECONDS, COUNTING_SHARE = 0.2, 20
#: Prefix of the ``meta`` keys with vectors of shipped texts.
_SHIPPED = "shipped_vectors:"
_PUMP = "indexing.pump"


class IndexingService(Questions):
    """Embeds rows and answers nearest-neighbor questions. Thread-safe.

    Args:
        embedder: returns the embedder in use, None for text search only.
        change: provides the coming embedder.
        indexes: creates vector indexes.
        events: publishes progress; source of new rows.
        rest_seconds: returns the seconds without a question after which a large index leaves memory.
    """

    def __init__(
        self,
        *,
        store: StoreUpkeep,
        embedder: Callable[[], Embedder | None],
        change: EmbedderChange | None = None,
        indexes: VectorIndexFactory,
        events: EventBus,
        lanes: Lanes,
        rest_seconds: Callable[[], float],
    ) -> None:
        super().__init__(embedder)
        self._store = store
        self._change = change
        self._events = events
        self._lanes = lanes
        #: by the name of what ships with the app
        self._shipping: dict[str, threading.Lock] = {}
        self._entries = Entries(store=store, embedder=embedder, indexes=indexes, lanes=lanes, rest_seconds=rest_seconds)
        self._batches = Batches(store, self._entries)
        self._pumping = False
        self._again = False
        self._stopped = False
        self._figures: tuple[tuple[str, int, int], float] = (("", 0, 0), 0.0)
        #: items of the index and those of a target among them, by agent and target.
        self._sizes: dict[tuple[str, Target], tuple[int, int]] = {}
        self._unsubscribe: list[Callable[[], None]] = []

    def start(self) -> None:
        """Listen for new rows, load existing vectors and embed missing ones, all in the background."""
        self._stopped = False
        listen = self._events.subscribe
        self._unsubscribe = [
            listen(TurnsRecorded, lambda _: self.backfill()),
            listen(DistillationFinished, lambda _: self.backfill()),
            listen(MemoryChanged, lambda _: self.backfill()),
            listen(AgentsChanged, lambda _: self._entries.drop_unknown()),
            listen(SettingsChanged, self._settings_changed),
            listen(LockChanged, self._lock_changed),
        ]
        self._entries.start()
        self._lanes.submit("background", self._look_again)
        self.backfill()

    def stop(self) -> None:
        """Stop listening and embedding; write snapshots that are due. Idempotent."""
        self._stopped = True
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        self._unsubscribe = []
        self._lanes.forget(_PUMP)
        self._entries.stop()

    def note(self, agent_id: str, kind: VectorKind, seqs: Sequence[int]) -> None:
        """Rows are new or changed: drop their old vectors and embed them in the background."""
        self.forget(agent_id, kind, seqs)
        self.backfill()

    def forget(self, agent_id: str, kind: VectorKind, seqs: Sequence[int]) -> None:
        entry = self._entries.known(agent_id, kind)
        if entry is None or not seqs:
            return
        entry.remove(list(seqs))
        self._entries.save_later()

    def backfill(self) -> None:
        """Embed everything that has no vector yet, in the background; returns at once."""
        if self._stopped or (self._embedder() is None and self._coming() is None):
            return
        with self._lock:
            if self._pumping:
                self._again = True
                return
            self._pumping = True
            self._again = False
        try:
            self._lanes.submit("background", self._pump)
        except MemdeskError:
            with self._lock:
                self._pumping = False
            raise

    def flush(self, agent_id: str | None = None, progress: Callable[[int], None] | None = None) -> int:
        """Embed missing rows in the space in use, on this thread; return the number of rows.

        Raises:
            EngineError: the embedder failed.
        """
        total, embedder = 0, self._embedder()
        if embedder is None:
            return 0
        for kind in KINDS:
            while (count := self._batches.embed(embedder, kind, agent_id)) > 0:
                total += count
                if progress is not None:
                    progress(count)
        return total

    def search(
        self,
        agent_id: str,
        target: Target,
        query_vector: Vectors,
        k: int,
        allowed: set[int] | None = None,
        *,
        model: str | None = None,
        repos: Repositories | None = None,
    ) -> list[tuple[int, float]]:
        """Return up to ``k`` pairs ``(seq, cosine)``, best first.

        ``allowed``: only these rows. ``model``: the vector's space; if it is not the index's, nothing is returned.
        ``repos``: of a read in progress.
        """
        entry = self._entries.get(agent_id, "turn" if target == "turn" else "item")
        if entry is None or (model is not None and entry.model != model):
            return []
        if target == "turn":
            return entry.index.search(query_vector, k, allowed=allowed)
        # One index holds items of all forms: look further until enough of the wanted ones are among the nearest.
        width, size = k * WIDER, len(entry.index)
        while True:
            found = entry.index.search(query_vector, min(width, size) or 1, allowed=allowed)
            with self._store.read() if repos is None else nullcontext(repos) as reading:
                wanted = reading.embeddings.among(target, [seq for seq, _ in found])
            hits = [hit for hit in found if hit[0] in wanted]
            if len(hits) >= k or len(found) < width:
                return hits[:k]
            width *= WIDER

    def embed_shipped(self, name: str, texts: Sequence[str], *, query: bool = False) -> tuple[str, Vectors] | None:
        """Return the model and the vectors of texts that ship with the app, as :meth:`embed_queries` does.

        They are stored under ``name`` for the next start, until the model, the texts or the app change: the app
        includes the bundled model's adapter for questions.
        """
        key, made_of = f"{_SHIPPED}{name}", [self.model, content_hash("\n".join(texts)), __version__]
        # Concurrent callers use the first one's result instead of embedding everything again.
        with self._shipping.setdefault(name, threading.Lock()):
            with self._store.read() as repos:
                kept = repos.meta.get(key)
            if kept is not None and kept["of"] == made_of:
                halves = np.frombuffer(base64.b64decode(kept["vectors"]), dtype=np.float16)
                return self.model, halves.reshape(len(texts), -1).astype(np.float32)
            embedded = self.embed_queries(texts, query=query)
            if embedded is None or embedded[0] != made_of[0]:
                return embedded
            halves = embedded[1].astype(np.float16)
            row = {"of": made_of, "vectors": base64.b64encode(halves.tobytes()).decode()}
            self._store.write(lambda repos: repos.meta.put(key, row))
        return embedded[0], halves.astype(np.float32)

    def vectors(self, agent_id: str, kind: VectorKind, seqs: Sequence[int]) -> Vectors | None:
        """Return vectors of shape (len(seqs), dim), zero rows where there are none; None without an embedder."""
        entry = self._entries.get(agent_id, kind)
        return None if entry is None else entry.index.vectors(seqs)

    def wait_loaded(self, agent_id: str, *, timeout: float) -> bool:
        """Wait until an agent's indexes are fully loaded; return whether they are."""
        return all(entry.ready.wait(timeout) for entry in self._entries.wake(agent_id))

    def wake(self, agent_id: str) -> None:
        """Start loading an agent's unloaded indexes."""
        self._entries.wake(agent_id)

    def warm_up(self, agent_id: str) -> None:
        """Prepare for a question: load the indexes and start the embedder, waiting for that; full text needs neither."""
        self.wake(agent_id)
        embedder = self._embedder()
        if embedder is None:
            return
        try:
            embedder.warm_up()
        except LockedError:
            raise
        except MemdeskError as error:
            self._complain("the embedder did not start", error)

    def wait_awake(self, agent_id: str) -> None:
        """Wait briefly for indexes that are being loaded."""
        for entry in self._entries.wake(agent_id):
            entry.complete.wait(max(0.0, entry.began_at + WAKE_SECONDS - time.monotonic()))

    def size(self, agent_id: str, target: Target) -> int:
        """Return how many rows have a vector; for items, those of the target as last counted."""
        entry = self._entries.get(agent_id, "turn" if target == "turn" else "item")
        rows = 0 if entry is None else len(entry.index)
        if target == "turn" or not rows:
            return rows
        with self._lock:
            counted = self._sizes.get((agent_id, target))
        if counted is None or counted[0] != rows:
            with self._store.read() as repos:
                counted = rows, repos.embeddings.count_target(agent_id, target)
            with self._lock:
                self._sizes[agent_id, target] = counted
        return min(rows, counted[1])

    def status(self) -> dict[str, Any]:
        """Return ``missing``, ``done``, ``progress`` (0..1), ``model``, cache figures and the last error.

        While the model changes, ``model`` answers, and the counts are of ``coming``, whose space is being made.
        """
        embedder, coming = self._embedder(), self._coming()
        if embedder is None:
            return {"enabled": False, "missing": 0, "done": 0, "progress": 1.0, "model": "", "error": ""}
        have, missing = self._counted((coming or embedder).model_id)
        problem = "" if self._change is None else self._change.problem()
        with self._lock:
            return {
                "enabled": True,
                "model": embedder.model_id,
                "leaves": not embedder.state().on_this_machine,
                "coming": "" if coming is None else coming.model_id,
                "missing": missing,
                "done": have,
                "progress": have / (have + missing) if have + missing else 1.0,
                "running": self._pumping,
                "indexes": self._entries.sizes(),
                "query_cache": rate(*self._asked),
                "content_cache": rate(self._batches.hits, self._batches.misses),
                "error": self._error,
                "problem": problem,
            }

    def _counted(self, model: str) -> tuple[int, int]:
        """Return vectors, and rows without one; if counting is slow, from a cache."""
        with self._lock:
            known, until = self._figures
            if time.monotonic() < until and known[0] == model:
                return known[1:]
        started = time.monotonic()
        with self._store.read() as repos:
            counts = repos.embeddings.counts()
            missing = sum(repos.embeddings.count_missing(kind, model) for kind in KINDS)
        have = sum(count for name, count in counts.items() if name.endswith(f":{model}"))
        took = time.monotonic() - started
        with self._lock:
            self._figures = ((model, have, missing), started + (COUNTING_SHARE * took if took > SLOW_SECONDS else 0.0))
        return have, missing

    def cache_rates(self) -> dict[str, dict[str, float]]:
        """Return hits, misses and hit rates of the caches of vectors."""
        with self._lock:
            return {
                "query_vectors": rate(*self._asked),
                "content_vectors": rate(self._batches.hits, self._batches.misses),
            }

    def _pump(self) -> None:
        try:
            while not self._stopped:
                busy = self._embed_in_use()
                if self._embed_coming() or busy:
                    self._tell("running")
                    continue
                with self._lock:
                    if not self._again:
                        self._pumping = False
                        break
                    self._again = False
            else:
                self._rest()
            self._error = ""
            self._tidy()
        except LockedError:
            self._rest()
        except MemdeskError as error:
            # Full text still works; the embedder is retried after a while.
            self._error = error.message
            if not isinstance(error, CancelledError):
                log.warning("embedding stopped: %s", error.code)
            self._rest()
            if not self._stopped:
                self._lanes.later(RETRY_SECONDS, "background", self.backfill, key=_PUMP)
        except BaseException:
            self._rest()
            raise

    def _rest(self) -> None:
        with self._lock:
            self._pumping = False

    def _coming(self) -> Embedder | None:
        return None if self._change is None else self._change.coming()

    def _embed_round(self, embedder: Embedder) -> int:
        return sum(self._batches.embed(embedder, kind, None) for kind in KINDS)

    def _embed_in_use(self) -> bool:
        """Embed a round in the space in use; return whether anything was missing there."""
        embedder = self._embedder()
        if embedder is None:
            return False
        try:
            return self._embed_round(embedder) > 0
        except LockedError:
            raise
        except MemdeskError as error:
            if self._coming() is None:
                raise
            # The failure may be why another model was chosen.
            self._complain("the model before embeds no more", error)
            return False

    def _embed_coming(self) -> bool:
        """Embed a round in the coming space; return whether there is more to do, there or because it is now in use."""
        coming = self._coming()
        if coming is None or self._change is None:
            return False
        embedder = self._embedder()
        with self._store.read() as repos:
            in_use = embedder is not None and embedder.model_id in repos.embeddings.models()
        # Without old vectors, the new model is in use from its first vector.
        if in_use and self._embed_round(coming):
            return True
        if coming.dim:  # a server must have answered once before anything relies on it
            self._change.arrived(coming)
        return True

    def _tidy(self) -> None:
        """After a full pass: delete vectors of other models and schedule snapshots."""
        embedder = self._embedder()
        if embedder is None or self._stopped or (self._change is not None and self._change.problem()):
            # Vectors of a temporarily unusable model are kept.
            return
        model = embedder.model_id
        with self._store.read() as repos:
            others = set(repos.embeddings.models()) - {model}
        if others:
            self._store.write(lambda repos: repos.embeddings.drop_other_models(model))
        self._tell("done")
        self._entries.save_later()

    def _tell(self, state: str) -> None:
        told = say("{n:,} texts embedded", n=self._batches.done)
        self._events.publish(RunChanged("index", "reembed", state, 1.0 if state == "done" else 0.0, told))

    def _settings_changed(self, event: SettingsChanged) -> None:
        if "memory.local_only_kinds" in event.names:
            self._look_again()
        if {"memory.embedding_model", "memory.embedding_backend", "engine.remote_servers"} & set(event.names):
            self._clear()
            self.backfill()

    def _look_again(self) -> None:
        """Texts that were local-only may have become sendable: embed them, or keep them local."""
        elsewhere = [
            embedder.model_id
            for embedder in (self._embedder(), self._coming())
            if embedder is not None and not embedder.state().on_this_machine
        ]
        if not elsewhere:
            return
        try:
            self._store.write(
                lambda repos: sum(repos.embeddings.drop_blank(model) for model in elsewhere), priority="background"
            )
        except LockedError:
            return
        self.backfill()

    def _lock_changed(self, event: LockChanged) -> None:
        self._clear()
        if not event.locked:
            self._entries.start()
            self.backfill()

    def _clear(self) -> None:
        self._entries.clear()
        with self._lock:
            self._known.clear()
            self._sizes.clear()
