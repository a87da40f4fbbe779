"""The Facts tab: filters, bulk actions, undo, and keeping its position."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QFileDialog

from memdesk.domain.items.scope import Scope
from memdesk.domain.models import FactKind, FactStatus
from memdesk.gui.models.facts import SECOND
from memdesk.gui.views.memory.bulk import BulkDialog
from memdesk.gui.views.memory.days import DayEdit, read_day
from memdesk.gui.views.memory.editing import FactDialog
from memdesk.gui.views.memory.facts import FactsTab
from memdesk.gui.views.memory.taking_back import lines
from memdesk.gui.widgets.buttons import Button, IconButton
from memdesk.gui.widgets.dialog import ConfirmDialog
from memdesk.gui.widgets.labels import Label
from memdesk.ports import FactFilter
from memdesk.services.distilling.lines import LineReader
from memdesk.services.forgetting.forgetting import ForgetTarget
from tests.helpers import dialogs


@pytest.fixture
def tab(full):
    found = full.page("memory", tab="facts").findChild(FactsTab)
    full.settle()
    return found


def listed(tab):
    return [fact.content for _row, fact in tab.model.known()]


def choose(combo, key):
    assert combo.findData(key) >= 0
    combo.set_key(key)
    combo.chosen.emit(key)


def test_facts_are_narrowed_by_tag_salience_and_day(full, tab):
    every = tab.model.total
    choose(tab.filters.tag, "lisbon")
    full.settle()
    assert tab.model.total == 2
    assert all("lisbon" in fact.tags for _row, fact in tab.model.known())
    choose(tab.filters.worth, "strong")
    full.settle()
    assert listed(tab) == ["Ada decided to travel to Lisbon by train, not by plane."]
    choose(tab.filters.worth, "fading")
    full.settle()
    assert tab.pane.currentWidget() is tab.pane.empty
    next(button for button in tab.pane.empty.findChildren(Button) if button is tab._clear).click()
    full.settle()
    assert tab.model.total == every
    assert not tab.filters.narrowed()
    choose(tab.filters.age, "between")
    first = full.real.clock.local(full.real.clock.now() - timedelta(days=30)).date()
    tab.filters.first.setText(first.isoformat())
    tab.filters.first.editingFinished.emit()
    full.settle()
    assert 0 < tab.model.total < every
    tab.filters.first.setText("someday")
    tab.filters.first.editingFinished.emit()
    full.settle()
    assert tab.filters.first.property("invalid") is True


def test_the_head_of_a_column_sorts_and_turns(full, tab):
    head = tab.table.horizontalHeader()
    head.sectionClicked.emit(2)
    full.settle()
    worth = [fact.salience for _row, fact in tab.model.known()]
    assert worth == sorted(worth, reverse=True)
    assert head.sortIndicatorSection() == 2
    head.sectionClicked.emit(2)
    full.settle()
    assert [fact.salience for _row, fact in tab.model.known()] == worth[::-1]
    assert tab.filters.order.key() == "salience"


def test_many_are_edited_and_several_actions_taken_back_one_by_one(full, tab, qtbot):
    before = {fact.id: fact for fact in full.real.memories.facts(FactFilter(), limit=100).items}
    tab.table.selectAll()
    tab._asked("edit")
    full.settle()
    dialog = dialogs.shown(full)
    assert isinstance(dialog, BulkDialog)
    assert not dialog._accept.isEnabled()
    dialog.added.setText("#demo, home")
    choose(dialog.kind, "event")
    dialog._accept.click()
    full.rest()
    facts = full.real.memories.facts(FactFilter(status=(FactStatus.ACTIVE,)), limit=100).items
    assert all({"demo", "home"} <= set(fact.tags) and fact.kind is FactKind.EVENT for fact in facts)
    tab.table.selectRow(0)
    full.settle()
    tab.panel._pin(tab.panel.fact, not tab.panel.fact.user_pinned)
    full.rest()
    assert tab.bar.words.text() in {"Fact pinned", "Fact unpinned"}
    full.window.activateWindow()
    tab.table.setFocus()
    full.settle()
    qtbot.keyClick(tab.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    full.rest()
    assert tab.bar.words.text() == f"{len(facts)} facts changed"
    tab.bar.undo.click()
    full.rest()
    assert tab.bar.isHidden()
    after = {fact.id: fact for fact in full.real.memories.facts(FactFilter(), limit=100).items}
    same = ("tags", "kind", "user_pinned", "salience", "content", "status")
    for fact_id, fact in before.items():
        assert [getattr(after[fact_id], name) for name in same] == [getattr(fact, name) for name in same]


def test_what_is_chosen_stays_while_the_memory_changes(full, tab):
    model = tab.table.selectionModel()
    for row in (1, 4):
        flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
        model.select(tab.model.index(row, 0), flags)
    chosen = [tab.model.item(tab.model.index(row, 0)).id for row in (1, 4)]
    total = tab.model.total
    full.real.memories.add_fact(agent_id="default", content="The gate squeaks.", actor="api")
    full.rest()
    told = []
    tab._with_ids(told.append)
    assert told == [chosen]
    assert tab.model.total == total
    tab.table.clearSelection()
    full.rest()
    assert tab.model.total == total + 1


def test_an_open_fact_follows_what_others_do_to_it(full, tab):
    fact = full.made[1]
    tab._open(fact.id)
    full.settle()
    bar = tab.panel._scroll.verticalScrollBar()
    bar.setValue(60)
    full.real.memories.edit_fact(fact.id, content="Marta is vegan.", actor="api", actor_detail="phone")
    full.rest()
    assert tab.panel.fact.content == "Marta is vegan."
    assert bar.value() == 60
    assert "Marta is vegan." in listed(tab)
    assert [index.row() for index in tab.table.selectionModel().selectedRows()] == [
        listed(tab).index("Marta is vegan.")
    ]
    full.real.forgetting.forget(ForgetTarget(kind="fact", ids=(fact.id,)))
    full.rest()
    assert tab.panel.fact is None
    assert tab.panel._none._title.text() == "This fact is gone"


def test_where_there_is_room_for_one_the_keyboard_goes_to_the_fact_and_back(full, tab, qtbot):
    full.window.resize(720, 640)
    tab.table.setFocus()
    qtbot.keyClick(tab.table, Qt.Key.Key_Down)
    full.settle()
    assert tab.pane.isHidden()
    assert full.window.focusWidget() is tab.panel
    while not isinstance(full.window.focusWidget(), IconButton):
        qtbot.keyClick(full.window.focusWidget(), Qt.Key.Key_Tab)
        assert tab.panel.isAncestorOf(full.window.focusWidget())
    assert full.window.focusWidget().accessibleName() == "Close"
    qtbot.keyClick(full.window.focusWidget(), Qt.Key.Key_Return)
    assert full.window.focusWidget() is tab.table


def test_a_key_is_shown_that_a_program_chose_and_none_of_an_import(full, tab):
    add = full.real.memories.add_fact
    keys = {"Ada pours the milk first.": "tea", "Ada plays the viola.": "import-claude-cdaa16e679ae7baf"}
    for content, key in keys.items():
        add(agent_id="default", content=content, key=key)
    full.rest()
    seconds = {one.content: tab.model.data(tab.model.index(row, 0), SECOND) for row, one in tab.model.known()}
    assert [seconds[content] for content in keys] == ["tea", ""]


def test_a_fact_that_was_forgotten_leaves_the_list_and_no_way_back(full, tab, qtbot):
    full.window.resize(720, 640)
    tab.table.setFocus()
    qtbot.keyClick(tab.table, Qt.Key.Key_Down)
    full.settle()
    tab.panel._pin(tab.panel.fact, True)
    full.settle()
    assert tab.bar.undo.isVisibleTo(tab)
    gone = tab.panel.fact.id
    tab.panel._forget(tab.panel.fact)
    full.settle()
    next(dialog for dialog in full.window.findChildren(ConfirmDialog) if dialog.isVisible()).button.click()
    full.settle()
    assert gone not in {fact.id for _row, fact in tab.model.known()}
    assert tab.panel.isHidden()
    assert not tab.bar.undo.isVisibleTo(tab)
    assert full.window.focusWidget() is tab.table


def test_a_link_leads_to_another_fact_and_back(full, tab):
    one = full.real.memories.add_fact(agent_id="default", content="Marta is vegetarian and likes mushrooms.")
    two = full.made[1]
    tab._open(one.id)
    full.settle()
    link = next(button for button in tab.panel.findChildren(Button) if button.accessibleName() == two.content[:90])
    link.click()
    full.rest()
    assert tab.panel.fact.id == two.id
    assert tab._shown == two.id
    tab.panel.go_back()
    full.rest()
    assert tab.panel.fact.id == one.id
    tab.panel.tagged.emit("food")
    full.settle()
    assert {tag for _row, fact in tab.model.known() for tag in fact.tags} >= {"food"}
    assert tab.model.total == 2


def test_adding_what_is_known_says_so_and_shows_it(full, tab):
    total = full.real.memories.facts(FactFilter()).total
    tab.add()
    full.settle()
    dialog = dialogs.shown(full)
    assert isinstance(dialog, FactDialog)
    dialog.content.setPlainText("marta is  vegetarian and eats no fish.")
    dialog._accept.click()
    full.rest()
    assert full.real.memories.facts(FactFilter()).total == total
    assert full.window.notices.recent[-1].title == "Already known: nothing was added"
    assert tab.panel.fact.id == full.made[1].id


def test_the_dialog_closes_at_once_and_comes_back_with_what_was_typed_if_it_is_refused(full, tab):
    full.real.memories.add_fact(agent_id="default", content="The answers are in German.", key="language")
    tab.add()
    full.settle()
    dialog = dialogs.shown(full)
    dialog.content.setPlainText(" ")
    dialog._accept.click()
    assert dialog.isVisible()
    assert dialog.fault.text()
    dialog.content.setPlainText("The user grows hops.")
    dialog.key.setText("language")
    dialog._accept.click()
    assert not dialog.isVisible()
    assert tab.count.text() == "Adding…"
    full.settle()
    assert dialogs.shown(full) is dialog
    assert "key" in dialog.fault.text()
    assert tab.count.text() != "Adding…"
    assert dialog.content.toPlainText() == "The user grows hops."
    dialog.key.setText("hops")
    dialog._accept.click()
    full.rest()
    assert tab.panel.fact.content == "The user grows hops."
    assert not any(each.isVisible() for each in full.window.findChildren(FactDialog))


def test_what_reads_a_fact_starts_while_it_is_written(full, tab, monkeypatch):
    parsed, parse = [], LineReader.parse
    monkeypatch.setattr(LineReader, "parse", lambda self, texts: parsed.append(texts) or parse(self, texts))
    tab.add()
    full.settle()
    assert parsed
    dialogs.shown(full).close()
    parsed.clear()
    tab._open(full.made[1].id)
    full.settle()
    tab.panel.edit()
    full.settle()
    assert parsed


def test_a_fact_is_given_its_agent_and_its_days(full, tab):
    tab.add()
    full.settle()
    dialog = dialogs.shown(full)
    dialog.content.setPlainText("The novel is set on an island.")
    dialog.agent.set_key("writer")
    dialog.first.setText("2026-03-01")
    dialog.last.setText("in spring")
    dialog._accept.click()
    assert "in spring" in dialog.fault.text()
    dialog.last.setText("2026-02-01")
    dialog._accept.click()
    full.settle()
    assert dialog.fault.text() == "A fact cannot end before it begins."
    dialog.last.setText("")
    dialog._accept.click()
    full.rest()
    fact = tab.panel.fact
    assert fact.agent_id == "writer"
    assert full.real.clock.local(fact.valid_from).date() == date(2026, 3, 1)
    full.real.memories.edit_fact(fact.id, valid_until=fact.valid_from + timedelta(days=30))
    full.rest()
    tab.panel.edit()
    full.settle()
    dialog = dialogs.shown(full)
    dialog.last.clear()
    dialog._accept.click()
    full.rest()
    assert tab.panel.fact.valid_until is None
    assert tab.panel.fact.valid_from == fact.valid_from


def edited(full, tab, change):
    """Edit the fact that is open, with what ``change`` does to the dialog, and return the fact as it is then."""
    tab.panel.edit()
    full.settle()
    dialog = dialogs.shown(full)
    change(dialog)
    dialog._accept.click()
    full.rest()
    return tab.panel.fact


def test_type_key_and_expiry_are_edited_shown_and_taken_back(full, tab):
    _row, before = next(tab.model.known())
    tab._open(before.id)
    full.rest()
    soon = (full.real.clock.local(full.real.clock.now()) + timedelta(days=10)).date()

    def change(dialog):
        assert dialog.values().keys() == {"content", "kind", "tags"}
        dialog.type.set_key("semantic")
        dialog.key.setText(" tea ")
        dialog.expires.setText(soon.isoformat())

    fact = edited(full, tab, change)
    assert (fact.type, fact.key) == ("semantic", "tea")
    assert full.real.clock.local(fact.expires_at).date() == soon
    shown = [label.text() for label in tab.panel.findChildren(Label)]
    assert "Key: tea" in shown
    assert any(text.startswith("Expires on") for text in shown)
    second = next(
        tab.model.data(tab.model.index(row, 0), SECOND) for row, one in tab.model.known() if one.id == fact.id
    )
    assert "expires on" in second
    assert "tea" in second.split(" · ")
    choose(tab.filters.type, "semantic")
    full.settle()
    assert [one.id for _row, one in tab.model.known()] == [fact.id]
    entry = full.real.history.of("fact", fact.id)[0]
    assert "Type: Semantic → Factual" in lines(entry, full.real.clock)
    full.real.history.take_back(entry.id)
    full.rest()
    assert tab.model.total == 0
    back = full.real.memories.fact(fact.id)
    assert (back.type, back.key, back.expires_at) == (before.type, "", None)


def test_a_key_is_of_one_fact_and_a_type_given_outlasts_an_edit_of_the_words(full, tab):
    add, agent_id = full.real.memories.add_fact, full.made[0].agent_id
    first = add(agent_id=agent_id, content="Ada pours the milk first.", key="tea", type="procedural")
    second = add(agent_id=agent_id, content="The kettle stands in the pantry.")
    tab._open(second.id)
    full.rest()
    tab.panel.edit()
    full.settle()
    dialog = dialogs.shown(full)
    dialog.key.setText("tea")
    dialog._accept.click()
    full.settle()
    assert dialog.fault.text() == "Another item of this scope has the key."
    dialog.reject()
    assert full.real.memories.fact(second.id).key == ""
    tab._open(first.id)
    full.rest()
    assert edited(full, tab, lambda dialog: dialog.content.setPlainText("Ada drinks tea.")).type == "procedural"


def test_a_fact_is_added_with_type_key_and_expiry(full, tab):
    tab.add()
    full.settle()
    dialog = dialogs.shown(full)
    dialog.content.setPlainText("The parking permit is number 40-17.")
    dialog.type.set_key("semantic")
    dialog.key.setText("permit")
    dialog.expires.setText("2020-01-01")
    dialog._accept.click()
    full.rest()
    fact = tab.panel.fact
    assert (fact.type, fact.key) == ("semantic", "permit")
    assert "Expired on 1 Jan 2020" in [label.text() for label in tab.panel.findChildren(Label)]
    assert fact.id not in [item.id for item in full.real.items.page(Scope()).items]


@pytest.mark.parametrize("text", ["25 Jul 2026", "25 July 2026", "2026-07-25", "25.7.2026"])
def test_a_day_is_read_as_people_write_it(text):
    assert read_day(text) == date(2026, 7, 25)


def test_no_day_is_no_day(qapp, theme):
    edit = DayEdit("From")
    assert edit.value() is None
    edit.setText("31 Feb 2026")
    with pytest.raises(ValueError, match="31 Feb 2026"):
        edit.value()
    edit.deleteLater()


def test_what_is_listed_is_exported_and_imported_again(full, tab, tmp_path):
    def press(name, path):
        next(each for each in tab.findChildren(IconButton) if each.accessibleName() == name).click()
        picker = tab.window().findChild(QFileDialog)
        picker.fileSelected.emit(str(path))
        picker.close()
        full.settle()

    choose(tab.filters.tag, "lisbon")
    full.settle()
    shown, file = listed(tab), tmp_path / "facts.jsonl"
    press("Export what is listed", file)
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert [row["content"] for row in rows if row["row"] == "item"] == shown
    gone = next(fact.id for _row, fact in tab.model.known())
    full.real.forgetting.forget(ForgetTarget(kind="fact", ids=(gone,)))
    press("Import facts", file)
    assert listed(tab) == shown
    assert full.window.notices.recent[-1].title == f"1 imported, {len(shown) - 1} were here already"
    (tmp_path / "other.jsonl").write_text("{}")
    press("Import facts", tmp_path / "other.jsonl")
    assert full.window.notices.recent[-1].message == "This is not an export of memdesk."


def test_what_is_done_to_many_can_be_stopped_and_what_is_taken_back_offers_no_stop(full, tab, monkeypatch):
    monkeypatch.setattr("memdesk.services.remembering.memories.AT_ONCE", 1)
    seen, show = [], tab.bar.show_work

    def watched(share, **more):
        show(share, **more)
        if share is not None:
            seen.append(tab.bar.stop.isVisible())

    monkeypatch.setattr(tab.bar, "show_work", watched)
    tab.table.selectAll()
    tab._asked("pin")
    full.settle()
    assert seen
    assert all(seen)
    told = full.session.bridge.notices.recent[-1].title
    assert told == f"{tab.model.total} facts pinned: they will not fade"
    seen.clear()
    tab.bar.undo.click()
    full.settle()
    assert seen
    assert not any(seen)
