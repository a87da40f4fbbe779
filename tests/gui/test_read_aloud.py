"""Answers read aloud: only their text, one at a time, stopped at once, and not offered without speech output."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import Qt

from memdesk.gui import speech
from memdesk.gui.speech import Speaker, can_speak, command, spoken
from tests.helpers.dispatcher import PlayedDispatcher

ANSWER = "# Soup\n\nUse **fresh** basil.\n\n```python\nprint('no code')\n```\n\n.5 liters of `stock`, [see here](https://example.org)."


@pytest.fixture
def voice(tmp_path, monkeypatch, qapp, silent):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(speech, "can_speak", can_speak)
    played = PlayedDispatcher(tmp_path)
    yield played
    played.close()


def asked(desk, qtbot, model, answer=ANSWER):
    model.default = answer
    shown = desk.page("chat")
    shown.composer.editor.setPlainText("How do I make soup?")
    qtbot.keyClick(shown.composer.editor, Qt.Key.Key_Return)
    desk.settle()
    return shown, shown.messages.messages[-1]


def test_the_words_are_read_without_marks_and_code():
    assert spoken(ANSWER) == "Soup\nUse fresh basil.\n.5 liters of stock, see here."
    assert spoken("```\nonly code\n```") == ""
    assert spoken("The area is $a^2$ of it.").split() == ["The", "area", "is", "of", "it."]


@pytest.mark.skipif(sys.platform != "linux", reason="Speech Dispatcher is Linux's")
def test_an_answer_is_read_to_its_end_and_another_in_its_place(voice, desk, qtbot, model):
    shown, first = asked(desk, qtbot, model)
    assert first.read.isVisible()
    assert first.read.accessibleName() == "Read aloud"
    first.read.click()
    qtbot.waitUntil(lambda: len(voice.texts) == 1)
    assert voice.texts[0] == ["Soup", "Use fresh basil.", ".5 liters of stock, see here."]
    assert "SET SELF LANGUAGE en" in voice.commands
    assert first.read.accessibleName() == "Stop reading"
    voice.end()
    qtbot.waitUntil(lambda: first.read.accessibleName() == "Read aloud")
    first.read.click()
    qtbot.waitUntil(lambda: len(voice.texts) == 2)
    _page, second = asked(desk, qtbot, model, "Die Suppe ist fertig, und sie schmeckt sehr gut.")
    second.read.click()
    qtbot.waitUntil(lambda: len(voice.texts) == 3)
    assert "SET SELF LANGUAGE de" in voice.commands
    assert first.read.accessibleName() == "Read aloud"
    assert second.read.accessibleName() == "Stop reading"
    second.read.click()
    qtbot.waitUntil(lambda: voice.commands.count("CANCEL SELF") == 2)
    assert shown.speaker.text == ""


@pytest.mark.skipif(sys.platform != "linux", reason="Speech Dispatcher is Linux's")
def test_locking_and_leaving_the_chat_are_silence(voice, desk, qtbot, model):
    shown, answer = asked(desk, qtbot, model)
    (command_,) = [each for each in shown.commands()[1] if each.id == "conversation.read"]
    command_.handler()
    qtbot.waitUntil(lambda: len(voice.texts) == 1)
    shown.new_chat()
    qtbot.waitUntil(lambda: "CANCEL SELF" in voice.commands)
    desk.settle()
    shown, answer = asked(desk, qtbot, model)
    answer.read.click()
    qtbot.waitUntil(lambda: len(voice.texts) == 2)
    desk.session.lock()
    qtbot.waitUntil(lambda: voice.commands.count("CANCEL SELF") == 2)
    desk.settle()


@pytest.mark.skipif(sys.platform != "linux", reason="Speech Dispatcher is Linux's")
def test_a_voice_that_refuses_says_why(voice, qtbot):
    voice.refuses = "SPEAK"
    speaker, told = Speaker(), []
    speaker.failed.connect(told.append)
    speaker.read("Hello there.")
    qtbot.waitUntil(lambda: told == ["Speech Dispatcher says: 300 ERR NO SUCH THING"])
    assert speaker.text == ""


@pytest.fixture
def mute(monkeypatch, tmp_path, silent):
    """A machine on which nothing can speak."""
    monkeypatch.setattr(speech, "can_speak", can_speak)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(speech.shutil, "which", lambda _name: None)


def test_without_a_voice_it_is_not_offered(mute, desk, qtbot, model):
    shown, answer = asked(desk, qtbot, model)
    assert not answer.read.isVisible()
    assert "conversation.read" not in [each.id for each in shown.commands()[1]]


def test_a_program_that_speaks_is_given_the_words_on_its_standard_input(monkeypatch, qtbot, tmp_path):
    heard = tmp_path / "heard"
    code = f"import sys, pathlib; pathlib.Path({str(heard)!r}).write_text(sys.stdin.read(), encoding='utf-8')"
    monkeypatch.setattr(speech, "command", lambda _language: [sys.executable, "-c", code])
    monkeypatch.setattr(speech, "DispatcherUtterance", speech.ProcessUtterance)
    speaker = Speaker()
    speaker.read("Grüße, **Ada**.")
    qtbot.waitUntil(lambda: speaker.text == "", timeout=60_000)
    assert heard.read_text(encoding="utf-8") == "Grüße, Ada."
    monkeypatch.setattr(speech, "command", lambda _language: [str(tmp_path / "no-such-program")])
    told = []
    speaker.failed.connect(told.append)
    speaker.read("Hello.")
    qtbot.waitUntil(lambda: len(told) == 1)
    monkeypatch.setattr(speech, "command", lambda _language: [sys.executable, "-c", "import time; time.sleep(600)"])
    speaker.read("Hello.")
    speaker.stop()
    assert speaker.text == ""


def test_each_system_has_its_program(monkeypatch):
    monkeypatch.setattr(speech.sys, "platform", "darwin")
    assert command("de") == ["say", "-f", "-"]
    monkeypatch.setattr(speech.sys, "platform", "win32")
    assert "CultureInfo]'de'" in command("de")[-1]
