"""Databases whose filters support numeric columns and lists of short texts, but no documents.

Each row carries tags: one for every field with a value, and one for every value of it. A tag is a checksum, so that no
text of a caller is in a filter. An adapter defines how its database filters tags and numbers, how it joins conditions,
and how rows are written, read and compared. It needs no "not": negations are pushed down to tags and comparisons.
"""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np

from memdesk.domain.items import scoring
from memdesk.domain.items.filters import And, Filter, Not, Or
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.matching import fields_of, is_number, own_fields, values_of
from memdesk.domain.items.plain import from_plain, to_plain
from memdesk.errors import EnvironmentFault
from memdesk.ports.engines import Vectors
from memdesk.stores.foreign import ForeignStore, Found, Native, Plan, UnsayableError, pages

#: Own fields in numeric columns; 0 if missing.
NUMBERS: Final = ("created_at", "updated_at", "expires_at", "salience")
#: Ids per request.
PAGE: Final = 500
#: Seconds until a change must be readable.
PATIENCE: Final = 60.0
#: A row in the database: ``id, item, tags, vector`` and ``NUMBERS``.
Row: TypeAlias = dict[str, Any]
#: Comparisons, each with its negation.
_DENIED: Final = {"gt": "lte", "gte": "lt", "lt": "gte", "lte": "gt"}


def tag(field: str, *value: Any) -> str:
    """Return the tag for a field having any value, or this one; 3 and 3.0 are the same, True and 1 are not."""
    same = [float(one) if is_number(one) else one for one in value]
    return hashlib.sha256(json.dumps([field, *same]).encode()).hexdigest()[:24]


def words_of(row: Row) -> str:
    """Return the stems of a row's text, for databases that rank by words themselves."""
    return " ".join(scoring.terms(json.loads(row["item"])["content"]))


#: Marks a row with a real vector: these databases require a vector for each row.
VECTOR: Final = tag("vector", "is", "one")
#: A tag of every row.
_ANY: Final = (tag("id"),)


class TaggedStore(ForeignStore[Native]):
    """``ports.ItemStore`` over a database of tagged rows."""

    @abstractmethod
    def having(self, tags: Sequence[str], *, holds: bool = True) -> Native:
        """Return the condition that a row has any of these tags, or none of them."""

    @abstractmethod
    def compared(self, column: str, order: str, value: float) -> Native:
        """Return the condition on a column of ``NUMBERS``; the order is ``gt``, ``gte``, ``lt`` or ``lte``."""

    @abstractmethod
    def every(self, parts: Sequence[Native]) -> Native:
        """Return the condition that all of these, two or more, hold."""

    @abstractmethod
    def some(self, parts: Sequence[Native]) -> Native:
        """Return the condition that one of these, two or more, holds."""

    @abstractmethod
    def write(self, collection: str, rows: list[Row]) -> None:
        """Store or overwrite rows."""

    @abstractmethod
    def read(self, collection: str, condition: Native, fields: Sequence[str]) -> Iterator[Row]:
        """Yield fields of every row that meets a condition."""

    @abstractmethod
    def near(self, collection: str, vector: Vectors, condition: Native, limit: int) -> list[tuple[Row, float]]:
        """Return the ``item`` of the nearest rows that meet a condition with their cosines, best first."""

    def among(self, ids: Sequence[str]) -> Native:
        """Return the condition that a row has one of these ids."""
        return self.having([tag("id", one) for one in ids])

    def say(self, where: Filter) -> Native:
        return self._say(where, holds=True)

    def _say(self, where: Filter, *, holds: bool) -> Native:
        if isinstance(where, Not):
            return self._say(where.part, holds=not holds)
        if isinstance(where, And | Or):
            every = isinstance(where, And) == holds
            parts = [self._say(part, holds=holds) for part in where.parts]
            if not parts:
                return self.having(_ANY, holds=every)
            return parts[0] if len(parts) == 1 else (self.every if every else self.some)(parts)
        if where.of_metadata:
            raise UnsayableError(where.operator)  # Its tags would be those of the item's own field.
        if where.operator == "eq" and where.value is None:
            return self.having([tag(where.field)], holds=not holds)
        if where.operator in _DENIED and where.field in NUMBERS and is_number(where.value):
            order = where.operator if holds else _DENIED[where.operator]
            parts = [self.having([tag(where.field)], holds=holds), self.compared(where.field, order, where.value)]
            return (self.every if holds else self.some)(parts)
        if where.operator not in {"eq", "in"}:
            raise UnsayableError(where.operator)
        wanted = where.value if where.operator == "in" else [where.value]
        if not all(isinstance(value, str | int | float) for value in wanted):
            raise UnsayableError(where.operator)
        if not wanted:
            return self.having(_ANY, holds=not holds)
        return self.having([tag(where.field, value) for value in wanted], holds=holds)

    def rows(self, collection: str, plan: Plan[Native]) -> Iterator[MemoryItem]:
        for condition in self.conditions(plan):
            for row in self.read(collection, condition, ["item"]):
                yield from_plain(json.loads(row["item"]))

    def put(self, collection: str, items: Sequence[MemoryItem], vectors: Vectors | None) -> None:
        old: dict[str, Row] = {}
        if vectors is None:
            for condition in self.conditions(Plan(None, [item.id for item in items])):
                old |= {row["id"]: row for row in self.read(collection, condition, ["id", "tags", "vector"])}
        rows = []
        for number, item in enumerate(items):
            before = old.get(item.id)
            has_vector = vectors is not None or (before is not None and VECTOR in before["tags"])
            row = _row(item, has_vector=has_vector)
            if vectors is not None:
                row["vector"] = np.asarray(vectors[number], dtype=np.float32).tolist()
            else:
                row["vector"] = list(before["vector"]) if before else np.eye(1, self.known(collection))[0].tolist()
            rows.append(row)
        for page in pages(rows, PAGE):
            self.write(collection, page)

    def nearest(self, collection: str, vector: Vectors, plan: Plan[Native], limit: int) -> Found:
        having = self.having([VECTOR])
        found = (self.near(collection, vector, self.every([having, one]), limit) for one in self.conditions(plan))
        return _best(chain.from_iterable(found), limit)

    def conditions(self, plan: Plan[Native]) -> Iterator[Native]:
        """Yield the conditions of a plan, with ids in pages."""
        if plan.ids is None:
            yield self.having(_ANY) if plan.native is None else plan.native
        for page in pages(plan.ids or (), PAGE):
            among = self.among(page)
            yield among if plan.native is None else self.every([plan.native, among])


