"""Where items are kept: the interface that the library and any database share."""

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
    """What is looked for: a vector, words, or both.

    ``enough``: hits that will do where none of them is a part of something; a store may then bring no more.
    """

    vector: Vectors | None = None
    text: str = ""
    enough: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing(_Wanted):
    """What is listed, in which order, from which offset."""

    offset: int = 0
    order: Literal["created", "updated"] = "created"
    descending: bool = False


class ItemStore(Protocol):
    """Items in named collections, found by meaning, by words and by filter.

    A collection has one vector width, fixed by its first row. Calls are safe from several threads. What a store
    cannot express in its own language it refuses with ``BadRequestError``; nothing is filtered after the limit.

    Raises:
        EnvironmentFault: the database does not answer, or refuses.
    """

    def collections(self) -> list[str]: ...

    def create(self, collection: str, *, dimensions: int) -> None:
        """Make a collection for vectors of this width; an existing one stays as it is.

        Raises:
            BadRequestError: it exists with another width.
        """

    def drop(self, collection: str) -> None:
        """Delete a collection with everything in it; unknown names are fine."""

    def insert(self, collection: str, items: Sequence[MemoryItem], vectors: Vectors | None) -> None:
        """Store new items, all or none, with their normalized float32 vectors, shape ``(len(items), dimensions)``.

        None stores them without vectors: only text search finds them.

        Raises:
            ConflictError: an id exists already.
            BadRequestError: the vectors are of another width or number.
        """

    def get(self, collection: str, ids: Sequence[str]) -> list[MemoryItem]:
        """Return those that exist, in the order asked for."""

    def update(self, collection: str, item: MemoryItem, vector: Vectors | None) -> bool:
        """Replace an item by id, and its vector (shape ``(dimensions,)``) unless None; return whether it existed."""

    def delete(self, collection: str, ids: Sequence[str]) -> int:
        """Delete items; return how many existed."""

    def search(self, collection: str, wanted: Search) -> list[ItemHit]:
        """Return the nearest items that pass the filter, best first: by cosine, by text, or by both if given."""

    def list(self, collection: str, wanted: Listing) -> list[MemoryItem]: ...

    def count(self, collection: str, *, scope: Scope, where: Filter | None = None) -> int:
        """Return how many items pass, expired ones left out."""

    def close(self) -> None:
        """Close connections. Idempotent."""
