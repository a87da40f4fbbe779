"""Creates history entries: who changed what, when, from what to what, and why."""

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from enum import StrEnum
from operator import attrgetter
from typing import Any, Literal

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.registry import VIEWS, Called, called, viewed
from memdesk.domain.models import Actor, Entity, FactKind, FactStatus, HistoryEntry, new_id

#: Fields whose changes are not worth logging.
_SILENT = frozenset(
    {
        "id",
        "seq",
        "agent_id",
        "updated_at",
        "decayed_at",
        "promoted_at",
        "use_count",
        "last_used",
        "statement",
        "confirmed_at",
    }
)
#: The log's names of fields, and the row's.
_TOLD: dict[Called, dict[str, str]] = {
    kind: {name: field for name, field in view.items() if name not in _SILENT} for kind, view in VIEWS.items()
}


def kind_of(row: MemoryItem | Entity) -> Literal["fact", "episode", "identity", "entity"]:
    return "entity" if isinstance(row, Entity) else called(row)


def changed_fields(old: MemoryItem, new: MemoryItem) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fields in which two states of a row differ, as ``(old, new)`` as JSON values."""
    left: dict[str, Any] = {}
    right: dict[str, Any] = {}
    for name, field in _TOLD[called(old)].items():
        before, after = map(attrgetter(field), (old, new))
        if before != after:
            left[name], right[name] = as_json(before), as_json(after)
    return left, right


def record(
    row: MemoryItem | Entity,
    action: str,
    *,
    at: datetime,
    actor: Actor,
    actor_detail: str = "",
    old: dict[str, Any] | None = None,
    new: dict[str, Any] | None = None,
    reason: str = "",
) -> HistoryEntry:
    return HistoryEntry(
        id=new_id(),
        agent_id=row.heard_by if isinstance(row, MemoryItem) else row.agent_id,
        kind=kind_of(row),
        ref_id=row.id,
        action=action,
        actor=actor,
        actor_detail=actor_detail,
        old=old,
        new=new,
        reason=reason,
        at=at,
    )


def change(
    old: MemoryItem,
    new: MemoryItem,
    action: str,
    *,
    at: datetime,
    actor: Actor,
    actor_detail: str = "",
    reason: str = "",
) -> HistoryEntry:
    """Return the entry for a row changed from ``old`` to ``new``."""
    before, after = changed_fields(old, new)
    return record(new, action, at=at, actor=actor, actor_detail=actor_detail, old=before, new=after, reason=reason)


def created(row: MemoryItem, *, actor: Actor, actor_detail: str = "", reason: str = "") -> HistoryEntry:
    words: dict[str, Any] = {"content": row.content}
    kind = kind_of(row)
    if kind == "fact":
        words |= {"kind": row.kind.value, "tags": list(row.tags)}
    if kind != "identity":
        words["salience"] = row.salience
    return record(
        row, "add", at=row.created_at, actor=actor, actor_detail=actor_detail, old=None, new=words, reason=reason
    )


def as_before(row: MemoryItem, old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of ``row`` still as changed from ``old`` to ``new``, with their old values.

    Names are the item's own, as ``MemoryItem.with_fields`` takes them.

    Raises:
        KeyError: it changed something not in the log (sources, details).
    """
    told, read = _TOLD[called(row)], _READ[called(row)]
    return {
        _WRITTEN.get(told[name], told[name]): read[name](value)
        for name, value in old.items()
        if as_json(attrgetter(told[name])(row)) == new[name]
    }


def holds_all(kind: str, old: dict[str, Any]) -> bool:
    """Return whether the log has everything a change removed, so that it can be undone."""
    return kind in _READ and old.keys() <= _READ[kind].keys()


def _moment(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)


def _same(value: Any) -> Any:
    return value


#: Fields logged in another form than stored.
_WRITTEN = {"told_by": "origin"}
_ORIGINS: dict[str, Actor] = {"override": "user", "distilled": "distiller"}
_READ: dict[str, dict[str, Callable[[Any], Any]]] = {
    "fact": {
        **dict.fromkeys(
            ("content", "type", "key", "salience", "confidence", "user_pinned", "provenance", "origin", "reason"), _same
        ),
        **dict.fromkeys(("valid_from", "valid_until", "expires_at"), _moment),
        "superseded_by": _same,
        "kind": FactKind,
        "status": FactStatus,
        "tags": tuple,
    },
    "episode": {
        **dict.fromkeys(("summary", "salience"), _same),
        "status": FactStatus,
        **dict.fromkeys(("topics", "decisions", "action_items"), tuple),
    },
    "identity": {"content": _same, "superseded_by": _same, "status": FactStatus, "origin": _ORIGINS.__getitem__},
}


def as_json(value: Any) -> Any:
    """Return a field of a row as a JSON value."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return [item if isinstance(item, str) else _member(item) for item in value]
    return value


def _member(item: Any) -> dict[str, Any]:
    """Quotes stay out: a quote is a turn's own text and goes with it, without a search through the log."""
    if isinstance(item, MemoryItem):
        return {name: as_json(value) for name, value in viewed(item).items() if name != "statement"}
    return {key: as_json(value) for key, value in asdict(item).items() if key not in {"seq", "quote", "statement"}}
