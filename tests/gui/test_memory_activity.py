"""Activity: changes are found, shown in place, and undone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import Qt

from memdesk.gui.views.memory.activity import ActivityTab
from memdesk.gui.views.memory.fact_panel import FactPanel
from memdesk.gui.views.memory.facts import FactsTab
from memdesk.gui.views.memory.tab import TwoLines
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Label
from tests.helpers import dialogs


@pytest.fixture
def tab(full):
    def opened():
        found = full.page("memory", tab="activity").findChild(ActivityTab)
        full.rest()
        return found

    return opened


def choose(full, tab, wanted):
    """Choose the newest change of which ``wanted`` is true."""
    place = next(row for row, entry in tab.model.known() if wanted(entry))
    tab.table.selectRow(place)
    full.settle()


def test_what_was_changed_in_one_go_is_taken_back_with_one_answer(full, tab):
    memories = full.real.memories
    ids = [fact.id for fact in full.made[:3]]
    before = [memories.fact(fact_id).content for fact_id in ids]
    memories.edit_facts(ids, kind="event", add_tags=["trip"])
    activity = tab()
    choose(full, activity, lambda entry: entry.ref_id == ids[1] and entry.action == "edit")
    assert activity.back.isVisible()
    activity.back.click()
    full.rest()
    dialog = dialogs.shown(full)
    assert "Kind: Event → " in dialog.findChildren(type(dialog.heading))[1].text()
    assert dialog.option.text() == "With all 3 changes that were made in one go"
    dialog.option.setChecked(True)
    dialog.button.click()
    full.rest()
    assert [memories.fact(fact_id).content for fact_id in ids] == before
    assert not any("trip" in memories.fact(fact_id).tags for fact_id in ids)
    newest = activity.model.item(activity.model.index(0, 0))
    assert newest.action == "undo"
    assert activity.model.index(0, 0).data(TwoLines.SECOND).count("undone") == 1


def test_a_join_of_long_ago_is_taken_back_and_its_place_is_shown(full, tab, qtbot):
    memories = full.real.memories
    people = {entity.name: entity for entity in memories.entities(agent_id="default").items}
    memories.merge_entities(people["Alfama"].id, people["Lisbon"].id)
    activity = tab()
    activity.kind.set_key("entity")
    activity.kind.chosen.emit("entity")
    full.rest()
    assert activity.model.index(0, 0).data() == "Alfama is now Lisbon"
    activity.table.selectRow(0)
    activity.back.click()
    full.rest()
    dialog = dialogs.shown(full)
    assert not dialog.option.isVisible()
    dialog.button.click()
    full.rest()
    assert memories.entity(people["Alfama"].id).entity.name == "Alfama"
    assert activity.model.index(0, 0).data() == "Alfama"
    activity.table.selectRow(0)
    full.settle()
    assert not activity.back.isVisible()
    activity.table.setFocus()
    qtbot.keyClick(activity.table, Qt.Key.Key_Return)
    full.rest()
    assert full.window.host.page("memory").segments.value() == "entities"


def test_what_the_log_holds_no_words_of_is_offered_neither_way(full, tab):
    fact = full.real.memories.add_fact(agent_id="default", content="Ada owns a canoe.")
    activity = tab()
    choose(full, activity, lambda entry: entry.ref_id == fact.id)
    assert activity.show_it.isVisible()
    assert not activity.back.isVisible()


def test_a_facts_page_takes_a_change_back_long_after_its_bar_is_gone(full):
    memories, fact = full.real.memories, full.made[0]
    memories.edit_fact(fact.id, content="Ada lives in Graz.")
    panel = full.page("memory", tab="facts", fact_id=fact.id).findChild(FactsTab).findChild(FactPanel)
    full.rest()
    [link] = [each for each in panel.findChildren(Button) if each.text() == "Undo…"]
    link.click()
    full.rest()
    dialogs.shown(full).button.click()
    full.rest()
    assert memories.fact(fact.id).content == fact.content
    assert panel.fact.content == fact.content


def test_a_facts_page_says_when_it_was_last_confirmed(full):
    def confirm(repos):
        repos.items.put(replace(full.made[0], confirmed_at=datetime(2026, 2, 3, 12, tzinfo=UTC)))

    full.real.memories._store.write(confirm)
    panel = full.page("memory", tab="facts", fact_id=full.made[0].id).findChild(FactsTab).findChild(FactPanel)
    full.rest()
    (said,) = [each.text() for each in panel.findChildren(Label) if each.text().startswith("Last confirmed on")]
    assert "3" in said
    assert "2026" in said


def test_a_facts_page_says_a_day_once(desk):
    fact = desk.real.memories.add_fact(agent_id="default", content="Ada lives in Graz.")
    panel = desk.page("memory", tab="facts", fact_id=fact.id).findChild(FactsTab).findChild(FactPanel)
    desk.rest()
    said = [each.text() for each in panel.findChildren(Label)]
    assert any(text.startswith("Added ") and "changed" not in text for text in said)
    assert not any(text.startswith("Last confirmed on") for text in said)
