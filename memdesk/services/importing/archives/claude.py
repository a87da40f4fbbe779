"""Claude's export: ``conversations.json`` with ``chat_messages`` for each conversation."""

from __future__ import annotations

from typing import Any

from memdesk.services.importing.archives.beside import FILES, VERSIONS, Beside
from memdesk.services.importing.archives.model import (
    ArchivedChat,
    ArchivedMessage,
    Attached,
    ChatFormat,
    side,
    text_of,
    when,
)


def _accepts(data: dict[str, Any]) -> bool:
    return isinstance(data.get("chat_messages"), list)


def _parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    left, branch = Beside(), _branch(data)
    messages = [m for raw in branch if (m := _message(raw, left)) is not None]
    others = len(data["chat_messages"]) - len(branch)
    if others:
        left[VERSIONS] += others
    return ArchivedChat(
        source="claude",
        id=str(data.get("uuid") or fallback_id),
        title=str(data.get("name") or ""),
        messages=tuple(messages),
        started=when(data.get("created_at")),
        left_out=left,
    )


def _branch(data: dict[str, Any]) -> list[Any]:
    """Return the branch that was shown last where messages name their parents; else all, in order."""
    every: list[Any] = data["chat_messages"]
    by_id = {raw["uuid"]: raw for raw in every if isinstance(raw, dict) and isinstance(raw.get("uuid"), str)}
    parents = [raw.get("parent_message_uuid") for raw in by_id.values()]
    named = [parent for parent in parents if parent]
    whole = len(by_id) == len(every) and len(named) >= len(every) - 1
    if not whole or len(set(named)) == len(named):
        return every  # a flat list, or no message has two answers
    name = data.get("current_leaf_message_uuid")
    name = name if name in by_id else every[-1]["uuid"]
    branch = []
    while name in by_id:
        branch.append(by_id.pop(name))
        name = branch[-1].get("parent_message_uuid")
    return branch[::-1]


def _message(raw: Any, left: Beside) -> ArchivedMessage | None:
    if not isinstance(raw, dict):
        return None
    role = side(raw.get("sender"))
    if role is None:
        left.part(raw.get("sender"))
        return None
    parts = raw.get("content")
    other = Beside()
    # Newer exports split a message into parts, of which thoughts and tool calls are not words to the user. Their
    # ``text`` joins all parts, with a note in place of those that it cannot show.
    text = text_of(parts, other) if isinstance(parts, list) else ""
    if not text and not other:
        text = text_of(raw.get("text"))
    left.update(other)
    # What was uploaded as a picture or kept as a file is named only; of the rest the text that Claude read is there.
    left.several(raw.get("files"), FILES)
    attached = tuple(_attached(each) for each in raw.get("attachments") or () if isinstance(each, dict))
    return ArchivedMessage(role, text, when(raw.get("created_at")), attached=attached) if text or attached else None


def _attached(raw: dict[str, Any]) -> Attached:
    return Attached(str(raw.get("file_name") or "Pasted text"), text=str(raw.get("extracted_content") or ""))


CLAUDE = ChatFormat("claude", "Claude", _accepts, _parse)
