"""Makes history entries: who changed what, when, from what to what, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, fields
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from memdesk.domain.models import Actor, Entity, Episode, Fact, FactKind, FactStatus, HistoryEntry, IdentityLine, new_id

Remembered = Fact | Episode | IdentityLine
R = TypeVar("R", bound=Remembered)

#: Fields whose change is no news to a reader of the history.
_SILENT = frozenset({"id", "seq", "agent_id", "updated_at", "decayed_at", "promoted_at", "use_count", "last_used"})
_TOLD: dict[type, tuple[str, ...]] = {
    kind: tuple(each.name for each in fields(kind) if each.name not in _SILENT)
    for kind in (Fact, Episode, IdentityLine)
}


_KINDS: dict[type, Any] = {Fact: "fact", Episode: "episode", IdentityLine: "identity", Entity: "entity"}


def kind_of(row: Remembered | Entity) -> Any:
    """Return ``fact``, ``episode``, ``identity`` or ``entity``."""
    return _KINDS[type(row)]


def changed_fields(old: Remembered, new: Remembered) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fields in which two states of a row differ, as ``(old, new)`` in JSON's types."""
    left: dict[str, Any] = {}
    right: dict[str, Any] = {}
    for name in _TOLD[type(old)]:
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            left[name], right[name] = _plain(before), _plain(after)
    return left, right


def record(
    row: Remembered | Entity,
    action: str,
    *,
    at: datetime,
    actor: Actor,
    actor_detail: str = "",
    old: dict[str, Any] | None = None,
    new: dict[str, Any] | None = None,
    reason: str = "",
) -> HistoryEntry:
    """Return the entry for one change of ``row``."""
    return HistoryEntry(
        id=new_id(),
        agent_id=row.agent_id or "",
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
    old: Remembered,
    new: Remembered,
    action: str,
    *,
    at: datetime,
    actor: Actor,
    actor_detail: str = "",
    reason: str = "",
) -> HistoryEntry:
    """Return the entry for a row that went from ``old`` to ``new``."""
    before, after = changed_fields(old, new)
    return record(new, action, at=at, actor=actor, actor_detail=actor_detail, old=before, new=after, reason=reason)


def created(row: Remembered, *, actor: Actor, actor_detail: str = "", reason: str = "") -> HistoryEntry:
    """Return the entry for a row that is new."""
    words: dict[str, Any] = {"content": row.summary if isinstance(row, Episode) else row.content}
    if isinstance(row, Fact):
        words |= {"kind": row.kind.value, "tags": list(row.tags)}
    if not isinstance(row, IdentityLine):
        words["salience"] = row.salience
    return record(
        row, "add", at=row.created_at, actor=actor, actor_detail=actor_detail, old=None, new=words, reason=reason
    )


def as_before(row: R, old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that a change of ``row`` from ``old`` to ``new`` left as they still are, with their former values.

    Raises:
        KeyError: it changed something whose words are not in the log (sources, details).
    """
    back = {name: _READ[type(row)][name](value) for name, value in old.items()}
    return {name: value for name, value in back.items() if _plain(getattr(row, name)) == new[name]}


def holds_all(kind: str, old: dict[str, Any]) -> bool:
    """Return whether the log holds all that a change took away, so that it can be brought back."""
    return any(_KINDS[each] == kind and old.keys() <= names.keys() for each, names in _READ.items())


def _moment(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)


def _same(value: Any) -> Any:
    return value


_READ: dict[type, dict[str, Callable[[Any], Any]]] = {
    Fact: {
        **dict.fromkeys(("content", "salience", "confidence", "user_pinned", "provenance", "reason"), _same),
        **dict.fromkeys(("valid_from", "valid_until"), _moment),
        "superseded_by": _same,
        "kind": FactKind,
        "status": FactStatus,
        "tags": tuple,
    },
    Episode: {
        **dict.fromkeys(("summary", "salience", "status"), _same),
        **dict.fromkeys(("topics", "decisions", "action_items"), tuple),
    },
    IdentityLine: dict.fromkeys(("content", "status", "origin", "superseded_by"), _same),
}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return [item if isinstance(item, str) else _member(item) for item in value]
    return value


def _member(item: Any) -> dict[str, Any]:
    """Quotes stay out: a quote is a turn's own text and goes with it, without a search through the log."""
    return {key: _plain(value) for key, value in asdict(item).items() if key not in {"seq", "quote"}}
