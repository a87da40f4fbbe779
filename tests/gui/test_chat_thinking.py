"""Models that think before they answer: shown meanwhile, separate from the answer, stored nowhere."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtGui import QGuiApplication

from memdesk.errors import EngineCrashedError
from memdesk.gui.views.chat.thinking import MOST_LINES, ThinkingBox
from memdesk.gui.words import duration, elapsed
from memdesk.ports import GenerationChunk, Usage

CUT_OFF = [GenerationChunk(thinking="Let me see."), GenerationChunk(finish_reason="length", usage=Usage())]


@pytest.fixture
def held(model):
    """A model that waits in the middle of its thinking until it is let go."""
    model.hold, model.hold_after = threading.Event(), 4
    yield model
    model.hold.set()


@pytest.fixture
def page(desk):
    return desk.page("chat")


def send(page, text="Where was I?"):
    page.composer.editor.setPlainText(text)
    page.composer.send()


def stored(desk, page):
    return [turn.content for turn in desk.real.conversations.turns("default", page.model.conversation_id)]


def test_thinking_is_a_row_that_becomes_how_long_it_took(desk, qtbot, page, held):
    held.queue("<think>\nPerhaps she means Rome, or Oslo.\n</think>\n\nIn Rome.")
    send(page)
    reply = page.messages.last_assistant()
    qtbot.waitUntil(lambda: reply.thinking is not None)
    fold = reply.thinking.fold
    assert fold.text().strip().startswith("Thinking… ")
    assert fold.accessibleName() == "Thinking"
    assert "never remembered" in fold.toolTip()
    assert not reply.status.isVisible()
    before = fold.text()
    qtbot.waitUntil(lambda: fold.text() != before)
    held.hold.set()
    desk.settle()
    assert fold.text().strip().startswith("Thought for ")
    assert fold.accessibleName() == fold.text().strip()
    reply._copy.click()
    assert reply.text == QGuiApplication.clipboard().text() == "In Rome."
    assert stored(desk, page) == ["Where was I?", "In Rome."]


def test_the_words_end_without_blank_lines(qtbot, theme):
    box = ThinkingBox("What the model thinks")
    qtbot.addWidget(box)
    for piece in ("\n", "Rome?", "\n", "\n", "Oslo?", "\n\n"):
        box.add(piece)
    assert box.toPlainText() == "Rome?\n\nOslo?"


def test_the_row_opens_to_read_along(desk, qtbot, page, held):
    held.queue("<think>\nRome?\nOslo?" + "\nOr elsewhere?" * 40 + "</think>In Rome.")
    held.hold_after = 1
    send(page)
    reply = page.messages.last_assistant()
    qtbot.waitUntil(lambda: reply.thinking is not None)
    reply.thinking.fold.setFocus()
    qtbot.keyClick(reply.thinking.fold, " ")
    box = reply.thinking.box
    assert box.toPlainText().startswith("Rome?\nOslo?")
    held.hold.set()
    desk.settle()
    assert box.toPlainText().count("elsewhere") == 40
    assert box.verticalScrollBar().value() == box.verticalScrollBar().maximum() > 0
    assert box.height() <= (MOST_LINES + 1) * box.fontMetrics().lineSpacing()
    reply.thinking.fold.click()
    assert reply.thinking.box is None
    assert not reply.thinking.fold.isChecked()


def test_a_reader_further_up_in_the_thinking_stays_there(desk, qtbot, page, held):
    held.queue("<think>" + "One line.\n" * 60 + " and more" * 9 + "</think>In Rome.")
    held.hold_after = 62
    send(page)
    reply = page.messages.last_assistant()
    qtbot.waitUntil(held.holding.is_set)
    qtbot.waitUntil(lambda: reply.thinking is not None and len(reply.thinking.thoughts.words) > 60)
    reply.thinking.fold.click()
    reply.thinking.box.verticalScrollBar().setValue(3)
    held.hold.set()
    desk.settle()
    assert reply.thinking.box.toPlainText().endswith("more")
    assert reply.thinking.box.verticalScrollBar().value() == 3


def test_stopping_while_it_thinks_gives_the_message_back(desk, qtbot, page, held):
    held.queue("<think>\nPerhaps she means Rome, or Oslo.\n</think>\n\nIn Rome.")
    send(page)
    qtbot.waitUntil(lambda: page.messages.last_assistant().thinking is not None)
    page.composer.stopped.emit()
    desk.settle()
    assert page.messages.messages == []
    assert page.composer.editor.toPlainText() == "Where was I?"
    assert page.model.conversation_id is None


def test_an_answer_that_was_all_thinking_says_so(desk, qtbot, page, model):
    model.queue(CUT_OFF, "In Rome.")
    send(page)
    desk.settle()
    reply = page.messages.last_assistant()
    assert reply.status.text().startswith("The model used all of the answer's length to think.")
    reply.thinking.fold.click()
    assert reply.thinking.box.toPlainText() == "Let me see."
    reply._notes[0].setFocus()
    qtbot.keyClick(reply._notes[0], " ")
    assert desk.window.focusWidget() is page.composer.editor
    desk.settle()
    assert stored(desk, page) == ["Where was I?", "In Rome."]


def test_the_keyboard_goes_on_in_the_editor_after_going_back_to_the_former_answer(desk, qtbot, page, model):
    send(page)
    desk.settle()
    model.queue(EngineCrashedError("The engine stopped."))
    page.messages.last_assistant()._again.click()
    desk.settle()
    back = page.messages.last_assistant()._notes[-1]
    back.setFocus()
    qtbot.keyClick(back, " ")
    desk.settle()
    assert desk.window.focusWidget() is page.composer.editor


def test_words_that_turn_out_to_be_thinking_leave_the_answer(desk, qtbot, page, held):
    held.queue("Rome or Oslo?\n</think>\n\nIn Rome.")
    held.hold_after = 2
    send(page)
    reply = page.messages.last_assistant()
    qtbot.waitUntil(lambda: reply.text == "Rome or")
    held.hold.set()
    desk.settle()
    assert reply.text == "In Rome."
    reply.thinking.fold.click()
    assert reply.thinking.box.toPlainText() == "Rome or Oslo?"
    assert reply.views()[0].toPlainText().strip() == "In Rome."


def test_thinking_goes_on_while_another_conversation_is_open(desk, qtbot, page, held):
    held.queue("Hello.", "<think>\nPerhaps she means Rome, or Oslo.\n</think>\n\nIn Rome.")
    held.hold_after = 0
    send(page, "Hi")
    desk.settle()
    talk, held.hold_after = page.model.conversation_id, 4
    send(page)
    qtbot.waitUntil(lambda: page.messages.last_assistant().thinking is not None)
    page.new_chat()
    page.open_conversation("default", talk)
    qtbot.waitUntil(lambda: len(page.messages.messages) == 4)
    reply = page.messages.last_assistant()
    assert reply.thinking.fold.text().strip().startswith("Thinking… ")
    held.hold.set()
    desk.settle()
    assert reply.thinking.fold.text().strip().startswith("Thought ")
    assert reply.text == "In Rome."


@pytest.mark.parametrize("unit", ["Some words of thinking.\n\n", "Some words of thinking. "])
def test_long_thinking_holds_nothing_up(desk, qtbot, page, model, watched, unit):
    pieces = [GenerationChunk(thinking=unit * 40)] * 200
    end = GenerationChunk(text="In Rome.", finish_reason="stop", usage=Usage())
    model.queue([*pieces, end])
    send(page)
    desk.settle()
    reply = page.messages.last_assistant()
    reply.thinking.fold.click()
    qtbot.waitUntil(lambda: reply.thinking.box.document().characterCount() >= 200 * len(pieces[0].thinking) - 2)
    assert watched.slow == []


def test_durations_in_words():
    assert [elapsed(ms) for ms in (73, 999, 1000, 34_872)] == ["73 ms", "999 ms", "1 s", "35 s"]
    assert [duration(seconds) for seconds in (0.4, 12.2, 59.6, 125)] == ["0 s", "12 s", "1 min 0 s", "2 min 5 s"]
