"""Claude's export: ``conversations.json`` with ``chat_messages`` for each conversation."""

from __future__ import annotations

from typing import Any

from memdesk.services.archives.model import ArchivedChat, ArchivedMessage, ChatFormat, side, text_of, when


def _accepts(data: dict[str, Any]) -> bool:
    return isinstance(data.get("chat_messages"), list)


def _parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    messages = [m for raw in _branch(data) if (m := _message(raw)) is not None]
    return ArchivedChat(
        source="claude",
        id=str(data.get("uuid") or fallback_id),
        title=str(data.get("name") or ""),
        messages=tuple(messages),
        started=when(data.get("created_at")),
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


def _message(raw: Any) -> ArchivedMessage | None:
    role = side(raw.get("sender")) if isinstance(raw, dict) else None
    if role is None:
        return None
    parts = raw.get("content")
    # Newer exports split a message into parts, of which thoughts and tool calls are no words to the user.
    said = [p for p in parts if isinstance(p, dict) and p.get("type") == "text"] if isinstance(parts, list) else []
    text = text_of(said) or text_of(raw.get("text"))
    return ArchivedMessage(role, text, when(raw.get("created_at"))) if text else None


CLAUDE = ChatFormat("claude", "Claude", _accepts, _parse)
