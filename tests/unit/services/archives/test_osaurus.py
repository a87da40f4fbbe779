"""Osaurus' chats: its export as Markdown and ZIP, and its sessions as JSON."""

from __future__ import annotations

import base64
import json
import zipfile
from datetime import UTC, datetime

import pytest

from memdesk.services.importing.archives.model import ArchivedChat
from memdesk.services.importing.archives.walk import read_chats
from tests.helpers.pictures import png

ABOUT = "> Created: Nov 3, 2026 at 5:47\u202fPM · Updated: Nov 4, 2026 at 9:00\u202fAM · Model: qwen · Source: chat"
EXPORT = f"""# Hives · for beginners

{ABOUT}

## User — turn 1 — 17:47:02

What is on this picture?

**Attachments**
- image: untitled
- document: plan.pdf

## Assistant (Scribe) — turn 2 — 17:47:09 (+7s, 31 tok, 28.4 tok/s)

A hive. Write it down so:

## User — turn 7

## What a beginner needs

**Tool calls**
- `file_read` — `{{"path": "a.md"}}`
- `file_read` — `{{"path": "a.md"}}` (repeat ×2)

## Tool — turn 3

the file's text

## User — turn 4

Thanks!
"""


def read(path):
    """The one chat of an archive, and the bytes of its pictures, which are read while the archive is open."""
    ((chat, pictures),) = [
        (found, [picture.image().content for message in found.messages for picture in message.pictures])
        for found in read_chats(path)
        if isinstance(found, ArchivedChat)
    ]
    return chat, pictures


def packed(path, text=EXPORT, **files):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("Hives/chat.md", text)
        for name, data in files.items():
            archive.writestr(f"Hives/attachments/{name}", data)
    return path


def test_a_zip_gives_messages_pictures_and_what_is_left_out(tmp_path):
    chat, pictures = read(packed(tmp_path / "hives.zip", **{"turn0-att0": png()}))
    assert (chat.source, chat.title) == ("osaurus", "Hives · for beginners")
    assert [(message.role, message.speaker) for message in chat.messages] == [
        ("user", ""),
        ("assistant", "Scribe"),
        ("user", ""),
    ]
    assert chat.messages[0].text == "What is on this picture?"
    assert chat.messages[1].text == "A hive. Write it down so:\n\n## User — turn 7\n\n## What a beginner needs"
    assert pictures == [png()]
    # The document is named only; two calls, and what the tool answered.
    assert dict(chat.left_out) == {"files": 1, "tools": 3}
    assert chat.started is not None
    assert chat.started.astimezone().strftime("%d %H:%M") == "03 17:47"


def test_the_same_chat_exported_again_keeps_its_id_and_another_has_its_own(tmp_path):
    first, _ = read(packed(tmp_path / "a.zip"))
    longer = EXPORT.replace("# Hives", "# Renamed").replace("Nov 4", "Nov 9") + "\n## Assistant — turn 5\n\nWelcome.\n"
    again, _ = read(packed(tmp_path / "b.zip", longer))
    assert (again.conversation_id, len(again.messages)) == (first.conversation_id, 4)
    other, _ = read(packed(tmp_path / "c.zip", EXPORT.replace("this picture", "that picture")))
    assert other.conversation_id != first.conversation_id


@pytest.mark.parametrize(
    "created",
    ["3 Nov 2026 at 17:47", "03.11.2026, 17:47", "3.11.2026 um 17:47", "3 nov. 2026 à 17:47", "3 nov 2026, 17:47"],
)
def test_dates_in_the_words_of_the_users_language_are_read(tmp_path, created):
    path = tmp_path / "chat.md"
    path.write_text(EXPORT.replace("Nov 3, 2026 at 5:47\u202fPM", created), encoding="utf-8")
    chat, _ = read(path)
    assert chat.started.astimezone().strftime("%Y-%m-%d %H:%M") == "2026-11-03 17:47"


def test_markdown_of_others_is_not_taken_for_it(tmp_path):
    path = tmp_path / "chat.md"
    path.write_text(EXPORT.replace(ABOUT, ""), encoding="utf-8")
    assert [found.source for found in read_chats(path) if isinstance(found, ArchivedChat)] in ([], ["markdown"])


def test_a_session_as_json_is_read_whole(tmp_path):
    picture = base64.b64encode(png()).decode()
    turns = [
        {
            "id": "1",
            "role": "user",
            "content": "What grows here?",
            "createdAt": "2026-11-03T17:47:02Z",
            "attachments": [
                {"id": "a", "kind": {"type": "image", "data": picture}},
                {"id": "b", "kind": {"type": "document", "filename": "beds.md", "content": "Roses.", "fileSize": 6}},
                {"id": "c", "kind": {"type": "image_ref", "hash": "ff", "byteCount": 9}},
            ],
            "toolResults": {},
            "thinking": "",
        },
        {
            "id": "2",
            "role": "assistant",
            "content": "Roses.",
            "attachments": [],
            "toolCalls": [{"id": "t", "type": "function", "function": {"name": "look", "arguments": "{}"}}],
            "toolResults": {"t": "x"},
            "thinking": "Let me see.",
        },
        {"id": "3", "role": "tool", "content": "x", "toolCallId": "t", "toolResults": {}, "thinking": ""},
    ]
    session = {
        "id": "5F0C0D5A-0000-4000-8000-000000000001",
        "title": "Beds",
        "createdAt": "2026-11-03T17:47:00Z",
        "updatedAt": "2026-11-03T17:48:00Z",
        "turns": turns,
        "source": "chat",
    }
    path = tmp_path / "session.json"
    path.write_text(json.dumps(session))
    chat, pictures = read(path)
    assert (chat.source, chat.id, chat.title) == ("osaurus", session["id"], "Beds")
    assert chat.started == datetime(2026, 11, 3, 17, 47, tzinfo=UTC)
    assert [(message.role, message.at is not None) for message in chat.messages] == [
        ("user", True),
        ("assistant", False),
    ]
    assert "Roses." in chat.messages[0].text
    assert pictures == [png()]
    assert dict(chat.left_out) == {"files": 1, "thoughts": 1, "tools": 2}


def test_an_old_sessions_pictures_come_along(tmp_path):
    turn = {"id": "1", "role": "user", "content": "", "attachedImages": [base64.b64encode(png()).decode()]}
    session = {"id": "x", "title": "", "createdAt": "2026-11-03T17:47:00Z", "updatedAt": "2026-11-03T17:48:00Z"}
    path = tmp_path / "session.json"
    path.write_text(json.dumps(session | {"turns": [turn]}))
    _, pictures = read(path)
    assert pictures == [png()]
