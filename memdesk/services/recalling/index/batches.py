"""Embeds rows that have no vector, in batches."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from memdesk.domain.language.text import content_hash
from memdesk.domain.models import VectorKind
from memdesk.ports import Embedder, StoreUpkeep
from memdesk.services.recalling.index.entries import Entries
from memdesk.services.recalling.index.texts import kept_here, texts

BATCH = 128
#: Replaces the hash of a local-only text; its vector is all zeros.
_STAYS = "stays here"


class Batches:
    """Puts the vectors of rows into the store and loaded indexes. Thread-safe.

    Attributes:
        hits, misses: texts whose vector was known, and those embedded.
        done: rows that got a vector.
    """

    def __init__(self, store: StoreUpkeep, entries: Entries) -> None:
        self._store = store
        self._entries = entries
        self._lock = threading.Lock()
        self.hits = self.misses = self.done = 0

    def embed(self, embedder: Embedder, kind: VectorKind, agent_id: str | None) -> int:
        """Embed up to :data:`BATCH` rows; return how many got a vector."""
        with self._lock:
            model = embedder.model_id
            with self._store.read() as repos:
                rows = repos.embeddings.missing(kind, model, agent_id=agent_id, limit=BATCH)
                found = texts(repos, kind, [seq for _, seq in rows])
                stay = set() if embedder.state().on_this_machine else kept_here(repos, kind, rows)
                hashes = {seq: content_hash(text) if seq not in stay else _STAYS for seq, text in found.items()}
                known = repos.embeddings.cached(model, list(hashes.values())) if hashes else {}
            if stay:
                known[_STAYS] = np.zeros(embedder.dim, dtype=np.float16).tobytes()
            fresh = list(dict.fromkeys(text for seq, text in found.items() if hashes[seq] not in known))
            self.hits += len(found) - len(fresh)
            self.misses += len(fresh)
            if fresh:
                made = embedder.embed(fresh, priority="background").astype(np.float16)
                known |= {content_hash(text): made[i].tobytes() for i, text in enumerate(fresh)}
            by_agent: dict[str, list[tuple[int, str, bytes]]] = {}
            for owner, seq in rows:
                if seq in hashes:
                    by_agent.setdefault(owner, []).append((seq, hashes[seq], known[hashes[seq]]))
            self._keep(kind, model, by_agent)
        return len(found)

    def _keep(self, kind: VectorKind, model: str, by_agent: dict[str, list[tuple[int, str, bytes]]]) -> None:
        if not by_agent:
            return

        def work(repos: Any) -> None:
            alive = set(texts(repos, kind, [row[0] for rows in by_agent.values() for row in rows]))
            for agent_id, rows in by_agent.items():
                # A row may have been deleted while its text was read; its vector must not outlive it.
                rows[:] = [row for row in rows if row[0] in alive]
                repos.embeddings.put(agent_id, kind, model, rows)

        self._store.write(work, priority="background")
        for agent_id, rows in by_agent.items():
            entry = self._entries.known(agent_id, kind)
            if entry is not None and entry.model == model and rows:
                entry.add([row[0] for row in rows], b"".join(row[2] for row in rows))
            self.done += len(rows)
