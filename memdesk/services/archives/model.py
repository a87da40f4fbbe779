"""What every reader makes of an archive."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from memdesk.errors import BadRequestError

#: Epoch values above this are milliseconds (in seconds it would be the year 5138).
_MILLISECONDS_FROM = 1e11


class ArchiveError(BadRequestError):
    """A file that cannot be read as an archive of chats; nothing was imported."""

    code = "archive_unreadable"
    title = "That file cannot be imported"


@dataclass(frozen=True, slots=True)
class ArchivedMessage:
    """One message. ``speaker`` is a name where the source has one."""

    role: Literal["user", "assistant"]
    text: str
    at: datetime | None = None
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class ArchivedChat:
    """One conversation of an archive. ``id`` is the source's own and makes imports repeatable."""

    source: str
    id: str
    title: str
    messages: tuple[ArchivedMessage, ...]
    started: datetime | None = None

    @property
    def conversation_id(self) -> str:
        """The id it gets here: the same for the same chat at every import."""
        return f"import-{self.source}-{self.id}"[:200]


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """How one app writes a chat as JSON.

    Attributes:
        name: short, stable; part of conversation ids.
        title: the app's name for people.
        accepts: whether a JSON object looks like a chat of this app.
        parse: makes a chat of it; ``fallback_id`` serves where the chat has none.
    """

    name: str
    title: str
    accepts: Callable[[dict[str, Any]], bool]
    parse: Callable[[dict[str, Any], str], ArchivedChat]


def when(value: Any) -> datetime | None:
    """Read a time as archives write it: epoch seconds or milliseconds, or ISO 8601. None when it is neither."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        if not math.isfinite(value) or value <= 0:
            return None
        seconds = value / 1000 if value > _MILLISECONDS_FROM else value
        try:
            return datetime.fromtimestamp(seconds, UTC)
        except (OverflowError, ValueError, OSError):
            return None
    if isinstance(value, str):
        try:
            parsed = datetime.fromisoformat(value)
        except ValueError:
            return None
        return parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    return None


def side(role: Any) -> Literal["user", "assistant"] | None:
    """Return whose message it is; None for system messages, tools and what is unknown."""
    word = str(role or "").strip().casefold()
    if word in {"user", "human", "you", "me", "prompt"}:
        return "user"
    if word in {"assistant", "ai", "bot", "model", "chatgpt", "claude", "gpt", "response"}:
        return "assistant"
    return None


def text_of(content: Any) -> str:
    """Return the words of a message's content: plain text, or a list of parts of which some are text."""
    if isinstance(content, str):
        return content.strip()
    if isinstance(content, dict):
        for key in ("text", "value", "content"):
            if key in content:
                return text_of(content[key])
        return ""
    if isinstance(content, list):
        return "\n\n".join(part for part in map(text_of, content) if part)
    return ""
