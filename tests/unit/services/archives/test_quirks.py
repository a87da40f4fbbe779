"""What real exports contain besides plain messages: branches, thinking, tool calls, images, truncated files."""

from __future__ import annotations

import json
import zipfile

import pytest

from memdesk.services.importing.archives.model import ArchivedChat, words_of
from memdesk.services.importing.archives.walk import NoChats, Unreadable, read_chats


def written(tmp_path, data, name="chats.json"):
    path = tmp_path / name
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def said(chat):
    return [(message.role, message.text) for message in chat.messages]


def thread(*messages):
    """A ChatGPT conversation without branches; ``messages`` are bodies of messages."""
    nodes = {"root": {"id": "root", "message": None, "parent": None, "children": ["m0"]}}
    for number, body in enumerate(messages):
        parent = f"m{number - 1}" if number else "root"
        nodes[f"m{number}"] = {"id": f"m{number}", "message": body, "parent": parent, "children": [f"m{number + 1}"]}
    return {"id": "g", "title": None, "create_time": None, "mapping": nodes, "current_node": f"m{len(messages) - 1}"}


def body(role, content, **more):
    return {"author": {"role": role}, "content": content, "create_time": None, **more}


def text(*parts):
    return {"content_type": "text", "parts": list(parts)}


def test_chatgpt_keeps_what_was_said_and_leaves_what_was_said_to_tools(tmp_path):
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
    heard = {"content_type": "audio_transcription", "text": "and a small dog", "direction": "in"}
    chat = thread(
        body("system", text("")),
        body("user", {"content_type": "user_editable_context", "user_profile": "about me"}),
        body("user", {"content_type": "multimodal_text", "parts": [picture, "This is my cat Minka", heard]}),
        body("assistant", {"content_type": "thoughts", "thoughts": [{"content": "a cat"}]}),
        body("assistant", text("The user has a cat called Minka."), recipient="bio"),
        body("tool", text("Model set context updated.")),
        body("assistant", {"content_type": "code", "text": "search('cats')"}, recipient="web.run"),
        body("assistant", {"content_type": "reasoning_recap", "content": "Thought for 3 seconds"}),
        body(
            "assistant",
            text("A fine cat \ue200cite\ue202turn0search1\ue201 indeed\u301012\u2020source\u3011."),
            recipient="all",
        ),
        body("user", {"content_type": "multimodal_text", "parts": [picture]}),
        body("assistant", None),
        body("user", text(None, "")),
    )
    (found,) = read_chats(written(tmp_path, [chat]))
    assert said(found) == [("user", "This is my cat Minka\n\nand a small dog"), ("assistant", "A fine cat  indeed.")]
    assert (found.title, found.started) == ("", None)


def test_chatgpt_in_several_files_beside_what_is_no_chat(tmp_path):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(3):
            chat = thread(body("user", text(f"Note {number}")))
            archive.writestr(f"conversations-00{number}.json", json.dumps([{**chat, "id": f"g{number}"}]))
        archive.writestr("__MACOSX/._conversations-000.json", b"\x00\x05\x16\x07 resource fork \xff")
        archive.writestr("user.json", json.dumps({"id": "user-1", "email": "ada@example.org"}))
        archive.writestr("shared_conversations.json", json.dumps([{"id": "s", "conversation_id": "g0", "title": "t"}]))
        archive.writestr("message_feedback.json", json.dumps([{"id": "f", "rating": "thumbs_up", "content": "{}"}]))
    found = list(read_chats(path))
    assert [chat.id for chat in found if isinstance(chat, ArchivedChat)] == ["g0", "g1", "g2"]
    others = ["message_feedback.json", "shared_conversations.json", "user.json"]
    assert [other.name for other in found if isinstance(other, NoChats)] == others


