"""The semantics of filters, which every store's translation must follow.

A field has values: those of a list, otherwise the one value, or none if it is absent or null. A condition holds
if one of the values meets it. ``eq None`` holds for a field without values; ``ne`` and ``nin`` negate ``eq``
and ``in``. Numbers compare with numbers and texts with texts; other pairs are neither less nor greater.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from memdesk.domain.items.filters import OWN_FIELDS, And, Filter, Not, Or, Where
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.plain import milliseconds
from memdesk.errors import BadRequestError

#: The item's own fields that are times, in milliseconds since 1970.
MOMENTS: Final = frozenset({"created_at", "updated_at", "expires_at"})
Fields: TypeAlias = Mapping[str, Any]
_BELOW: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "gt": lambda value, bound: value > bound,
    "gte": lambda value, bound: value >= bound,
    "lt": lambda value, bound: value < bound,
    "lte": lambda value, bound: value <= bound,
}


def own_fields(item: MemoryItem) -> dict[str, Any]:
    """Return the item's own fields for filters; None if unknown."""
    return {
        "id": item.id,
        "form": item.form,
        "kind": str(item.kind),
        "type": item.type,
        "tier": item.tier,
        "user_id": item.user_id,
        "agent_id": item.agent_id or None,
        "run_id": item.run_id,
        "key": item.key,
        "memory": item.content,
        "status": str(item.status),
        "privacy": item.privacy,
        "created_at": milliseconds(item.created_at),
        "updated_at": milliseconds(item.updated_at),
        "expires_at": None if item.expires_at is None else milliseconds(item.expires_at),
        "salience": item.salience,
    }


def passes(item: MemoryItem, where: Filter | None) -> bool:
    """Return whether an item passes a filter prepared by :func:`settled`."""
    return where is None or holds(fields_of(item), where)


def fields_of(item: MemoryItem) -> Fields:
    return {"metadata": item.metadata, **own_fields(item)}


def settled(where: Filter) -> Filter:
    """Return a filter reduced to the operators that stores translate: ``ne``, ``nin`` and times are written out.

    Left are ``eq``, ``gt``, ``gte``, ``lt``, ``lte``, ``in`` (a list without None), ``contains`` and ``icontains``.

    Raises:
        BadRequestError: a time cannot be parsed.
    """
    if isinstance(where, And | Or):
        return type(where)(tuple(settled(part) for part in where.parts))
    if isinstance(where, Not):
        return Not(settled(where.part))
    if where.operator == "ne":
        return Not(settled(replace(where, operator="eq")))
    if where.operator == "nin":
        return Not(settled(replace(where, operator="in")))
    if where.own and where.field in MOMENTS:
        where = _in_milliseconds(where)
    if where.operator == "in" and None in where.value:
        rest = [value for value in where.value if value is not None]
        return Or((replace(where, value=rest), replace(where, operator="eq", value=None)))
    return where


def values_of(fields: Fields, name: str) -> list[Any]:
    """Return the values of a field; ``metadata`` in ``fields`` has those that are not the item's own."""
    return _values(fields.get(name) if name in OWN_FIELDS else fields["metadata"].get(name))


def _values(found: Any) -> list[Any]:
    if found is None:
        return []
    return [one for one in found if one is not None] if isinstance(found, list | tuple | set) else [found]


def holds(fields: Fields, where: Filter) -> bool:
    """Return whether a filter prepared by :func:`settled` holds for fields."""
    if isinstance(where, And):
        return all(holds(fields, part) for part in where.parts)
    if isinstance(where, Or):
        return any(holds(fields, part) for part in where.parts)
    if isinstance(where, Not):
        return not holds(fields, where.part)
    values = _values((fields if where.own else fields["metadata"]).get(where.field))
    if where.operator == "eq" and where.value is None:
        return not values
    return any(_meets(value, where) for value in values)


def _meets(value: Any, where: Where) -> bool:
    wanted = where.value
    if where.operator == "eq":
        return same(value, wanted)
    if where.operator == "in":
        return any(same(value, one) for one in wanted)
    if where.operator == "contains":
        return isinstance(value, str) and wanted in value
    if where.operator == "icontains":
        return isinstance(value, str) and wanted.lower() in value.lower()
    comparable = (is_number(value) and is_number(wanted)) or (isinstance(value, str) and isinstance(wanted, str))
    return comparable and _BELOW[where.operator](value, wanted)


def same(left: Any, right: Any) -> bool:
    """Whether two values are equal; True is not 1."""
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def is_number(value: Any) -> bool:
    """Whether a value is a number; a boolean is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _in_milliseconds(where: Where) -> Where:
    value = where.value
    if isinstance(value, list):
        return replace(where, value=[_moment(where.field, one) for one in value])
    if where.operator in {"contains", "icontains"}:
        raise BadRequestError(f"{where.field} is a moment; compare it with gt, gte, lt, lte or eq.")
    return replace(where, value=_moment(where.field, value))


def _moment(field: str, value: Any) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    if isinstance(value, datetime):
        return milliseconds(value)
    try:
        read = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        raise BadRequestError(
            f"{field} is compared with an ISO 8601 time or with milliseconds since 1970, not with {value!r}."
        ) from None
    return milliseconds(read if read.tzinfo else read.replace(tzinfo=UTC))
