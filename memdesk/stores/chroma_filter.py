"""Filters in Chroma's ``where``.

Chroma has no "not", knows no absent keys and treats a list otherwise than a value. So denials are pushed down to the
conditions, each row lists the keys it has, and a condition asks for a value or for a list that holds it.
"""

from __future__ import annotations

from typing import Any, Final

from memdesk.domain.items.filters import OWN_FIELDS, And, Filter, Not, Where
from memdesk.domain.items.matching import is_number
from memdesk.stores.foreign import UnsayableError

#: The list of keys that a row has, and the one that says that it has a vector.
HAS: Final = "has"
VECTOR: Final = "vector"
#: What every row meets, and what none does.
_EVERY: Final = {HAS: {"$contains": "id"}}
_NONE: Final = {HAS: {"$not_contains": "id"}}
_DENIED: Final = {"$eq": "$ne", "$contains": "$not_contains"}


def key_of(field: str) -> str:
    """Return the key of a field; those of the caller's metadata have a prefix."""
    return field if field in OWN_FIELDS else f"m.{field}"


def limits_of(key: str) -> tuple[str, str]:
    """Return the keys of the least and the largest number of a list."""
    return f"min.{key}", f"max.{key}"


def translate(where: Filter) -> dict[str, Any]:
    """Return a settled filter as Chroma's ``where``.

    Raises:
        UnsayableError: a part of it has no words there.
    """
    return _say(where, holds=True)


def _say(where: Filter, *, holds: bool) -> dict[str, Any]:
    if isinstance(where, Not):
        return _say(where.part, holds=not holds)
    if isinstance(where, Where):
        return _condition(where, holds=holds)
    every = isinstance(where, And) == holds
    parts = [_say(part, holds=holds) for part in where.parts]
    if not parts:
        return _EVERY if every else _NONE
    return _joined("$and" if every else "$or", parts)


def _joined(sign: str, parts: list[dict[str, Any]]) -> dict[str, Any]:
    return parts[0] if len(parts) == 1 else {sign: parts}


def _condition(where: Where, *, holds: bool) -> dict[str, Any]:
    key = key_of(where.field)
    if where.operator == "eq" and where.value is None:
        return {HAS: {"$not_contains" if holds else "$contains": key}}
    if where.operator == "eq":
        return _equal(key, where.value, holds=holds)
    if where.operator == "in":
        parts = [_equal(key, value, holds=holds) for value in where.value]
        return _joined("$or" if holds else "$and", parts) if parts else (_NONE if holds else _EVERY)
    if where.operator == "contains" and where.field == "memory" and where.value:
        return {"#document": {"$contains" if holds else "$not_contains": where.value}}
    if where.operator in {"gt", "gte", "lt", "lte"} and is_number(where.value) and holds:
        least, most = limits_of(key)
        bound = {f"${where.operator}": where.value}
        return {"$or": [{key: bound}, {most if where.operator.startswith("g") else least: bound}]}
    raise UnsayableError(where.operator)


def _equal(key: str, value: Any, *, holds: bool) -> dict[str, Any]:
    if not isinstance(value, str | int | float):
        raise UnsayableError("eq")
    parts = [{key: {"$eq": value}}, {key: {"$contains": value}}]
    if holds:
        return {"$or": parts}
    return {"$and": [{key: {_DENIED[sign]: wanted}} for part in parts for sign, wanted in part[key].items()]}
