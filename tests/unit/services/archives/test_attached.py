"""Attachments of messages: images and texts, under the names and paths used in the apps' archives.

ChatGPT: image pointers and names as in jamesmoore/chatgpt-export and mitkury/chatgpt-export-parser. Grok: assets as in
readers of ``prod-mc-asset-server/<id>/content``. Open WebUI, Jan and LM Studio: as their own sources write them.
"""

from __future__ import annotations

import base64
import json
import zipfile

import pytest

from memdesk.services.importing.archives.model import ArchivedChat
from memdesk.services.importing.archives.walk import read_chats
from tests.helpers.pictures import png
from tests.unit.services.archives.test_beside import body, chatgpt, claude, said


def address(data: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(data).decode()}"


def shown(chat: ArchivedChat) -> list[list[tuple[str, bytes]]]:
    return [[(picture.name, picture.image().content) for picture in message.pictures] for message in chat.messages]


def read(path) -> tuple[ArchivedChat, list[list[tuple[str, bytes]]]]:
    """The one chat of an archive and its pictures, which are read while the archive is open."""
    ((chat, pictures),) = [(found, shown(found)) for found in read_chats(path) if isinstance(found, ArchivedChat)]
    return chat, pictures


def pointer(asset: str) -> dict:
    return {"content_type": "image_asset_pointer", "asset_pointer": asset, "size_bytes": 70, "width": 1, "height": 1}


GARDEN = chatgpt(
    body(
        "user",
        {"content_type": "multimodal_text", "parts": [pointer("file-service://file-AbC1"), "What grows here?"]},
        attachments=[
            {"id": "file-AbC1", "name": "beds.png", "mime_type": "image/png", "size": 70},
            {"id": "file-Txt2", "name": "plan.md", "mime_type": "text/markdown", "size": 20},
            {"id": "file-Pdf3", "name": "book.pdf", "mime_type": "application/pdf", "size": 9},
        ],
    ),
    body("assistant", {"content_type": "text", "parts": ["{}"]}, recipient="t2uay3k.sj1i4kz"),
    body(
        "tool",
        {
            "content_type": "multimodal_text",
            "parts": [pointer("sediment://file_00ab?shared_conversation_id=6a7f"), "Processing image. Say nothing."],
        },
        name="t2uay3k.sj1i4kz",
    ),
    body("user", {"content_type": "multimodal_text", "parts": [pointer("sediment://file_gone")]}),
    body("assistant", "Tulips."),
)


@pytest.mark.parametrize("packed", [True, False])
def test_pictures_and_texts_of_chatgpt_are_found_by_their_ids(tmp_path, packed):
    files = {
        "conversations.json": json.dumps([GARDEN]).encode(),
        "file-AbC1-beds.png": png(1),
        "file-Txt2-plan.md": b"# Plan\n\nTulips left",
        "file-Pdf3-book.pdf": b"%PDF-1.4",
        "user-88H1/file_00ab-0c2f.dat": png(2),  # often under this ending, whatever it is
    }
    if packed:
        path = tmp_path / "export.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in files.items():
                archive.writestr(name, data)
    else:
        path = tmp_path / "export" / "conversations.json"
        for name, data in files.items():
            file = tmp_path / "export" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
    chat, pictures = read(path)
    assert said(chat) == [
        ("user", "What grows here?\n\nplan.md (19 characters):\n```file\n# Plan\n\nTulips left\n```"),
        ("assistant", ""),
        ("assistant", "Tulips."),
    ]
    assert pictures == [[("beds.png", png(1))], [("", png(2))], []]
    # The book, the picture that the archive lacks, and what was said to the tool.
    assert chat.left_out == {"files": 2, "tools": 1}


def test_a_damaged_picture_in_an_archive_is_told_when_it_is_read(tmp_path):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([GARDEN]))
        archive.writestr("file-AbC1-beds.png", png(1))
    whole = path.read_bytes()
    path.write_bytes(whole.replace(png(1), png(1)[:40] + b"!" + png(1)[41:]))
    chat, pictures = read(path)
    # The message stays; a reader finds the damage at once in a picture as small as this one.
    assert said(chat)[0] == ("user", "What grows here?")
    assert (pictures[0], chat.left_out["files"]) == ([], 5)


