"""Chats of other desktop apps: Open WebUI, LM Studio, Jan."""

from __future__ import annotations

from typing import Any

from memdesk.services.archives.model import ArchivedChat, ArchivedMessage, ChatFormat, side, text_of, when


def _open_webui_accepts(data: dict[str, Any]) -> bool:
    chat = data.get("chat", data)
    if not isinstance(chat, dict):
        return False
    history = chat.get("history")
    tree = isinstance(history, dict) and isinstance(history.get("messages"), dict)
    return tree or ("chat" in data and ("history" in chat or "messages" in chat))


def _open_webui_parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    # A chat of the database's export lies in a record; one that the browser wrote stands alone.
    chat: dict[str, Any] = data.get("chat", data)
    messages = [m for raw in _open_webui_branch(chat) if (m := _simple(raw, "timestamp")) is not None]
    return ArchivedChat(
        source="openwebui",
        id=str(data.get("id") or chat.get("id") or fallback_id),
        title=str(data.get("title") or chat.get("title") or ""),
        messages=tuple(messages),
        started=when(data.get("created_at")) or when(chat.get("timestamp")),
    )


def _open_webui_branch(chat: dict[str, Any]) -> list[Any]:
    """Return the branch that is shown; older versions kept a flat list."""
    history = chat.get("history")
    nodes = history.get("messages") if isinstance(history, dict) else None
    name = history.get("currentId") if isinstance(history, dict) else None
    if not isinstance(nodes, dict) or name not in nodes:
        flat = chat.get("messages")
        if (isinstance(flat, list) and flat) or not isinstance(nodes, dict) or not nodes:
            return flat if isinstance(flat, list) else []
        name = list(nodes)[-1]  # which is shown is not said: the newest
    branch: list[Any] = []
    seen: set[str] = set()
    while isinstance(name, str) and name in nodes and name not in seen:
        seen.add(name)
        node = nodes[name]
        branch.append(node)
        name = node.get("parentId") if isinstance(node, dict) else None
    return branch[::-1]


def _simple(raw: Any, time_key: str) -> ArchivedMessage | None:
    role = side(raw.get("role")) if isinstance(raw, dict) else None
    text = text_of(raw.get("content")) if role else ""
    return ArchivedMessage(role, text, when(raw.get(time_key))) if role and text else None


def _lm_studio_accepts(data: dict[str, Any]) -> bool:
    messages = data.get("messages")
    return isinstance(messages, list) and any(isinstance(m, dict) and "versions" in m for m in messages)


def _lm_studio_parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    messages = [m for raw in data["messages"] if (m := _lm_studio_message(raw)) is not None]
    created = data.get("createdAt")
    return ArchivedChat(
        source="lmstudio",
        # Its files carry no id; the file's name, or else the moment of creation, is the nearest to one.
        id=str(fallback_id or created),
        title=str(data.get("name") or ""),
        messages=tuple(messages),
        started=when(created),
    )


def _lm_studio_message(raw: Any) -> ArchivedMessage | None:
    versions = raw.get("versions") if isinstance(raw, dict) else None
    if not isinstance(versions, list) or not versions:
        return None
    selected = raw.get("currentlySelected", 0)
    version = versions[selected] if isinstance(selected, int) and 0 <= selected < len(versions) else versions[-1]
    if not isinstance(version, dict):
        return None
    role = side(version.get("role"))
    steps = version.get("steps")
    if isinstance(steps, list):
        said = [s for s in steps if isinstance(s, dict) and s.get("type") == "contentBlock" and not _is_thinking(s)]
        text = "\n\n".join(t for t in (text_of(step.get("content")) for step in said) if t)
    else:
        text = text_of(version.get("content"))
    return ArchivedMessage(role, text) if role and text else None


def _is_thinking(step: dict[str, Any]) -> bool:
    style = step.get("style")
    return isinstance(style, dict) and style.get("type") == "thinking"


def _jan_accepts(data: dict[str, Any]) -> bool:
    return isinstance(data.get("thread"), dict) and isinstance(data.get("thread_messages"), list)


def _jan_parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    thread: dict[str, Any] = data["thread"]
    messages = [m for raw in data["thread_messages"] if (m := _jan_message(raw)) is not None]
    return ArchivedChat(
        source="jan",
        id=str(thread.get("id") or fallback_id),
        title=str(thread.get("title") or ""),
        messages=tuple(messages),
        started=when(thread.get("created")) or when(thread.get("created_at")),
    )


def _jan_message(raw: Any) -> ArchivedMessage | None:
    return _simple(raw, "created_at") or _simple(raw, "created") if isinstance(raw, dict) else None


OPEN_WEBUI = ChatFormat("openwebui", "Open WebUI", _open_webui_accepts, _open_webui_parse)
LM_STUDIO = ChatFormat("lmstudio", "LM Studio", _lm_studio_accepts, _lm_studio_parse)
#: A Jan thread is two files; ``walk`` joins them into one object.
JAN = ChatFormat("jan", "Jan", _jan_accepts, _jan_parse)
