"""How many rows contain a word: read from full text and cached, as it changes slowly."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memdesk.domain.models import Target, VectorKind
from memdesk.ports import Clock, Repositories

#: Seconds until a table is counted again, and the cache's maximum number of words of an agent, and of agents.
_SECONDS = 60.0
_WORDS = 20_000
_AGENTS = 64


@dataclass(slots=True)
class _Counts:
    rows: int = 0
    read_at: datetime | None = None
    words: dict[str, int] = field(default_factory=dict)


class Frequencies:
    """Document frequencies by table. Thread-safe."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._counts: dict[tuple[VectorKind, str | None], _Counts] = {}
        self._reads = {"hits": 0, "misses": 0}

    def of(
        self, repos: Repositories, kind: Target, terms: Sequence[str], agent_id: str | None = None
    ) -> tuple[dict[str, int], int]:
        """Return how many rows, of all agents or of one, contain each term, and of how many."""
        now = self._clock.now()
        # Facts, episodes and details share a table.
        table: VectorKind = "turn" if kind == "turn" else "item"
        with self._lock:
            known = self._counts.get((table, agent_id))
            if len(self._counts) > _AGENTS:
                self._counts.clear()
            if known is None or self._is_old(known, now):
                known = self._counts[table, agent_id] = _Counts()
            missing = [term for term in terms if term not in known.words]
            self._reads["hits"] += len(terms) - len(missing)
            self._reads["misses"] += len(missing)
        if known.read_at is None:
            known.rows = repos.text.rows(kind, agent_id)
            known.read_at = now
        if missing:
            read = repos.text.document_frequency(kind, missing, agent_id)
            # An unused word may be used at any moment.
            known.words.update({term: count for term, count in read.items() if count})
        return {term: known.words.get(term, 0) for term in terms}, known.rows

    def figures(self) -> dict[str, float]:
        with self._lock:
            return dict(self._reads)

    def forget(self) -> None:
        """Clear the cache."""
        with self._lock:
            self._counts.clear()

    @staticmethod
    def _is_old(known: _Counts, now: datetime) -> bool:
        if known.read_at is None or len(known.words) > _WORDS:
            return True
        return abs((now - known.read_at).total_seconds()) > _SECONDS
