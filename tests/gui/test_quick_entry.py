"""Quick entry: a small window that asks or remembers from anywhere, keeps what is written, and waits for the memory to be open."""

from __future__ import annotations

import subprocess
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from memdesk.errors import MemdeskError
from memdesk.gui.shell.lock import LockPage
from memdesk.gui.shell.quick import PLACE
from memdesk.gui.views.firststart.wizard import FirstStart
from memdesk.ports import FactFilter
from memdesk.settings.paths import profile_paths
from tests.helpers.window import started


def opened(desk, qtbot):
    """Open it by its command, as the palette does, and return it."""
    desk.window.commands.run("app.quick")
    desk.settle()
    small = desk.session._small
    qtbot.waitUntil(small.isVisible)
    return small


def write(qtbot, small, words):
    small.editor.selectAll()
    qtbot.keyClicks(small.editor, words)


def test_a_question_is_asked_in_a_new_chat_of_the_agent(desk, qtbot, model):
    desk.real.agents.create("Cook", agent_id="cook")
    model.default = "With basil."
    small = opened(desk, qtbot)
    assert small.editor.hasFocus() or QApplication.focusWidget() is None
    assert not small.ask_button.isEnabled()
    write(qtbot, small, "What goes with tomatoes?")
    small.agents.set_key("cook")
    desk.window.hide()
    qtbot.keyClick(small.editor, Qt.Key.Key_Return)
    desk.settle()
    assert not small.isVisible()
    assert desk.window.isVisible()
    page = desk.page("chat")
    qtbot.waitUntil(lambda: len(page.messages.messages) == 2)
    desk.settle()
    assert [message.text for message in page.messages.messages] == ["What goes with tomatoes?", "With basil."]
    assert page.model.agent_id == "cook"
    assert page.model.conversation_id is not None
    assert page.composer.empty


def test_something_is_remembered_and_said_so(desk, qtbot):
    small = opened(desk, qtbot)
    write(qtbot, small, "My bicycle is at the station")
    small.remember.click()
    desk.settle()
    assert small.state.text() == "Remembered: My bicycle is at the station"
    assert small.editor.toPlainText() == ""
    assert small.isVisible()
    (fact,) = desk.real.memories.facts(FactFilter()).items
    assert fact.content == "My bicycle is at the station"
    write(qtbot, small, "My bicycle is at the station")
    small.remember.click()
    desk.settle()
    assert small.state.text() == "Already known: My bicycle is at the station"
    small.close()


def test_escape_closes_it_and_what_was_written_waits(desk, qtbot):
    small = opened(desk, qtbot)
    write(qtbot, small, "half a tho")
    qtbot.keyClick(small.editor, Qt.Key.Key_Escape)
    desk.settle()
    assert not small.isVisible()
    assert small.editor.toPlainText() == ""
    assert desk.real.conversations.draft("default", PLACE).text == "half a tho"
    assert opened(desk, qtbot).editor.toPlainText() == "half a tho"
    write(qtbot, small, "whole")
    small.remember.click()
    desk.settle()
    small.close()
    desk.settle()
    assert opened(desk, qtbot).editor.toPlainText() == ""
    small.close()


def test_locked_it_asks_to_unlock_and_comes_after(desk, qtbot):
    small = opened(desk, qtbot)
    write(qtbot, small, "a secret")
    desk.settle()
    qtbot.wait(1000)
    desk.settle()
    desk.session.lock()
    desk.settle()
    assert not small.isVisible()
    assert small.editor.toPlainText() == ""
    desk.window.hide()
    desk.session.quick()
    desk.settle()
    assert desk.window.isVisible()
    assert isinstance(desk.window.faces.currentWidget(), LockPage)
    assert not small.isVisible()
    desk.session._unlock("keyring", "")
    desk.settle()
    qtbot.waitUntil(small.isVisible)
    qtbot.waitUntil(lambda: small.editor.toPlainText() == "a secret")
    small.close()


def test_the_command_reaches_the_window_that_runs(home, qtbot, qapp, model, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    paths = profile_paths(home=home)
    with started(paths, qapp) as (starter, shown, _app):
        qtbot.waitUntil(lambda: starter.session is not None)
        qtbot.waitUntil(lambda: not starter.session.bridge.busy())
        assert isinstance(shown.faces.currentWidget(), FirstStart)
        shown.hide()
        command = [sys.executable, "-m", "memdesk", "--home", str(home), "quick"]
        asked = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        qtbot.waitUntil(lambda: asked.poll() is not None, timeout=120_000)
        assert asked.returncode == 0
        assert "quick entry was brought to the front" in asked.communicate()[1]
        # There is nothing to ask yet: what opens the memory comes first.
        assert shown.isVisible()
        assert starter.session._small is None


def test_keys_are_bound_told_of_and_given_back(desk, qtbot, monkeypatch):
    calls = []

    def bind(keys, pressed):
        calls.append((keys, pressed))
        return "Ctrl+Alt+Spacebar" if keys else ""

    monkeypatch.setattr(desk.app, "bind_shortcut", bind)
    desk.real.settings.update("appearance", {"quick_shortcut": "Ctrl+Alt+Space"})
    desk.settle()
    assert [keys for keys, _ in calls] == ["Ctrl+Alt+Space"]
    assert desk.window.notices.recent[-1].message == "Press Ctrl+Alt+Spacebar in any program."
    calls[0][1]("a-token")
    desk.settle()
    qtbot.waitUntil(desk.session._small.isVisible)
    desk.session._small.close()
    desk.real.settings.update("appearance", {"quick_shortcut": ""})
    desk.settle()
    assert calls[-1][0] == ""


@pytest.mark.expect_log
def test_a_system_without_keys_says_what_to_do(desk, qtbot, monkeypatch):
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    desk.real.settings.update("appearance", {"quick_shortcut": "Ctrl+Alt+Space"})
    desk.settle()
    notice = desk.window.notices.recent[-1]
    assert notice.title == "The shortcut is not available"
    assert "memdesk quick" in notice.hint


def test_keys_that_are_none_are_refused(desk):
    for keys in ("Space", "Ctrl+", "Ctrl+Alt+Escape", "ctrl+a"):
        with pytest.raises(MemdeskError):
            desk.real.settings.update("appearance", {"quick_shortcut": keys})