def test_claude_attachments_are_text_while_tools_and_thoughts_are_no_words(tmp_path):
    chat = {
        "uuid": "c",
        "name": "",
        "created_at": "2025-06-01T08:00:00.123456Z",
        "chat_messages": [
            {
                "uuid": "1",
                "sender": "human",
                "text": "Read this",
                "content": [{"type": "text", "text": "Read this"}],
                "attachments": [{"file_name": "a.txt", "extracted_content": "a long document"}],
                "files": [{"file_name": "b.png"}],
            },
            {
                "uuid": "2",
                "sender": "assistant",
                "text": "Well.\n```\nThis block is not supported on your current device yet.\n```",
                "content": [
                    {"type": "thinking", "thinking": "hm"},
                    {"type": "text", "text": "Well."},
                    {"type": "tool_use", "name": "repl", "input": {"code": "1"}},
                    {"type": "tool_result", "content": [{"type": "text", "text": "1"}]},
                    {"type": "text", "text": "It is long."},
                ],
            },
            {"uuid": "3", "sender": "human", "text": "", "content": [], "attachments": [{"extracted_content": "x"}]},
        ],
    }
    (found,) = read_chats(written(tmp_path, [chat]))
    assert said(found) == [
        ("user", "Read this\n\na.txt (15 characters):\n```file\na long document\n```"),
        ("assistant", "Well.\n\nIt is long."),
        ("user", "Pasted text (1 characters):\n```file\nx\n```"),
    ]


def claude_fork(**more):
    def message(name, parent, sender, words):
        return {"uuid": name, "parent_message_uuid": parent, "sender": sender, "text": words}

    messages = [
        message("1", "00000000-0000-4000-8000-000000000000", "human", "I live in Graz."),
        message("2", "1", "assistant", "Nice."),
        message("3", "00000000-0000-4000-8000-000000000000", "human", "I live in Linz."),
        message("4", "3", "assistant", "Good."),
    ]
    return {"uuid": "c", "name": "Home", "chat_messages": messages, **more}


@pytest.mark.parametrize(
    ("chat", "words"),
    [
        (claude_fork(), ["I live in Linz.", "Good."]),
        (claude_fork(current_leaf_message_uuid="2"), ["I live in Graz.", "Nice."]),
    ],
    ids=["newest", "named"],
)
def test_claude_branches_give_the_one_that_was_shown(tmp_path, chat, words):
    (found,) = read_chats(written(tmp_path, [chat]))
    assert [message.text for message in found.messages] == words


def open_webui(**chat):
    nodes = {
        "a": {"id": "a", "parentId": None, "childrenIds": ["b"], "role": "user", "content": "I bake.", "timestamp": 1},
        "b": {"id": "b", "parentId": "a", "childrenIds": [], "role": "assistant", "content": THOUGHT, "timestamp": 2},
    }
    return {"title": "Bread", "models": ["m"], "history": {"messages": nodes, "currentId": "b"}, **chat}


THOUGHT = (
    '<details type="reasoning" done="true" duration="2">\n<summary>Thought for 2 seconds</summary>\n'
    '&gt; a baker\n</details>\nGood.\n<details type="tool_calls" done="true" id="1" name="clock">\n</details>\nSo early?'
)


@pytest.mark.parametrize(
    "data",
    [
        [{"id": "w", "user_id": "u", "title": "Bread", "created_at": 1700000000, "chat": open_webui()}],
        open_webui(id="w"),
        {"id": "w", "chat": open_webui(history={"messages": open_webui()["history"]["messages"], "currentId": None})},
        {"id": "w", "chat": open_webui(history={}, messages=list(open_webui()["history"]["messages"].values()))},
    ],
    ids=["list-of-records", "bare-chat", "no-current", "flat"],
)
def test_open_webui_in_all_its_shapes(tmp_path, data):
    (found,) = read_chats(written(tmp_path, data))
    assert (found.source, found.id, found.title) == ("openwebui", "w", "Bread")
    assert said(found) == [("user", "I bake."), ("assistant", "Good.\n\nSo early?")]


