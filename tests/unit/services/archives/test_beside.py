"""What archives contain besides messages is counted; in the apps' current formats."""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, datetime

import pytest

from memdesk.services.importing.archives.model import ArchivedChat, when, words_of
from memdesk.services.importing.archives.walk import NoChats, Unreadable, read_chats


def read(tmp_path, data, name="chats.json"):
    path = tmp_path / name
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return list(read_chats(path))


def said(chat):
    return [(message.role, message.text) for message in chat.messages]


def chatgpt(*messages, **more):
    """A conversation of one branch; ``messages`` are bodies of messages."""
    nodes = {"root": {"id": "root", "message": None, "parent": None, "children": ["m0"]}}
    for number, body in enumerate(messages):
        parent = f"m{number - 1}" if number else "root"
        nodes[f"m{number}"] = {"id": f"m{number}", "message": body, "parent": parent, "children": [f"m{number + 1}"]}
    return {"conversation_id": "g", "title": "T", "mapping": nodes, "current_node": f"m{len(messages) - 1}", **more}


def body(role, content, *, recipient="all", channel=None, name=None, **metadata):
    if isinstance(content, str):
        content = {"content_type": "text", "parts": [content]}
    return {
        "author": {"role": role, "name": name, "metadata": {}},
        "create_time": 1_750_000_000.25,
        "content": content,
        "status": "finished_successfully",
        "recipient": recipient,
        "channel": channel,
        "metadata": metadata,
    }


def test_a_thinking_turn_of_chatgpt_leaves_its_answer_alone(tmp_path):
    thoughts = {"content_type": "thoughts", "thoughts": [{"summary": "Bread", "content": "rye"}]}
    turn = chatgpt(
        body("system", ""),
        body(
            "user",
            {"content_type": "user_editable_context", "user_profile": "I bake", "user_instructions": "Be short"},
            is_visually_hidden_from_conversation=True,
            is_user_system_message=True,
        ),
        body("assistant", {"content_type": "model_editable_context", "model_set_context": "1. Bakes rye."}),
        body(
            "user", "I bake rye bread on Sundays.", attachments=[{"name": "notes.pdf", "mime_type": "application/pdf"}]
        ),
        body("assistant", thoughts),
        body("assistant", "Let me think about rye.", channel="commentary", is_thinking_preamble_message=True),
        body("assistant", "rye needs acid", channel="analysis"),
        body(
            "assistant", {"content_type": "code", "language": "json", "text": "{}"}, recipient="canmore.create_textdoc"
        ),
        body("tool", {"content_type": "tether_quote", "url": "u", "domain": "d", "text": "t"}, name="browser"),
        body("tool", {"content_type": "execution_output", "text": "42"}, name="python"),
        body("assistant", {"content_type": "reasoning_recap", "content": "Thought for 4s"}),
        body("assistant", "Rye needs a sour dough.", channel="final"),
        body("assistant", {"content_type": "hologram", "beams": 3}),
    )
    (found,) = read(tmp_path, [turn])
    assert said(found) == [("user", "I bake rye bread on Sundays."), ("assistant", "Rye needs a sour dough.")]
    assert found.left_out == {"thoughts": 4, "tools": 3, "files": 1, "hologram": 1}
    assert [(aside.kind, aside.text) for aside in found.asides] == [
        ("told", "I bake"),
        ("prompt", "Be short"),
        ("memory", "Bakes rye."),
    ]


def test_answers_of_chatgpt_that_were_made_anew_are_counted(tmp_path):
    chat = chatgpt(body("user", "Which flour?"), body("assistant", "Rye."))
    chat["mapping"]["old"] = {"id": "old", "parent": "m0", "children": [], "message": body("assistant", "Wheat.")}
    (found,) = read(tmp_path, [chat])
    assert said(found) == [("user", "Which flour?"), ("assistant", "Rye.")]
    assert found.left_out == {"versions": 1}


def test_people_of_a_group_chat_keep_their_names(tmp_path):
    (found,) = read(tmp_path, [chatgpt(body("user", "I am vegan.", name="Bo"), body("assistant", "Noted."))])
    assert [message.speaker for message in found.messages] == ["Bo", ""]


def claude(*messages, **more):
    return {"uuid": "c", "name": "N", "created_at": "2025-09-01T08:00:00Z", "chat_messages": list(messages), **more}


