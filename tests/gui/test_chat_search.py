"""Searching conversations and jumping to the matches."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from memdesk.gui.models.conversations import HIT
from memdesk.services.recording.ingest import IngestTurn


@pytest.fixture
def talks(desk):
    """A long conversation with one thing to find in the middle of it, and short ones."""
    long = [IngestTurn(user=f"Question {n}", assistant="word " * 60) for n in range(60)]
    long[30] = IngestTurn(user="Where do petrels nest?", assistant="Petrels are nesting on the cliffs of Madeira.")
    desk.real.ingest.ingest(agent_id="default", conversation_id="long", turns=long, skip_extraction=True)
    for number, text in enumerate(("The cellar is damp.", "海鸟在悬崖上筑巢。", "Tea at four.")):
        turn = IngestTurn(user=text, assistant="Noted.")
        desk.real.ingest.ingest(agent_id="default", conversation_id=f"t{number}", turns=[turn], skip_extraction=True)


def search(page, qtbot, text, found):
    page.list.search.setText(text)
    qtbot.waitUntil(lambda: [talk.id for talk in page.list.model.talks] == found)


def hit_at(page, position):
    return page.list.model.index(position).data(HIT)


def test_a_hit_says_where_its_words_stand_whatever_their_form(desk, qtbot, talks):
    page = desk.page("chat")
    search(page, qtbot, "nest madeira", ["long"])
    hit = hit_at(page, 0)
    assert hit.excerpt == "Petrels are nesting on the cliffs of Madeira."
    assert hit.words == ("nesting", "Madeira")
    assert page.list.view.sizeHintForRow(0) > page.list.view.fontMetrics().height() * 2


def test_words_without_spaces_are_found_with_their_place(desk, qtbot, talks):
    page = desk.page("chat")
    search(page, qtbot, "悬崖", ["t1"])
    assert hit_at(page, 0).excerpt == "海鸟在悬崖上筑巢。"
    assert hit_at(page, 0).words == ("悬崖",)


def test_a_title_that_holds_the_words_needs_no_excerpt(desk, qtbot, talks):
    desk.real.conversations.rename("default", "t2", "Birdwatching")
    page = desk.page("chat")
    search(page, qtbot, "birdwatch", ["t2"])
    assert hit_at(page, 0) is None


def test_opening_a_hit_goes_to_its_message_and_marks_the_words(desk, qtbot, talks):
    page = desk.page("chat")
    search(page, qtbot, "madeira", ["long"])
    page.list.search.setFocus()
    qtbot.keyClick(page.list.search, Qt.Key.Key_Down)
    assert page.list.view.hasFocus()
    qtbot.keyClick(page.list.view, Qt.Key.Key_Return)
    desk.settle()
    qtbot.waitUntil(lambda: page.messages._aim is None)
    message = page.messages.find_turn(desk.real.conversations.turns("default", "long")[61].id)
    top = message.mapTo(page.messages.viewport(), QPoint(0, 0)).y()
    assert 0 <= top < page.messages.viewport().height()
    (marked,) = message.views()[0].extraSelections()
    assert marked.cursor.selectedText() == "Madeira"


def test_a_hit_is_aimed_at_until_the_place_of_what_is_around_it_is_known(desk, qtbot, talks):
    page = desk.page("chat")
    page.explaining.receipt.opened.emit("default", "long", "", "nesting on  the cliffs")
    desk.settle()
    thread = page.messages
    qtbot.waitUntil(lambda: thread._aim is None)
    message = next(m for m in thread.messages if m.text.startswith("Petrels are"))
    before = message.mapTo(thread.viewport(), QPoint(0, 0)).y()
    # As on a busy machine, where the layout is late: something below finds its height while the place is held.
    thread._hold_timer.setInterval(600)
    thread._hold()
    thread.show_message(message)
    qtbot.wait(400)
    below = thread.messages[thread.messages.index(message) + 1]
    below.setMinimumHeight(below.height() + 300)
    qtbot.waitUntil(lambda: thread._held is None)
    qtbot.wait(300)
    assert message.mapTo(thread.viewport(), QPoint(0, 0)).y() == before


def test_another_hit_in_the_open_conversation_only_scrolls(desk, qtbot, talks):
    page = desk.page("chat", agent_id="default", conversation_id="long")
    page.composer.editor.setPlainText("being written")
    search(page, qtbot, "petrels", ["long"])
    page.list._choose(page.list.model.index(0))
    qtbot.waitUntil(lambda: any(m.text.startswith("Petrels are") for m in page.messages.messages))
    assert page.composer.editor.toPlainText() == "being written"


def test_a_receipts_source_opens_at_the_quoted_message(desk, qtbot, talks):
    page = desk.page("chat")
    page.explaining.receipt.opened.emit("default", "long", "", "nesting on  the cliffs")
    desk.settle()
    qtbot.waitUntil(lambda: page.messages._aim is None)
    shown = [m for m in page.messages.messages if m.text.startswith("Petrels are")]
    assert shown
    assert 0 <= shown[0].mapTo(page.messages.viewport(), QPoint(0, 0)).y() < page.messages.viewport().height()


def test_the_dots_of_a_row_open_its_menu_and_not_the_conversation(desk, qtbot, talks):
    page = desk.page("chat", agent_id="default", conversation_id="t0")
    page.list.search.setText("tea")
    qtbot.waitUntil(lambda: [talk.id for talk in page.list.model.talks] == ["t2"])
    view = page.list.view
    row = view.visualRect(page.list.model.index(0))
    dots = page.list.delegate._dots(row).center()
    qtbot.mouseMove(view.viewport(), dots)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=dots)
    menu = QApplication.activePopupWidget()
    assert [action.text() for action in menu.actions() if action.text()][:3] == ["Rename…", "Pin", "Archive"]
    menu.actions()[2].trigger()
    menu.close()
    desk.settle()
    assert desk.real.conversations.get("default", "t2").archived
    assert page.model.conversation_id == "t0"
    assert "archived conversations" in desk.window.notices.recent[-1].message
