"""Folders of other programs."""

from __future__ import annotations

import json

from memdesk.services.importing.places import chat_folders


def write(path, text=""):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_folders_that_hold_chats_are_found_where_they_were_moved(home, tmp_path):
    assert chat_folders() == []
    (home / ".lmstudio" / "conversations").mkdir(parents=True)
    assert chat_folders() == []
    write(home / ".lmstudio-home-pointer", f"{tmp_path}/lm")
    write(tmp_path / "lm" / "conversations" / "work" / "1.conversation.json")
    jan = write(tmp_path / "jan" / "threads" / "t1" / "messages.jsonl").parent.parent
    write(home / "xdg_config_home" / "Jan" / "settings.json", json.dumps({"data_folder": str(tmp_path / "jan")}))
    sessions = write(home / ".osaurus" / "sessions.archive" / "1.json").parent
    assert [(folder.program, folder.path) for folder in chat_folders()] == [
        ("LM Studio", tmp_path / "lm" / "conversations"),
        ("Jan", jan),
        ("Osaurus", sessions),
    ]
