"""Our dataclasses as JSON: times with their offset, enums by value, without internals of the store."""

import json
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import lru_cache
from typing import Any, Final

from starlette.responses import Response

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.registry import viewed
from memdesk.domain.models import Page

#: Row numbers are internal to the store, and a token's hash is secret.
_HIDDEN: Final = frozenset({"seq", "secret_hash"})


def plain(value: Any) -> Any:
    """Return ``value`` in types that ``json`` can write.

    Raises:
        TypeError: bytes, or an object without a JSON form.
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if isinstance(value, MemoryItem):
        return plain(viewed(value))
    if is_dataclass(value) and not isinstance(value, type):
        return {name: plain(getattr(value, name)) for name in _names(type(value))}
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True)
    raise TypeError(f"{type(value).__name__} has no JSON form")


@lru_cache(maxsize=256)
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.name not in _HIDDEN)


def whole(item: MemoryItem) -> dict[str, Any]:
    """Return all fields of an item, by their own names, as ``/memory/items`` shows it."""
    found = {name: plain(getattr(item, name)) for name in _names(MemoryItem) if name != "digest"}
    if item.digest is not None:
        found["digest"] = plain(item.digest) | {"details": [whole(detail) for detail in item.digest.details]}
        found["valid_from"] = plain(item.happened_at)
    return found | {"agent_id": item.agent_id or None}


def reply(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    body = json.dumps(plain(value), ensure_ascii=False, allow_nan=False)
    return Response(body, status, headers, "application/json")


def paged(page: Page[Any]) -> Response:
    """Return a list response: ``{items, total, next}``."""
    return reply({"items": page.items, "total": page.total, "next": page.next})


def listed(items: list[Any]) -> Response:
    """Return a complete list in the shape of a page."""
    return reply({"items": items, "total": len(items), "next": None})
