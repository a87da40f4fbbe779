"""What was believed at a date.

Two clocks run for every fact. The memory *learned* it when it was said (for an import, long before the row
was made) and *stopped believing* it when it was replaced, merged, disabled or binned. Apart from that the fact
may itself have a period (``valid_from`` to ``valid_until``). A fact counts at a date if it had been
learned by then, was still believed, and its period, as far as it is known, was not over.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import FactStatus, HistoryEntry

#: Never shown to a model, at any date: the user has not accepted them.
_NEVER_BELIEVED = frozenset({FactStatus.REVIEW, FactStatus.QUARANTINED})


def learned_at(fact: MemoryItem) -> datetime:
    """Return when the memory learned a fact: the start of its period if that is before the row was made (imports)."""
    return min(fact.valid_from, fact.created_at) if fact.valid_from else fact.created_at


def believed_until(fact: MemoryItem) -> datetime | None:
    """Return when a fact stopped counting, or None if it still counts.

    The end of its period, or else the last change of a row that is no longer active (nothing changes a
    superseded, merged or binned row afterwards).
    """
    gone = None if fact.status is FactStatus.ACTIVE else fact.updated_at
    ends = [end for end in (fact.valid_until, gone) if end is not None]
    return min(ends) if ends else None


def believed_at(fact: MemoryItem, when: datetime) -> bool:
    """Return whether ``fact`` was part of what the memory believed at ``when`` (start in, end out)."""
    if fact.status in _NEVER_BELIEVED:
        return False
    end = believed_until(fact)
    return learned_at(fact) <= when and (end is None or when < end)


def in_force(item: MemoryItem, now: datetime) -> bool:
    """Return whether an item counts at ``now``: it has not expired, and its period has begun and not ended."""
    ends = [end for end in (item.expires_at, item.valid_until) if end is not None]
    return all(end > now for end in ends) and (item.valid_from is None or item.valid_from <= now)


def as_it_was(fact: MemoryItem, when: datetime, history: Iterable[HistoryEntry]) -> MemoryItem:
    """Return ``fact`` with the words, kind and tags it had at ``when``, by undoing later edits from its history.

    The entries of ``history`` may be in any order; those without a changed text are ignored.
    """
    later = sorted((entry for entry in history if entry.at > when and entry.old), key=lambda e: (e.at, e.seq))
    found: dict[str, Any] = {}
    for entry in reversed(later):
        old = entry.old or {}
        found.update({name: old[name] for name in ("content", "kind", "tags") if name in old})
    if "tags" in found:
        found["tags"] = tuple(found["tags"])
    return replace(fact, **found)
