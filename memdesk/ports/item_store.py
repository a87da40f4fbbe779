"""Where items are kept: the view that a library and any database can share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from memdesk.domain.items import asking
from memdesk.domain.items.filters import Filter
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.scope import ItemHit, Scope
from memdesk.ports.engines import Vectors

__all__ = ["ItemHit", "ItemStore", "Listing", "Scope", "Search"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    scope: Scope
    where: Filter | None = None
    limit: int = 100
    expired: bool = False

    def narrowed(self) -> Filter:
        """Return all that narrows it as one filter, in the words of ``asking.settled``."""
        return asking.asked(self.scope, self.where, expired=self.expired)


@dataclass(frozen=True, slots=True, kw_only=True)
class Search(_Wanted):
    """What is looked for: a vector, words, or both."""

    vector: Vectors | None = None
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing(_Wanted):
    """What is listed, in which order, from which place on."""

    offset: int = 0
    order: Literal["created", "updated"] = "created"
    descending: bool = False


class ItemStore(Protocol):
    """Items in named collections, found by meaning, by words and by filter.

    A collection has one width of vectors, fixed by its first row. Calls are safe from several threads. Whatever a store
    cannot say in its own language it refuses with ``BadRequestError``; nothing is filtered after a cut.

    Raises:
        EnvironmentFault: the database does not answer or refuses.
    """

    def collections(self) -> list[str]: ...

    def create(self, collection: str, *, dimensions: int) -> None:
        """Make a collection for vectors of this width; one that is there already stays as it is.

        Raises:
            BadRequestError: it is there with another width.
        """

    def drop(self, collection: str) -> None:
        """Delete a collection with everything in it; an unknown one is fine."""

    def insert(self, collection: str, items: Sequence[MemoryItem], vectors: Vectors | None) -> None:
        """Store new items, all or none, with their normalized float32 vectors, shape ``(len(items), dimensions)``.

        None stores them without: they are then found by words alone.

        Raises:
            ConflictError: an id is there already.
            BadRequestError: the vectors are of another width or number.
        """

    def get(self, collection: str, ids: Sequence[str]) -> list[MemoryItem]:
        """Return those that are there, in the order asked for."""

    def update(self, collection: str, item: MemoryItem, vector: Vectors | None) -> bool:
        """Replace an item by id, and its vector (shape ``(dimensions,)``) unless None; return whether it was there."""

    def delete(self, collection: str, ids: Sequence[str]) -> int:
        """Delete items; return how many were there."""

    def search(self, collection: str, wanted: Search) -> list[ItemHit]:
        """Return the nearest items that pass, best first: by cosine, by words, or by both where both are given."""

    def list(self, collection: str, wanted: Listing) -> list[MemoryItem]: ...

    def count(self, collection: str, *, scope: Scope, where: Filter | None = None) -> int:
        """Return how many items pass, expired ones left out."""

    def close(self) -> None:
        """Give back connections. Idempotent."""
