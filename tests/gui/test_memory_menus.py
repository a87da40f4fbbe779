"""Right clicks in the memory's lists: the menu acts on the row it opens on, whatever its pane shows."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu

from memdesk.gui.views.memory.editing import FactDialog, LineDialog
from tests.helpers import dialogs


@pytest.fixture
def shown(full):
    def show(tab):
        page = full.page("memory", tab=tab)
        full.settle()
        return page.stack.currentWidget()

    return show


def place_of(tab, item_id):
    return next(tab.model.index(row, 0) for row, item in tab.model.known() if item.id == item_id)


def menu_on(qtbot, tab, item_id, reason=QContextMenuEvent.Reason.Mouse):
    """Open the menu of a row as a right click does, and return its actions by title."""
    view = tab.table.viewport()
    point = tab.table.visualRect(place_of(tab, item_id)).center()
    asked = point if reason == QContextMenuEvent.Reason.Mouse else QPoint(1, 1)
    QApplication.sendEvent(view, QContextMenuEvent(reason, asked, view.mapToGlobal(asked)))
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    return {action.text(): action for action in QApplication.activePopupWidget().actions()}


def choose(action):
    menu = QApplication.activePopupWidget()
    menu.setActiveAction(action)
    menu.close()
    action.trigger()


def test_a_facts_menu_acts_on_the_fact_it_opens_on(full, qtbot, shown):
    tab = shown("facts")
    one, two = full.made[0], full.made[1]
    tab._open(one.id)
    full.settle()
    actions = menu_on(qtbot, tab, two.id)
    assert list(actions) == ["Edit", "Pin", "Disable", "Forget"]
    choose(actions["Pin"])
    full.rest()
    pinned = [full.real.memories.fact(fact.id).user_pinned for fact in (one, two)]
    assert pinned == [one.user_pinned, True]
    choose(menu_on(qtbot, tab, two.id, QContextMenuEvent.Reason.Keyboard)["Edit"])
    dialog = dialogs.shown(full)
    assert isinstance(dialog, FactDialog)
    assert dialog.content.toPlainText() == two.content


def test_the_key_that_edits_takes_the_chosen_fact_before_its_pane_has_come(full, qtbot, shown):
    tab = shown("facts")
    one, two = full.made[0], full.made[1]
    tab._open(one.id)
    full.settle()
    tab.table.selectRow(place_of(tab, two.id).row())
    tab._asked("edit")
    assert dialogs.shown(full).content.toPlainText() == two.content


def test_a_menu_on_one_of_several_facts_acts_on_all_of_them(full, qtbot, shown):
    tab = shown("facts")
    both = full.made[:2]
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    for fact in both:
        tab.table.selectionModel().select(place_of(tab, fact.id), flags)
    actions = menu_on(qtbot, tab, both[0].id)
    assert list(actions) == ["Edit", "Pin", "Unpin", "Disable", "Enable", "Forget"]
    choose(actions["Disable"])
    full.rest()
    assert [full.real.memories.fact(fact.id).status for fact in both] == ["disabled", "disabled"]


def test_an_episodes_menu_acts_on_the_episode_it_opens_on(full, qtbot, shown):
    tab = shown("episodes")
    episode = full.real.memories.episodes().items[-1]
    actions = menu_on(qtbot, tab, episode.id)
    choose(actions["Edit"])
    dialog = dialogs.shown(full)
    assert isinstance(dialog, LineDialog)
    assert dialog.text.toPlainText() == episode.content
    dialog.close()
    choose(menu_on(qtbot, tab, episode.id)["Disable"])
    full.rest()
    assert full.real.memories.episode(episode.id).status == "disabled"


def test_a_names_menu_acts_on_the_name_it_opens_on(full, qtbot, shown):
    tab = shown("entities")
    people = {entity.name: entity for entity in full.real.memories.entities(agent_id="default").items}
    jonas, lisbon = people["Jonas"], people["Lisbon"]
    tab.side.open(lisbon.id)
    full.rest()
    choose(menu_on(qtbot, tab, jonas.id)["Edit"])
    full.settle()
    assert dialogs.shown(full).name.text() == "Jonas"


def test_a_links_menu_deletes_that_link(full, qtbot, shown):
    for name in ("one", "two"):
        told = {"url": f"https://example.org/{name}", "title": f"Page {name}"}
        full.real.items.put(content=f"Page {name}", agent_id="default", form="link", metadata=told)
    tab = shown("kept")
    full.settle()
    row = next(row for row, kept in tab.model.known() if kept.item is not None and kept.item.content == "Page two")
    view = tab.table.viewport()
    point = tab.table.visualRect(tab.model.index(row, 0)).center()
    QApplication.sendEvent(view, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, view.mapToGlobal(point)))
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    actions = {action.text(): action for action in QApplication.activePopupWidget().actions()}
    assert list(actions) == ["Open page", "Delete"]
    choose(actions["Delete"])
    full.rest()
    left = [kept.item.content for _row, kept in tab.model.known() if kept.item is not None]
    assert "Page one" in left
    assert "Page two" not in left


def test_a_right_click_beside_the_rows_opens_nothing(full, shown):
    tab = shown("entities")
    view = tab.table.viewport()
    below = QPoint(5, view.height() - 2)
    if tab.table.indexAt(below).isValid():
        view.resize(view.width(), view.height() * 4)
        below = QPoint(5, view.height() - 2)
    QApplication.sendEvent(view, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, below, view.mapToGlobal(below)))
    full.settle()
    assert QApplication.activePopupWidget() is None
    assert tab.table.contextMenuPolicy() == Qt.ContextMenuPolicy.DefaultContextMenu