def test_files_of_grok_lie_in_folders_of_their_ids(tmp_path):
    path = tmp_path / "grok.zip"
    asked = {"_id": "1", "message": "Who is this?", "sender": "human", "file_attachments": ["7f-a", "8e-b", "9d-c"]}
    told = {"_id": "2", "message": "A cat.", "sender": "ASSISTANT", "file_attachments": []}
    with zipfile.ZipFile(path, "w") as archive:
        where = "ttl/30d/export_data/0c-u"
        data = {
            "conversations": [
                {"conversation": {"id": "g", "title": "Cat"}, "responses": [{"response": asked}, {"response": told}]}
            ]
        }
        archive.writestr(f"{where}/prod-grok-backend.json", json.dumps(data))
        archive.writestr(f"{where}/prod-mc-asset-server/7f-a/content", png(3))
        archive.writestr(f"{where}/prod-mc-asset-server/8e-b/content", "Her name is Minka.")
    chat, pictures = read(path)
    assert said(chat)[0] == ("user", "Who is this?\n\n8e-b (18 characters):\n```file\nHer name is Minka.\n```")
    assert pictures == [[("", png(3))], []]
    assert chat.left_out == {"files": 1}


def test_pictures_and_documents_of_open_webui_are_taken(tmp_path):
    files = [
        {"type": "image", "url": address(png(4))},
        {"type": "file", "name": "rye.txt", "file": {"filename": "rye.txt", "data": {"content": "Rye rises slowly."}}},
        {"type": "image", "url": "/api/v1/files/5f/content"},
    ]
    messages = [{"role": "user", "content": "Look", "files": files}, {"role": "assistant", "content": "Yes."}]
    path = tmp_path / "chat.json"
    path.write_text(json.dumps([{"id": "w", "title": "Rye", "chat": {"messages": messages}}]))
    chat, pictures = read(path)
    assert said(chat)[0] == ("user", "Look\n\nrye.txt (17 characters):\n```file\nRye rises slowly.\n```")
    assert pictures[0] == [("", png(4))]
    assert chat.left_out == {"files": 1}


def test_a_picture_among_the_parts_of_a_jan_message_is_taken(tmp_path):
    folder = tmp_path / "threads" / "t"
    folder.mkdir(parents=True)
    (folder / "thread.json").write_text(json.dumps({"id": "t", "title": "T"}))
    parts = [
        {"type": "text", "text": {"value": "This is Minka"}},
        {"type": "image_url", "image_url": {"url": address(png(5)), "detail": "auto"}},
    ]
    (folder / "messages.jsonl").write_text(json.dumps({"role": "user", "content": parts, "created_at": 1_750_000_000}))
    chat, pictures = read(tmp_path)
    assert said(chat) == [("user", "This is Minka")]
    assert pictures == [[("", png(5))]]
    assert not chat.left_out


def test_files_of_lm_studio_lie_beside_the_folder_of_its_chats(tmp_path):
    home = tmp_path / ".lmstudio"
    (home / "conversations").mkdir(parents=True)
    (home / "user-files").mkdir()
    (home / "user-files" / "1750000000123 - 517.png").write_bytes(png(6))
    content = [
        {"type": "text", "text": "Which flower?"},
        {"type": "file", "fileIdentifier": "1750000000123 - 517.png", "fileType": "image", "sizeBytes": 70},
    ]
    version = {"type": "singleStep", "role": "user", "content": content}
    data = {"name": "F", "createdAt": 1, "messages": [{"versions": [version], "currentlySelected": 0}]}
    (home / "conversations" / "1.conversation.json").write_text(json.dumps(data))
    chat, pictures = read(home / "conversations")
    assert said(chat) == [("user", "Which flower?")]
    assert pictures == [[("", png(6))]]


def test_two_files_of_one_name_stay_two(tmp_path):
    attached = [{"file_name": "a.txt", "extracted_content": text} for text in ("One.", "Two.", "One.")]
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([claude({"sender": "human", "text": "Compare", "attachments": attached})]))
    chat, _ = read(path)
    assert said(chat) == [
        (
            "user",
            "Compare\n\na.txt (4 characters):\n```file\nOne.\n```\n\na.txt (2) (4 characters):\n```file\nTwo.\n```",
        )
    ]
