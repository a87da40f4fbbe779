"""Exports of Grok, LibreChat, Gemini and AnythingLLM, in the shapes that readers of real ones describe."""

import csv
import json
from datetime import UTC, datetime

import pytest

from memdesk.services.importing.archives.model import ArchivedChat
from memdesk.services.importing.archives.walk import NoChats, Unreadable, read_chats
from tests.helpers.pictures import png


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
    assert chat.left_out == {"thoughts": 1}


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


def cell(activity, at, answer="", talk="", product="Gemini Apps"):
    """An entry of the page, in the order that a Takeout writes it."""
    link = (
        f'<a href="https://gemini.google.com/app/{talk}">https://gemini.google.com/app/{talk}</a><br>' if talk else ""
    )
    column = "content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1"
    return (
        '<div class="outer-cell mdl-cell mdl-cell--12-col mdl-shadow--2dp"><div class="mdl-grid">'
        f'<div class="header-cell mdl-cell mdl-cell--12-col"><p class="mdl-typography--title">{product}<br></p></div>'
        f'<div class="{column}">{activity}<br>{at}<br>{answer}</div><div class="{column} mdl-typography--text-right"></div>'
        '<div class="content-cell mdl-cell mdl-cell--12-col mdl-typography--caption"><b>Products:</b><br>&emsp;'
        f"{product}<br><b>Details:</b><br>&emsp;{link}</div></div></div>"
    )


def page(folder, *cells):
    file = folder / "MyActivity.html"
    styles = "<html><head><style>.mdl-grid{display:flex}" + " " * 100_000 + "</style></head><body>"
    file.write_text(styles + "".join(cells) + "</body></html>", encoding="utf-8")
    return list(read_chats(file))


def test_the_page_that_a_takeout_is_by_default_is_read_by_conversation(tmp_path):
    oldest, newest = page(
        tmp_path,
        cell("Prompted\xa0And in rain?", "Nov 7, 2025, 9:10:00\u202fPM CET", "<p>Never in rain.</p>", "aa1"),
        cell("Watched\xa0A film", "Nov 7, 2025, 9:09:00\u202fPM CET", product="YouTube"),
        cell("Gave feedback: Good response", "Nov 7, 2025, 9:08:00\u202fPM CET", talk="aa1"),
        cell(
            "Prompted&nbsp;When do I<br>prune figs?",
            "Nov 5, 2025, 1:34:47\u202fAM CET",
            "<p>In <b>March</b>.</p>",
            "aa1",
        ),
        cell("Prompted\xa0Who am I?", "Jan 2, 2024, 3:00:00\u202fPM UTC"),
    )
    assert (newest.id, newest.started.isoformat()) == ("aa1", "2025-11-05T00:34:47+00:00")
    assert said(newest) == [
        ("user", "When do I\nprune figs?"),
        ("assistant", "In March."),
        ("user", "And in rain?"),
        ("assistant", "Never in rain."),
    ]
    assert said(oldest) == [("user", "Who am I?")]


def test_the_page_of_an_account_in_another_language_and_its_files_are_read(tmp_path):
    (tmp_path / "slika-52 7.png").write_bytes(png(1))
    asked = (
        'Poslali ste poziv:\xa0Kaj je narobe?<br>1 priložena datoteka.<br>-  <a href="slika-52%207.png">slika.png</a>'
    )
    (chat,) = page(tmp_path, cell(asked, "5. nov. 2025, 01:34:47 CET", "<p>Nič.</p>", "b2", "Aplikacije Gemini"))
    assert said(chat) == [("user", "Kaj je narobe?"), ("assistant", "Nič.")]
    assert [picture.image().content for picture in chat.messages[0].pictures] == [png(1)]
    assert chat.started.isoformat() == "2025-11-05T00:34:47+00:00"


