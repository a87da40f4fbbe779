"""Plain JSON: our own format, a list of OpenAI messages, and memdesk's export of a conversation; Markdown."""

import re
from typing import Any

from memdesk.services.importing.archives.beside import Beside
from memdesk.services.importing.archives.model import ArchivedChat, ArchivedMessage, ChatFormat, side, text_of, when


def _turns_accepts(data: dict[str, Any]) -> bool:
    turns = data.get("turns")
    return isinstance(turns, list) and all(isinstance(turn, dict) for turn in turns)


def _turns_parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    messages: list[ArchivedMessage] = []
    left = Beside()
    for turn in data["turns"]:
        messages.extend(_of_turn(turn, left))
    started = when(data.get("session_date")) or when(data.get("date"))
    conversation = data.get("conversation_id") or data.get("id") or fallback_id
    return ArchivedChat("json", str(conversation), str(data.get("title") or ""), tuple(messages), started, left)


def _of_turn(turn: dict[str, Any], left: Beside) -> list[ArchivedMessage]:
    """Read ``{user, assistant, date?}``, or one message of a conversation that memdesk exported."""
    at = when(turn.get("date") or turn.get("said_at"))
    if "content" in turn:
        role, text = side(turn.get("role"), left), text_of(turn["content"], left)
        return [ArchivedMessage(role, text, at, str(turn.get("speaker") or ""))] if role and text else []
    sides = ((side("user"), "user", "user_speaker"), (side("assistant"), "assistant", "assistant_speaker"))
    return [
        ArchivedMessage(role, text, at, str(turn.get(speaker) or ""))
        for role, key, speaker in sides
        if role and (text := text_of(turn.get(key)))
    ]


def _messages_accepts(data: dict[str, Any]) -> bool:
    messages = data.get("messages")
    return isinstance(messages, list) and any(isinstance(m, dict) and "role" in m and "content" in m for m in messages)


def _messages_parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    left, messages = Beside(), []
    for raw in data["messages"]:
        if not isinstance(raw, dict):
            continue
        role = side(raw.get("role"), left)
        if role is not None and (text := text_of(raw.get("content"), left)):
            at = when(raw.get("created_at") or raw.get("timestamp") or raw.get("date"))
            messages.append(ArchivedMessage(role, text, at, str(raw.get("name") or "")))
    started = when(data.get("created_at") or data.get("date"))
    conversation = data.get("conversation_id") or data.get("id") or fallback_id
    return ArchivedChat("json", str(conversation), str(data.get("title") or ""), tuple(messages), started, left)


TURNS = ChatFormat("json", "JSON", _turns_accepts, _turns_parse)
MESSAGES = ChatFormat("json", "JSON", _messages_accepts, _messages_parse)

#: "## User", "**You:**", "### Assistant (2024-05-01 10:00)", "User: text"
_SPEAKER = re.compile(
    r"^(?:\#{1,6}\s*|\*\*|__|>\s*)?(?P<who>you|user|human|me|assistant|ai|chatgpt|claude|bot)"
    r"(?:\s*\((?P<when>[^)]{8,40})\))?\s*:?\s*(?:\*\*|__)?\s*:?\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_TITLE = re.compile(r"^#\s+(?P<title>\S.*)$")


def parse_markdown(text: str, fallback_id: str) -> ArchivedChat:
    """Read a chat written as Markdown: a heading or bold name before each message.

    A file without such names gives a chat without messages.
    """
    title = ""
    messages: list[ArchivedMessage] = []
    current: tuple[str, str] | None = None
    lines: list[str] = []
    fenced = False

    def finish() -> None:
        body = "\n".join(lines).strip()
        role = side(current[0]) if current else None
        if role and current and body:
            messages.append(ArchivedMessage(role, body, when(current[1])))
        lines.clear()

    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
        named = None if fenced else _named(line)
        if named is not None:
            finish()
            current = (named["who"], named["when"] or "")
            if named["rest"]:
                lines.append(named["rest"])
        elif not title and current is None and (head := _TITLE.match(line)):
            title = head["title"].strip()
        else:
            lines.append(line)
    finish()
    return ArchivedChat("markdown", fallback_id, title or fallback_id, tuple(messages))


def _named(line: str) -> re.Match[str] | None:
    """Return the match if the line names a speaker; prose that begins with "You" does not."""
    match = _SPEAKER.match(line.strip())
    if match is None:
        return None
    marked = line.lstrip().startswith(("#", "**", "__")) and (not match["rest"] or ":" in line)
    return match if marked or re.match(r"^\s*\w+\s*(\([^)]*\))?\s*:", line) else None
