"""Folders of chats in the window: created, filled by menu and by dragging, collapsed, and deleted."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import FactSource
from memdesk.gui.models.conversations import MIME, Heading, Hint, Shelf
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.dialog import ConfirmDialog
from memdesk.ports import FactFilter
from memdesk.services.recording.ingest import IngestTurn


@pytest.fixture
def folders(desk):
    """Two folders, and three chats outside of them."""
    for name in ("rent", "fuel", "tea"):
        turn = IngestTurn(user=name, assistant="Noted.")
        desk.real.ingest.ingest(
            agent_id="default", conversation_id=name, turns=[turn], skip_extraction=True, title=name.title()
        )
    trips = desk.real.folders.create("Trips")
    return desk.real.folders.create("Taxes", "Be exact."), trips


def shown(page):
    """Return the list as it reads, chats of folders set in."""
    words = []
    for row in page.list.model.rows:
        if isinstance(row, Shelf):
            words.append(f"{'+' if row.folder.collapsed else '-'} {row.title}")
        elif not isinstance(row, Heading | Hint):
            words.append(("  " if page.list.model.inside(row) else "") + row.title)
    return words


def become(qtbot, page, *words):
    qtbot.waitUntil(lambda: shown(page) == list(words))


def ready(desk, qtbot):
    page = desk.page("chat")
    page.list.reload()
    become(qtbot, page, "- Taxes", "- Trips", "Tea", "Fuel", "Rent")
    return page


def drag(page, source, target):
    """Let go of a row over another one, or below them all."""
    model = page.list.model
    rows = [getattr(row, "title", "") for row in model.rows]
    data = model.mimeData([model.index(rows.index(source))])
    onto = model.index(rows.index(target)) if target else QModelIndex()
    possible = model.canDropMimeData(data, Qt.DropAction.MoveAction, -1, -1, onto)
    model.dropMimeData(data, Qt.DropAction.MoveAction, -1, -1, onto)
    return possible


def test_a_folder_is_made_in_the_window_and_a_chat_begins_in_it(desk, qtbot, model):
    page = desk.page("chat")
    dialog = page.list.folders.ask()
    dialog.name.setText("Taxes")
    dialog.instructions.setPlainText("Be exact.")
    dialog._accept.click()
    become(qtbot, page, "- Taxes")
    page.list.delegate.new_wanted.emit(page.list.model.index(0))
    assert page.head.folder.text().strip() == "Taxes"
    assert "Be exact." in page.head.folder.toolTip()
    model.queue("Four.")
    page.composer.editor.setPlainText("How much?")
    qtbot.keyClick(page.composer.editor, Qt.Key.Key_Return)
    desk.settle()
    assert model.requests[-1].messages[0].content.endswith("Be exact.")
    become(qtbot, page, "- Taxes", "  How much?")
    assert page.head.folder.isVisible()


def test_a_folder_needs_a_name(desk, qtbot):
    dialog = desk.page("chat").list.folders.ask()
    dialog._accept.click()
    qtbot.waitUntil(dialog.fault.isVisible)
    dialog.reject()


def test_chats_and_folders_are_dragged_to_their_place(desk, qtbot, folders):
    page = ready(desk, qtbot)
    assert drag(page, "Tea", "Taxes")
    become(qtbot, page, "- Taxes", "  Tea", "- Trips", "Fuel", "Rent")
    assert not drag(page, "Tea", "Taxes")
    assert not drag(page, "Fuel", "Rent")
    assert drag(page, "Rent", "Tea")
    become(qtbot, page, "- Taxes", "  Tea", "  Rent", "- Trips", "Fuel")
    assert drag(page, "Trips", "Rent")
    become(qtbot, page, "- Trips", "- Taxes", "  Tea", "  Rent", "Fuel")
    assert drag(page, "Tea", "Fuel")
    become(qtbot, page, "- Trips", "- Taxes", "  Rent", "Tea", "Fuel")
    assert drag(page, "Trips", "")
    become(qtbot, page, "- Taxes", "  Rent", "- Trips", "Tea", "Fuel")


@pytest.mark.parametrize("told", [b"", b"5", b"[]", b'["talk"]', b'["folder", []]', b"[" * 20_000])
def test_what_another_program_drags_under_our_name_is_let_fall(desk, qtbot, folders, told):
    model = ready(desk, qtbot).list.model
    data = QMimeData()
    data.setData(MIME, told)
    assert not model.canDropMimeData(data, Qt.DropAction.MoveAction, -1, -1, model.index(0))


def test_the_menu_moves_a_chat_into_a_folder_and_out(desk, qtbot, folders):
    page = ready(desk, qtbot)
    page.open_conversation("default", "rent")
    desk.settle()

    def places():
        return {
            command.title: command.handler
            for command in page.list.folders.places_for(page.list.listed("default", "rent"))
        }

    assert list(places()) == ["Move to “Taxes”", "Move to “Trips”", "Move to a new folder…"]
    places()["Move to “Taxes”"]()
    become(qtbot, page, "- Taxes", "  Rent", "- Trips", "Tea", "Fuel")
    assert page.model.folder.name == "Taxes"
    places()["Remove from its folder"]()
    become(qtbot, page, "- Taxes", "- Trips", "Tea", "Fuel", "Rent")
    assert page.model.folder is None
    places()["Move to a new folder…"]()
    dialog = QApplication.activeModalWidget()
    dialog.name.setText("Home")
    dialog._accept.click()
    become(qtbot, page, "- Home", "  Rent", "- Taxes", "- Trips", "Tea", "Fuel")
    qtbot.waitUntil(lambda: page.head.folder.text().strip() == "Home")


def test_a_folded_folder_stays_folded(desk, qtbot, folders):
    desk.real.conversations.move("default", "rent", folders[0].id)
    page = desk.page("chat")
    become(qtbot, page, "- Taxes", "  Rent", "- Trips", "Tea", "Fuel")
    index = page.list.model.index(0)
    qtbot.mouseClick(
        page.list.view.viewport(), Qt.MouseButton.LeftButton, pos=page.list.view.visualRect(index).center()
    )
    become(qtbot, page, "+ Taxes", "- Trips", "Tea", "Fuel")
    assert desk.real.folders.get(folders[0].id).collapsed
    page.list.search.setText("rent")
    become(qtbot, page, "Rent")
    page.list.search.setText("")
    become(qtbot, page, "+ Taxes", "- Trips", "Tea", "Fuel")
    page.list.view.setCurrentIndex(page.list.model.index(0))
    qtbot.keyClick(page.list.view, Qt.Key.Key_Return)
    become(qtbot, page, "- Taxes", "  Rent", "- Trips", "Tea", "Fuel")


@pytest.mark.parametrize("chats", [False, True])
def test_a_folder_is_deleted_with_its_chats_or_without(desk, qtbot, folders, chats):
    desk.real.conversations.move("default", "rent", folders[0].id)
    page = desk.page("chat")
    page.open_conversation("default", "rent")
    become(qtbot, page, "- Taxes", "  Rent", "- Trips", "Tea", "Fuel")
    page.list.view.setCurrentIndex(page.list.model.index(0))
    page.list._delete_current()
    dialog = QApplication.activeModalWidget()
    assert dialog.option.isVisible() is False
    if chats:
        dialog.reach["chats"].click()
        assert dialog.option.isVisible()
    dialog.button.click()
    become(qtbot, page, *(["- Trips", "Tea", "Fuel"] if chats else ["- Trips", "Tea", "Fuel", "Rent"]))
    assert page.model.folder is None
    assert page.model.conversation_id == (None if chats else "rent")


def test_the_dots_of_a_folder_open_its_menu(desk, qtbot, folders):
    page = ready(desk, qtbot)
    area = page.list.view.visualRect(page.list.model.index(0))
    dots = page.list.delegate._dots(area).center()
    qtbot.mousePress(page.list.view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(dots))
    menu = QApplication.activePopupWidget()
    assert [action.text() for action in menu.actions() if action.text()] == [
        "New chat here",
        "Name and instructions…",
        "Collapse",
        "Move down",
        "Delete folder…",
    ]
    menu.close()


def test_a_folder_with_a_memory_of_its_own_keeps_its_chats(desk, qtbot, model, folders):
    page = ready(desk, qtbot)
    dialog = page.list.folders.ask()
    dialog.name.setText("Diary")
    dialog.own.setChecked(True)
    dialog._accept.click()
    become(qtbot, page, "- Diary", "- Taxes", "- Trips", "Tea", "Fuel", "Rent")
    closed = page.list.model.shelves[0].folder
    assert drag(page, "Tea", "Diary")
    (asked,) = (one for one in desk.window.findChildren(ConfirmDialog) if one.isVisible())
    assert "Diary" in asked.windowTitle()
    asked.reject()
    assert shown(page) == ["- Diary", "- Taxes", "- Trips", "Tea", "Fuel", "Rent"]
    page.list.folders.wanted_new.emit(closed)
    desk.settle()
    model.queue("Good.")
    page.composer.editor.setPlainText("Dear diary")
    qtbot.keyClick(page.composer.editor, Qt.Key.Key_Return)
    desk.settle()
    become(qtbot, page, "- Diary", "  Dear diary", "- Taxes", "- Trips", "Tea", "Fuel", "Rent")
    (talk,) = (one for one in page.list.model.talks if one.title == "Dear diary")
    assert talk.agent_id == closed.agent_id
    assert page.list.folders.places_for(talk) == []
    assert not drag(page, "Dear diary", "Tea")
    page.list.wanted_new.emit(False)
    desk.settle()
    assert (page.model.agent_id, page.model.folder) == ("default", None)
    page._change_agent(closed.agent_id)
    desk.settle()
    assert page.model.folder.id == closed.id
    dialog = page.list.folders.ask_delete(page.list.model.shelves[0])
    assert not dialog.reach
    dialog.button.click()
    become(qtbot, page, "- Taxes", "- Trips", "Tea", "Fuel", "Rent")
    qtbot.waitUntil(lambda: page.model.agent_id == "default")
    assert desk.real.agents.find(closed.agent_id) is None


def test_into_a_folder_with_its_own_memory_one_says_what_goes_along_and_can_undo_it(desk, qtbot, folders):
    services = desk.real
    turn = services.conversations.turns("default", "tea")[0].id
    now = services.clock.now()
    fact = MemoryItem(
        id="tea", content="The user drinks green tea.", agent_id="default", run_id="tea",
        sources=(FactSource(turn_id=turn),), created_at=now, updated_at=now,
    )  # fmt: skip
    desk.app._wiring.store.write(lambda repos: repos.items.put(fact))
    secret = services.folders.create("Secret", own_memory_as="default")
    page = desk.page("chat")
    desk.rest()
    page.open_conversation("default", "tea")
    desk.rest()
    talk = page.list.listed("default", "tea")
    place = next(one for one in page.list.folders.places_for(talk) if "Secret" in one.title)
    place.handler()
    (dialog,) = (one for one in desk.window.findChildren(ConfirmDialog) if one.isVisible())
    assert list(dialog.reach) == ["moves", "stays", "forgotten"]
    assert dialog.reach["moves"].isChecked()
    dialog.button.click()
    desk.rest()
    assert page.model.agent_id == secret.agent_id
    assert page.model.folder.id == secret.id
    assert [message.text for message in page.messages.messages] == ["tea", "Noted."]

    def known(agent):
        return [fact.content for fact in services.memories.facts(FactFilter(agent_id=agent)).items]

    assert (known("default"), known(secret.agent_id)) == ([], ["The user drinks green tea."])
    assert page.list.folders.bar.isVisible()
    page.list.folders.bar.undo.click()
    desk.rest()
    assert page.model.agent_id == "default"
    assert page.model.folder is None
    assert (known("default"), known(secret.agent_id)) == (["The user drinks green tea."], [])
    assert not page.list.folders.bar.isVisible()


def test_the_dot_of_a_chat_has_the_color_of_its_agent_as_beside_the_answer(desk, qtbot):
    bare = desk.real.agents.create("Cook")
    turn = IngestTurn(user="soup", assistant="Noted.")
    desk.real.ingest.ingest(agent_id=bare.id, conversation_id="soup", turns=[turn], skip_extraction=True, title="Soup")
    page = desk.page("chat")
    page.list.reload()
    become(qtbot, page, "Soup")

    def colors():
        row = page.list.view.visualRect(page.list.model.index(page.list.model.position(bare.id, "soup")))
        seen = page.list.view.viewport().grab(row).toImage()
        return {seen.pixelColor(x, seen.height() // 2 + 1).name() for x in range(seen.width() // 4)}

    qtbot.waitUntil(lambda: QColor(Theme.current().hex("accent")).name() in colors())
