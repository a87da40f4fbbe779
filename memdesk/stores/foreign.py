"""Code shared by vector databases, so that an adapter has only what is specific.

An adapter translates a filter into its database's language. If that cannot express a condition (a part of a text, an
order of texts), the items that pass the rest are read in full, the condition is checked on each, and the database is
queried for exactly those ids: a complete scan of the scope, never a filter on a truncated result.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from memdesk.domain.items import asking, scoring
from memdesk.domain.items.filters import And, Filter
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.matching import passes
from memdesk.errors import EnvironmentFault, MemdeskError
from memdesk.ports.engines import Vectors
from memdesk.ports.item_store import ItemHit, Listing, Scope, Search

Native = TypeVar("Native")
Value = TypeVar("Value")
#: Items with their scores, best first.
Found: TypeAlias = "list[tuple[MemoryItem, float]]"


class UnsayableError(Exception):
    """The database's language cannot express a condition."""


@dataclass(frozen=True, slots=True)
class Plan(Generic[Native]):
    """A database's own filter, and the ids it is limited to (None: not limited)."""

    native: Native | None
    ids: list[str] | None = None


class ForeignStore(ABC, Generic[Native]):
    """``ports.ItemStore`` over a vector database with rows, filters and nearest neighbors."""

    #: the database's name in errors.
    title = ""

    def __init__(self) -> None:
        # One writer at a time: "all or none" and "does it exist" take more than one call to these databases.
        self._writing = threading.RLock()
        self._widths: dict[str, int] = {}

    @abstractmethod
    def say(self, where: Filter) -> Native:
        """Translate a settled filter.

        Raises:
            UnsayableError: a part of it cannot be expressed.
        """

    @abstractmethod
    def width(self, collection: str) -> int | None:
        """Return the width of a collection's vectors, None if it does not exist."""

    @abstractmethod
    def make(self, collection: str, dimensions: int) -> None: ...

    @abstractmethod
    def remove(self, collection: str) -> None:
        """Delete a collection, which may not exist."""

    @abstractmethod
    def names(self) -> list[str]: ...

    @abstractmethod
    def rows(self, collection: str, plan: Plan[Native]) -> Iterator[MemoryItem]: ...

    @abstractmethod
    def put(self, collection: str, items: Sequence[MemoryItem], vectors: Vectors | None) -> None:
        """Store or overwrite items; without vectors, overwritten items keep theirs."""

    @abstractmethod
    def erase(self, collection: str, ids: Sequence[str]) -> None:
        """Delete existing items."""

    @abstractmethod
    def nearest(self, collection: str, vector: Vectors, plan: Plan[Native], limit: int) -> Found:
        """Return the nearest items of a plan with their cosines, best first."""

    @abstractmethod
    def errors(self) -> tuple[type[Exception], ...]:
        """Return the exceptions of the database's client."""

    def collections(self) -> list[str]:
        with self.translated():
            return sorted(self.names())

    def create(self, collection: str, *, dimensions: int) -> None:
        asking.check_name(collection)
        with self._writing, self.translated():
            known = self.width(collection)
            if known is None:
                self.make(collection, dimensions)
                known = dimensions
            self._widths[collection] = known
        asking.check_width(collection, known, dimensions)

    def drop(self, collection: str) -> None:
        with self._writing, self.translated():
            self.remove(asking.check_name(collection))
            self._widths.pop(collection, None)

    def insert(self, collection: str, items: Sequence[MemoryItem], vectors: Vectors | None) -> None:
        ids = asking.check_ids(items)
        with self._writing, self.translated():
            asking.check_vectors(vectors, items, self.known(collection))
            if any(True for _ in self.rows(collection, Plan(None, ids))):
                raise asking.taken()
            try:
                self.put(collection, items, vectors)
            except self.errors():
                self._take_back(collection, ids)
                raise

    def _take_back(self, collection: str, ids: Sequence[str]) -> None:
        """Delete what a failed insert may have left; if the database is gone, the error says so."""
        with self.translated():
            self.erase(collection, ids)

    def get(self, collection: str, ids: Sequence[str]) -> list[MemoryItem]:
        with self.translated():
            self.known(collection)
            found = {item.id: item for item in self.rows(collection, Plan(None, list(ids)))} if ids else {}
        return [found[name] for name in ids if name in found]

    def update(self, collection: str, item: MemoryItem, vector: Vectors | None) -> bool:
        with self._writing, self.translated():
            asking.check_vector(vector, self.known(collection))
            if not self.get(collection, [item.id]):
                return False
            self.put(collection, [item], None if vector is None else vector[None, :])
            return True

    def delete(self, collection: str, ids: Sequence[str]) -> int:
        with self._writing, self.translated():
            there = [item.id for item in self.get(collection, list(dict.fromkeys(ids)))]
            if there:
                self.erase(collection, there)
            return len(there)

    def search(self, collection: str, wanted: Search) -> list[ItemHit]:
        with self.translated():
            vector, limit = wanted.vector, wanted.limit
            asking.check_vector(vector, self.known(collection))
            plan = self.plan(collection, wanted.narrowed())
            near = [] if vector is None or plan.ids == [] else self.nearest(collection, vector, plan, limit)
            worded = self.worded(collection, wanted.text, plan, limit) if wanted.text and plan.ids != [] else []
            found = {item.id: item for item, _ in (*near, *worded)}
            cosines = {item.id: cosine for item, cosine in near}
            missing = [name for name in found if name not in cosines]
            if vector is not None and missing:
                cosines |= self.cosines(collection, vector, missing)
        return scoring.ranked(found, cosines, {item.id: score for item, score in worded}, limit)

    def list(self, collection: str, wanted: Listing) -> list[MemoryItem]:
        """Return items that pass. Reads all of them, as these databases keep no order."""
        with self.translated():
            self.known(collection)
            found = list(self.passing(collection, wanted.narrowed()))
        found.sort(key=lambda item: (getattr(item, f"{wanted.order}_at"), item.id), reverse=wanted.descending)
        return found[wanted.offset : wanted.offset + wanted.limit]

    def count(self, collection: str, *, scope: Scope, where: Filter | None = None) -> int:
        with self.translated():
            self.known(collection)
            return sum(1 for _ in self.passing(collection, asking.asked(scope, where, expired=False)))

    @abstractmethod
    def close(self) -> None:
        """Close connections. Idempotent."""

    def worded(self, collection: str, text: str, plan: Plan[Native], limit: int) -> Found:
        """Return the best items of a plan by text, with scores; by default over all of them."""
        items = {item.id: item for item in self.rows(collection, plan)}
        scores = scoring.bm25(text, {name: scoring.terms(item.content) for name, item in items.items()})
        best = sorted(scores, key=lambda name: scores[name], reverse=True)[:limit]
        return [(items[name], scores[name]) for name in best]

    def cosines(self, collection: str, vector: Vectors, ids: Sequence[str]) -> dict[str, float]:
        """Return the cosines of items, leaving out those without a vector."""
        near = self.nearest(collection, vector, Plan(None, list(ids)), len(ids))
        return {item.id: cosine for item, cosine in near}

    def passing(self, collection: str, where: Filter) -> Iterator[MemoryItem]:
        native, rest = self._split(where)
        return (item for item in self.rows(collection, Plan(native)) if passes(item, rest))

    def plan(self, collection: str, where: Filter) -> Plan[Native]:
        native, rest = self._split(where)
        if rest is None:
            return Plan(native)
        return Plan(None, [item.id for item in self.passing(collection, where)])

    def _split(self, where: Filter) -> tuple[Native, Filter | None]:
        """Return the part of a filter that can be translated, and the part that cannot."""
        said: list[Filter] = []
        rest: list[Filter] = []
        for part in where.parts if isinstance(where, And) else (where,):
            try:
                self.say(part)
            except UnsayableError:
                rest.append(part)
            else:
                said.append(part)
        return self.say(And(tuple(said))), And(tuple(rest)) if rest else None

    def known(self, collection: str) -> int:
        """Return a collection's width, cached: only a drop changes it.

        Raises:
            BadRequestError: it does not exist.
        """
        known = self._widths.get(collection)
        if known is None:
            known = self.width(asking.check_name(collection))
            if known is None:
                raise asking.unknown(collection)
            self._widths[collection] = known
        return known

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Translate the client's exceptions into ours."""
        try:
            yield
        except MemdeskError:
            raise
        except self.errors() as error:
            raise EnvironmentFault(
                f"{self.title} does not answer or refuses ({type(error).__name__}).",
                hint="Check the address in the configuration, then try again.",
            ) from error


def pages(values: Sequence[Value], size: int) -> Iterator[list[Value]]:
    """Yield a sequence in lists of at most ``size``."""
    for start in range(0, len(values), size):
        yield list(values[start : start + size])
