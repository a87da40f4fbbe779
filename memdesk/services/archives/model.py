"""What every reader makes of an archive."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

from memdesk.errors import BadRequestError

#: Epoch values above this are milliseconds (in seconds it would be the year 5138).
_MILLISECONDS_FROM = 1e11
#: Kinds of parts that hold words of the conversation; the others are thoughts, tool calls, their results, pictures.
_WORDS = frozenset({"text", "input_text", "output_text"})
#: What programs write into an answer beside its words, each with the mark it ends with: thoughts of models that put
#: tags around them, Open WebUI's folded thoughts and tool calls, ChatGPT's marks of sources.
_BESIDE = (
    (re.compile(r"^[ \t]*<think>.*?</think>", re.DOTALL | re.MULTILINE), "</think>"),
    (re.compile(r'<details\s+type="(?:reasoning|tool_calls|code_interpreter)".*?</details>', re.DOTALL), "</details>"),
    (re.compile(r"\ue200.*?\ue201", re.DOTALL), "\ue201"),
    (re.compile(r"\u3010\d+[:\u2020].*?\u3011"), "\u3011"),
)
#: A thought whose beginning the prompt held, one that was cut off, and ChatGPT's marks around what a source says.
_HALF = re.compile(r"\A.*^[ \t]*</think>|\A\s*<think>.*\Z|[\ue200-\ue206]", re.DOTALL | re.MULTILINE)


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

    def in_words(self) -> ArchivedChat:
        """Return the chat without what programs write into an answer beside its words; what is empty then goes."""
        answered = (
            message if message.role == "user" else replace(message, text=words_of(message.text))
            for message in self.messages
        )
        return replace(self, messages=tuple(message for message in answered if message.text))


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
        if content.get("type", "text") not in _WORDS:
            return ""
        for key in ("text", "value", "content"):
            if key in content:
                return text_of(content[key])
        return ""
    if isinstance(content, list):
        return "\n\n".join(part for part in map(text_of, content) if part)
    return ""


def words_of(answer: str) -> str:
    """Return a model's answer without its thoughts, its tool calls and its marks of sources."""
    for pattern, end in _BESIDE:
        # Behind its last end none of them can match; looking would take the square of what is there.
        last = answer.rfind(end) + len(end)
        answer = pattern.sub("", answer[:last]) + answer[last:] if end in answer else answer
    return _HALF.sub("", answer).strip()
