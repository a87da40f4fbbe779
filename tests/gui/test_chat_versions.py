"""Versions in the window: new answers and edits keep the former ones, and the arrows switch between them."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from memdesk.ports import GenerationChunk


@pytest.fixture
def page(desk):
    return desk.page("chat")


def say(desk, page, text):
    page.composer.editor.setPlainText(text)
    page.composer.send()
    desk.settle()


def edit(desk, page, at, text):
    message = page.messages.messages[at]
    message.wishes.resent.emit(message.turn_id, text)
    desk.settle()


def shown(page):
    """Each message, and which of its versions it is."""
    places = [
        m.versions.findChild(type(m.versions._place)).text() if m.versions.isVisible() else ""
        for m in page.messages.messages
    ]
    return list(zip([m.text for m in page.messages.messages], places, strict=True))


def test_arrows_lead_through_answers_and_edits_by_keyboard(desk, qtbot, page, model):
    model.queue("Shed.", "Garage.", "Cellar.", "Blue.")
    say(desk, page, "Where?")
    assert shown(page) == [("Where?", ""), ("Shed.", "")]
    page.answers.regenerate()
    desk.settle()
    page.answers.regenerate()
    desk.settle()
    assert shown(page) == [("Where?", ""), ("Cellar.", "3 / 3")]
    arrows = page.messages.messages[1].versions
    assert not arrows.on.isEnabled()
    arrows.back.setFocus()
    qtbot.keyClick(arrows.back, " ")
    desk.settle()
    assert shown(page) == [("Where?", ""), ("Garage.", "2 / 3")]
    qtbot.keyClick(desk.window.focusWidget(), " ")
    desk.settle()
    assert shown(page)[1] == ("Shed.", "1 / 3")
    assert desk.window.focusWidget() is page.messages.messages[1].versions.on
    edit(desk, page, 0, "Which color?")
    assert shown(page) == [("Which color?", "2 / 2"), ("Blue.", "")]
    page.messages.messages[0].versions.back.click()
    desk.settle()
    assert shown(page) == [("Where?", "1 / 2"), ("Shed.", "1 / 3")]
    assert page.messages.messages[1].receipt_id == desk.real.conversations.turns(*page.model.here)[1].receipt_id


def test_what_is_replaced_is_no_memory_for_what_replaces_it(desk, page, model):
    model.queue("A plain answer to: Where do herons nest?", "A plain answer to: And storks?", "On roofs.", "In trees.")
    say(desk, page, "Where do herons nest?")
    say(desk, page, "And storks?")
    page.answers.regenerate()
    desk.settle()
    assert model.requests[-1].messages[-1].content == "And storks?"
    edit(desk, page, 2, "And storks, where?")
    assert model.requests[-1].messages[-1].content == "And storks, where?"


def test_arrows_wait_while_an_answer_is_made(desk, qtbot, page, model):
    model.queue("Shed.", "Garage.", "Tomorrow we shall see.")
    say(desk, page, "Where?")
    page.answers.regenerate()
    desk.settle()
    model.hold, model.hold_after = threading.Event(), 1
    page.composer.editor.setPlainText("When?")
    page.composer.send()
    qtbot.waitUntil(model.holding.is_set)
    assert not page.messages.messages[1].versions.isEnabled()
    model.hold.set()
    desk.settle()
    assert page.messages.messages[1].versions.isEnabled()


def test_thinking_is_there_again_folded(desk, page, model):
    model.queue([GenerationChunk(thinking="Perhaps the shed."), GenerationChunk(text="Shed.", finish_reason="stop")])
    say(desk, page, "Where?")
    here = page.model.here
    page.new_chat()
    desk.settle()
    page.open_conversation(*here)
    desk.settle()
    reply = page.messages.last_assistant()
    assert reply.thinking.box is None
    assert reply.thinking.fold.text().strip().startswith("Thought")
    reply.thinking.fold.click()
    assert reply.thinking.box.toPlainText() == "Perhaps the shed."
    assert reply.text == "Shed."


def test_a_version_kept_no_longer_says_so_and_shows_what_is_there(desk, page, model):
    model.queue("Shed.", "Garage.")
    say(desk, page, "Where?")
    page.answers.regenerate()
    desk.settle()
    page.messages.wishes.turned.emit("version:gone")
    desk.settle()
    assert any("no longer there" in notice.message for notice in desk.window.notices.recent)
    assert shown(page)[1] == ("Garage.", "2 / 2")


def test_a_chat_is_named_in_the_background_after_its_first_answer(desk, page, model):
    model._info = replace(model.info, source="remote")
    model.queue("In the shed.", "The lost kayak", "In the garage.")
    say(desk, page, "I cannot find my kayak, where may it be?")
    desk.rest()
    assert desk.real.conversations.get(*page.model.here).title == "The lost kayak"
    say(desk, page, "And where else?")
    desk.rest()
    assert len(model.requests) == 3
