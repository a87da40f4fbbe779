import io
import json
import os
import tracemalloc
import zipfile
from datetime import UTC, datetime

import pytest

from memdesk.services.importing.archives import pieces
from memdesk.services.importing.archives.model import ArchivedChat, ArchiveError
from memdesk.services.importing.archives.pieces import stream_json
from memdesk.services.importing.archives.walk import NoChats, Unreadable, read_chats


def node(name, parent, role, text, **extra):
    message = {"author": {"role": role}, "content": {"content_type": "text", "parts": [text]}, "create_time": 1.7e9}
    return {"id": name, "parent": parent, "children": [], "message": {**message, **extra}}


CHATGPT = {
    "title": "Holiday",
    "create_time": 1700000000.5,
    "conversation_id": "c-1",
    "current_node": "n4",
    "mapping": {
        "n0": {"id": "n0", "parent": None, "children": ["n1"], "message": None},
        "n1": node("n1", "n0", "system", "be nice"),
        "n2": node("n2", "n1", "user", "My sister is called Ada."),
        "n3": node("n3", "n2", "assistant", "an answer that was regenerated"),
        "n4": node("n4", "n2", "assistant", "Noted."),
        "n5": node("n5", "n1", "user", "hidden", metadata={"is_visually_hidden_from_conversation": True}),
    },
}
CLAUDE = {
    "uuid": "u-1",
    "name": "Garden",
    "created_at": "2024-05-01T10:00:00Z",
    "chat_messages": [
        {"sender": "human", "text": "I grow figs.", "created_at": "2024-05-01T10:00:01Z"},
        {
            "sender": "assistant",
            "text": "",
            "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Nice."}],
        },
    ],
}
OPEN_WEBUI = {
    "id": "w-1",
    "title": "Bread",
    "chat": {
        "history": {
            "currentId": "b",
            "messages": {
                "a": {"id": "a", "parentId": None, "role": "user", "content": "I bake.", "timestamp": 1700000000},
                "b": {"id": "b", "parentId": "a", "role": "assistant", "content": "Good.", "timestamp": 1700000001},
                "c": {"id": "c", "parentId": "a", "role": "assistant", "content": "Other branch."},
            },
        }
    },
}
LM_STUDIO = {
    "name": "Physics",
    "createdAt": 1700000000000,
    "messages": [
        {
            "versions": [{"role": "user", "content": [{"type": "text", "text": "I teach physics."}]}],
            "currentlySelected": 0,
        },
        {
            "versions": [
                {
                    "role": "assistant",
                    "steps": [{"type": "contentBlock", "content": [{"type": "text", "text": "first"}]}],
                },
                {
                    "role": "assistant",
                    "steps": [
                        {"type": "contentBlock", "style": {"type": "thinking"}, "content": [{"text": "hm"}]},
                        {"type": "contentBlock", "content": [{"type": "text", "text": "second"}]},
                    ],
                },
            ],
            "currentlySelected": 1,
        },
    ],
}


def said(chat):
    return [(message.role, message.text) for message in chat.messages]


def write_zip(path, **files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/"), text)
    return path


def test_chatgpt_zip_follows_the_branch_shown_last(tmp_path):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([CHATGPT]))
        archive.writestr("user.json", json.dumps({"id": "user-1"}))
        archive.writestr("chat.html", "<html>")
    chat, other = read_chats(path)
    assert other == NoChats("user.json")
    assert said(chat) == [("user", "My sister is called Ada."), ("assistant", "Noted.")]
    assert chat.conversation_id == "import-chatgpt-c-1"
    assert chat.started == datetime(2023, 11, 14, 22, 13, 20, 500000, tzinfo=UTC)


