"""Changes of remembered things as small JSON objects: what a run stores, checks and undoes."""

from collections.abc import Iterable
from datetime import datetime
from operator import attrgetter
from typing import Any

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.registry import EPISODE, FACT
from memdesk.domain.language.text import content_hash
from memdesk.domain.models import FactKind, FactStatus

_MOMENTS = frozenset(
    {
        "created_at", "updated_at", "decayed_at", "promoted_at", "last_used",
        "valid_from", "valid_until", "expires_at", "confirmed_at", "started_at", "ended_at",
    }
)  # fmt: skip
#: Stored as the ids of their members, and lists of words as hashes: the text stays in the rows, so that a diff
#: contains none that would have to be forgotten.
_MEMBERS = {"sources": "turn_id", "details": "id"}
_LISTS = frozenset({"tags", "topics", "entities", "decisions", "action_items"})
_COUNTS = frozenset({"source_count", "use_count"})
_UNTOLD = frozenset({"id", "seq", "agent_id", "statement"})
_FACT, _EPISODE = ({name: field for name, field in view.items() if name not in _UNTOLD} for view in (FACT, EPISODE))
_MARKS = frozenset({"updated_at", "decayed_at", "promoted_at", "confirmed_at"})


def _names(row: MemoryItem) -> dict[str, str]:
    return _FACT if row.digest is None else _EPISODE


def diff(old: MemoryItem, new: MemoryItem) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the differing fields of two states of a row, as ``(before, after)`` in JSON's types."""
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    for name in _names(old):
        left, right = _held(old, name), _held(new, name)
        if left != right:
            before[name], after[name] = _encode(name, left), _encode(name, right)
    return before, after


def matches(row: MemoryItem, values: dict[str, Any]) -> bool:
    """Return whether a row's fields have these values."""
    return all(_encode(name, _held(row, name)) == value for name, value in values.items())


def taken_back(row: MemoryItem, before: dict[str, Any], after: dict[str, Any]) -> MemoryItem:
    """Return ``row`` without the change from ``before`` to ``after``, whatever has happened to it since.

    Plain fields are restored unless something changed them since. Lists lose what the
    change added. Counts are reduced by what the change added, so that uses counted since are kept.
    """
    back: dict[str, Any] = {}
    for name, old in before.items():
        new, field, held = after[name], _names(row)[name], _held(row, name)
        if name in _MEMBERS or name in _LISTS:
            back[field] = _without_added(row, name, old, new)
        elif name in _COUNTS:
            back[field] = max(0, held - (new - old))
        elif _encode(name, held) == new:
            back[field] = _decode(name, old)
    return row.with_fields(back)


def changed_since(row: MemoryItem, after: dict[str, Any]) -> list[str]:
    """Return the fields that have changed since, so that an undo leaves them alone.

    Lists and counts are not among them: they lose what the change added and keep the rest. Nor are
    timestamps, which only follow from the others.
    """
    plain = after.keys() - _MEMBERS.keys() - _LISTS - _COUNTS - _MARKS
    return sorted(name for name in plain if _encode(name, _held(row, name)) != after[name])


def _without_added(row: MemoryItem, name: str, old: list[Any], new: list[Any]) -> tuple[Any, ...]:
    added = set(new) - set(old)
    held = _held(row, name)
    if name in _MEMBERS:
        return tuple(member for member in held if getattr(member, _MEMBERS[name]) not in added)
    return tuple(item for item in held if content_hash(item) not in added)


def written(row: MemoryItem, names: Iterable[str]) -> set[str]:
    """Return the fields of a row that a diff of these names writes."""
    return {_names(row)[name] for name in names}


def _held(row: MemoryItem, name: str) -> Any:
    return attrgetter(_names(row)[name])(row)


def moment(when: datetime | None) -> str | None:
    return None if when is None else when.isoformat()


def _encode(name: str, value: Any) -> Any:
    if name in _MEMBERS:
        return [getattr(member, _MEMBERS[name]) for member in value]
    if name in _LISTS:
        return [content_hash(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (FactKind, FactStatus)):
        return value.value
    return value


def _decode(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in _MOMENTS:
        return datetime.fromisoformat(value)
    if name == "kind":
        return FactKind(value)
    if name == "status":
        return FactStatus(value)
    return value
