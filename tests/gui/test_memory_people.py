"""People & things: navigating the graph by mouse and keyboard, renaming, and merging duplicates."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from memdesk.domain.models import Relation, new_id
from memdesk.gui.views.memory.entities import EntitiesTab
from memdesk.gui.views.memory.entity_dialogs import EntityDialog, MergeDialog
from memdesk.gui.views.memory.tab import TwoLines
from memdesk.gui.widgets.buttons import Button
from memdesk.ports import FactFilter
from tests.helpers import dialogs
from tests.helpers.rows import entity


@pytest.fixture
def full(full):
    full.people = {entity.name: entity for entity in full.real.memories.entities(agent_id="default").items}
    return full


@pytest.fixture
def tab(full):
    found = full.page("memory", tab="entities").findChild(EntitiesTab)
    full.settle()
    return found


def chosen(tab):
    return [index.data() for index in tab.table.selectionModel().selectedRows()]


def test_the_graph_is_walked_by_keys_and_back(full, tab, qtbot):
    tab.side.open(full.people["Ada"].id)
    full.rest()
    assert chosen(tab) == ["Ada"]
    graph = tab.side.graph
    names = [node.name for node in graph._nodes]
    assert {"Marta", "Vienna", "Lisbon", "Jonas"} <= set(names)
    qtbot.keyClick(graph, Qt.Key.Key_Right)
    assert names[1] in graph.accessibleDescription()
    qtbot.keyClick(graph, Qt.Key.Key_Return)
    full.rest()
    assert tab.side.view.entity.name == names[1]
    assert chosen(tab) == [names[1]]
    qtbot.keyClick(graph, Qt.Key.Key_Backspace)
    full.rest()
    assert tab.side.view.entity.name == "Ada"
    graph.grab()
    qtbot.mouseClick(graph, Qt.MouseButton.LeftButton, pos=graph._boxes[0].center().toPoint())
    full.rest()
    assert tab.side.view.entity.name == names[0]


def test_relations_have_a_direction_and_each_neighbor_appears_once(full, tab):
    ada, marta = full.people["Ada"], full.people["Marta"]
    again = Relation(
        id=new_id(),
        agent_id="default",
        subject_id=marta.id,
        predicate="reports_to",
        object_id=ada.id,
        fact_id=full.made[1].id,
        created_at=full.real.clock.now(),
    )
    full.real.memories._store.write(lambda repos: repos.entities.relate(again))
    tab.side.open(marta.id)
    full.rest()
    nodes = {node.name: node for node in tab.side.graph._nodes}
    assert len(nodes) == len(tab.side.graph._nodes)
    assert nodes["Lisbon"].outward
    assert "reports to" in nodes["Ada"].label
    assert "lives with" in nodes["Ada"].label
    show = next(b for b in tab.side.findChildren(Button) if "Marta reports to Ada" in b.accessibleName())
    show.click()
    full.rest()
    assert full.window.host.page("memory").segments.value() == "facts"


def test_a_name_is_changed_and_its_former_one_stays_an_alias(full, tab):
    tab.side.open(full.people["Jonas"].id)
    full.rest()
    tab.side.edit(tab.side.view.entity)
    full.settle()
    dialog = dialogs.shown(full)
    assert isinstance(dialog, EntityDialog)
    dialog.name.setText("Vienna")
    dialog._accept.click()
    full.settle()
    assert "Vienna" in dialog.fault.text()
    dialog.name.setText("Jonas Berger")
    dialog.type.set_key("project")
    dialog.aliases.setText("JB")
    dialog._accept.click()
    full.rest()
    view = full.real.memories.entity(full.people["Jonas"].id)
    assert (view.entity.name, view.entity.type) == ("Jonas Berger", "project")
    assert view.aliases == ["JB", "Jonas"]
    assert chosen(tab) == ["Jonas Berger"]


def test_two_that_are_the_same_are_joined_after_what_that_means_was_told(full, tab):
    alfama, lisbon = full.people["Alfama"], full.people["Lisbon"]
    tab.side.open(alfama.id)
    full.rest()
    tab.side.join(tab.side.view.entity)
    full.rest()
    dialog = dialogs.shown(full)
    assert isinstance(dialog, MergeDialog)
    assert not dialog.button.isEnabled()
    rows = {dialog.model.item(dialog.model.index(row, 0)).name: row for row in range(dialog.model.rowCount())}
    dialog.table.selectRow(rows["Alfama"])
    full.settle()
    assert not dialog.button.isEnabled()
    assert dialog.what.text() == "That is Alfama itself. Choose another one."
    dialog.table.selectRow(rows["Lisbon"])
    full.settle()
    assert "Alfama goes" in dialog.what.text()
    assert "1 relation" in dialog.what.text()
    dialog.button.click()
    full.rest()
    assert tab.side.view.entity.id == lisbon.id
    assert full.real.memories.entity(lisbon.id).aliases == ["Alfama"]
    assert chosen(tab) == ["Lisbon"]
    assert "Alfama" not in [entity.name for _row, entity in tab.model.known()]
    assert tab.bar.words.text() == "Alfama is now Lisbon"
    tab.bar.undo.click()
    full.rest()
    assert not tab.bar.isVisible()
    assert full.real.memories.entity(lisbon.id).aliases == []
    assert full.real.memories.entity(alfama.id).relations
    assert "Alfama" in [entity.name for _row, entity in tab.model.known()]


def test_a_name_in_many_facts_opens_with_the_best_of_them(full, tab):
    ada = full.people["Ada"]
    made = [full.real.memories.add_fact(agent_id="default", content=f"She counted {n} swallows.") for n in range(60)]
    full.real.memories._store.write(lambda repos: [repos.entities.link(ada.id, "fact", fact.id) for fact in made])
    tab.side.open(ada.id)
    full.rest()
    rows = [b for b in tab.side.findChildren(Button) if b.text() == "Show" and b.isVisibleTo(tab.side)]
    assert 30 <= len(rows) < 60
    every = next(b for b in tab.side.findChildren(Button) if b.text().startswith("Look for all"))
    every.click()
    full.rest()
    page = full.window.host.page("memory")
    assert page.segments.value() == "facts"
    facts = page.stack.currentWidget()
    assert facts.filters.about.isVisible()
    assert facts.filters.about.currentText() == "About Ada"
    about = FactFilter(status=("active",), entity_id=ada.id)
    assert facts.model.total == full.real.memories.facts(about).total > 60
    facts.filters.clear.click()
    full.rest()
    assert not facts.filters.about.isVisible()
    assert facts.model.total == full.real.memories.facts(FactFilter(status=("active",))).total


def test_a_pet_is_called_so_and_found_by_its_type(full, tab):
    cat = entity("Waffle", "default", type="pet")
    full.real.recall.store.write(lambda repos: repos.entities.put(cat))
    tab.type.set_key("pet")
    tab.type.chosen.emit("pet")
    full.rest()
    listed = [tab.model.index(row, 0) for row in range(tab.model.rowCount())]
    assert [(index.data(), index.data(TwoLines.SECOND).split(" · ")[0]) for index in listed] == [("Waffle", "Pet")]
