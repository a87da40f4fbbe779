"""What was learned from a conversation, shown when it is reopened."""

from __future__ import annotations

import gc
from datetime import timedelta

import pytest

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import FactStatus, SignalStatus, new_id
from memdesk.domain.reading.candidates import Passed
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Label
from memdesk.ports import FactFilter
from memdesk.services.events import DistillationFinished
from memdesk.services.recording import NewTurn
from tests.helpers import rows


@pytest.fixture
def learned(desk, model):
    """A conversation that was distilled: one fact kept, one that waits, one that the user wrote himself."""
    list(desk.real.chat.send(agent_id="default", conversation_id="talk", text="My bicycle is green."))
    now = desk.real.clock.now()

    def write(repos):
        for number, summary in enumerate(("An older digest.", "Ada told of her bicycle.")):
            episode = rows.episode(
                summary,
                "default",
                "talk",
                started_at=now,
                ended_at=now,
                created_at=now + timedelta(seconds=number),
                updated_at=now,
            )
            repos.items.put(episode)
        for content, status in (("Ada's bicycle is green.", "active"), ("Ada races.", "review")):
            repos.items.put(
                MemoryItem(
                    id=new_id(),
                    agent_id="default",
                    content=content,
                    status=FactStatus(status),
                    origin="distiller",
                    run_id="talk",
                    parent_id=episode.id,
                    created_at=now,
                    updated_at=now,
                )
            )

    desk.real.memories._store.write(write)
    desk.real.memories.add_fact(agent_id="default", content="Ada likes tea.")


def test_the_chip_is_there_when_the_conversation_is_opened_later(desk, qtbot, learned):
    page = desk.page("chat", agent_id="default", conversation_id="talk")
    (chip,) = page.messages.last_assistant()._notes
    assert chip.button.text().strip() == "Learned 1 fact · 1 waits for review"
    chip.button.click()
    desk.settle()
    assert page.explaining.learned.isVisible()
    page.explaining.learned._undo()
    desk.settle()
    page.new_chat()
    page.open_conversation("default", "talk")
    desk.settle()
    (chip,) = page.messages.last_assistant()._notes
    assert chip.button.text().strip() == "Summed up, no new facts"


def test_a_conversation_that_was_never_distilled_says_nothing(desk, qtbot, model):
    list(desk.real.chat.send(agent_id="default", conversation_id="talk", text="Hello"))
    page = desk.page("chat", agent_id="default", conversation_id="talk")
    assert page.messages.last_assistant()._notes == []


def test_what_was_passed_over_is_named_kept_and_taken_back(desk, qtbot, model):
    first, second = "Lately I walk to work along the canal.", "Shall I take the bus?"
    list(desk.real.chat.send(agent_id="default", conversation_id="talk", text=f"{first} {second}"))
    page = desk.page("chat", agent_id="default", conversation_id="talk")
    said = desk.real.memories.transcript("default", "talk").items[0]
    gone = Passed("gone", "Is it far?", "question")
    passed = (Passed(said.id, first, "of the moment"), Passed(said.id, second, "question"), gone)
    page._distilled(DistillationFinished("default", "talk", "distilled", passed=passed))
    page.messages.last_assistant()._notes[0].button.click()
    desk.settle()
    panel = page.explaining.learned

    def press(name):
        next(button for button in panel.findChildren(Button) if button.accessibleName() == name).click()
        desk.settle()

    def texts():
        return [label.text() for label in panel.findChildren(Label) if label.isVisible()]

    def kept():
        return [(f.content, f.sources[0].quote) for f in desk.real.memories.facts(FactFilter(agent_id="default")).items]

    assert second not in texts()
    next(b for b in panel.findChildren(Button) if b.text().strip() == "Passed over: 2").click()
    desk.settle()
    assert [text for text in texts() if text in {first, second, gone.quote}] == [first, second]
    assert {"True only for the moment", "A question"} <= set(texts())
    press(f"Keep: {second}")
    assert kept() == [(f"The user said: \u201c{second}\u201d", second)]
    assert second in texts(), "what is open stays open"
    press(f"Undo: {second}")
    assert kept() == []
    press(f"Keep: {first}")
    assert [quote for _, quote in kept()] == [first]


