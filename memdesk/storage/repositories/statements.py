"""Statements as columns of items, and back."""

from __future__ import annotations

from typing import Any, Final

from memdesk.domain.items.statement import Statement
from memdesk.storage.queries import Row
from memdesk.storage.values import clean, from_json, to_json

#: In the order of the table.
COLUMNS: Final = (
    "subject", "predicate", "object", "attribute", "holds", "ended", "modality", "tense", "qualifiers", "speaker",
    "said_at", "quote", "language", "replaces",
)  # fmt: skip
_FLAGS: Final = {"holds", "ended"}


def statement_values(statement: Statement | None) -> dict[str, Any]:
    """Return the columns; all NULL where nothing was read."""
    if statement is None:
        return dict.fromkeys(COLUMNS)
    plain = statement.plain()
    values: dict[str, Any] = {name: plain.get(name, "") for name in COLUMNS}
    values |= {name: int(plain[name]) for name in _FLAGS}
    values["qualifiers"] = to_json(plain.get("qualifiers", {}))
    values["said_at"] = plain.get("said_at")
    return {name: clean(value) if isinstance(value, str) else value for name, value in values.items()}


def statement_of(columns: Row) -> Statement | None:
    """Return the statement in these columns, None where there is none."""
    if columns[0] is None:
        return None
    found = dict(zip(COLUMNS, columns, strict=True))
    found["qualifiers"] = from_json(found["qualifiers"])
    found |= {name: bool(found[name]) for name in _FLAGS}
    return Statement.from_plain(found)
