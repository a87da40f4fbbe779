"""Claude's export: ``conversations.json`` with ``chat_messages`` for each conversation."""

import re
from collections.abc import Iterator
from typing import Any

from memdesk.services.importing.archives.beside import FILES, VERSIONS, Beside
from memdesk.services.importing.archives.model import (
    ArchivedChat,
    ArchivedMessage,
    Aside,
    Attached,
    ChatFormat,
    chain,
    chat,
    side,
    text_of,
    when,
)

#: A heading: "**Work context**" or "## Work context".
_HEADING = re.compile(r"(?:\*\*|#{1,6}\s+)(?P<words>[^*\n]+?):?(?:\*\*)?")


def _accepts(data: dict[str, Any]) -> bool:
    return isinstance(data.get("chat_messages"), list)


def _parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    left, branch = Beside(), _branch(data)
    if others := len(data["chat_messages"]) - len(branch):
        left[VERSIONS] += others
    name, started, messages = data.get("uuid"), when(data.get("created_at")), [_message(raw, left) for raw in branch]
    project = _project_of(data)
    return chat("claude", name or fallback_id, data.get("name"), messages, started, left, project=project)


def _project_of(data: dict[str, Any]) -> str:
    project = data.get("project")
    return str(data.get("project_uuid") or (project.get("uuid") if isinstance(project, dict) else "") or "")


def claude_asides(data: dict[str, Any]) -> Iterator[Aside | ArchivedChat]:
    """Yield the contents of a file beside Claude's chats: memories, or a project with its documents.

    A memory file has paragraphs below headings, by topic; each paragraph is one memory. A project's documents become a
    chat of it, as if attached there.
    """
    if isinstance(data.get("conversations_memory"), str):
        yield from _memories(data["conversations_memory"])
        projects = data.get("project_memories")
        for text in projects.values() if isinstance(projects, dict) else ():
            yield from _memories(text) if isinstance(text, str) else ()
    elif isinstance(data.get("prompt_template"), str) and isinstance(data.get("name"), str) and data.get("uuid"):
        yield from _project(data)


def is_aside(data: dict[str, Any]) -> bool:
    """Whether an object of a file is one of those."""
    return isinstance(data.get("conversations_memory"), str) or {"uuid", "name", "prompt_template"} <= data.keys()


def _memories(page: str) -> Iterator[Aside]:
    topic = ""
    for paragraph in map(str.strip, re.split(r"\n\s*\n", page)):
        if heading := _HEADING.fullmatch(paragraph):
            topic = heading["words"].strip()
        elif paragraph:
            yield Aside.memory("claude", f"{topic}: {paragraph}" if topic else paragraph)


def _project(data: dict[str, Any]) -> Iterator[Aside | ArchivedChat]:
    key, name = str(data["uuid"]), str(data["name"]).strip() or "Claude"
    made = when(data.get("updated_at")) or when(data.get("created_at"))
    docs = [doc for doc in data.get("docs") or () if isinstance(doc, dict) and doc.get("content")]
    if data.get("is_starter_project") and not docs:
        return  # Anthropic's own example
    yield Aside("project", "claude", key, data["prompt_template"].strip(), name[:100], made)
    messages = tuple(
        ArchivedMessage(
            "user",
            str(data.get("description") or "") if number == 0 else "",
            when(doc.get("created_at")) or made,
            attached=(Attached(str(doc.get("filename") or "Document"), text=str(doc["content"])),),
        )
        for number, doc in enumerate(docs)
    )
    if messages:
        yield ArchivedChat("claude", f"documents-{key}", name, messages, made, project=key)


def _branch(data: dict[str, Any]) -> list[Any]:
    """Return the last shown branch if messages name their parents; else all, in order."""
    every: list[Any] = data["chat_messages"]
    by_id = {raw["uuid"]: raw for raw in every if isinstance(raw, dict) and isinstance(raw.get("uuid"), str)}
    parents = [raw.get("parent_message_uuid") for raw in by_id.values()]
    named = [parent for parent in parents if parent]
    whole = len(by_id) == len(every) and len(named) >= len(every) - 1
    if not whole or len(set(named)) == len(named):
        return every  # a flat list, or no message has two answers
    name = data.get("current_leaf_message_uuid")
    return chain(by_id, name if name in by_id else every[-1]["uuid"], "parent_message_uuid")


def _message(raw: Any, left: Beside) -> ArchivedMessage | None:
    if not isinstance(raw, dict):
        return None
    role = side(raw.get("sender"), left)
    if role is None:
        return None
    parts = raw.get("content")
    other = Beside()
    # Newer exports split a message into parts; thoughts and tool calls are not text for the user. Their ``text`` joins
    # all parts, with a note in place of those that it cannot show.
    text = text_of(parts, other) if isinstance(parts, list) else ""
    if not text and not other:
        text = text_of(raw.get("text"))
    left.update(other)
    # Pictures and stored files are only named; other uploads have the text that Claude read.
    left.several(raw.get("files"), FILES)
    attached = tuple(_attached(each) for each in raw.get("attachments") or () if isinstance(each, dict))
    return ArchivedMessage(role, text, when(raw.get("created_at")), attached=attached) if text or attached else None


def _attached(raw: dict[str, Any]) -> Attached:
    return Attached(str(raw.get("file_name") or "Pasted text"), text=str(raw.get("extracted_content") or ""))


CLAUDE = ChatFormat("claude", "Claude", _accepts, _parse)
