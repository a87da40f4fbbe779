"""An in-memory history."""

import threading
from collections.abc import Sequence

from memdesk.domain.items.history import HistoryRecord


class InMemoryHistory:
    """``ports.library.ItemHistory`` in a list; gone with the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._records: dict[str, list[HistoryRecord]] = {}

    def note(self, collection: str, records: Sequence[HistoryRecord]) -> None:
        with self._lock:
            self._records.setdefault(collection, []).extend(records)

    def noted(self, collection: str, memory_id: str | None = None) -> list[HistoryRecord]:
        with self._lock:
            return [one for one in self._records.get(collection, ()) if memory_id in {None, one.memory_id}]

    def forget(self, collection: str) -> None:
        with self._lock:
            self._records.pop(collection, None)

    def close(self) -> None:
        """Do nothing: the records live as long as the object."""
