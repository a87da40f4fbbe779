"""ChatGPT's export: ``conversations.json`` with a tree of messages for each conversation."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from memdesk.services.importing.archives.beside import INSTRUCTIONS, THOUGHTS, TOOLS, VERSIONS, Beside
from memdesk.services.importing.archives.model import (
    ArchivedChat,
    ArchivedMessage,
    Aside,
    Attached,
    ChatFormat,
    chain,
    chat,
    side,
    when,
)

#: Content types that are conversation.
_SAID = frozenset({"text", "multimodal_text"})
#: "1. [2024-05-01]. Lives in Lisbon.", a line of the memory list.
_NUMBERED = re.compile(r"\s*\d+\.\s+(?:\[(?P<day>[^\]]*)\]\.?\s*)?(?P<text>\S.*)")
_FENCED = re.compile(r"```\n?(.*?)```", re.DOTALL)


def _accepts(data: dict[str, Any]) -> bool:
    return isinstance(data.get("mapping"), dict)


def _parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    left, branch = Beside(), _branch(data)
    messages = [_message(node.get("message"), left) for node in branch]
    left.update(_versions(data["mapping"], branch))
    started = when(data.get("create_time"))
    at = when(data.get("update_time")) or started
    asides = [aside for node in branch for aside in _asides(node.get("message"), at)]
    # The export has no project names: use the title of one of its chats.
    project = next((key for key in map(data.get, ("gizmo_id", "conversation_template_id")) if _is_project(key)), "")
    if project:
        asides.append(Aside("project", "chatgpt", project, "", f"ChatGPT: {data.get('title') or project}"[:100], at))
    name, more = data.get("conversation_id") or data.get("id"), {"project": str(project), "asides": tuple(asides)}
    return chat("chatgpt", name or fallback_id, data.get("title"), messages, started, left, **more)


def _is_project(key: Any) -> bool:
    return isinstance(key, str) and key.startswith("g-p-")


def _asides(message: Any, at: datetime | None) -> Iterator[Aside]:
    """Yield ChatGPT's custom instructions and memories.

    The export does not list memories: they come from writes in chats (``bio``), and the list at the start of a chat.
    """
    content = _get(message, "content")
    if not isinstance(content, dict):
        return
    kind = content.get("content_type")
    if kind == "user_editable_context":
        yield from _told(content, at)
    elif kind == "model_editable_context":
        for line in str(content.get("model_set_context") or "").splitlines():
            if found := _NUMBERED.match(line):
                yield Aside.memory("chatgpt", found["text"], when(found["day"]) or at)
    elif message.get("recipient") == "bio":
        told = str(content.get("text") or "") or _text(content, Beside())
        for line in filter(None, map(str.strip, told.splitlines())):
            yield Aside.memory("chatgpt", line, when(message.get("create_time")) or at)


def _told(content: dict[str, Any], at: datetime | None) -> Iterator[Aside]:
    parts = (("told", "user_profile", "About you"), ("prompt", "user_instructions", "Custom instructions"))
    for kind, field, name in parts:
        text = str(content.get(field) or "")
        # ChatGPT puts its own sentence before them and a fence around them.
        inner = _FENCED.search(text)
        if text := (inner[1] if inner else text).strip():
            yield Aside(kind, "chatgpt", field, text, f"ChatGPT: {name}", at)  # type: ignore[arg-type]  # one of both


def _branch(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the nodes from the root to the current one: the branch that the user saw last."""
    mapping: dict[str, Any] = data["mapping"]
    name = data.get("current_node")
    if name not in mapping:
        name = _last_leaf(mapping)
    return chain(mapping, name, "parent")


def _last_leaf(mapping: dict[str, Any]) -> str | None:
    leaves = [name for name, node in mapping.items() if isinstance(node, dict) and not node.get("children")]
    return leaves[-1] if leaves else None


