"""Chats of other desktop apps: Open WebUI, LM Studio, Jan."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from memdesk.services.importing.archives.beside import INSTRUCTIONS, THOUGHTS, TOOLS, VERSIONS, Beside
from memdesk.services.importing.archives.model import (
    ArchivedChat,
    ArchivedMessage,
    Attached,
    ChatFormat,
    chain,
    chat,
    side,
    text_of,
    when,
)

#: "1737055447839-0.517": milliseconds, then a number to distinguish steps.
_MILLISECONDS = re.compile(r"(\d{13})-")


def _open_webui_accepts(data: dict[str, Any]) -> bool:
    chat = data.get("chat", data)
    if not isinstance(chat, dict):
        return False
    history = chat.get("history")
    tree = isinstance(history, dict) and isinstance(history.get("messages"), dict)
    return tree or ("chat" in data and ("history" in chat or "messages" in chat))


def _open_webui_parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    # The database's export wraps a chat in a record; the browser's does not.
    talk: dict[str, Any] = data.get("chat", data)
    left, branch = Beside(), _open_webui_branch(talk)
    messages = [_simple(raw, ("timestamp",), left) for raw in branch]
    history = talk.get("history")
    nodes = history.get("messages") if isinstance(history, dict) else None
    if isinstance(nodes, dict) and len(nodes) > len(branch):
        left[VERSIONS] += len(nodes) - len(branch)
    name, title = (data.get(key) or talk.get(key) for key in ("id", "title"))
    started = when(data.get("created_at")) or when(talk.get("timestamp"))
    return chat("openwebui", name or fallback_id, title, messages, started, left)


def _open_webui_branch(talk: dict[str, Any]) -> list[Any]:
    """Return the shown branch; older versions have a flat list."""
    history = talk.get("history")
    nodes = history.get("messages") if isinstance(history, dict) else None
    name = history.get("currentId") if isinstance(history, dict) else None
    if not isinstance(nodes, dict) or name not in nodes:
        flat = talk.get("messages")
        if (isinstance(flat, list) and flat) or not isinstance(nodes, dict) or not nodes:
            return flat if isinstance(flat, list) else []
        name = list(nodes)[-1]  # the shown one is not recorded: take the newest
    return chain(nodes, name, "parentId")


def _simple(raw: Any, times: tuple[str, ...], left: Beside) -> ArchivedMessage | None:
    """Read ``{role, content, files?}``; the first of ``times`` with a value is the time."""
    if not isinstance(raw, dict):
        return None
    role = side(raw.get("role"), left)
    if role is None:
        return None
    content = raw.get("content")
    parts = content if isinstance(content, list) else [content]
    pictures = [Attached("", data=url) for part in parts if (url := _address(part))]
    text = text_of([part for part in parts if not _address(part)], left)
    at = next((time for key in times if (time := when(raw.get(key)))), None)
    attached = (*pictures, *_listed(raw.get("files")))
    return ArchivedMessage(role, text, at, attached=attached) if text or attached else None


def _address(part: Any) -> str:
    """Return the ``data:`` URL of a part: ``{"type": "image_url", "image_url": {"url": "data:..."}}``."""
    held = part.get("image_url") if isinstance(part, dict) else None
    url = held.get("url") if isinstance(held, dict) else held
    return url if isinstance(url, str) and url.startswith("data:") else ""


def _listed(files: Any) -> Iterator[Attached]:
    """Yield Open WebUI's files: pictures by URL, documents by extracted text."""
    for each in files if isinstance(files, list) else ():
        held = each if isinstance(each, dict) else {}
        about = _inner(held, "file")
        url, text = str(held.get("url") or ""), str(_inner(about, "data").get("content") or "")
        name = str(held.get("name") or about.get("filename") or "")
        yield Attached(name, text=text, data=url if url.startswith("data:") else "")


def _inner(value: dict[str, Any], key: str) -> dict[str, Any]:
    held = value.get(key)
    return held if isinstance(held, dict) else {}


def _lm_studio_accepts(data: dict[str, Any]) -> bool:
    messages = data.get("messages")
    return isinstance(messages, list) and any(isinstance(m, dict) and "versions" in m for m in messages)


def _lm_studio_parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    left = Beside()
    messages = [_lm_studio_message(raw, left) for raw in data["messages"]]
    if data.get("systemPrompt"):
        left[INSTRUCTIONS] += 1
    created = data.get("createdAt")
    # Its files have no id; the file's name, else the time of creation, comes closest.
    return chat("lmstudio", fallback_id or created, data.get("name"), messages, when(created), left)


def _lm_studio_message(raw: Any, left: Beside) -> ArchivedMessage | None:
    versions = raw.get("versions") if isinstance(raw, dict) else None
    if not isinstance(versions, list) or not versions:
        return None
    selected = raw.get("currentlySelected", 0)
    version = versions[selected] if isinstance(selected, int) and 0 <= selected < len(versions) else versions[-1]
    if len(versions) > 1:
        left[VERSIONS] += len(versions) - 1
    if not isinstance(version, dict):
        return None
    role = side(version.get("role"), left)
    if role is None:
        return None
    steps = version.get("steps")
    if not isinstance(steps, list):
        content = version.get("content")
        # "file" parts name files in "user-files", beside the folder of the chats.
        parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
        files = [part for part in parts if part.get("type") == "file" and isinstance(part.get("fileIdentifier"), str)]
        text = text_of([part for part in parts if part not in files] if parts else content, left)
        attached = tuple(Attached(str(file.get("name") or ""), ref=file["fileIdentifier"]) for file in files)
        return ArchivedMessage(role, text, attached=attached) if text or attached else None
    text = "\n\n".join(words for step in steps if (words := _lm_studio_step(step, left)))
    return ArchivedMessage(role, text, _lm_studio_time(steps)) if text else None


def _lm_studio_step(step: Any, left: Beside) -> str:
    if not isinstance(step, dict):
        return ""
    style = step.get("style")
    if step.get("type") != "contentBlock":
        left.part(step.get("type"))
    elif isinstance(style, dict) and style.get("type") == "thinking":
        left[THOUGHTS] += 1
    elif side(step.get("roleOverride") or "assistant") is None:
        left[TOOLS] += 1
    else:
        return text_of(step.get("content"), left)
    return ""


def _lm_studio_time(steps: list[Any]) -> datetime | None:
    """Return the time of an answer: messages have none, but the names of their steps start with one."""
    names = (str(step.get("stepIdentifier") or "") for step in steps if isinstance(step, dict))
    return next((when(int(found[1])) for name in names if (found := _MILLISECONDS.match(name))), None)


def _jan_accepts(data: dict[str, Any]) -> bool:
    return isinstance(data.get("thread"), dict) and isinstance(data.get("thread_messages"), list)


def _jan_parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    thread: dict[str, Any] = data["thread"]
    left = Beside()
    times = ("created_at", "created")
    messages = [_simple(raw, times, left) for raw in data["thread_messages"]]
    started = when(thread.get("created")) or when(thread.get("created_at"))
    return chat("jan", thread.get("id") or fallback_id, thread.get("title"), messages, started, left)


OPEN_WEBUI = ChatFormat("openwebui", "Open WebUI", _open_webui_accepts, _open_webui_parse)
LM_STUDIO = ChatFormat("lmstudio", "LM Studio", _lm_studio_accepts, _lm_studio_parse)
#: A Jan thread is two files; ``walk`` joins them into one object.
JAN = ChatFormat("jan", "Jan", _jan_accepts, _jan_parse)