class RankingStore(TaggedStore[Native]):
    """Databases with their own text ranking."""

    @abstractmethod
    def by_words(self, collection: str, words: str, condition: Native, limit: int) -> list[tuple[Row, float]]:
        """Return the ``item`` and score of the best rows that meet a condition; ``words`` are from ``words_of``."""

    def worded(self, collection: str, text: str, plan: Plan[Native], limit: int) -> Found:
        words = " ".join(scoring.terms(text))
        if not words:
            return []
        found = (self.by_words(collection, words, condition, limit) for condition in self.conditions(plan))
        return _best(chain.from_iterable(found), limit)


class LateStore(TaggedStore[Native]):
    """Databases that confirm a change before it can be read; each change waits until it can."""

    @abstractmethod
    def put_late(self, collection: str, rows: list[Row]) -> None: ...

    @abstractmethod
    def erase_late(self, collection: str, ids: Sequence[str]) -> None:
        """Send deletions."""

    def write(self, collection: str, rows: list[Row]) -> None:
        # Unique to this change.
        mark = tag("change", uuid.uuid4().hex)
        self.put_late(collection, [row | {"tags": [*row["tags"], mark]} for row in rows])
        self._wait(collection, self.having([mark]), len(rows))

    def erase(self, collection: str, ids: Sequence[str]) -> None:
        self.erase_late(collection, ids)
        for page in pages(ids, PAGE):
            self._wait(collection, self.among(page), 0)

    def _wait(self, collection: str, condition: Native, count: int) -> None:
        """Return once this many rows meet a condition.

        Raises:
            EnvironmentFault: it takes longer than ``PATIENCE``.
        """
        end = time.monotonic() + PATIENCE
        while sum(1 for _ in self.read(collection, condition, ["id"])) != count:
            if time.monotonic() > end:
                raise EnvironmentFault(f"{self.title} took a change, but does not show it.")
            time.sleep(0.1)


class SpokenStore(TaggedStore[str]):
    """Databases whose conditions are text with ``and`` and ``or``."""

    #: spelling of comparisons.
    signs: ClassVar[Mapping[str, str]] = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}

    def compared(self, column: str, order: str, value: float) -> str:
        return f"{column} {self.signs[order]} {value!r}"

    def every(self, parts: Sequence[str]) -> str:
        return "(" + " and ".join(parts) + ")"

    def some(self, parts: Sequence[str]) -> str:
        return "(" + " or ".join(parts) + ")"


def _best(found: Iterable[tuple[Row, float]], limit: int) -> Found:
    best = sorted(found, key=lambda one: one[1], reverse=True)[:limit]
    return [(from_plain(json.loads(row["item"])), score) for row, score in best]


def _row(item: MemoryItem, *, has_vector: bool) -> Row:
    own, fields = own_fields(item), fields_of(item)
    tags = {VECTOR} if has_vector else set()
    for name in (*own, *(key for key in item.metadata if key not in own)):
        values = values_of(fields, name)
        tags |= {tag(name)} if values else set()
        tags |= {tag(name, value) for value in values if isinstance(value, str | int | float)}
    row: Row = {"id": item.id, "item": json.dumps(to_plain(item)), "tags": sorted(tags)}
    return row | {name: own[name] or 0 for name in NUMBERS}
