"""Journeys a person makes through the window, over real services."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from memdesk.domain.models import FactStatus
from memdesk.gui.views.memory.facts import FactsTab
from memdesk.gui.views.memory.review import ReviewTab
from memdesk.gui.widgets.dialog import ConfirmDialog, Dialog
from memdesk.gui.widgets.forms import FieldEditor, TextArea
from memdesk.ports import FactFilter
from tests.helpers.demo import fill
from tests.helpers.window import window


@pytest.fixture
def full(desk):
    fill(desk.app)
    desk.settle()
    return desk


def say(desk, text):
    page = desk.page("chat")
    page.composer.editor.setPlainText(text)
    page.composer.send()
    desk.settle(120_000)
    return page


@pytest.mark.model
def test_from_the_first_start_to_the_first_remembered_fact(home, qtbot, qapp):
    """With the bundled model: nothing before, a fact after, and the chip that says so."""
    with window(home, qtbot, qapp, created=False) as desk:
        face = desk.face
        groups = face.steps[0].code.split("-")
        for place, edit in face.steps[0]._asked.items():
            edit.setText(groups[place])
        for _ in range(4):
            face.next.click()
            desk.settle(30_000)
        page = say(desk, "My sister Johanna keeps bees in Styria.")
        assert page.messages.last_assistant().text
        desk.window.commands.run("memory.distil")
        desk.settle(180_000)
        facts = desk.real.memories.facts(FactFilter(status=(FactStatus.ACTIVE,))).items
        assert any("bees" in fact.content for fact in facts)
        assert page.messages.last_assistant()._notes
        page.new_chat()
        desk.settle()
        page = say(desk, "What does my sister keep?")
        reply = page.messages.last_assistant()
        assert reply.memories >= 1
        page.show_receipt(reply.receipt_id)
        desk.settle()
        assert any("bees" in item.line for item in page.receipt._receipt.items)
        desk.real.models.unload()


def test_a_wrong_fact_is_found_and_corrected_from_its_receipt(desk, qtbot, model):
    fact = desk.real.memories.add_fact(agent_id="default", content="The user's sister is called Joanna.")
    page = say(desk, "What is my sister called?")
    page.show_receipt(page.messages.last_assistant().receipt_id)
    desk.settle()
    item = next(item for item in page.receipt._receipt.items if item.id == fact.id)
    page.receipt._fix(item)
    desk.settle()
    dialog = next(w for w in desk.window.findChildren(Dialog) if w.isVisible())
    area = dialog.findChild(TextArea)
    assert area.toPlainText() == "The user's sister is called Joanna."
    area.setPlainText("The user's sister is called Johanna.")
    dialog._accept.click()
    desk.settle()
    assert desk.real.memories.fact(fact.id).content == "The user's sister is called Johanna."
    page.composer.editor.setPlainText("And now, what is my sister called?")
    page.composer.send()
    desk.settle()
    assert any("Johanna" in request.messages[-1].content for request in model.requests[-1:])


def test_a_conversation_is_forgotten_with_what_was_learned(full, qtbot):
    desk = full
    page = desk.page("chat", agent_id="default", conversation_id="demo-5")
    talk = desk.real.conversations.get("default", "demo-5")
    learned = [f.id for f in desk.real.memories.facts(FactFilter(conversation_id="demo-5")).items]
    assert learned
    page.list.ask_delete(talk)
    desk.settle()
    (dialog,) = desk.window.findChildren(ConfirmDialog)
    words = [label.text() for label in dialog.findChildren(type(dialog.heading))]
    assert "Facts" in words
    assert "Episodes" in words
    dialog.button.click()
    desk.settle(30_000)
    left = {fact.id for fact in desk.real.memories.facts(FactFilter(), limit=200).items}
    assert not left & set(learned)
    assert desk.window.notices.recent[-1].level == "success"


def test_consolidation_is_previewed_run_and_undone(full, qtbot):
    desk = full
    for fact in desk.real.memories.facts(FactFilter(), limit=200).items:
        _age(desk, fact)
    before = _state(desk)
    page = desk.page("consolidation", preview=True)
    desk.settle(30_000)
    assert page.stack.currentWidget() is page.diff
    assert page.model.checked
    assert _state(desk) == before
    page._back()
    page.run_now()
    desk.settle(30_000)
    assert _state(desk) != before
    (run,) = [run for run in desk.real.consolidation.runs().items if not run.dry_run]
    page._undo(run)
    desk.settle(30_000)
    assert _state(desk) == before


def _age(desk, fact):
    old = fact.created_at - timedelta(days=200)
    aged = replace(desk.real.memories.fact(fact.id), decayed_at=old, last_used=old, updated_at=old)
    desk.real.memories._store.write(lambda repos: repos.facts.put(aged))


def _state(desk):
    page = desk.real.memories.facts(FactFilter(sort="content"), limit=200)
    return [(fact.id, fact.status, round(fact.salience, 6)) for fact in page.items]


def test_facts_are_pinned_disabled_taken_back_and_forgotten(full, qtbot):
    desk = full
    tab = desk.page("memory", tab="facts").findChild(FactsTab)
    desk.settle()
    total = tab.model.total
    tab.table.selectAll()
    assert tab.chosen_count() == total
    tab._able("disabled")
    desk.settle()
    assert desk.real.memories.facts(FactFilter(status=(FactStatus.ACTIVE,))).total == 0
    tab._take_back()
    desk.settle()
    assert desk.real.memories.facts(FactFilter(status=(FactStatus.ACTIVE,))).total == total
    tab.table.selectRow(0)
    tab._forget()
    desk.settle()
    (dialog,) = desk.window.findChildren(ConfirmDialog)
    dialog.button.click()
    desk.settle(30_000)
    assert desk.real.memories.facts(FactFilter(status=(FactStatus.ACTIVE,))).total == total - 1


def test_candidates_and_contradictions_are_settled(full, qtbot):
    desk = full
    tab = desk.page("memory", tab="review").findChild(ReviewTab)
    desk.settle()
    waiting = desk.real.review.items().items
    tab._accept(waiting[0].fact.id)
    desk.settle()
    tab._reject(waiting[1].fact.id, never=True)
    desk.settle()
    assert desk.real.review.items().total == 0
    assert desk.real.review.rules()
    (card,) = desk.real.review.contradictions()
    tab._settle(card.id, "new")
    desk.settle()
    assert desk.real.review.contradictions() == []
    assert desk.real.memories.fact(card.old.id).status is FactStatus.SUPERSEDED


def test_an_option_is_found_changed_and_reset(desk, qtbot):
    page = desk.page("settings", query="budget")
    desk.settle()
    editor = next(e for e in page.findChildren(FieldEditor) if e.spec.name == "memory_budget_tokens" and e.isVisible())
    editor.editor.setValue(1200)
    desk.settle()
    assert desk.real.settings.current.memory.memory_budget_tokens == 1200
    editor.reset.click()
    desk.settle()
    assert desk.real.settings.current.memory.memory_budget_tokens == 800
