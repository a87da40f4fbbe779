"""A chat's overrides of its agent's settings: set in the header, kept with the conversation, reset in one click."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog

from memdesk.gui.shell.palette import Palette


def send(desk, page, text):
    page.composer.editor.setPlainText(text)
    page.composer.send()
    desk.settle()


def ask(desk, page):
    page.head.plain.click() if page.head.plain.isVisible() else page.head.settings.click()
    desk.settle()
    return next(one for one in desk.window.findChildren(QDialog) if one.isVisible())


@pytest.fixture
def page(desk):
    desk.real.agents.edit("default", system_prompt="Be brief.", sampling={"temperature": 0.7, "stop": ["END"]})
    desk.settle()
    return desk.page("chat", new=True)


def test_a_chat_answers_with_settings_of_its_own_until_they_are_reset(desk, qtbot, page, model):
    dialog = ask(desk, page)
    assert (dialog.form.prompt.toPlainText(), dialog.form.temperature.text()) == ("Be brief.", "0.7")
    assert not dialog.reset.isEnabled()
    dialog.form.prompt.setPlainText("Speak like a pirate.")
    dialog.form.temperature.setText("0,2")
    dialog.form.max_tokens.setText("50")
    dialog._accept.click()
    desk.settle()
    assert page.head.settings.text().strip() == "3 own settings"
    assert "System prompt: Speak like a pirate." in page.head.settings.toolTip()

    send(desk, page, "Hello")
    asked = model.requests[-1]
    assert asked.messages[0].content == "Speak like a pirate."
    assert (asked.temperature, asked.max_tokens, asked.stop) == (0.2, 50, ("END",))

    talk = page.model.conversation_id
    page.new_chat()
    desk.settle()
    assert page.head.plain.isVisible(), "the next chat begins as the agent is"
    send(desk, page, "Hi")
    assert model.requests[-1].messages[0].content == "Be brief."

    page.open_conversation("default", talk)
    desk.settle()
    assert page.head.settings.isVisible()
    page.head.reset.click()
    desk.settle()
    assert desk.real.conversations.get("default", talk).overrides == {}
    send(desk, page, "Again")
    assert (model.requests[-1].messages[0].content, model.requests[-1].temperature) == ("Be brief.", 0.7)


def test_settings_of_a_chat_that_has_not_begun_outlive_the_page(desk, page):
    page.pickers.override({"sampling": {"temperature": None}})
    desk.settle()
    desk.window.host.drop()
    page = desk.page("chat")
    assert page.head.settings.toolTip() == "Temperature: model's own"


def test_a_value_out_of_bounds_is_refused_in_the_dialog_and_nothing_is_lost(desk, page):
    dialog = ask(desk, page)
    dialog.form.prompt.setPlainText("Speak like a pirate.")
    dialog.form.temperature.setText("warm")
    dialog._accept.click()
    assert dialog.fault.text() == "Temperature must be a number, or empty."
    dialog.form.temperature.setText("9")
    dialog._accept.click()
    assert "between" in dialog.fault.text()
    assert dialog.form.prompt.toPlainText() == "Speak like a pirate."
    dialog.reset.click()
    dialog._accept.click()
    desk.settle()
    assert page.model.overrides == {}


def test_what_is_set_while_the_first_answer_comes_is_kept_with_the_conversation(desk, qtbot, page, model):
    model.hold = threading.Event()
    page.composer.editor.setPlainText("Tell a story")
    page.composer.send()
    qtbot.waitUntil(model.holding.is_set)
    page.pickers.override({"system_prompt": "Be long."})
    page.pickers.choose_memory("off")
    model.hold.set()
    desk.settle()
    kept = desk.real.conversations.get("default", page.model.conversation_id)
    assert (kept.overrides, kept.memory) == ({"system_prompt": "Be long."}, "off")


def test_a_temporary_chat_has_settings_of_its_own_that_are_stored_nowhere(desk, model):
    page = desk.page("chat", new=True, temporary=True)
    page.pickers.override({"system_prompt": "Whisper, xyzzy."})
    send(desk, page, "Hello")
    assert model.requests[-1].messages[0].content == "Whisper, xyzzy."
    page.new_chat()
    desk.settle()
    assert page.model.overrides == {}
    assert not desk.real.memories._store.pages_holding([b"xyzzy"])


def test_the_model_that_is_chosen_below_the_words_stays_with_its_chat(desk, page):
    send(desk, page, "Hello")
    talk = page.model.conversation_id
    page.composer.choices.models.chosen.emit("remote:Attic/owl-7b")
    desk.settle()
    page.new_chat()
    desk.settle()
    assert page.composer.choices.models.key() == ""
    page.open_conversation("default", talk)
    desk.settle()
    assert page.composer.choices.models.currentText() == "owl-7b (not here)"
    assert page.head.settings.toolTip() == "Model: owl-7b"


def test_the_palette_opens_the_settings_of_the_chat(desk, qtbot, page):
    desk.window.commands.run("app.palette")
    palette = desk.window.findChildren(Palette)[-1]
    palette.field.setText("settings of this chat")
    desk.settle()
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    desk.settle()
    titles = [one.windowTitle() for one in desk.window.findChildren(QDialog) if one.isVisible()]
    assert titles == ["Settings of this chat"]
