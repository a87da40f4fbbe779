"""ChatGPT's export: ``conversations.json`` with a tree of messages for each conversation."""

from __future__ import annotations

from typing import Any

from memdesk.services.importing.archives.beside import FILES, INSTRUCTIONS, THOUGHTS, TOOLS, VERSIONS, Beside
from memdesk.services.importing.archives.model import ArchivedChat, ArchivedMessage, ChatFormat, side, when

#: Content types of what one says to the other.
_SAID = frozenset({"text", "multimodal_text"})


def _accepts(data: dict[str, Any]) -> bool:
    return isinstance(data.get("mapping"), dict)


def _parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    left, branch = Beside(), _branch(data)
    messages = [m for node in branch if (m := _message(node.get("message"), left)) is not None]
    left.update(_versions(data["mapping"], branch))
    return ArchivedChat(
        source="chatgpt",
        id=str(data.get("conversation_id") or data.get("id") or fallback_id),
        title=str(data.get("title") or ""),
        messages=tuple(messages),
        started=when(data.get("create_time")),
        left_out=left,
    )


def _branch(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the nodes from the root to the current one: the branch that the user saw last."""
    mapping: dict[str, Any] = data["mapping"]
    name = data.get("current_node")
    if name not in mapping:
        name = _last_leaf(mapping)
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


def _versions(mapping: dict[str, Any], branch: list[dict[str, Any]]) -> Beside:
    """Count what was said in branches that the user left: edited questions and answers made anew."""
    shown = {id(node) for node in branch}
    others = (node.get("message") for node in mapping.values() if isinstance(node, dict) and id(node) not in shown)
    number = sum(_message(message, Beside()) is not None for message in others)
    return Beside({VERSIONS: number} if number else {})


def _message(message: Any, left: Beside) -> ArchivedMessage | None:
    """Read one message; ``left`` counts what of it was not said by one to the other."""
    if not isinstance(message, dict):
        return None
    author = message.get("author")
    author = author if isinstance(author, dict) else {}
    role = side(author.get("role"))
    content = message.get("content")
    if not isinstance(content, dict):
        return None
    kind = content.get("content_type")
    if (other := _other(message, role, kind)) is not None:
        if _text(content, Beside()) or kind not in _SAID:
            left.part(other)
        return None
    text = _text(content, left)
    attached = _metadata(message).get("attachments")
    if isinstance(attached, list):
        # A picture is among the parts as well.
        left.several([a for a in attached if not str(_get(a, "mime_type")).startswith("image/")], FILES)
    if role is None or not text:
        return None
    # In a group chat each of them has a name; otherwise there is none.
    speaker = str(author.get("name") or "") if role == "user" else ""
    return ArchivedMessage(role, text, when(message.get("create_time")), speaker)


def _other(message: dict[str, Any], role: str | None, kind: Any) -> str | None:
    """Return the name of what a message is when it is not said by one to the other, else None."""
    metadata, author = _metadata(message), message["author"] if isinstance(message.get("author"), dict) else {}
    # Thoughts, tool calls and browsing results have content types of their own.
    if kind not in _SAID:
        return str(kind or "unnamed")
    if role is None:
        return str(author.get("role") or "unnamed")
    if metadata.get("is_visually_hidden_from_conversation"):
        return INSTRUCTIONS
    # What a thinking model says to itself before it answers.
    if message.get("channel") == "analysis" or metadata.get("is_thinking_preamble_message"):
        return THOUGHTS
    # What the model says to a tool (its notes for memory, a picture's prompt, a canvas) is addressed to it.
    return None if message.get("recipient") in {None, "", "all"} else TOOLS


def _text(content: dict[str, Any], left: Beside) -> str:
    parts = content.get("parts")
    texts = [_part(part, left) for part in parts] if isinstance(parts, list) else []
    return "\n\n".join(part for part in texts if part)


def _part(part: Any, left: Beside) -> str:
    if isinstance(part, str):
        return part.strip()
    if _get(part, "content_type") in {"audio_transcription", "text"}:
        return str(part.get("text") or "").strip()
    if part is not None:
        left.part(_get(part, "content_type"))
    return ""


def _metadata(message: dict[str, Any]) -> dict[str, Any]:
    metadata = message.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


CHATGPT = ChatFormat("chatgpt", "ChatGPT", _accepts, _parse)