def test_claude_counts_blocks_and_keeps_the_note_of_a_tool_out(tmp_path):
    chat = claude(
        {
            "uuid": "1",
            "sender": "human",
            "text": "My garden",
            "content": [{"type": "text", "text": "My garden has clay soil.", "citations": []}],
            "attachments": [{"file_name": "", "file_type": "txt", "file_size": 9, "extracted_content": "a paste"}],
            "files": [{"file_name": "bed.png"}],
        },
        {
            "uuid": "2",
            "sender": "assistant",
            "text": "clay...\n```\nThis block is not supported on your current device yet.\n```",
            "content": [
                {"type": "thinking", "thinking": "clay", "summaries": [{"summary": "Thinking about clay."}]},
                {"type": "tool_use", "name": "web_search", "input": {}},
                {"type": "tool_result", "name": "web_search", "content": []},
                {"type": "token_budget", "remaining": 100},
                {"type": "flag"},
            ],
        },
        {"uuid": "3", "sender": "assistant", "text": "Dig in sand.", "content": []},
    )
    (found,) = read(tmp_path, [chat])
    assert said(found) == [
        ("user", "My garden has clay soil.\n\nPasted text (7 characters):\n```file\na paste\n```"),
        ("assistant", "Dig in sand."),
    ]
    assert found.left_out == {"files": 1, "thoughts": 1, "tools": 2, "instructions": 1, "flag": 1}


def test_the_other_files_of_a_claude_export_are_named(tmp_path):
    path = tmp_path / "data-batch-0000.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([claude({"sender": "human", "text": "I grow figs."})]))
        archive.writestr("users.json", json.dumps([{"uuid": "u", "full_name": "Ada"}]))
        archive.writestr("memories.json", json.dumps([{"conversations_memory": "Grows figs.", "project_memories": {}}]))
        archive.writestr(
            "projects/p.json", json.dumps({"uuid": "p", "name": "Garden", "prompt_template": "", "docs": []})
        )
    chat, memory, project, *others = read_chats(path)
    assert said(chat) == [("user", "I grow figs.")]
    assert (memory.text, project.name) == ("Grows figs.", "Garden")
    assert others == [NoChats("users.json")]


def test_open_webui_counts_folded_thoughts_files_and_siblings(tmp_path):
    answer = (
        '<details type="reasoning" done="true" duration="7">\n<summary>Thought for 7 seconds</summary>\n&gt; hm\n'
        '</details>\nYes.\n<details type="code_interpreter" done="true">\n</details>'
    )
    nodes = {
        "q": {"id": "q", "parentId": None, "childrenIds": ["a", "b"], "role": "user", "content": "Is rye healthy?",
              "files": [{"type": "file", "id": "f"}], "timestamp": 1_750_000_000},
        "a": {"id": "a", "parentId": "q", "childrenIds": [], "role": "assistant", "content": "Other model."},
        "b": {"id": "b", "parentId": "q", "childrenIds": [], "role": "assistant", "content": answer, "model": "x"},
    }  # fmt: skip
    record = {"id": "w", "title": "Rye", "chat": {"history": {"messages": nodes, "currentId": "b"}, "params": {}}}
    (found,) = read(tmp_path, [record])
    assert said(found) == [("user", "Is rye healthy?"), ("assistant", "Yes.")]
    assert found.left_out == {"thoughts": 1, "tools": 1, "files": 1, "versions": 1}


def test_lm_studio_dates_answers_by_their_steps(tmp_path):
    def step(kind, *content, **more):
        return {"type": kind, "stepIdentifier": "1750000000123-0.5", "content": list(content), **more}

    words = {"type": "text", "text": "Sour dough.", "fromDraftModel": False, "tokensCount": 3}
    chat = {
        "name": "Rye",
        "createdAt": 1749000000000,
        "systemPrompt": "Be short.",
        "messages": [
            {
                "versions": [
                    {"type": "singleStep", "role": "user", "content": [{"type": "text", "text": "How?"}]},
                    {"type": "singleStep", "role": "user", "content": [{"type": "text", "text": "How to raise rye?"}]},
                ],
                "currentlySelected": 1,
            },
            {
                "versions": [
                    {
                        "type": "multiStep",
                        "role": "assistant",
                        "senderInfo": {"senderName": "some-model"},
                        "steps": [
                            step("contentBlock", {"type": "text", "text": "hm"}, style={"type": "thinking"}),
                            step("contentBlock", {"type": "toolCallRequest", "name": "sum"}),
                            step("contentBlock", {"type": "toolCallResult"}, roleOverride="tool"),
                            {"type": "toolStatus", "stepIdentifier": "1750000000200-0.7", "statusState": {}},
                            step("contentBlock", words),
                        ],
                    }
                ],
                "currentlySelected": 0,
            },
        ],
    }
    (found,) = read(tmp_path, chat, "1749000000000.conversation.json")
    assert said(found) == [("user", "How to raise rye?"), ("assistant", "Sour dough.")]
    assert found.messages[1].at == datetime(2025, 6, 15, 15, 6, 40, 123000, tzinfo=UTC)
    assert found.left_out == {"instructions": 1, "versions": 1, "thoughts": 1, "tools": 3}


