"""Short-lived undo of what the user just did in a list: the undo bar."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from memdesk.domain.models import Fact, new_id

#: How many actions can be taken back; older ones are forgotten.
KEPT = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkChange:
    """What a bulk action did, and the token that takes it back."""

    count: int
    token: str


class UndoShelf:
    """Keeps rows as they were before an action. In memory only, never on the disk. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, list[tuple[Fact, Fact]]] = OrderedDict()

    def put(self, pairs: Sequence[tuple[Fact, Fact]]) -> BulkChange:
        """Keep ``(before, after)`` pairs and return the token."""
        token = new_id()
        with self._lock:
            self._kept[token] = list(pairs)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return BulkChange(count=len(pairs), token=token)

    def take(self, token: str) -> list[tuple[Fact, Fact]] | None:
        """Return and drop what was kept under ``token``; None when it is no longer known."""
        with self._lock:
            return self._kept.pop(token, None)

    def clear(self) -> None:
        """Drop everything (after forgetting, on lock)."""
        with self._lock:
            self._kept.clear()
