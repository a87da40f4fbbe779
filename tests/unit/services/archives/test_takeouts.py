"""Exports of Grok, LibreChat, Gemini and AnythingLLM, in the shapes that readers of real ones describe."""

import json

import pytest

from memdesk.services.importing.archives.model import ArchivedChat
from memdesk.services.importing.archives.walk import read_chats


def chats(folder, data, name="export.json"):
    file = folder / name
    file.write_text(json.dumps(data), encoding="utf-8")
    return [found for found in read_chats(file) if isinstance(found, ArchivedChat)]


def said(chat):
    return [(message.role, message.text) for message in chat.messages]


def grok(text, sender, at):
    return {"response": {"_id": text, "message": text, "sender": sender, "create_time": at}}


def test_conversations_of_grok_are_read_with_either_kind_of_time(tmp_path):
    (chat,) = chats(
        tmp_path,
        {
            "conversations": [
                {
                    "conversation": {"id": "g-1", "title": "Sails", "create_time": "2025-03-01T10:00:00.5Z"},
                    "responses": [
                        grok("My boat is a ketch.", "human", {"$date": {"$numberLong": "1740823201000"}}),
                        grok("Two masts, then.", "ASSISTANT", "2025-03-01T10:00:05Z"),
                    ],
                }
            ],
            "projects": [],
        },
        "prod-grok-backend.json",
    )
    assert (chat.source, chat.id, chat.title) == ("grok", "g-1", "Sails")
    assert said(chat) == [("user", "My boat is a ketch."), ("assistant", "Two masts, then.")]
    assert [message.at.isoformat() for message in chat.messages] == [
        "2025-03-01T10:00:01+00:00",
        "2025-03-01T10:00:05+00:00",
    ]


def librechat(name, text, *, parent="", by_user=False, **more):
    return {"messageId": name, "parentMessageId": parent, "text": text, "isCreatedByUser": by_user, **more}


ASKED = librechat("a", "I grow quinces.", by_user=True, createdAt="2025-02-02T08:00:00Z")
FIRST, SECOND = librechat("b", "A first answer.", parent="a"), librechat("c", "Lovely.", parent="a")
THANKS = librechat("d", "Thanks!", parent="c", by_user=True)


@pytest.mark.parametrize(
    "messages",
    [
        {"recursive": False, "messages": [ASKED, FIRST, SECOND, THANKS]},
        {"recursive": True, "messagesTree": [{**ASKED, "children": [FIRST, {**SECOND, "children": [THANKS]}]}]},
    ],
)
def test_the_branch_shown_last_is_read_of_librechat(tmp_path, messages):
    (chat,) = chats(tmp_path, {"conversationId": "l-1", "title": "Garden", **messages})
    assert (chat.source, chat.id, chat.title) == ("librechat", "l-1", "Garden")
    assert said(chat) == [("user", "I grow quinces."), ("assistant", "Lovely."), ("user", "Thanks!")]
    assert chat.left_out == {"versions": 1}


def test_librechat_without_parents_is_read_in_order_and_its_thoughts_are_left_out(tmp_path):
    answer = {"isCreatedByUser": False, "content": [{"type": "think", "think": "hm"}, {"type": "text", "text": "Yes."}]}
    (chat,) = chats(
        tmp_path, {"conversationId": "l-2", "title": "", "messages": [{"isCreatedByUser": True, "text": "So?"}, answer]}
    )
    assert said(chat) == [("user", "So?"), ("assistant", "Yes.")]


def gemini(title, time, html="", header="Gemini Apps"):
    return {"header": header, "title": title, "time": time, "products": [header]} | (
        {"safeHtmlItem": [{"html": html}]} if html else {}
    )


def test_a_log_of_gemini_becomes_conversations_where_nothing_was_said_for_half_an_hour(tmp_path):
    log = [
        gemini(
            "Prompted And when do I prune them?", "2025-05-01T10:20:00Z", "<p>In <b>March</b>.</p><p>Not in rain.</p>"
        ),
        gemini("Gave feedback: Good response", "2025-05-01T10:10:00Z"),
        gemini("Watched a film", "2025-05-01T10:05:00Z", header="YouTube"),
        gemini("Prompted I have two fig trees. Attached 2 files.", "2025-05-01T10:00:00Z", "<ul><li>Nice</li></ul>"),
        gemini("Asked Bard: Who am I?", "2024-01-01T09:00:00Z"),
        gemini("Gefragt: Wo wohne ich?", "2023-01-01T09:00:00Z", "<p>Keine Ahnung.</p>", header="Gemini-Apps"),
    ]
    oldest, old, new = chats(tmp_path, log, "MyActivity.json")
    assert said(new) == [
        ("user", "I have two fig trees."),
        ("assistant", "Nice"),
        ("user", "And when do I prune them?"),
        ("assistant", "In March.\n\nNot in rain."),
    ]
    assert said(old) == [("user", "Who am I?")]
    assert said(oldest)[1] == ("assistant", "Keine Ahnung.")
    grown = [gemini("Prompted Thank you", "2025-05-01T10:25:00Z"), *log]
    assert chats(tmp_path, grown, "MyActivity.json")[-1].conversation_id == new.conversation_id


def test_a_log_of_anythingllm_has_conversations_by_workspace(tmp_path):
    def entry(workspace, prompt, at):
        return {"id": 1, "workspace": workspace, "prompt": prompt, "response": f"To {prompt}", "sent_at": at}

    house, work = chats(
        tmp_path,
        [
            entry("Work", "The launch is in June.", "2025-01-01T10:00:00Z"),
            entry("House", "The roof leaks.", "2025-01-01T10:01:00Z"),
            entry("Work", "In July, rather.", "2025-01-01T10:02:00Z"),
        ],
    )
    assert (house.source, house.title, len(house.messages)) == ("anythingllm", "House", 2)
    assert [text for role, text in said(work) if role == "user"] == ["The launch is in June.", "In July, rather."]
