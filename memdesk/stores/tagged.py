"""Databases whose filters know columns of numbers and lists of short texts, and no documents.

Each row carries tags: one for every field that has a value, one for every value of it. A tag is a checksum, so that no text of
a caller stands in a filter. An adapter says how its database asks for a tag, for a number and for ids, and how rows are
written, read and compared.
"""

from __future__ import annotations

import hashlib
import json
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from memdesk.domain.items.filters import And, Filter, Not, Or, Where
from memdesk.domain.items.matching import fields_of, is_number, own_fields, values_of
from memdesk.domain.items.plain import from_plain, to_plain
from memdesk.stores.foreign import ForeignStore, Plan, UnsayableError

if TYPE_CHECKING:
    from memdesk.domain.items.item import MemoryItem
    from memdesk.ports.engines import Vectors
    from memdesk.stores.foreign import Found

#: Own fields that are columns of numbers; 0 where there is none.
NUMBERS: Final = ("created_at", "updated_at", "expires_at", "salience")
#: Ids of one request.
PAGE: Final = 500
#: A row as a database keeps it: ``id, item, tags, vector`` and ``NUMBERS``.
Row: TypeAlias = dict[str, Any]
_SIGNS: Final = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<=", "eq": "=="}


def tag(field: str, *value: Any) -> str:
    """Return the tag of a field that has a value, or has this one; 3 and 3.0 are the same, True and 1 are not."""
    same = [float(one) if is_number(one) else one for one in value]
    return hashlib.sha256(json.dumps([field, *same]).encode()).hexdigest()[:24]


#: Says that a row's vector is one: these databases want a vector for each row.
VECTOR: Final = tag("vector", "is", "one")


class TaggedStore(ForeignStore[str]):
    """``ports.ItemStore`` over a database of tagged rows."""

    @abstractmethod
    def has(self, wanted: str) -> str:
        """Return the condition that a row has a tag."""

    @abstractmethod
    def among(self, ids: Sequence[str]) -> str:
        """Return the condition that a row has one of these ids."""

    @abstractmethod
    def write(self, collection: str, rows: list[Row]) -> None:
        """Store rows, or overwrite them."""

    @abstractmethod
    def read(self, collection: str, condition: str, fields: Sequence[str]) -> Iterator[Row]:
        """Yield fields of every row that meets a condition."""

    @abstractmethod
    def near(self, collection: str, vector: Vectors, condition: str, limit: int) -> list[tuple[Row, float]]:
        """Return the ``item`` of the nearest rows that meet a condition with their cosines, best first."""

    def say(self, where: Filter) -> str:
        """Translate a settled filter."""
        if isinstance(where, And | Or):
            every = isinstance(where, And)
            if not where.parts:
                # Every row has an id.
                return self.has(tag("id")) if every else f"not ({self.has(tag('id'))})"
            return "(" + (" and " if every else " or ").join(self.say(part) for part in where.parts) + ")"
        if isinstance(where, Not):
            return f"(not {self.say(where.part)})"
        if where.operator == "eq" and where.value is None:
            return f"(not {self.has(tag(where.field))})"
        if where.operator in _SIGNS and where.field in NUMBERS and is_number(where.value):
            return f"({self.has(tag(where.field))} and {where.field} {_SIGNS[where.operator]} {where.value!r})"
        if where.operator == "eq":
            return self._equal(where.field, where.value)
        if where.operator == "in":
            return self.say(Or(tuple(Where(where.field, "eq", value) for value in where.value)))
        raise UnsayableError(where.operator)

    def _equal(self, field: str, value: Any) -> str:
        if not isinstance(value, str | int | float):
            raise UnsayableError("eq")
        return self.has(tag(field, value))

    # ------------------------------------------------------------------ what ForeignStore asks for

    def rows(self, collection: str, plan: Plan[str]) -> Iterator[MemoryItem]:
        """Yield every item of a plan."""
        for condition in self._conditions(plan):
            for row in self.read(collection, condition, ["item"]):
                yield from_plain(json.loads(row["item"]))

    def put(self, collection: str, items: Sequence[MemoryItem], vectors: Vectors | None) -> None:
        """Store or overwrite items."""
        old: dict[str, Row] = {}
        if vectors is None:
            for condition in self._conditions(Plan(None, [item.id for item in items])):
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
        for start in range(0, len(rows), PAGE):
            self.write(collection, rows[start : start + PAGE])

    def nearest(self, collection: str, vector: Vectors, plan: Plan[str], limit: int) -> Found:
        """Return the nearest items of a plan."""
        found: list[tuple[Row, float]] = []
        for condition in self._conditions(plan):
            found += self.near(collection, vector, f"{self.has(VECTOR)} and {condition}", limit)
        found.sort(key=lambda one: one[1], reverse=True)
        return [(from_plain(json.loads(row["item"])), cosine) for row, cosine in found[:limit]]

    def cosines(self, collection: str, vector: Vectors, ids: Sequence[str]) -> dict[str, float]:
        """Return the cosines of items."""
        near = self.nearest(collection, vector, Plan(None, list(ids)), len(ids))
        return {item.id: cosine for item, cosine in near}

    def _conditions(self, plan: Plan[str]) -> Iterator[str]:
        """Yield the conditions that together ask for a plan: ids in pages."""
        native = plan.native or self.has(tag("id"))
        if plan.ids is None:
            yield native
        for start in range(0, len(plan.ids or ()), PAGE):
            yield f"({native}) and {self.among((plan.ids or [])[start : start + PAGE])}"


def _row(item: MemoryItem, *, has_vector: bool) -> Row:
    own, fields = own_fields(item), fields_of(item)
    tags = {VECTOR} if has_vector else set()
    for name in (*own, *(key for key in item.metadata if key not in own)):
        values = values_of(fields, name)
        tags |= {tag(name)} if values else set()
        tags |= {tag(name, value) for value in values if isinstance(value, str | int | float)}
    row: Row = {"id": item.id, "item": json.dumps(to_plain(item)), "tags": sorted(tags)}
    return row | {name: own[name] or 0 for name in NUMBERS}
