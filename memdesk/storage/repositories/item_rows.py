"""Items as rows, and back."""

from __future__ import annotations

from typing import Any, Final

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import FactKind, FactSource, FactStatus
from memdesk.messages import recalled, stored
from memdesk.storage.connection import Connection
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.statements import COLUMNS as STATEMENT
from memdesk.storage.repositories.statements import statement_of, statement_values
from memdesk.storage.values import (
    clean,
    from_json,
    from_ms,
    from_ms_or_none,
    ids,
    strings,
    to_json,
    to_ms,
    to_ms_or_none,
)

_Q: Any = load("items")
_MOMENTS: Final = (
    "decayed_at", "promoted_at", "last_used", "valid_from", "valid_until", "confirmed_at", "expires_at",
)  # fmt: skip
_PLAIN: Final = (
    "id", "form", "tier", "type", "user_id", "source_agent_id", "run_id", "key", "privacy", "salience", "confidence",
    "source_count", "use_count", "origin", "provenance", "superseded_by", "parent_id",
)  # fmt: skip
COLUMNS: Final = (
    *_PLAIN, *_MOMENTS, "agent_id", "kind", "content", "tags", "metadata", "status", "reason", "user_pinned", "created_at",
    "updated_at", *STATEMENT,
)  # fmt: skip
#: What is read of a row: everything but what full text alone needs.
_READ: Final = ("seq", *COLUMNS, "started_at")
SELECTED: Final = ", ".join(f"i.{name}" for name in _READ)


def item_of(row: Row, sources: tuple[FactSource, ...] = ()) -> MemoryItem:
    """Return the item in the columns of :data:`SELECTED`."""
    found = dict(zip(_READ, row, strict=True))
    values = {name: found[name] for name in ("seq", *_PLAIN)}
    values |= {name: from_ms_or_none(found[name]) for name in _MOMENTS}
    if found["started_at"] is not None:
        # What an episode tells of begins with its session.
        values["valid_from"] = from_ms(found["started_at"])
    return MemoryItem(
        **values,
        agent_id=found["agent_id"] or "",
        kind=FactKind(found["kind"]),
        content=found["content"],
        statement=statement_of(row[-len(STATEMENT) - 1 : -1]),
        metadata={} if found["metadata"] == "{}" else from_json(found["metadata"]),
        tags=strings(found["tags"]),
        status=FactStatus(found["status"]),
        reason=recalled(found["reason"]),
        user_pinned=bool(found["user_pinned"]),
        sources=sources,
        created_at=from_ms(found["created_at"]),
        updated_at=from_ms(found["updated_at"]),
    )


def items_of(conn: Connection, rows: list[Row]) -> list[MemoryItem]:
    """Return the items in rows of :data:`SELECTED`, with their sources."""
    if not rows:
        return []
    sources: dict[int, list[FactSource]] = {}
    for seq, turn_id, quote in _Q.sources(conn, seqs=ids(row[0] for row in rows)):
        sources.setdefault(seq, []).append(FactSource(turn_id=turn_id, quote=quote))
    return [item_of(row, tuple(sources.get(row[0], ()))) for row in rows]


def values_of(item: MemoryItem) -> dict[str, Any]:
    """Return an item's columns."""
    values = {name: getattr(item, name) for name in _PLAIN}
    values = {name: clean(value) if isinstance(value, str) else value for name, value in values.items()}
    values |= {name: to_ms_or_none(getattr(item, name)) for name in _MOMENTS}
    return values | {
        "agent_id": item.agent_id or None,
        "kind": str(item.kind),
        "content": clean(item.content),
        "tags": clean(to_json(item.tags)),
        "metadata": clean(to_json(item.metadata)),
        "status": str(item.status),
        "reason": clean(stored(item.reason)),
        "user_pinned": int(item.user_pinned),
        "created_at": to_ms(item.created_at),
        "updated_at": to_ms(item.updated_at),
        **statement_values(item.statement),
    }


def columns_of(names: set[str]) -> set[str]:
    """Return the columns of an item's fields."""
    found = names - {"sources"}
    return (found - {"statement"}) | {*STATEMENT} if "statement" in found else found
