"""Speaking a message: offered if a server is configured, indicated while listening, inserted at the cursor, cancelled by Esc."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from memdesk.engines import voice
from tests.helpers.microphone import Heard, tone
from tests.helpers.openai_server import openai_server


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(voice, "Recording", Heard)
    monkeypatch.setattr(Heard, "samples", tone())
    with openai_server() as made:
        yield made
    assert not Heard.open


@pytest.fixture
def composer(desk, server):
    desk.real.settings.update("engine", {"voice_server": server.url})
    desk.settle()
    return desk.page("chat").composer


def press(desk, composer):
    composer.dictation.button.click()
    desk.settle()


def test_what_is_said_stands_at_the_cursor(desk, qtbot, composer, server):
    dictation = composer.dictation
    assert dictation.button.isVisible()
    assert dictation.button.accessibleName() == "Dictate a message"
    composer.editor.setPlainText("So:")
    qtbot.keyClick(composer.editor, Qt.Key.Key_End)
    press(desk, composer)
    assert dictation.line.text().startswith("Listening.")
    assert "leaves this machine" not in dictation.line.text()
    assert dictation.button.accessibleName() == "Transcribe"
    press(desk, composer)
    assert composer.editor.toPlainText() == "So: What was said."
    assert not dictation.isVisible()
    server.heard = "And more."
    press(desk, composer)
    press(desk, composer)
    assert composer.editor.toPlainText() == "So: What was said. And more."


def test_escape_and_leaving_drop_it(desk, qtbot, composer, server):
    press(desk, composer)
    qtbot.keyClick(composer.editor, Qt.Key.Key_Escape)
    desk.settle()
    assert not composer.dictation.isVisible()
    for leave in (lambda: desk.window.navigate("memory"), desk.session.lock):
        desk.window.navigate("chat")
        desk.settle()
        press(desk, desk.page("chat").composer)
        assert Heard.open
        leave()
        desk.settle()
        assert not Heard.open
    assert server.sounds == []


def test_silence_and_faults_are_told(desk, composer, server):
    server.heard = ""
    press(desk, composer)
    press(desk, composer)
    assert composer.dictation.line.text() == "Nothing was heard."
    server.error = (404, {"error": "no"})
    press(desk, composer)
    press(desk, composer)
    assert "--inference-path" in composer.dictation.line.text()
    assert composer.editor.toPlainText() == ""


def test_a_server_elsewhere_is_named_while_it_listens(desk, composer):
    desk.real.settings.update(
        "engine", {"remote_servers": [{"name": "far", "base_url": "https://example.org/v1"}], "voice_server": "far"}
    )
    desk.settle()
    press(desk, composer)
    assert composer.dictation.line.text().startswith("What you say leaves this machine: it goes to far.")
    composer.dictation.drop()
    desk.settle()


def test_without_a_server_it_is_not_offered(desk):
    assert not desk.page("chat").composer.dictation.button.isVisible()
