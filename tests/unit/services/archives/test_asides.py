"""What apps export besides chats: memories, custom instructions, projects with their documents.

Shapes: ChatGPT's ``bio`` and ``*_editable_context`` as in its conversations; Claude's ``memories.json`` (a page by topic, and one
for each project) and ``projects/<uuid>.json`` as its exports hold them since 2025; Grok's projects as in its backend file.
"""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, datetime

from memdesk.services.importing.archives.model import ArchivedChat, Aside
from memdesk.services.importing.archives.walk import NoChats, read_chats
from tests.unit.services.archives.test_beside import body, chatgpt, claude, said

TOLD = {
    "content_type": "user_editable_context",
    "user_profile": "The user provided the following information about themselves.\n```I bake bread in Graz.```",
    "user_instructions": "The user provided the additional info about how they would like you to respond:\n```Be short.```",
}
LIST = {
    "content_type": "model_editable_context",
    "model_set_context": "# Model Set Context\n\n1. [2024-05-01]. Has a cat named Minka.\n\n2. [2025-01-07]. Is learning Greek.",
    "repository": None,
}
CHATGPT = chatgpt(
    body("user", TOLD, is_visually_hidden_from_conversation=True, is_user_system_message=True),
    body("assistant", LIST),
    body("user", "I moved to Linz."),
    body("assistant", "Lives in Linz.\nMoved in June.", recipient="bio"),
    body("tool", "Model set context updated.", name="bio"),
    body("assistant", "Noted."),
    gizmo_id="g-p-68a1",
    update_time=1_750_000_000,
)


def asides(path) -> list[tuple[str, str, str]]:
    found = [aside for each in read_chats(path) for aside in ([each] if isinstance(each, Aside) else each.asides)]
    return [(aside.kind, aside.name, aside.text) for aside in found]


def test_chatgpt_exports_its_custom_instructions_and_memories(tmp_path):
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([CHATGPT]))
    assert asides(path) == [
        ("told", "ChatGPT: About you", "I bake bread in Graz."),
        ("prompt", "ChatGPT: Custom instructions", "Be short."),
        ("memory", "", "Has a cat named Minka."),
        ("memory", "", "Is learning Greek."),
        ("memory", "", "Lives in Linz."),
        ("memory", "", "Moved in June."),
        ("project", "ChatGPT: T", ""),
    ]
    (chat,) = read_chats(path)
    assert (chat.project, chat.asides[-1].key) == ("g-p-68a1", "g-p-68a1")
    assert chat.asides[2].at == datetime(2024, 5, 1, tzinfo=UTC)
    assert said(chat) == [("user", "I moved to Linz."), ("assistant", "Noted.")]


def test_a_gpt_is_no_project_and_an_empty_list_of_memories_is_none(tmp_path):
    path = tmp_path / "conversations.json"
    empty = {"content_type": "model_editable_context", "model_set_context": ""}
    path.write_text(json.dumps([chatgpt(body("assistant", empty), body("user", "Hi"), gizmo_id="g-2fkFE8rbu")]))
    (chat,) = read_chats(path)
    assert (chat.project, chat.asides) == ("", ())


PROJECT = {
    "uuid": "p-1",
    "name": "Garden",
    "description": "Beds and trees",
    "is_private": True,
    "is_starter_project": False,
    "prompt_template": "Answer as a gardener.",
    "created_at": "2025-09-01T08:00:00.000000+00:00",
    "updated_at": "2025-09-02T08:00:00.000000+00:00",
    "creator": {"uuid": "u", "full_name": "Ada"},
    "docs": [
        {"uuid": "d1", "filename": "beds.md", "content": "# Beds\nTulips", "created_at": "2025-09-01T09:00:00+00:00"},
        {"uuid": "d2", "filename": "trees.md", "content": "Quince", "created_at": "2025-09-01T10:00:00+00:00"},
    ],
}
STARTER = {**PROJECT, "uuid": "p-0", "name": "How to use Claude", "is_starter_project": True, "docs": []}
MEMORIES = [
    {
        "conversations_memory": "**Work context**\n\nAda is a baker in Graz.\n\n**Personal context**\n\nShe has a cat.",
        "project_memories": {"p-1": "## Purpose\n\nPlanning the beds of 2026."},
        "account_uuid": "u",
    }
]


def claude_export(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "conversations.json", json.dumps([claude({"sender": "human", "text": "Hi"}, project_uuid="p-1")])
        )
        archive.writestr("users.json", json.dumps([{"uuid": "u", "full_name": "Ada"}]))
        archive.writestr("memories.json", json.dumps(MEMORIES))
        archive.writestr("projects/p-1.json", json.dumps(PROJECT))
        archive.writestr("projects/p-0.json", json.dumps(STARTER))
    return path


def test_claude_keeps_a_page_of_memories_by_topic_and_projects_with_documents(tmp_path):
    path = claude_export(tmp_path / "data-batch-0000.zip")
    found = list(read_chats(path))
    assert [(a.kind, a.name, a.text) for a in found if isinstance(a, Aside)] == [
        ("memory", "", "Work context: Ada is a baker in Graz."),
        ("memory", "", "Personal context: She has a cat."),
        ("memory", "", "Purpose: Planning the beds of 2026."),
        ("project", "Garden", "Answer as a gardener."),
    ]
    chat, documents = (each for each in found if isinstance(each, ArchivedChat))
    assert (chat.project, documents.project, documents.title) == ("p-1", "p-1", "Garden")
    assert said(documents) == [
        ("user", "Beds and trees\n\nbeds.md (13 characters):\n```file\n# Beds\nTulips\n```"),
        ("user", "trees.md (6 characters):\n```file\nQuince\n```"),
    ]
    # Anthropic's own example, and the account.
    assert [each.name for each in found if isinstance(each, NoChats)] == ["projects/p-0.json", "users.json"]


def test_projects_of_older_claude_exports_lie_in_one_file(tmp_path):
    path = tmp_path / "projects.json"
    path.write_text(json.dumps([PROJECT, STARTER]))
    assert [kind for kind, *_ in asides(path)] == ["project"]


def test_grok_keeps_how_projects_answer(tmp_path):
    path = tmp_path / "prod-grok-backend.json"
    project = {"name": "Boats", "custom_personality": "Speak like a sailor.", "create_time": "2025-08-01T10:00:00Z"}
    path.write_text(json.dumps({"conversations": [], "projects": [project, {"name": "Empty"}], "tasks": []}))
    assert asides(path) == [("prompt", "Grok: Boats", "Speak like a sailor.")]
