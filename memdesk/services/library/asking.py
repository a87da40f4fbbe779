"""Validates what callers pass: messages, scopes, times."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, cast

from memdesk.domain.decoding import UndecodableError, clean, decode
from memdesk.ports.item_store import Scope
from memdesk.ports.library import Message
from memdesk.services.library.errors import InvalidInputError, ScopeError

NO_SCOPE: Final = "At least one of user_id, agent_id, or run_id must be provided"
ROLES: Final = frozenset({"system", "user", "assistant"})
#: Roles of messages from neither a person nor a model.
_SILENT: Final = frozenset({"tool", "function", "developer"})
#: Passed as a memory's expiration to remove it.
NEVER: Final = "never"
#: The arguments that say whose memory is meant.
SCOPE: Final = ("user_id", "agent_id", "run_id")
#: Filter names for a memory's own fields; every other name is a metadata key.
FIELDS: Final = frozenset({*SCOPE, "memory", "created_at", "updated_at", "expires_at"})
#: Maximum length of a memory, in characters.
MAX_TEXT: Final = 50_000
#: Maximum results of one call.
MAX_LIMIT: Final = 10_000


def scope_of(user_id: Any, agent_id: Any, run_id: Any) -> Scope:
    """Return the scope of a call; ids are trimmed and converted to text.

    Raises:
        ScopeError: none is given, or one is blank.
    """
    given = {"user_id": user_id, "agent_id": agent_id, "run_id": run_id}
    ids = {name: clean(str(value)).strip() for name, value in given.items() if value is not None}
    for name, value in ids.items():
        if not value:
            raise ScopeError(f"{name} is empty. {NO_SCOPE}.")
    if not ids:
        raise ScopeError(f"{NO_SCOPE}.")
    return Scope(**ids)


def messages_of(given: Any) -> list[Message]:
    """Return messages; a text is one by the user.

    Raises:
        InvalidInputError: it is neither a text, a message, nor a list of messages.
    """
    if isinstance(given, str):
        return [Message("user", clean(given))]
    if isinstance(given, Mapping):
        given = [given]
    if not isinstance(given, Sequence) or isinstance(given, bytes):
        raise InvalidInputError("messages must be a string, or a list of {role, content}.")
    return [_message(one) for one in given]


def _message(given: Any) -> Message:
    if isinstance(given, str):
        return Message("user", clean(given))
    if not isinstance(given, Mapping) or given.get("role") not in ROLES:
        raise InvalidInputError("A message must be {role, content} with a role of system, user or assistant.")
    return Message(cast("Any", given["role"]), _text_of(given.get("content")))


def _text_of(content: Any) -> str:
    """Return a message's text; if it has parts, those that are texts."""
    if isinstance(content, str):
        return clean(content)
    if isinstance(content, Sequence) and not isinstance(content, bytes):
        parts = [part.get("text") if isinstance(part, Mapping) else part for part in content]
        return clean("\n".join(part for part in parts if isinstance(part, str)))
    raise InvalidInputError("The content of a message must be a string, or a list of parts with text.")


def text_of(given: Any) -> str:
    """Return the text of a memory.

    Raises:
        InvalidInputError: it is empty or too long.
    """
    if not isinstance(given, str) or not given.strip():
        raise InvalidInputError("The text of a memory must not be empty.")
    return check_length(clean(given).strip())


def check_length(text: str) -> str:
    """Return a text if it fits in one memory.

    Raises:
        InvalidInputError: it is too long.
    """
    if len(text) > MAX_TEXT:
        raise InvalidInputError(f"A memory can hold {MAX_TEXT:,} characters at most.")
    return text


def metadata_of(given: Any) -> dict[str, Any]:
    """Return metadata as stores keep it: a copy in JSON types, times as ISO 8601.

    Raises:
        InvalidInputError: it is not an object, or contains something that JSON cannot represent.
    """
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise InvalidInputError("metadata must be an object.")
    try:
        found: dict[str, Any] = decode(json_of("metadata", given))
    except UndecodableError as error:
        raise InvalidInputError(f"metadata cannot be kept: {error}.") from error
    return found


def json_of(name: str, given: Any) -> str:
    """Return a value as JSON, times as ISO 8601.

    Raises:
        InvalidInputError: JSON cannot represent it.
    """
    try:
        return _JSON.encode(given)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(f"{name} holds what JSON can say: {error}.") from error


def _moment_text(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"a {type(value).__name__} is none of it")


_JSON: Final = json.JSONEncoder(allow_nan=False, default=_moment_text)


def limit_of(given: Any) -> int:
    """Return how many results are wanted.

    Raises:
        InvalidInputError: it is not a number from 0 to ``MAX_LIMIT``.
    """
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given <= MAX_LIMIT:
        raise InvalidInputError(f"limit is a number from 0 to {MAX_LIMIT:,}.")
    return given


def check_offset(given: Any) -> None:
    """Check an offset. Raises ``InvalidInputError`` unless it is a number from 0 on."""
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given < 2**63:
        raise InvalidInputError("offset must be a number, 0 or more.")


def moment_of(given: Any) -> datetime | None:
    """Return a time given as a datetime, ISO 8601 or seconds since 1970; without a zone it is UTC.

    Raises:
        InvalidInputError: it cannot be read.
    """
    if given is None:
        return None
    try:
        if isinstance(given, int | float) and not isinstance(given, bool):
            return datetime.fromtimestamp(given, UTC)
        found = given if isinstance(given, datetime) else datetime.fromisoformat(given)
    except (TypeError, ValueError, OverflowError, OSError) as error:
        raise InvalidInputError(f"{given!r} is not a date and time; use ISO 8601.") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def scope_in(filters: Any, scope: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    """Separate the scope from the filters, for clients that put it there, as mem0 2 does.

    Only equality at the top, or in an AND at the top, says whose memory is meant.
    """
    if not isinstance(filters, dict):
        return scope, filters
    found, rest = dict(scope), dict(filters)
    both = rest.pop("AND", None)
    kept = []
    for part in both if isinstance(both, list) else []:
        if isinstance(part, dict) and len(part) == 1 and next(iter(part)) in SCOPE and _is_id(*part.values()):
            name, value = next(iter(part.items()))
            found[name] = found.get(name) or value
        else:
            kept.append(part)
    for name in SCOPE:
        if _is_id(rest.get(name)):
            found[name] = found.get(name) or rest.pop(name)
    if both is not None and not isinstance(both, list):
        rest["AND"] = both
    elif kept:
        rest["AND"] = kept
    return found, rest or None


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and value != "*"


def spoken(messages: Any) -> Any:
    """Return mem0's messages, which may be whole transcripts, without tool calls and their results."""
    if not isinstance(messages, list):
        return messages
    return [
        one
        for one in messages
        if not isinstance(one, Mapping) or (one.get("role") not in _SILENT and one.get("content") is not None)
    ]


def end_of(expiration_date: Any) -> Any:
    """Return the end of a memory's last day, as mem0 counts; what is not a day is returned unchanged."""
    day = expiration_date.date() if isinstance(expiration_date, datetime) else expiration_date
    if isinstance(day, str):
        try:
            day = date.fromisoformat(day)
        except ValueError:
            return day
    return datetime.combine(day + timedelta(days=1), time(), UTC) if isinstance(day, date) else day
