"""Filters as SQL/JSON paths (ISO/IEC 9075-2:2016), which PostgreSQL evaluates over one ``jsonb`` document per item.

In lax mode ``[*]`` unwraps a list and leaves anything else as it is, so both are addressed the same way.
"""

import json
from typing import Any, Final

from memdesk.domain.items.filters import And, Filter, Not, Or, Where
from memdesk.errors import BadRequestError

_SIGNS: Final = {"eq": "==", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}


def path_of(where: Filter) -> str:
    """Return a settled filter as a path predicate over ``{own fields..., "metadata": {...}}``."""
    if isinstance(where, And):
        return _joined(where.parts, " && ", "(1 == 1)")
    if isinstance(where, Or):
        return _joined(where.parts, " || ", "(1 == 0)")
    if isinstance(where, Not):
        return f"!({path_of(where.part)})"
    return _condition(where)


def _joined(parts: tuple[Filter, ...], sign: str, empty: str) -> str:
    return sign.join(f"({path_of(part)})" for part in parts) or empty


def _condition(where: Where) -> str:
    field = f"$.{_text(where.field)}" if where.own else f'$."metadata".{_text(where.field)}'
    if where.operator == "eq" and where.value is None:
        return f"!(exists({field}[*] ? (@ != null)))"
    return f"exists({field}[*] ? ({_test(where)}))"


def _test(where: Where) -> str:
    if where.operator == "in":
        return " || ".join(f"@ == {_literal(value)}" for value in where.value) or "1 == 0"
    if where.operator == "contains":
        return f'@ like_regex {_text(where.value)} flag "q"' if where.value else '@.type() == "string"'
    if where.operator == "icontains":
        return f'@ like_regex {_text(where.value)} flag "iq"' if where.value else '@.type() == "string"'
    if where.operator != "eq" and (where.value is None or isinstance(where.value, bool)):
        return "1 == 0"  # PostgreSQL would order these, too.
    return f"@ {_SIGNS[where.operator]} {_literal(where.value)}"


def _literal(value: Any) -> str:
    if value is not None and not isinstance(value, str | int | float | bool):
        raise BadRequestError(f"PostgreSQL cannot compare a field with {value!r}.")
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _text(value: str) -> str:
    if "\x00" in value:
        raise BadRequestError("A filter cannot hold a NUL character.")
    return json.dumps(value, ensure_ascii=False)