def test_a_chat_of_which_nothing_is_kept_names_what_was_passed_over(desk, qtbot, model):
    text = "Could you please find a bakery near the station?"
    list(desk.real.chat.send(agent_id="default", conversation_id="talk", text=text))
    page = desk.page("chat", agent_id="default", conversation_id="talk")
    desk.real.settings.update("memory", {"extraction_mode": "rules"})
    desk.real.lanes.submit("background", lambda: desk.real.distillation.distill("default", "talk")).result(60)
    qtbot.waitUntil(lambda: bool(page.messages.last_assistant()._notes))
    (chip,) = page.messages.last_assistant()._notes
    assert chip.button.text().strip() == "No new facts"
    chip.button.click()
    desk.settle()
    panel = page.explaining.learned
    next(b for b in panel.findChildren(Button) if b.text().strip() == "Passed over: 1").click()
    desk.settle()
    assert text in [label.text() for label in panel.findChildren(Label) if label.isVisible()]
    page.new_chat()
    page.open_conversation("default", "talk")
    desk.settle()
    assert page.messages.last_assistant()._notes == [], "what was passed over is kept nowhere, and not offered again"


def test_a_lock_takes_what_was_passed_over_out_of_memory(desk, qtbot, model):
    list(desk.real.chat.send(agent_id="default", conversation_id="talk", text="I keep bees."))
    page = desk.page("chat", agent_id="default", conversation_id="talk")
    said = desk.real.memories.transcript("default", "talk").items[0]
    passed = Passed(said.id, "Where do my bees sleep, I wonder?", "question")
    page._distilled(DistillationFinished("default", "talk", "distilled", passed=(passed,)))
    page.messages.last_assistant()._notes[0].button.click()
    desk.settle()
    quote = passed.quote
    del page, passed
    desk.session.lock()
    desk.settle()
    qtbot.wait(50)
    gc.collect()
    assert not [one for one in gc.get_objects() if isinstance(one, Passed) and one.quote == quote]


def test_a_secret_is_told_and_kept_only_on_purpose(desk, qtbot, model):
    list(desk.real.chat.send(agent_id="default", conversation_id="talk", text="I ski. My bank PIN is 4821."))
    page = desk.page("chat", agent_id="default", conversation_id="talk")
    said = next(turn for turn in desk.real.memories.transcript("default", "talk").items if "4821" in turn.content)
    event = DistillationFinished("default", "talk", "empty:no_statements", secrets=((said.id, "password"),))
    page._distilled(event)
    (chip,) = page.messages.last_assistant()._notes
    assert chip.button.text().strip() == "1 secret left out"
    chip.button.click()
    desk.settle()
    keep = next(
        button for button in page.explaining.learned.findChildren(Button) if "Password" in button.accessibleName()
    )
    keep.click()
    desk.settle()
    kept = [fact.content for fact in desk.real.memories.facts(FactFilter(agent_id="default")).items]
    assert len(kept) == 1
    assert "4821" in kept[0]
    assert "ski" not in kept[0]


def test_a_secret_that_nobody_saw_told_is_named_when_its_chat_is_opened(desk, qtbot, model):
    turns = [NewTurn(role="user", content="I ski. My bank PIN is 4821.")]
    (said,) = desk.real.ingest.record(agent_id="default", conversation_id="talk", turns=turns)
    store = desk.real.memories._store
    with store.read() as repos:
        waiting = [signal.id for signal in repos.signals.pending("default", "talk")]
    assert desk.real.conversations.learned("default", "talk") is None
    store.write(lambda repos: repos.signals.mark(waiting, SignalStatus.DONE))
    assert desk.real.conversations.learned("default", "talk").secrets == ((said.id, "password"),)
    desk.real.memories.keep_secret("default", said.id)
    assert desk.real.conversations.learned("default", "talk") is None


def test_secrets_in_chats_that_are_not_open_are_told_in_a_notice_and_those_of_an_import_together(desk, qtbot, model):
    for name in ("talk", "other"):
        list(desk.real.chat.send(agent_id="default", conversation_id=name, text=f"About {name}"))
    page = desk.page("chat", agent_id="default", conversation_id="talk")

    def told():
        return [(notice.title, notice.message) for notice in desk.session.bridge.notices.recent]

    for name, turn_id in (("other", "1"), ("other", "2"), ("gone", "3")):
        page._distilled(DistillationFinished("default", name, "empty", secrets=((turn_id, "password"),)))
    desk.settle()
    assert [title for title, _ in told()] == ["1 secret left out"]
    assert "About other" in told()[0][1]
    page.secrets_told._tell()
    desk.settle()
    assert [title for title, _ in told()][1:] == ["2 secrets left out"]
