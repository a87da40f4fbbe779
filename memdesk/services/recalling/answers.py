"""Caches whole answers for a few seconds: typing, sending and showing a message requests the same block three times."""

from __future__ import annotations

import threading
from collections import OrderedDict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memdesk.domain.models import Receipt
    from memdesk.services.recalling.request import Request

CACHE_SECONDS = 10.0
CACHE_SIZE = 256

Stamp = tuple[int, int]


class Answers:
    """Receipts by request. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Request, tuple[datetime, Receipt]] = OrderedDict()
        self._generation: dict[str, int] = {}
        self._epoch = 0
        self._counts = {"hits": 0, "misses": 0}

    def stamp(self, agent_id: str) -> Stamp:
        """Return a stamp that changes with the agent's memory."""
        with self._lock:
            return self._epoch, self._generation.get(agent_id, 0)

    def find(self, request: Request, now: datetime) -> Receipt | None:
        """Return the answer to an equal request of the last :data:`CACHE_SECONDS`."""
        with self._lock:
            found = self._kept.get(request)
            if found is not None and abs(now - found[0]) <= timedelta(seconds=CACHE_SECONDS):
                self._counts["hits"] += 1
                self._kept.move_to_end(request)
                return found[1]
            self._kept.pop(request, None)
            self._counts["misses"] += 1
            return None

    def keep(self, request: Request, stamp: Stamp, now: datetime, receipt: Receipt) -> None:
        """Cache an answer begun at ``stamp``, unless the memory has changed since."""
        with self._lock:
            if stamp != (self._epoch, self._generation.get(request.agent_id, 0)):
                return
            self._kept[request] = (now, receipt)
            while len(self._kept) > CACHE_SIZE:
                self._kept.popitem(last=False)

    def drop(self, agent_id: str | None) -> None:
        """Drop the answers of an agent, or all."""
        with self._lock:
            if agent_id is None:
                self._epoch += 1
                self._kept.clear()
                return
            self._generation[agent_id] = self._generation.get(agent_id, 0) + 1
            for request in [request for request in self._kept if request.agent_id == agent_id]:
                del self._kept[request]

    def stats(self) -> dict[str, Any]:
        """Return hits, misses, their rate and how many are kept."""
        with self._lock:
            hits, misses, size = self._counts["hits"], self._counts["misses"], len(self._kept)
        return {"hits": hits, "misses": misses, "rate": rate(hits, misses), "size": size}


def rate(hits: float, misses: float) -> float:
    """Return the share of hits, 0 if there were no requests."""
    return round(hits / (hits + misses), 4) if hits + misses else 0.0