@pytest.mark.parametrize(
    ("data", "source", "words"),
    [
        ([CLAUDE], "claude", ["I grow figs.", "Nice."]),
        ([OPEN_WEBUI], "openwebui", ["I bake.", "Good."]),
        (LM_STUDIO, "lmstudio", ["I teach physics.", "second"]),
        ({"turns": [{"user": "hello", "assistant": "hi", "date": "2024-01-01"}]}, "json", ["hello", "hi"]),
        (
            [{"role": "user", "content": "one"}, {"role": "assistant", "content": [{"type": "text", "text": "two"}]}],
            "json",
            ["one", "two"],
        ),
        ([{"user": "one", "assistant": "two"}], "json", ["one", "two"]),
        ({"messages": [{"role": "system", "content": "x"}, {"role": "user", "content": "one"}]}, "json", ["one"]),
    ],
    ids=["claude", "open-webui", "lm-studio", "turns", "message-list", "turn-list", "messages"],
)
def test_each_format_is_told_from_its_shape(tmp_path, data, source, words):
    path = tmp_path / "chats.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    (chat,) = read_chats(path)
    assert chat.source == source
    assert [message.text for message in chat.messages] == words


def test_a_jan_folder_joins_its_two_files(tmp_path):
    thread = tmp_path / "threads" / "t1"
    thread.mkdir(parents=True)
    (thread / "thread.json").write_text(json.dumps({"id": "t1", "title": "Trip", "created": 1700000000}))
    lines = [
        {
            "role": "user",
            "content": [{"type": "text", "text": {"value": "I flew to Oslo.", "annotations": []}}],
            "created_at": 1700000000000,
        },
        {"role": "assistant", "content": [{"type": "text", "text": {"value": "How was it?"}}]},
    ]
    (thread / "messages.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    (chat,) = read_chats(tmp_path)
    assert chat.conversation_id == "import-jan-t1"
    assert said(chat) == [("user", "I flew to Oslo."), ("assistant", "How was it?")]


def test_markdown_with_headings_bold_names_and_code(tmp_path):
    path = tmp_path / "chat.md"
    path.write_text(
        "# Cooking\n\n## You\nI cook for six.\n```\nUser: not a speaker\n```\n\n**Assistant:** Noted.\n\n"
        "User: You should know that I hate salt.\n"
    )
    (chat,) = read_chats(path)
    assert chat.title == "Cooking"
    assert [m.role for m in chat.messages] == ["user", "assistant", "user"]
    assert "not a speaker" in chat.messages[0].text
    assert chat.messages[2].text == "You should know that I hate salt."


def test_what_is_broken_is_named_and_the_rest_read(tmp_path):
    (tmp_path / "a.json").write_text("{broken")
    (tmp_path / "b.json").write_text(json.dumps({"mapping": {"x": 1}, "current_node": "x"}))
    (tmp_path / "c.json").write_text(json.dumps(CLAUDE))
    for name, days in (("a.json", 1), ("b.json", 2), ("c.json", 3)):
        os.utime(tmp_path / name, (86400 * days, 86400 * days))
    found = list(read_chats(tmp_path))
    # The newest file first.
    assert [type(f) for f in found] == [ArchivedChat, ArchivedChat, Unreadable]
    assert found[1].messages == ()
    assert found[2].name == "a.json"


@pytest.mark.parametrize("content", ["", "[]", '{"a": 1}', "hello", "3"])
def test_a_file_without_chats_is_refused_in_words(tmp_path, content):
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(ArchiveError) as refused:
        list(read_chats(path))
    assert "ChatGPT" in refused.value.hint


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(ArchiveError, match="does not exist"):
        list(read_chats(tmp_path / "none.zip"))


@pytest.mark.parametrize("chunk", [1, 2, 7, 4096])
@pytest.mark.parametrize("value", [[], [1], [1, 23, 456], [{"a": [1, {"b": "]},"}]}, "x"], {"a": "é\\"}, 12345])
def test_json_is_streamed_the_same_whatever_the_pieces(monkeypatch, chunk, value):
    monkeypatch.setattr(pieces, "_CHUNK", chunk)
    for text in (json.dumps(value), json.dumps(value, indent=2) + "\n"):
        assert list(stream_json(io.StringIO(text))) == (value if isinstance(value, list) else [value])


def test_a_large_archive_is_read_one_chat_at_a_time(tmp_path):
    words = "words of a long talk " * 200
    chat = {**CLAUDE, "chat_messages": [{"sender": "human", "text": words}] * 20}
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps([chat] * 200))
        size = archive.getinfo("conversations.json").file_size
    tracemalloc.start()
    try:
        assert sum(len(found.messages) for found in read_chats(path)) == 4000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert size > 16_000_000
    assert peak < 8_000_000