def test_a_jan_message_without_its_time_takes_the_other_one(tmp_path):
    folder = tmp_path / "threads" / "t"
    folder.mkdir(parents=True)
    (folder / "thread.json").write_text(json.dumps({"id": "t", "title": "T", "updated": 1}))
    lines = [
        {"role": "system", "content": [{"type": "text", "text": {"value": "Be short."}}]},
        {
            "role": "user",
            "created_at": 0,
            "created": 1_750_000_000,
            "content": [{"type": "text", "text": {"value": "Hi"}}],
        },
    ]
    (folder / "messages.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (found,) = read_chats(tmp_path)
    assert found.messages[0].at == datetime(2025, 6, 15, 15, 6, 40, tzinfo=UTC)
    assert found.left_out == {"instructions": 1}


@pytest.mark.parametrize(
    "answer",
    [
        "<thinking>\nlong\n</thinking>\nYes.",
        "<antThinking>long</antThinking>\nYes.",
        "[THINK]long[/THINK]Yes.",
        "<|channel|>analysis<|message|>long<|end|><|start|>assistant<|channel|>final<|message|>Yes.<|return|>",
    ],
)
def test_thoughts_between_any_tags_are_no_words(answer):
    assert words_of(answer) == "Yes."


# ------------------------------------------------------------------ odd files


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_a_file_with_a_mark_of_its_encoding_is_read(tmp_path, encoding):
    path = tmp_path / "chats.json"
    path.write_text(json.dumps([claude({"sender": "human", "text": "Süße Äpfel"})]), encoding=encoding)
    (found,) = read_chats(path)
    assert said(found) == [("user", "Süße Äpfel")]


def test_a_page_in_the_letters_of_an_older_windows_is_read(tmp_path):
    path = tmp_path / "page.md"
    path.write_bytes("## You\nSüße Äpfel – 2 €\n".encode("cp1252"))
    (found,) = read_chats(path)
    assert said(found) == [("user", "Süße Äpfel – 2 €")]


def test_a_broken_byte_and_half_an_emoji_cost_a_letter(tmp_path):
    path = tmp_path / "chats.json"
    chat = json.dumps([claude({"sender": "human", "text": "BYTE and more"}, name="Smile \ud83d")])
    path.write_bytes(chat.encode().replace(b"BYTE", b"\xff"))
    (found,) = read_chats(path)
    assert said(found) == [("user", "\ufffd and more")]
    assert found.title == "Smile \ufffd"


@pytest.mark.parametrize(
    "time", ["9999-12-31T23:59:59-05:00", "0001-01-01T00:00:00+14:00", 1e300, -5, "soon", True, []]
)
def test_times_at_which_nobody_chatted_are_no_times(time):
    assert when(time) is None


def test_zips_in_a_folder_are_read_and_what_is_locked_or_cut_off_is_named(tmp_path):
    for name in ("one", "two"):
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as archive:
            data = [claude({"sender": "human", "text": f"In {name}."}, uuid=name)]
            archive.writestr(f"export/{name}/conversations.json", json.dumps(data))
            archive.writestr("inner.zip", b"PK")
    whole = (tmp_path / "one.zip").read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[: len(whole) // 2])
    locked = bytearray(whole)
    for place in (whole.index(b"PK\x03\x04") + 6, whole.index(b"PK\x01\x02") + 8):
        locked[place] |= 1  # the bit that says: encrypted
    (tmp_path / "locked.zip").write_bytes(locked)
    found = list(read_chats(tmp_path))
    assert {chat.id for chat in found if isinstance(chat, ArchivedChat)} == {"one", "two"}
    reasons = {each.name: each.reason for each in found if isinstance(each, Unreadable)}
    assert "download it again" in reasons["cut.zip"]
    assert "password" in reasons["locked.zip/export/one/conversations.json"]
    assert "unpack" in reasons["one.zip/inner.zip"]


def test_a_broken_line_costs_that_line(tmp_path):
    lines = [json.dumps(claude({"sender": "human", "text": word}, uuid=word)) for word in ("One", "Two", "Three")]
    lines[1] = lines[1][:-9]
    one, broken, three = read(tmp_path, "\n".join(lines), "chats.jsonl")
    assert (one.id, three.id) == ("One", "Three")
    assert broken.name == "chats.jsonl, 2"
