"""Converts items to JSON values and back, for stores that keep documents."""

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, Final

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.statement import Statement
from memdesk.domain.models import FactKind, FactSource, FactStatus

_MOMENTS: Final = frozenset(
    {"decayed_at", "promoted_at", "last_used", "valid_from", "valid_until", "confirmed_at", "expires_at", "created_at",
     "updated_at"}
)  # fmt: skip
#: Episodes exist only in the desktop's own memory.
_NAMES: Final = tuple(one.name for one in fields(MemoryItem) if one.name != "digest")


def milliseconds(moment: datetime) -> int:
    """Return a time as integer milliseconds since 1970, UTC; one without a zone is taken as UTC."""
    known = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return round(known.timestamp() * 1000)


def moment(value: int) -> datetime:
    """Return the time of :func:`milliseconds`."""
    return datetime.fromtimestamp(value / 1000, UTC)


def to_plain(item: MemoryItem) -> dict[str, Any]:
    """Return an item as JSON values; times are milliseconds, empty fields are left out."""
    found: dict[str, Any] = {}
    for name in _NAMES:
        value = getattr(item, name)
        if value is None or (isinstance(value, tuple | dict) and not value) or (name == "agent_id" and not value):
            continue
        if name in _MOMENTS:
            value = milliseconds(value)
        elif name == "statement":
            value = value.plain()
        elif name == "sources":
            value = [[source.turn_id, source.quote] for source in value]
        elif name == "tags":
            value = list(value)
        found[name] = value
    return found


def from_plain(found: dict[str, Any]) -> MemoryItem:
    """Return the item that :func:`to_plain` described; unknown names are ignored.

    Raises:
        KeyError, TypeError, ValueError: it describes no item.
    """
    values = {name: found[name] for name in _NAMES if name in found}
    for name in _MOMENTS & values.keys():
        values[name] = moment(values[name])
    if "statement" in values:
        values["statement"] = Statement.from_plain(values["statement"])
    if "sources" in values:
        values["sources"] = tuple(FactSource(turn_id=turn, quote=quote) for turn, quote in values["sources"])
    if "tags" in values:
        values["tags"] = tuple(values["tags"])
    for name, kind in (("kind", FactKind), ("status", FactStatus)):
        if name in values:
            values[name] = kind(values[name])
    return MemoryItem(**values)