def _versions(mapping: dict[str, Any], branch: list[dict[str, Any]]) -> Beside:
    """Count messages in abandoned branches: edited questions and regenerated answers."""
    shown = {id(node) for node in branch}
    others = (node.get("message") for node in mapping.values() if isinstance(node, dict) and id(node) not in shown)
    number = sum(_message(message, Beside()) is not None for message in others)
    return Beside({VERSIONS: number} if number else {})


def _message(message: Any, left: Beside) -> ArchivedMessage | None:
    """Read one message; ``left`` counts the parts that are not conversation."""
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
        # These are imported separately.
        taken = next(_asides(message, None), None) is not None
        if not taken and (_text(content, Beside()) or kind not in _SAID):
            left.part(other)
        return None
    text, attached = _text(content, left) if role else "", _attached(message, content)
    if not (text or attached):
        return None
    # Only in a group chat does each have a name.
    speaker = str(author.get("name") or "") if role == "user" else ""
    return ArchivedMessage(role or "assistant", text, when(message.get("create_time")), speaker, attached)


def _attached(message: dict[str, Any], content: dict[str, Any]) -> tuple[Attached, ...]:
    """Return the files of a message: pictures are in its parts, and all uploads in its metadata.

    Their names in the archive start with their ids: ``file-AbC-beds.png``, ``file_00ab-sanitized.jpg``.
    """
    listed = _metadata(message).get("attachments")
    found = dict.fromkeys((_id_of(part) for part in _parts(content) if _is_picture(part)), "")
    for each in listed if isinstance(listed, list) else ():
        if isinstance(each, dict) and (_id_of(each) in found or not str(each.get("mime_type")).startswith("image/")):
            found[_id_of(each)] = str(each.get("name") or "")
    return tuple(Attached(name, ref=ref) for ref, name in found.items())


def _is_picture(part: Any) -> bool:
    return bool(_get(part, "content_type") == "image_asset_pointer")


def _id_of(file: dict[str, Any]) -> str:
    """Return the id of an attachment, or of the target of ``file-service://file-AbC`` or ``sediment://file_00ab#page``."""
    pointer = str(file.get("asset_pointer") or file.get("id") or "")
    return re.split(r"[#?]", pointer.rpartition("://")[2])[0]


def _other(message: dict[str, Any], role: str | None, kind: Any) -> str | None:
    """Return the kind of a message that is not part of the conversation, else None."""
    metadata, author = _metadata(message), message["author"] if isinstance(message.get("author"), dict) else {}
    # Thoughts, tool calls and browsing results have their own content types.
    if kind not in _SAID:
        return str(kind or "unnamed")
    if role is None:
        # A tool's pictures are for the user; its text is for the model.
        painted = author.get("role") == "tool" and any(map(_is_picture, _parts(message["content"])))
        role_name = str(author.get("role") or "unnamed")
        return None if painted and not metadata.get("is_visually_hidden_from_conversation") else role_name
    if metadata.get("is_visually_hidden_from_conversation"):
        return INSTRUCTIONS
    # The thinking of a model.
    if message.get("channel") == "analysis" or metadata.get("is_thinking_preamble_message"):
        return THOUGHTS
    # The model's input to a tool (memory notes, a picture's prompt, a canvas) is addressed to the tool.
    return None if message.get("recipient") in {None, "", "all"} else TOOLS


def _text(content: dict[str, Any], left: Beside) -> str:
    return "\n\n".join(text for part in _parts(content) if (text := _part(part, left)))


def _parts(content: dict[str, Any]) -> list[Any]:
    parts = content.get("parts")
    return parts if isinstance(parts, list) else []


def _part(part: Any, left: Beside) -> str:
    if isinstance(part, str):
        return part.strip()
    if _get(part, "content_type") in {"audio_transcription", "text"}:
        return str(part.get("text") or "").strip()
    if part is not None and not _is_picture(part):
        left.part(_get(part, "content_type"))
    return ""


def _metadata(message: dict[str, Any]) -> dict[str, Any]:
    metadata = message.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


CHATGPT = ChatFormat("chatgpt", "ChatGPT", _accepts, _parse)
