"""User journeys through the window, by what is on the screen, over real services."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import httpx
import pytest
from PySide6.QtWidgets import QApplication

from memdesk.bootstrap.profile import MemorySecrets
from memdesk.domain.models import FactStatus
from memdesk.ports import FactFilter
from tests.helpers.archives import chatgpt_archive
from tests.helpers.demo import fill
from tests.helpers.parts import TinyEmbedder
from tests.helpers.person import Person, words_of
from tests.helpers.window import window


@pytest.fixture
def person(desk):
    return Person(desk)


def say(person, text):
    person.write("Message Assistant", text)
    person.key("Return")


def run(person, command):
    """Do something by the command palette."""
    person.key("Ctrl+K")
    person.write("Type an action, a conversation or a fact", command)
    person.key("Return")


def come_through_the_first_start(person):
    """Copy the groups that are asked for from the code on the screen, and take what is offered."""
    person.await_text("Keep this code")
    groups = dict(re.findall(r"^(\d)\n([0-9A-Z]{4})$", person.text(), re.MULTILINE))
    assert len(groups) == 7
    for number in re.findall(r"^Group (\d)$", person.text(), re.MULTILINE):
        person.write(f"Group {number}", groups[number])
    for _step in ("code", "model", "name"):
        person.press("Continue")


@pytest.mark.model
def test_from_the_first_start_to_the_first_remembered_fact_and_beyond_a_restart(home, qtbot, qapp):
    """With the bundled model: nothing before, a fact after, and the chips that say so."""
    keyring = MemorySecrets()
    with window(home, qtbot, qapp, created=False, secrets=keyring) as desk:
        person = Person(desk)
        come_through_the_first_start(person)
        person.press("Start")
        say(person, "My sister Johanna keeps bees in Styria.")
        person.await_text("no memory used")
        run(person, "Distill pending")
        person.await_text("Learned 1 fact")
        person.press("Memory")
        person.await_text("1 fact")
        assert "bees" in person.text()
        desk.real.models.unload()
    with window(home, qtbot, qapp, created=False, secrets=keyring) as desk:
        person = Person(desk)
        say(person, "What does my sister keep?")
        person.press("Why this reply: *")
        person.await_text("What it saw")
        assert "bees" in person.text()
        desk.real.models.unload()


def test_a_wrong_fact_is_found_and_corrected_from_its_receipt(desk, person, model):
    desk.real.memories.add_fact(agent_id="default", content="The user's sister is called Joanna.")
    say(person, "What is my sister called?")
    assert "Joanna" in model.requests[-1].messages[-1].content
    person.press("Why this reply: 1 memory")
    person.press("Fix")
    assert person.read("What it should say") == "The user's sister is called Joanna."
    person.write("What it should say", "The user's sister is called Johanna.")
    person.press("Save")
    person.await_text("Fixed")
    run(person, "New chat")
    say(person, "And now, what is my sister called?")
    given = model.requests[-1].messages[-1].content
    assert "Johanna" in given
    assert "Joanna" not in given
    person.press("Memory")
    person.await_text("1 fact")
    assert "Johanna" in person.text()
    person.pick("Johanna")
    person.await_text("Joanna")  # in its history


def test_a_conversation_is_forgotten_with_what_was_learned(home, qtbot, qapp, model):
    """Neither a page of the database nor the index nor the window knows of it afterwards."""
    with window(home, qtbot, qapp, embedder=TinyEmbedder) as desk:
        person = Person(desk)
        desk.app.start_indexing()
        desk.real.settings.update("memory", {"extraction_mode": "rules"})
        say(person, "My sister Philippa keeps bees in Lisbon.")
        run(person, "Distill pending")
        person.press("Memory")
        person.await_text("1 fact")
        person.press("Chat")
        person.ask_menu("Philippa")
        person.pick("Delete…")
        assert "Facts" in person.text()
        assert "Episodes" in person.text()
        store, indexing = desk.real.memories._store, desk.real.indexing
        needles = [b"Philippa", b"keeps bees"]
        indexing.flush()
        assert store.pages_holding(needles) == set(needles)
        person.press("Delete")
        person.await_text("No conversations yet")
        assert "Philippa" not in person.text()
        person.press("Memory")
        assert "Philippa" not in person.text()
        assert store.pages_holding(needles) == set()


def test_consolidation_is_previewed_run_in_part_and_undone(desk, person):
    add = desk.real.memories.add_fact
    ids = [add(agent_id="default", content=words, actor="distiller").id for words in FADED]
    for ident in ids:
        _age(desk, ident)
    before = _state(desk)
    person.press("Consolidation")
    person.press("Preview first")
    person.await_text("This would change")
    assert _state(desk) == before
    person.pick(FADED[0])
    person.key("Space")
    person.press(f"Make {len(FADED) - 1} changes")
    person.await_text("Done")
    after = _state(desk)
    assert [row for row in after if row in before] == [row for row in before if row[0] == ids[0]]
    person.press("Undo", near="Done")
    assert _state(desk) == before
    person.await_text("undone")


FADED = ("The boat is called Petrel.", "The greenhouse has nine panes.", "The tandem is yellow.")


def _age(desk, ident):
    old = desk.real.clock.now() - timedelta(days=200)
    fact = replace(desk.real.memories.fact(ident), decayed_at=old, last_used=old, updated_at=old, created_at=old)
    desk.real.memories._store.write(lambda repos: repos.items.put(fact))


def _state(desk):
    page = desk.real.memories.facts(FactFilter(sort="content"), limit=200)
    return [(fact.id, fact.status, round(fact.salience, 6)) for fact in page.items]


def test_locked_it_shows_and_answers_nothing_and_unlocked_it_goes_on(desk, person):
    desk.real.memories.add_fact(agent_id="default", content="The boat is called Petrel.")
    headers = {"Authorization": f"Bearer {desk.app.token}"}
    url = f"{desk.app.start_server()}/memory/facts?agent_id=default"
    person.press("Memory")
    person.await_text("Petrel")
    person.key("Ctrl+L")
    person.await_text("memdesk is locked")
    assert "Petrel" not in person.text()
    assert [widget for widget in QApplication.allWidgets() if "Petrel" in words_of(widget)] == []
    assert httpx.get(url, headers=headers, timeout=60).json()["error"]["code"] == "locked"
    person.press("Unlock")
    person.await_text("Petrel")
    assert httpx.get(url, headers=headers, timeout=60).status_code == 200


def test_a_chatgpt_archive_is_imported_and_asked_about(new_desk, model, tmp_path):
    desk, person = new_desk, Person(new_desk)
    chatgpt_archive(tmp_path / "export.zip", said="My cousin Karl lives in Graz.")
    desk.real.settings.update("memory", {"extraction_mode": "rules"})
    come_through_the_first_start(person)
    person.press("Choose a file…")
    person.choose_file(tmp_path / "export.zip")
    person.await_text("2 conversations were found")
    assert desk.real.conversations.page().total == 0
    person.press("Import")
    person.await_text("2 conversations were imported")
    person.press("Start")
    person.await_text("Kayak 1")
    run(person, "Distill pending")
    person.await_text("All distilled")
    person.press("New chat")
    say(person, "Where does my cousin live?")
    assert "Graz" in model.requests[-1].messages[-1].content
    person.press("Why this reply: *")
    person.await_text("My cousin Karl lives in Graz.")
    person.press("Open the conversation it came from", near="My cousin Karl lives in Graz.")
    person.await_text("A fine color.")


def test_a_temporary_chat_leaves_no_trace(desk, person, model):
    desk.real.memories.add_fact(agent_id="default", content="The boat is called Petrel.")
    model.queue("A fine hideout, the old quarry.")
    person.press("New temporary chat")
    say(person, "We meet at the old quarry.")
    person.await_text("A fine hideout")
    person.press("New chat")
    assert "quarry" not in person.text()
    assert desk.real.distillation.status()["pending"] == []
    assert desk.real.memories._store.pages_holding([b"quarry", b"hideout"]) == set()
    assert desk.real.memories._store.pages_holding([b"Petrel"]) == {b"Petrel"}


def test_facts_are_pinned_disabled_taken_back_and_forgotten(desk, person):
    for words in FADED:
        desk.real.memories.add_fact(agent_id="default", content=words)
    person.press("Memory")
    person.pick("Petrel")
    person.key("Ctrl+A")
    person.press("Disable", near="3 facts chosen")
    assert _active(desk) == set()
    person.press("Undo")
    assert _active(desk) == set(FADED)
    person.pick("Petrel")
    person.press("Forget")
    person.press("Forget")
    assert _active(desk) == set(FADED[1:])
    assert "Petrel" not in person.text()


def _active(desk):
    return {fact.content for fact in desk.real.memories.facts(FactFilter(status=(FactStatus.ACTIVE,))).items}


def test_candidates_and_contradictions_are_settled(desk, person):
    fill(desk.app)
    person.press("Memory")
    person.press("Review 3")
    person.press("Keep", near="Marta's birthday is in May.")
    person.press("Never store this kind", near="Ada may move to Graz next summer.")
    assert desk.real.review.items().total == 0
    assert len(desk.real.review.rules()) == 1
    assert "Marta's birthday is in May." in _active(desk)
    (card,) = desk.real.review.contradictions()
    person.press(f"Now: {card.new.content}")
    assert desk.real.review.contradictions() == []
    assert desk.real.memories.fact(card.old.id).status is FactStatus.SUPERSEDED
    assert card.new.content in _active(desk)
    assert not {"Keep", "Keep this"} & set(person.text().split("\n"))


def test_an_option_is_found_changed_and_reset(desk, person):
    person.press("Settings")
    person.write("Search settings", "budget")
    person.await_gone("Consolidate every")
    person.await_text("Memory budget")
    person.write("Memory budget", "1200")
    person.key("Tab")
    assert desk.real.settings.current.memory.memory_budget_tokens == 1200
    person.press("Reset to default", near="Memory budget")
    assert desk.real.settings.current.memory.memory_budget_tokens == 800
    assert person.read("Memory budget") == "800"


def test_who_looks_for_facts_too_early_is_told_that_they_come_and_need_not_wait(desk, person):
    """The memory was empty for a minute after the first chat, as if nothing had been heard."""
    desk.real.settings.update("memory", {"extraction_mode": "rules"})
    say(person, "My brother Anselm restores church organs in Ghent.")
    person.press("Memory")
    person.await_text("is about to be learned")
    person.press("Learn now")
    person.await_text("church organs")
    assert "about to be learned" not in person.text()
