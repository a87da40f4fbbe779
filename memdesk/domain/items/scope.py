"""Whose items are meant, and what a search for them returns."""

from dataclasses import dataclass

from memdesk.domain.items.item import MemoryItem


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whose items are meant; every given field must match, None does not restrict."""

    user_id: str | None = None
    agent_id: str | None = None
    run_id: str | None = None


@dataclass(frozen=True, slots=True)
class ItemHit:
    """A found item. ``score`` is 0..1, larger is better, comparable within one answer only.

    ``cosine`` is its similarity to the query's vector, None if there is none.
    """

    item: MemoryItem
    score: float
    cosine: float | None = None