def test_lm_studio_leaves_out_tools_files_and_thoughts(tmp_path):
    def block(*content, **more):
        return {"type": "contentBlock", "content": list(content), **more}

    chat = {
        "name": "Physics",
        "createdAt": 1719999999999,
        "messages": [
            {
                "versions": [
                    {
                        "type": "singleStep",
                        "role": "user",
                        "content": [
                            {"type": "file", "fileIdentifier": "a.pdf", "fileType": "text/plain"},
                            {"type": "text", "text": "I teach physics."},
                        ],
                    }
                ],
                "currentlySelected": 0,
            },
            {
                "versions": [
                    {
                        "type": "multiStep",
                        "role": "assistant",
                        "steps": [
                            block({"type": "text", "text": "hm"}, style={"type": "thinking", "ended": True}),
                            block({"type": "toolCallRequest", "name": "sum", "parameters": {}, "text": "no"}),
                            {"type": "toolStatus", "statusState": {}},
                            block({"type": "toolCallResult", "content": "[42]"}, roleOverride="tool"),
                            block({"type": "text", "text": "At which school?"}),
                            {"type": "debugInfoBlock", "debugInfo": "x"},
                        ],
                    }
                ],
                "currentlySelected": 0,
            },
        ],
    }
    (found,) = read_chats(written(tmp_path, chat, "1719999999999.conversation.json"))
    assert found.id == "1719999999999"
    assert said(found) == [("user", "I teach physics."), ("assistant", "At which school?")]


@pytest.mark.parametrize("chosen", ["thread.json", "messages.jsonl", ".", ".."])
def test_jan_by_either_file_or_a_folder_with_a_line_cut_off(tmp_path, chosen):
    folder = tmp_path / "threads" / "t1"
    folder.mkdir(parents=True)
    written(folder, {"id": "t1", "title": "Trip", "updated": 1700000000}, "thread.json")

    def line(role, *content):
        return json.dumps({"role": role, "content": list(content), "created_at": 1700000000123})

    lines = [
        line("user", {"type": "text", "text": {"value": "I flew to Oslo.", "annotations": []}}),
        line(
            "assistant",
            {"type": "reasoning", "text": {"value": "Norway"}},
            {"type": "text", "text": {"value": "<think>\nNorway\n</think>\n\nHow was it?"}},
            {"type": "tool_call", "tool_name": "maps", "content": "no"},
        ),
        line("tool", {"type": "text", "text": {"value": "no"}}),
        line("user", {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}),
        '{"role": "user", "content": [{"type": "te',
    ]
    written(folder, "\n".join(lines), "messages.jsonl")
    broken, found = read_chats(folder / chosen)
    assert isinstance(broken, Unreadable)
    assert found.conversation_id == "import-jan-t1"
    assert said(found) == [("user", "I flew to Oslo."), ("assistant", "How was it?")]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("<think>\nlong\n\nthoughts</think>\n\nYes.", "Yes."),
        ("long thoughts\n</think>\n\nYes.", "Yes."),
        ("<think>\ncut off", ""),
        ("\ue203Graz\ue204 is fine.\ue200cite\ue202turn0search1\ue201", "Graz is fine."),
        ("Write `<think>` and `</think>` around it.", "Write `<think>` and `</think>` around it."),
        ("<details><summary>More</summary>Kept</details>", "<details><summary>More</summary>Kept</details>"),
    ],
)
def test_the_words_of_an_answer_are_left_as_they_are(answer, words):
    assert words_of(answer) == words


def test_an_archive_that_ends_in_the_middle_gives_what_it_holds(tmp_path):
    whole = json.dumps([thread(body("user", text("One"))), thread(body("user", text("Two")))])
    found = list(read_chats(written(tmp_path, whole[:-40])))
    assert [type(each) for each in found] == [ArchivedChat, Unreadable]
    assert "ends in the middle" in found[1].reason


def test_the_text_that_open_webui_saves_is_read(tmp_path):
    (found,) = read_chats(written(tmp_path, "### USER\nI bake.\n\n### ASSISTANT\nGood.\n", "chat-Bread.txt"))
    assert said(found) == [("user", "I bake."), ("assistant", "Good.")]


@pytest.mark.parametrize("mark", ["\n<think>\n", '<details type="reasoning">', "\ue200", "\u30101:"])
def test_beginnings_without_an_end_are_looked_at_once(mark):
    # Looking from each of them to the end took minutes: the square of the length.
    assert words_of(f"Yes.{mark * 100_000}").startswith("Yes.")
