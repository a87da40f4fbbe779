"""Remembers up to where every row has its vector, so that looking for missing ones stays cheap."""

from __future__ import annotations

import threading


class EmbeddingFloors:
    """The highest ``seq`` below which no row lacks a vector, by kind, model and agent. Thread-safe.

    Floors only rise. That is sound because row numbers are never reused, and because a row that loses
    its vector later is listed in ``embedding_gaps``, which is always looked at. A gap closed in one model's space
    may be open in another's: then those are looked through anew.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._floors: dict[tuple[str, str, str | None], int] = {}

    def get(self, kind: str, model: str, agent_id: str | None) -> int:
        """Return the floor; 0 when nothing is known."""
        with self._lock:
            return max(self._floors.get((kind, model, agent_id), 0), self._floors.get((kind, model, None), 0))

    def rise(self, kind: str, model: str, agent_id: str | None, seq: int) -> None:
        """Note that every row up to ``seq`` has its vector."""
        with self._lock:
            key = (kind, model, agent_id)
            self._floors[key] = max(self._floors.get(key, 0), seq)

    def drop_others(self, kind: str, model: str) -> None:
        """Forget what is known of the other models' rows of a kind."""
        with self._lock:
            for key in [key for key in self._floors if key[0] == kind and key[1] != model]:
                del self._floors[key]

    def clear(self) -> None:
        """Forget everything, when vectors were dropped wholesale."""
        with self._lock:
            self._floors.clear()
