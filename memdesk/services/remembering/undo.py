"""Short-lived undo of what the user just did in a list: the undo bar."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from memdesk.domain.caches import Recent
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import new_id

#: How many actions can be undone; older ones are dropped.
UNDOABLE = 20
_NAMES = tuple(each.name for each in fields(MemoryItem))


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkChange:
    """The result of a bulk action, and the token to undo it."""

    count: int
    token: str


@dataclass(frozen=True, slots=True)
class Edit:
    """The fields of one fact that an action changed: old and new values."""

    fact_id: str
    before: dict[str, Any]
    after: dict[str, Any]


def edits_of(pairs: Iterable[tuple[MemoryItem, MemoryItem]]) -> list[Edit]:
    """Return what changed in ``(before, after)`` pairs; equal new values are shared."""
    shared: dict[tuple[tuple[str, str], ...], dict[str, Any]] = {}
    made = []
    for old, new in pairs:
        names = [name for name in _NAMES if getattr(old, name) != getattr(new, name)]
        after = {name: getattr(new, name) for name in names}
        key = tuple((name, repr(value)) for name, value in after.items())
        made.append(Edit(new.id, {name: getattr(old, name) for name in names}, shared.setdefault(key, after)))
    return made


class UndoShelf(Recent[str, list[Edit]]):
    """Keeps rows from before an action. In memory only, never on disk; cleared on lock."""

    def put(self, edits: list[Edit]) -> BulkChange:
        token = new_id()
        self.keep(token, edits)
        return BulkChange(count=len(edits), token=token)
