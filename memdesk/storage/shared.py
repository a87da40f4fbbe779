"""State shared by the connections of one open database."""

import threading
from functools import reduce
from operator import or_

from memdesk.domain.caches import Recent
from memdesk.domain.forgetting.hiding import NOTHING, Hidden

_REMEMBERED = 8192
#: A frequency is counted again once the table has grown by this share.
_GROWTH = 1.05


class EmbeddingFloors:
    """The highest ``seq`` below which no row lacks a vector, by kind, model and agent. Thread-safe.

    Floors only rise. That is sound because row numbers are never reused, and a row that loses its vector later is
    listed in ``embedding_gaps``, which is always checked. A gap closed for one model may be open for another: then
    those rows are checked again.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._floors: dict[tuple[str, str, str | None], int] = {}

    def get(self, kind: str, model: str, agent_id: str | None) -> int:
        with self._lock:
            return max(self._floors.get((kind, model, agent_id), 0), self._floors.get((kind, model, None), 0))

    def rise(self, kind: str, model: str, agent_id: str | None, seq: int) -> None:
        with self._lock:
            key = (kind, model, agent_id)
            self._floors[key] = max(self._floors.get(key, 0), seq)

    def drop_others(self, kind: str, model: str) -> None:
        """Forget the other models' floors of a kind."""
        with self._lock:
            for key in [key for key in self._floors if key[0] == kind and key[1] != model]:
                del self._floors[key]

    def clear(self) -> None:
        """Forget everything, after vectors were deleted wholesale."""
        with self._lock:
            self._floors.clear()


class TermFrequencies:
    """How many rows contain a term, as last counted. Thread-safe; an estimate, not a figure to show."""

    def __init__(self) -> None:
        self._counts: Recent[tuple[str, str, str | None], tuple[int, int]] = Recent(_REMEMBERED)

    def get(self, target: str, term: str, size: int, agent_id: str | None = None) -> int | None:
        """Return the count among all rows or an agent's, or None if it is unknown or their number has changed too much."""
        known = self._counts.get((target, term, agent_id))
        return known[0] if known is not None and known[1] / _GROWTH <= size <= known[1] * _GROWTH else None

    def put(self, target: str, term: str, size: int, count: int, agent_id: str | None = None) -> None:
        """Remember a count made when there were ``size`` rows, unless it is zero."""
        if count:
            self._counts.keep((target, term, agent_id), (count, size))


class Shared:
    """State that outlives a transaction but not the open database."""

    def __init__(self) -> None:
        self.floors = EmbeddingFloors()
        self.frequencies = TermFrequencies()
        self._hiding = threading.Lock()
        self._hidden_by: dict[str, Hidden] = {}
        #: what is being forgotten and hidden from readers. Replaced with each change.
        self.hidden: Hidden = NOTHING

    def hide(self, name: str, hidden: Hidden | None) -> None:
        """Set what one piece of forgetting hides; None ends it."""
        with self._hiding:
            self._hidden_by.pop(name, None)
            if hidden is not None:
                self._hidden_by[name] = hidden
            self.hidden = reduce(or_, self._hidden_by.values(), Hidden()) if self._hidden_by else NOTHING
