"""Validates and applies edits of remembered items."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, Literal, get_args

from memdesk.domain.comparing.comparison import quote_carries
from memdesk.domain.items.item import ItemType, MemoryItem, type_of
from memdesk.domain.items.registry import view_of
from memdesk.domain.items.statement import Statement
from memdesk.domain.language.text import one_line
from memdesk.domain.models import Actor, FactKind, FactStatus
from memdesk.errors import BadRequestError, ConflictError
from memdesk.messages import say
from memdesk.ports import Repositories
from memdesk.services import journal
from memdesk.services.distilling import rename
from memdesk.services.remembering.undo import Edit

#: A fact is one statement; more is a document.
MAX_CHARS: Final = 2000
MAX_TAGS: Final = 32
#: Maximum length of an item's upsert key.
MAX_KEY: Final = 200

Check = Callable[[str, Any], Any]


def check_text(text: Any, what: str, *, limit: int = MAX_CHARS) -> str:
    """Return ``text`` on one line.

    Raises:
        BadRequestError: not a text, empty, or longer than ``limit`` characters.
    """
    flat = one_line(text) if isinstance(text, str) else ""
    if not 1 <= len(flat) <= limit:
        raise BadRequestError(say("{what} must have 1 to {n:,} characters.", what=what, n=limit))
    return flat


def _text(name: str, value: Any) -> str:
    return check_text(value, f"The {name}")


def _salience(_name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= 1.0:
        raise BadRequestError(say("Salience must be between 0 and 1."))
    return float(value)


def _kind(_name: str, value: Any) -> FactKind:
    try:
        return FactKind(value)
    except ValueError:
        raise BadRequestError(
            say("There is no kind “{value}”.", value=value), hint=say("Use one of: {join}.", join=", ".join(FactKind))
        ) from None


def _type(_name: str, value: Any) -> ItemType:
    known: tuple[ItemType, ...] = get_args(ItemType)
    if value not in known:
        raise BadRequestError(
            say("There is no type “{value}”.", value=value), hint=say("Use one of: {join}.", join=", ".join(known))
        )
    return known[known.index(value)]


def check_key(value: Any) -> str:
    """Return an item's upsert key; empty for none.

    Raises:
        BadRequestError: not a text, or too long.
    """
    if not isinstance(value, str) or len(value) > MAX_KEY:
        raise BadRequestError(say("A key can have at most {n} characters.", n=MAX_KEY))
    return value


def check_free(repos: Repositories, item: MemoryItem) -> None:
    """Refuse a key that another item of the same scope has.

    Raises:
        ConflictError: another item has it.
    """
    if not item.key:
        return
    known = repos.items.keyed(item.key, user_id=item.user_id, agent_id=item.agent_id or None, run_id=item.run_id)
    if known is not None and known.id != item.id:
        raise ConflictError(say("Another item of this scope has the key."))


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence) or not all(isinstance(item, str) for item in value):
        raise BadRequestError(say("{name} must be a list of strings.", name=name))
    found = tuple(dict.fromkeys(flat for item in value if (flat := one_line(item))))
    if len(found) > MAX_TAGS or any(len(item) > MAX_CHARS for item in found):
        raise BadRequestError(
            say("{name} can have at most {value} entries of {n:,} characters.", name=name, value=MAX_TAGS, n=MAX_CHARS)
        )
    return found


def _moment(name: str, value: Any) -> datetime | None:
    if value is not None and (not isinstance(value, datetime) or value.tzinfo is None):
        raise BadRequestError(say("{name} must be a date and time with an offset.", name=name))
    return value


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise BadRequestError(say("{name} must be true or false.", name=name))
    return value


def _fact_status(_name: str, value: Any) -> FactStatus:
    if value not in {FactStatus.ACTIVE, FactStatus.DISABLED}:
        raise BadRequestError(say("A fact can be set to active or disabled."))
    return FactStatus(value)


def _status(_name: str, value: Any) -> FactStatus:
    if value not in {"active", "disabled"}:
        raise BadRequestError(say("The status must be active or disabled."))
    return FactStatus(value)


_CHECKS: Final[dict[str, dict[str, Check]]] = {
    "fact": {
        "content": _text,
        "kind": _kind,
        "type": _type,
        "key": lambda _name, value: check_key(value),
        "tags": _texts,
        "add_tags": _texts,
        "remove_tags": _texts,
        "salience": _salience,
        "valid_from": _moment,
        "valid_until": _moment,
        "expires_at": _moment,
        "user_pinned": _flag,
        "status": _fact_status,
    },
    "episode": {
        "summary": _text,
        "topics": _texts,
        "decisions": _texts,
        "action_items": _texts,
        "salience": _salience,
        "status": _status,
    },
    "identity": {"content": _text, "status": _status},
}


def check_changes(changes: dict[str, Any], *, of: Literal["fact", "episode", "identity"] = "fact") -> dict[str, Any]:
    """Return changes converted to the rows' types.

    Raises:
        BadRequestError: an unknown field, a value out of bounds, or a period that ends before it begins.
    """
    known = _CHECKS[of]
    unknown = sorted(set(changes) - set(known))
    if unknown:
        raise BadRequestError(
            say("There is no field {join} to change.", join=", ".join(unknown)),
            hint=say("Use one of: {join}.", join=", ".join(known)),
        )
    values = {name: known[name](name, value) for name, value in changes.items()}
    start, end = values.get("valid_from"), values.get("valid_until")
    if start is not None and end is not None and end < start:
        raise BadRequestError(say("A fact cannot end before it begins."))
    return values


def with_changes(row: MemoryItem, values: dict[str, Any], now: datetime, *, actor: Actor = "user") -> MemoryItem:
    """Return ``row`` with checked ``values``; updates ``updated_at`` and the ageing mark if anything changed.

    Newly set salience, and rows no longer disabled or pinned, age only from now on.
    """
    view = view_of(row)
    plain: dict[str, Any] = {view[name]: value for name, value in values.items() if name in view}
    if "add_tags" in values or "remove_tags" in values:
        tags = dict.fromkeys((*plain.get("tags", row.tags), *values.get("add_tags", ())))
        plain["tags"] = tuple(tag for tag in tags if tag not in values.get("remove_tags", ()))
    if row.digest is None and plain.get("status") is FactStatus.ACTIVE and row.superseded_by:
        # It is in force again: it has no successor, and its period is not over.
        plain = {"superseded_by": None, "valid_until": None, "reason": "", **plain}
    new = row.with_fields(plain)
    if new == row:
        return row
    if new.valid_from and new.valid_until and new.valid_until < new.valid_from:
        raise BadRequestError(say("A fact cannot end before it begins."))
    if row.digest is None and new.content != row.content:
        # This text has not been parsed yet.
        new = replace(new, provenance="user", confidence=1.0, statement=None)
        if actor == "user":
            # Corrected by hand, it now belongs to the user.
            new = replace(new, origin="user")
    unpinned = row.user_pinned and not new.user_pinned
    ages_afresh = new.salience != row.salience or new.status != row.status or unpinned
    return replace(new, updated_at=now, decayed_at=now) if ages_afresh else replace(new, updated_at=now)


def reworded(fact: MemoryItem, old: MemoryItem, statement: Statement | None) -> MemoryItem:
    """Return an edited fact with its new statement, and the sources that still support it."""
    if fact.content == old.content:
        return fact
    kept = tuple(source for source in fact.sources if quote_carries(source.quote, statement))
    # A derived type is derived again; one that was set stays.
    read = fact.type == old.type == type_of(old.statement)
    return replace(
        fact,
        statement=statement,
        type=type_of(statement) if read else fact.type,
        sources=kept if statement is not None else fact.sources,
    )


def restore(repos: Repositories, edits: Sequence[Edit], now: datetime) -> list[MemoryItem]:
    """Restore facts field by field, where a field is still as the change left it; return the restored ones."""
    done: list[MemoryItem] = []
    current = {fact.id: fact for fact in repos.items.many([edit.fact_id for edit in edits])}
    for edit in edits:
        row = current.get(edit.fact_id)
        if row is None:
            continue
        same = {name: edit.before[name] for name, value in edit.after.items() if getattr(row, name) == value}
        if not same.keys() - {"updated_at"}:
            continue
        back = replace(row, **same)
        repos.items.change(back, same.keys())
        rename(repos, [(row, back)], now)
        repos.history.add([journal.change(row, back, "undo", at=now, actor="user")])
        done.append(back)
    return done