@pytest.mark.parametrize(
    ("stamp", "moment"),
    [
        ("05.11.2025, 01:34:47 MEZ", "2025-11-05T00:34:47+00:00"),
        ("5 nov. 2025, 01:34:47 CET", "2025-11-05T00:34:47+00:00"),
        ("5 Nov 2025, 01:34:47 GMT", "2025-11-05T01:34:47+00:00"),
        ("05/11/2025, 01:34:47 CET", "2025-11-05T00:34:47+00:00"),
        ("11/5/2025, 1:34:47 PM UTC", "2025-11-05T13:34:47+00:00"),
        ("2025/11/05 13:34:47 JST", "2025-11-05T04:34:47+00:00"),
        ("2025年11月5日 13:34:47 JST", "2025-11-05T04:34:47+00:00"),
        ("5 de nov. de 2025, 01:34:47 BRT", "2025-11-05T04:34:47+00:00"),
    ],
)
def test_dates_of_the_page_are_read_as_each_country_writes_them(tmp_path, stamp, moment):
    (chat,) = page(tmp_path, cell("Prompted\xa0Hi", stamp, "<p>Hey</p>", "d4"))
    assert chat.started.isoformat() == moment


def test_an_entry_whose_date_cannot_be_read_is_named(tmp_path):
    chat, odd = page(
        tmp_path,
        cell("Prompted\xa0Hi", "5. brumaire 2025, 01:34:47 XX", "<p>Hey</p>", "c3"),
        cell("Prompted\xa0Hello", "Nov 5, 2025, 1:34:47 AM UTC", "<p>Yes</p>", "c3"),
    )[::-1]
    assert said(chat)[0] == ("user", "Hello")
    assert isinstance(odd, Unreadable)
    assert "date" in odd.reason


def test_any_other_page_of_an_archive_is_passed_over(tmp_path):
    (tmp_path / "chat.html").write_text("<html><body>All your chats</body></html>")
    (tmp_path / "chats.json").write_text(json.dumps([{"role": "user", "content": "Hi"}]))
    (chat,) = read_chats(tmp_path)
    assert said(chat) == [("user", "Hi")]


def test_a_conversation_of_gemini_in_workspace_is_read(tmp_path):
    turns = [
        {"user_turn": {"prompt": "Plan my week", "turn_index": 0, "turn_last_modified": "2025-10-01T08:00:01Z"}},
        {"user_turn": {"prompt": "Taken back", "turn_index": 0, "turn_deleted_time": "2025-10-01T08:00:03Z"}},
        {
            "system_turn": {
                "text": [{"data": "On Monday, rest."}],
                "model_thoughts": [{"headline": "h"}],
                "turn_index": 1,
            }
        },
    ]
    data = {"title": "Week", "creation_time": "2025-10-01T08:00:00.5Z", "conversation_turns": turns}
    (tmp_path / "conversation_3.txt").write_text(json.dumps(data))
    (chat,) = read_chats(tmp_path)
    assert (chat.source, chat.id, chat.title) == ("gemini", "20251001T080000500000", "Week")
    assert said(chat) == [("user", "Plan my week"), ("assistant", "On Monday, rest.")]
    assert chat.left_out == {"thoughts": 1}


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


def test_a_table_of_anythingllm_is_read_like_its_json(tmp_path):
    rows = [
        ("id", "workspace", "prompt", "response", "sent_at", "rating"),
        (
            "1",
            "House",
            'The "roof" leaks,\nbadly.',
            "Call Ida, the roofer.",
            "Wed Jan 01 2025 12:01:00 GMT+0200 (Eastern European Standard Time)",
            "--",
        ),
        (
            "2",
            "House",
            "She came.",
            "Good.",
            "Wed Jan 01 2025 12:02:00 GMT+0200 (Eastern European Standard Time)",
            "GOOD",
        ),
    ]
    with (tmp_path / "chats.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows(rows)
    (tmp_path / "bank.csv").write_text("date,amount\n2025-01-01,12.50\n", encoding="utf-8")
    chat, other = sorted(read_chats(tmp_path), key=lambda found: isinstance(found, NoChats))
    assert said(chat)[:2] == [("user", 'The "roof" leaks,\nbadly.'), ("assistant", "Call Ida, the roofer.")]
    assert (chat.source, chat.title, len(chat.messages), other) == ("anythingllm", "House", 4, NoChats("bank.csv"))
    assert chat.messages[0].at == datetime(2025, 1, 1, 10, 1, tzinfo=UTC)
    with (tmp_path / "chats.csv").open("a", encoding="utf-8") as file:
        file.write('"3","House","' + "x" * csv.field_size_limit() + 'y","","2025-01-01T10:03:00.000Z",""\n')
    found = list(read_chats(tmp_path / "chats.csv"))
    assert [type(each) for each in found] == [Unreadable, ArchivedChat]
    assert found[1].messages == chat.messages
