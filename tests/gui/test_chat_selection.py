"""Actions on a selection in a message, by mouse and keyboard; shortcuts of the chat."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor

from memdesk.errors import ModelMissingError
from memdesk.gui.widgets import announcing
from memdesk.gui.widgets.buttons import Button
from memdesk.ports import FactFilter


@pytest.fixture
def page(desk, qtbot, model):
    model.queue("Green is a fine color.")
    page = desk.page("chat")
    page.composer.editor.setPlainText("My bicycle is green")
    page.composer.send()
    desk.settle()
    return page


def select(qtbot, view, words):
    """Select words as a pointer does: press before, let go behind."""
    cursor = view.document().find(words)
    start, end = view.textCursor(), view.textCursor()
    start.setPosition(cursor.selectionStart())
    end.setPosition(cursor.selectionEnd())
    qtbot.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=view.cursorRect(start).center())
    qtbot.mouseMove(view.viewport(), view.cursorRect(end).center())
    view.setTextCursor(cursor)
    qtbot.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=view.cursorRect(end).center())


def press(bar, words):
    next(button for button in bar.findChildren(Button) if button.text().strip() == words).click()


def test_a_selection_can_be_remembered_where_it_is_made(desk, qtbot, page):
    bar, user = page.messages.selection, page.messages.messages[0]
    select(qtbot, user.view, "bicycle is green")
    assert bar.isVisible()
    assert page.messages.rect().contains(bar.geometry())
    press(bar, "Remember this")
    desk.settle()
    assert not bar.isVisible()
    (fact,) = desk.real.memories.facts(FactFilter()).items
    assert "bicycle is green" in fact.content.lower()
    assert fact.sources[0].turn_id == user.turn_id


def test_a_selection_is_copied_and_the_bar_goes_with_a_click(desk, qtbot, page):
    bar, view = page.messages.selection, page.messages.last_assistant().views()[0]
    select(qtbot, view, "fine color")
    press(bar, "Copy")
    assert QGuiApplication.clipboard().text() == "fine color"
    select(qtbot, view, "Green")
    assert bar.isVisible()
    view.moveCursor(QTextCursor.MoveOperation.Start)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert not bar.isVisible()


def test_escape_stops_an_answer(desk, qtbot, page, model):
    model.hold = threading.Event()
    model.queue("one two three")
    page.composer.editor.setPlainText("Count")
    page.composer.send()
    qtbot.waitUntil(model.holding.is_set)
    qtbot.keyClick(page.composer.editor, Qt.Key.Key_Escape)
    model.hold.set()
    desk.settle()
    assert page.messages.last_assistant()._figures.text().startswith("stopped")


def test_a_chat_is_led_by_keys_alone(desk, qtbot, page):
    talk = page.model.conversation_id
    qtbot.keyClick(desk.window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    desk.settle()
    assert page.model.conversation_id is None
    qtbot.keyClick(page.composer.editor, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert desk.window.focusWidget() is page.list.search
    qtbot.keyClick(page.list.search, Qt.Key.Key_Down)
    qtbot.keyClick(page.list.view, Qt.Key.Key_Return)
    desk.settle()
    assert page.model.conversation_id == talk
    assert desk.window.focusWidget() is page.composer.editor


def test_a_missing_model_leads_to_the_models_and_another_choice_is_tried(desk, qtbot, page, model):
    model.queue(ModelMissingError("No model is set."))
    page.composer.editor.setPlainText("Hello?")
    page.composer.send()
    desk.settle()
    reply = page.messages.last_assistant()
    assert "coreModel" not in reply.status.text()
    again, choose = reply._notes
    choose.click()
    desk.settle()
    assert desk.window.host.current == "models"
    desk.page("chat")
    page.composer.choices.models.set_key("bundled:smollm2-135m")
    again.click()
    desk.settle()
    assert page.messages.last_assistant().text == "All right, noted."


def test_the_end_of_an_answer_is_told_to_screen_readers(desk, qtbot, page, monkeypatch):
    told = []
    monkeypatch.setattr(announcing.QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(announcing.QAccessible, "updateAccessibility", lambda event: told.append(event.message()))
    page.composer.editor.setPlainText("Hello")
    page.composer.send()
    desk.settle()
    assert told == ["The answer is complete."]
