"""Filters over items: one expression that every store translates into its own language.

Source of the operators: the specification of the Python library; mem0 uses the same names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final, Literal, TypeAlias, get_args

from memdesk.errors import BadRequestError

Operator = Literal["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "icontains"]
OPERATORS: Final[tuple[str, ...]] = get_args(Operator)
#: Fields of an item itself; every other field is a key of its metadata.
OWN_FIELDS: Final = frozenset(
    {"id", "form", "kind", "type", "tier", "user_id", "agent_id", "run_id", "key", "memory", "status", "privacy",
     "created_at", "updated_at", "expires_at", "salience"}
)  # fmt: skip
#: Matches any value, as in mem0; ``{"tag": {"eq": "*"}}`` means the character itself.
ANYTHING: Final = "*"
#: Deepest nesting accepted.
MAX_DEPTH: Final = 12


@dataclass(frozen=True, slots=True)
class Where:
    """``field operator value``. ``in`` and ``nin`` take a list, the others one value; ``eq`` and ``ne`` take None too.

    ``of_metadata``: a key of the metadata is meant, even if the item has a field of that name.
    """

    field: str
    operator: Operator
    value: Any
    of_metadata: bool = False

    @property
    def own(self) -> bool:
        """Whether a field of the item itself is meant."""
        return self.field in OWN_FIELDS and not self.of_metadata


@dataclass(frozen=True, slots=True)
class And:
    """All of these match; with none, everything passes."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one of these matches; with none, nothing passes."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """This does not match. An item without the field does not match its inner condition, and so passes."""

    part: Filter


Filter: TypeAlias = "Where | And | Or | Not"


#: Larger integers fit no database.
LARGEST: Final = 2**63 - 1


def parse(given: Any) -> Filter | None:
    """Parse a filter as callers write it; None if nothing is restricted.

    Accepted are ``{"tag": "work"}`` (equality, all keys must match), ``{"tag": "*"}`` (any value),
    ``{"tag": {"in": [...]}}``, ``{"field": ..., "operator": ..., "value": ...}``, lists of these (all must match), and
    ``AND``, ``OR``, ``NOT`` (none of a list may match) nested.

    Raises:
        BadRequestError: the shape or an operator is unknown; the text says what was expected.
    """
    found = _parse(given, 0)
    return None if found == And(()) else found


def of_metadata(where: Filter, fields: Collection[str]) -> Filter:
    """Return a filter in which every name except the item's own ``fields`` means metadata."""
    if isinstance(where, And | Or):
        return type(where)(tuple(of_metadata(part, fields) for part in where.parts))
    if isinstance(where, Not):
        return Not(of_metadata(where.part, fields))
    return replace(where, of_metadata=where.own and where.field not in fields)


def _parse(given: Any, depth: int) -> Filter:
    if depth > MAX_DEPTH:
        raise BadRequestError(f"A filter may be nested {MAX_DEPTH} levels deep at most.")
    if given is None:
        return And(())
    if isinstance(given, list | tuple):
        return _all(_parse(one, depth + 1) for one in given)
    if not isinstance(given, Mapping):
        raise BadRequestError(
            f"A filter is an object such as {{'tag': 'work'}} or {{'AND': [...]}}, not {type(given).__name__}."
        )
    if {"field", "operator"} <= given.keys():
        return _where(given["field"], given["operator"], given.get("value"))
    return _all(_entry(str(name), value, depth) for name, value in given.items())


def _entry(name: str, value: Any, depth: int) -> Filter:
    upper = name.upper()
    if upper in {"AND", "OR"}:
        if not isinstance(value, list | tuple):
            raise BadRequestError(f"{upper} takes a list of filters.")
        parts = tuple(_parse(one, depth + 1) for one in value)
        return _all(parts) if upper == "AND" else Or(parts)
    if upper == "NOT":
        return Not(_any(_parse(one, depth + 1) for one in (value if isinstance(value, list | tuple) else [value])))
    if isinstance(value, Mapping):
        return _all(_where(name, operator, wanted) for operator, wanted in value.items())
    if isinstance(value, list | tuple):
        return _where(name, "in", value)
    return _where(name, "ne", None) if value == ANYTHING else _where(name, "eq", value)


def _any(parts: Iterable[Filter]) -> Filter:
    each = tuple(parts)
    return each[0] if len(each) == 1 else Or(each)


def _all(parts: Iterable[Filter]) -> Filter:
    flat = tuple(one for part in parts for one in (part.parts if isinstance(part, And) else (part,)))
    return flat[0] if len(flat) == 1 else And(flat)


def _where(field: Any, operator: Any, value: Any) -> Where:
    if not isinstance(field, str) or not field:
        raise BadRequestError("A filter names its field by a text that is not empty.")
    if operator not in OPERATORS:
        raise BadRequestError(f"Unknown operator {operator!r}; expected one of {', '.join(OPERATORS)}.")
    if operator in {"in", "nin"}:
        if not isinstance(value, list | tuple | set | frozenset):
            raise BadRequestError(f"{operator} takes a list of values.")
        value = [_as_kept(one) for one in value]
    elif isinstance(value, Mapping | list | tuple):
        raise BadRequestError(f"{operator} takes one value, not {type(value).__name__}.")
    if any(isinstance(each, int) and abs(each) > LARGEST for each in (value if isinstance(value, list) else (value,))):
        raise BadRequestError("A number in a filter is larger than any that is kept.")
    if operator in {"contains", "icontains"} and not isinstance(value, str):
        raise BadRequestError(f"{operator} takes a text.")
    return Where(field, operator, _as_kept(value))


def _as_kept(value: Any) -> Any:
    """Return a value as metadata stores it: times are ISO 8601."""
    return value.isoformat() if isinstance(value, date) else value
