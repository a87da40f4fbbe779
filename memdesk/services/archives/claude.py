"""Claude's export: ``conversations.json`` with ``chat_messages`` for each conversation."""

from __future__ import annotations

from typing import Any

from memdesk.services.archives.model import ArchivedChat, ArchivedMessage, ChatFormat, side, text_of, when


def _accepts(data: dict[str, Any]) -> bool:
    return isinstance(data.get("chat_messages"), list)


def _parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    messages = [m for raw in data["chat_messages"] if (m := _message(raw)) is not None]
    return ArchivedChat(
        source="claude",
        id=str(data.get("uuid") or fallback_id),
        title=str(data.get("name") or ""),
        messages=tuple(messages),
        started=when(data.get("created_at")),
    )


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
