"""What the window promises of the memory: everything known is shown, forgetting includes what was said, details can be kept."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel

from memdesk.domain.models import FactSource
from memdesk.gui.views.chat.receipt import ReceiptPanel
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.dialog import ConfirmDialog
from memdesk.gui.widgets.labels import Chip
from memdesk.ports import FactFilter
from memdesk.services.events import DistillationFinished
from memdesk.services.forgetting.forgetting import ForgetTarget
from memdesk.services.recording.ingest import NewTurn
from tests.helpers import rows
from tests.helpers.person import Person

TOLD = "My sister Marta keeps bees in Aveiro."


def said(desk, text, talk="bees"):
    """A stored message of the user, with an answer that repeats it."""
    turns = [NewTurn(role="user", content=text), NewTurn(role="assistant", content=f"Noted: {text}")]
    return desk.real.ingest.record(agent_id="default", conversation_id=talk, turns=turns)[0]


def texts(dialog):
    return " ".join(label.text() for label in dialog.findChildren(QLabel))


def ask_to_forget(desk, fact):
    page = desk.page("memory", tab="facts", fact_id=fact.id)
    desk.settle()
    tab = page._tabs["facts"]
    tab.panel._forget(tab.panel.fact)
    desk.settle()
    (dialog,) = [d for d in desk.window.findChildren(ConfirmDialog) if d.isVisible()]
    return dialog


@pytest.mark.parametrize(
    ("text", "kind", "chosen"),
    [
        (TOLD, "relationship", "everywhere"),
        ("I am allergic to penicillin.", "other", "everywhere"),
        ("The printer is on the second shelf.", "other", "here"),
    ],
)
def test_forgetting_a_fact_offers_its_messages_and_takes_them_where_somebody_is_named(desk, text, kind, chosen):
    turn = said(desk, text)
    fact = desk.real.memories.add_fact(
        agent_id="default", content=text, kind=kind, sources=[FactSource(turn_id=turn.id, quote=text)]
    )
    dialog = ask_to_forget(desk, fact)
    assert [key for key, button in dialog.reach.items() if button.isChecked()] == [chosen]
    dialog.button.click()
    desk.settle()
    left = [turn.content for turn in desk.real.conversations.turns("default", "bees")]
    notice = desk.window.notices.recent[-1]
    if chosen == "everywhere":
        assert left == []
        assert notice.title == "Forgotten"
    else:
        assert left == [text, f"Noted: {text}"]
        assert notice.title == "Forgotten, but not everywhere"
        assert "2 messages still say it" in notice.message


def test_forgetting_a_fact_offers_the_prompts_that_say_it(desk):
    said(desk, TOLD)
    fact = desk.real.memories.add_fact(agent_id="default", content=TOLD, kind="relationship")
    desk.real.prompts.put("Family", f"Write to my family. {TOLD}")
    dialog = ask_to_forget(desk, fact)
    assert list(dialog.reach) == ["here", "everywhere", "prompts"]
    assert "“Family”" in texts(dialog)
    dialog.reach["prompts"].click()
    desk.settle()
    dialog.button.click()
    desk.settle()
    assert [prompt.text for prompt in desk.real.prompts.all()] == ["Write to my family."]
    assert desk.real.conversations.turns("default", "bees") == []


def test_this_fact_only_leaves_the_messages_and_says_so(desk):
    turn = said(desk, TOLD)
    fact = desk.real.memories.add_fact(
        agent_id="default", content=TOLD, kind="relationship", sources=[FactSource(turn_id=turn.id, quote=TOLD)]
    )
    dialog = ask_to_forget(desk, fact)
    dialog.reach["here"].click()
    desk.settle()
    dialog.button.click()
    desk.settle()
    assert len(desk.real.conversations.turns("default", "bees")) == 2
    assert desk.window.notices.recent[-1].title == "Forgotten, but not everywhere"


def test_what_else_goes_with_the_messages_is_named_before(desk):
    turn = said(desk, f"{TOLD} I have two cats.")
    add = desk.real.memories.add_fact
    fact = add(agent_id="default", content=TOLD, kind="relationship", sources=[FactSource(turn_id=turn.id, quote=TOLD)])
    add(agent_id="default", content="The user has two cats.", sources=[FactSource(turn_id=turn.id, quote="two cats")])
    dialog, person = ask_to_forget(desk, fact), Person(desk)
    assert "this goes as well:\n• The user has two cats." in person.text()
    dialog.reach["here"].click()
    desk.settle()
    assert "two cats" not in person.text()


def test_messages_of_other_conversations_that_say_it_go_too(desk):
    turn = said(desk, TOLD)
    said(desk, f"By the way: {TOLD}", "elsewhere")
    said(desk, "Bees are insects.", "lesson")
    fact = desk.real.memories.add_fact(
        agent_id="default", content=TOLD, sources=[FactSource(turn_id=turn.id, quote=TOLD)]
    )
    target = ForgetTarget(kind="fact", ids=(fact.id,), include_turns=True)
    assert desk.real.forgetting.preview(target).said_in == 4
    report = desk.real.forgetting.forget(target)
    assert (report.verified, report.said_in) == (True, 0)
    assert [len(desk.real.conversations.turns("default", talk)) for talk in ("bees", "elsewhere", "lesson")] == [
        0,
        0,
        2,
    ]


def noticed(desk):
    """An episode with a detail that no fact says."""
    turn = said(desk, "I have two cats, by the way.")
    now = desk.real.clock.now()
    episode = rows.episode(
        "Talk of pets.", "default", "bees", id="e1",
        details=(rows.detail("The user has two cats.", id="d1", turn_ids=(turn.id,)),),
        started_at=now, ended_at=now, created_at=now, updated_at=now,
    )  # fmt: skip
    desk.real.memories._store.write(lambda repos: repos.items.put(episode))
    return turn


def keep_button(widget):
    (button,) = [b for b in widget.findChildren(Button) if b.accessibleName().startswith("Keep: ")]
    return button


def test_a_detail_that_was_noticed_is_kept_from_the_panel_of_what_was_learned(desk):
    turn = noticed(desk)
    page = desk.page("chat", agent_id="default", conversation_id="bees")
    page.explaining.show_learned(DistillationFinished("default", "bees", "distilled", "e1"))
    desk.settle()
    keep_button(page.explaining.learned).click()
    desk.settle()
    (fact,) = desk.real.memories.facts(FactFilter()).items
    assert fact.content == "The user has two cats."
    assert [(s.turn_id, s.quote) for s in desk.real.memories.fact(fact.id).sources] == [
        (turn.id, "I have two cats, by the way.")
    ]
    assert not [b for b in page.explaining.learned.findChildren(Button) if b.accessibleName().startswith("Keep: ")]


def test_a_detail_is_kept_from_its_episode(desk):
    noticed(desk)
    page = desk.page("memory", tab="episodes", episode_id="e1")
    desk.settle()
    keep_button(page._tabs["episodes"]).click()
    desk.settle()
    assert [fact.content for fact in desk.real.memories.facts(FactFilter()).items] == ["The user has two cats."]


def test_what_do_you_know_about_me_tells_all_by_topic_and_leads_to_the_page(desk, model):
    add = desk.real.memories.add_fact
    add(agent_id="default", content="The user's sister Marta lives in Aveiro.", kind="relationship")
    add(agent_id="default", content="The user likes Assam tea.", kind="preference")
    add(agent_id="default", content="The user repairs violins.", kind="skill")
    noticed(desk)
    page = desk.page("chat", new=True)
    page.composer.editor.setPlainText("What do you know about me?")
    page.composer.send()
    desk.settle()
    told = [m.content for request in model.requests for m in request.messages if m.role == "user"]
    (asked,) = [text for text in told if "What do you know about me?" in text and "Aveiro" in text]
    for line in ("Marta lives in Aveiro", "likes Assam tea", "repairs violins", "has two cats"):
        assert line in asked
    assert asked.index("People in the user's life:") < asked.index("What the user likes and dislikes:")
    reply = page.messages.last_assistant()
    # It stays when the chat was learned from, and is found in the receipt of an older reply.
    page.messages.set_end_note(lambda: Chip("No new facts"))
    page.messages.set_end_note(lambda: Chip("1 new fact"))
    desk.settle()
    assert [chip.text() for chip in reply.findChildren(Chip) if chip.isVisibleTo(reply)] == ["1 new fact"]
    reply.chip.click()
    desk.settle()
    for place in (reply, page.findChild(ReceiptPanel)):
        desk.page("chat")
        (link,) = [b for b in place.findChildren(Button) if b.text().strip() == "Everything that is remembered"]
        link.click()
        desk.settle()
        assert desk.window.host.current == "memory"
