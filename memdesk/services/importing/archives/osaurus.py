"""Osaurus: its *Export* (Markdown, alone or in a ZIP with attachments), and its sessions stored as JSON.

Shapes: ``Services/Chat/ChatSessionExporter.swift`` and ``Models/Chat`` of osaurus-ai/osaurus.
"""

import hashlib
import re
from datetime import UTC
from pathlib import PurePosixPath
from typing import Any, Final

from memdesk.services.importing.archives.beside import FILES, THOUGHTS, TOOLS, Beside
from memdesk.services.importing.archives.model import (
    ArchivedChat,
    ArchivedMessage,
    Attached,
    ChatFormat,
    chat,
    side,
    text_of,
    when,
)
from memdesk.services.importing.dates import read_date

_NAME: Final = "osaurus"
#: "> Created: 22 Nov 2026 at 17:47 · Updated: ... · Model: ... · Source: chat", with the date in the user's language.
_ABOUT: Final = re.compile(r"> Created: (?P<created>.+?) · Updated: .+ · Source: .+")
#: "## Assistant (Scribe) — turn 2 — 14:02:18 (+4s, 312 tok)"
_TURN: Final = re.compile(
    r"## (?P<role>User|Assistant|System|Tool|Developer)(?: \((?P<speaker>.*)\))? — turn (?P<number>\d+)(?: — .*)?"
)
_CALLS: Final = "\n**Tool calls**\n- `"
_ATTACHED: Final = re.compile(r"(?:\A|\n)\*\*Attachments\*\*\n(?P<files>(?:- .+(?:\n|\Z))+)\Z")


def parse_markdown(text: str, folder: PurePosixPath) -> ArchivedChat | None:
    """Read an export; None if it is not an Osaurus export.

    Args:
        text: the Markdown.
        folder: its folder in the archive, beside its attachments.
    """
    lines = text.splitlines()
    title = lines[0].removeprefix("# ") if lines and lines[0].startswith("# ") else None
    about = next((found for line in lines[1:4] if (found := _ABOUT.fullmatch(line))), None)
    if title is None or about is None:
        return None
    turns: list[tuple[re.Match[str], list[str]]] = []
    for line in lines:
        head = _TURN.fullmatch(line)
        # Message text may contain such a line; the program's own has the next number.
        if head is not None and int(head["number"]) == len(turns) + 1:
            turns.append((head, []))
        elif turns:
            turns[-1][1].append(line)
    left, messages = Beside(), []
    for head, body in turns:
        role = side(head["role"])
        if role is None:
            left.part(head["role"].casefold())
        elif message := _told(role, head, "\n".join(body).strip(), folder, left):
            messages.append(message)
    # It has no id: a chat's title may change, but not its start.
    name = hashlib.sha256(f"{about['created']}\n{messages[0].text if messages else title}".encode()).hexdigest()[:16]
    started = read_date(about["created"].replace("\u202f", " "))
    return ArchivedChat(_NAME, name, title, tuple(messages), started and started.astimezone(UTC), left)


def _told(role: Any, head: re.Match[str], said: str, folder: PurePosixPath, left: Beside) -> ArchivedMessage | None:
    if role == "assistant":
        said, mark, calls = f"\n{said}".rpartition(_CALLS) if _CALLS in f"\n{said}" else (said, "", "")
        left[TOOLS] += len(re.findall(r"^- `", "- `" + calls, re.MULTILINE)) if mark else 0
    files: list[Attached] = []
    if listed := _ATTACHED.search(said.rstrip()):
        said = said[: listed.start()]
        for number, line in enumerate(listed["files"].splitlines()):
            name = line.removeprefix("- ").partition(": ")[2] or line.removeprefix("- ")
            called = f"turn{int(head['number']) - 1}-att{number}" if name == "untitled" else name
            files.append(Attached(name, ref=str(folder / "attachments" / called)))
    if not said.strip() and not files:
        return None
    return ArchivedMessage(role, said.strip(), speaker=head["speaker"] or "", attached=tuple(files))


def _accepts(data: dict[str, Any]) -> bool:
    turns = data.get("turns")
    return isinstance(turns, list) and {"id", "createdAt", "updatedAt"} <= data.keys()


def _parse(data: dict[str, Any], fallback_id: str) -> ArchivedChat:
    left, messages = Beside(), []
    for turn in data["turns"]:
        role, text = side(turn.get("role"), left), text_of(turn.get("content"), left)
        if role is None:
            continue
        left[THOUGHTS] += bool(turn.get("thinking"))
        left.several(turn.get("toolCalls"), TOOLS)
        files = tuple(_file(each, left) for each in turn.get("attachments") or ())
        pictures = tuple(Attached("", data=str(each)) for each in turn.get("attachedImages") or ())
        attached = (*(file for file in files if file is not None), *pictures)
        if text or attached:
            messages.append(ArchivedMessage(role, text, when(turn.get("createdAt")), attached=attached))
    started = when(data.get("createdAt"))
    return chat(_NAME, data.get("id") or fallback_id, data.get("title"), messages, started, left)


def _file(given: Any, left: Beside) -> Attached | None:
    """Return an attached picture or text; encrypted files (``image_ref``), audio and video are counted."""
    kind = given.get("kind") if isinstance(given, dict) else None
    kind = kind if isinstance(kind, dict) else {}
    if kind.get("type") == "image":
        return Attached("", data=str(kind.get("data") or ""))
    if kind.get("type") == "document":
        return Attached(str(kind.get("filename") or ""), text=str(kind.get("content") or ""))
    left[FILES] += 1
    return None


OSAURUS = ChatFormat(_NAME, "Osaurus", _accepts, _parse)
