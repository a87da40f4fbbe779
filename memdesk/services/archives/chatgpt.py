"""ChatGPT's export: ``conversations.json`` with a tree of messages for each conversation."""

from __future__ import annotations

from typing import Any

from memdesk.services.archives.model import ArchivedChat, ArchivedMessage, ChatFormat, side, when


def _accepts(data: dict[str, Any]) -> bool:
    return isinstance(data.get("mapping"), dict)


def _parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    messages = [m for node in _branch(data) if (m := _message(node.get("message"))) is not None]
    return ArchivedChat(
        source="chatgpt",
        id=str(data.get("conversation_id") or data.get("id") or fallback_id),
        title=str(data.get("title") or ""),
        messages=tuple(messages),
        started=when(data.get("create_time")),
    )


def _branch(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the nodes from the root to the current one: the branch that the user saw last."""
    mapping: dict[str, Any] = data["mapping"]
    name = data.get("current_node") or _last_leaf(mapping)
    nodes: list[dict[str, Any]] = []
    seen: set[str] = set()
    while isinstance(name, str) and name in mapping and name not in seen:
        seen.add(name)
        node = mapping[name]
        if not isinstance(node, dict):
            break
        nodes.append(node)
        name = node.get("parent")
    return nodes[::-1]


def _last_leaf(mapping: dict[str, Any]) -> str | None:
    leaves = [name for name, node in mapping.items() if isinstance(node, dict) and not node.get("children")]
    return leaves[-1] if leaves else None


def _message(message: Any) -> ArchivedMessage | None:
    if not isinstance(message, dict):
        return None
    author = message.get("author")
    role = side(author.get("role") if isinstance(author, dict) else None)
    content = message.get("content")
    metadata = message.get("metadata")
    hidden = isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation")
    # What the model says to a tool (its notes for memory, a picture's prompt) is addressed to it.
    aside = message.get("recipient") not in {None, "", "all"}
    if role is None or hidden or aside or not isinstance(content, dict):
        return None
    # Thoughts, tool calls and browsing results have content types of their own.
    if content.get("content_type") not in {"text", "multimodal_text"}:
        return None
    parts = content.get("parts")
    texts = [_part(part) for part in parts] if isinstance(parts, list) else []
    text = "\n\n".join(part for part in texts if part)
    return ArchivedMessage(role, text, when(message.get("create_time"))) if text else None


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part.strip()
    if isinstance(part, dict) and part.get("content_type") == "audio_transcription":
        return str(part.get("text") or "").strip()
    return ""


CHATGPT = ChatFormat("chatgpt", "ChatGPT", _accepts, _parse)
