"""Tools of other programs in the window: added in the settings, confirmed in the chat."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel

from memdesk.gui.views.chat.outside import ToolRow
from memdesk.gui.views.chat.thinking import ThinkingBox
from memdesk.gui.views.settings.outside import NewToolServerDialog, ToolServersList
from memdesk.gui.widgets.buttons import Button
from memdesk.mcp.client import McpConnector
from memdesk.settings.schema import ToolServer
from tests.helpers.dialogs import shown
from tests.helpers.models import tool_call
from tests.helpers.sky import Sky

ROME = '{"city": "Rome"}'


@pytest.fixture
def sky(monkeypatch):
    made = Sky()
    monkeypatch.setattr(McpConnector, "open", lambda _connector, address, _cancel=None: made.open(address))
    return made


def button(where, name):
    return next(b for b in where.findChildren(Button) if b.accessibleName() == name or b.text().strip() == name)


def test_a_server_is_added_read_and_taken_out(desk, sky):
    page = desk.page("settings", section="engine")
    desk.settle()
    servers = page.findChild(ToolServersList)
    servers.add.click()
    dialog = shown(desk)
    assert isinstance(dialog, NewToolServerDialog)
    dialog.name.setText("my sky")
    dialog.where.setText("sky --all 'of it'")
    dialog.action.click()
    assert "letters, digits" in dialog.fault.text()
    assert sky.opened == 0
    dialog.name.setText("sky")
    dialog.agents["default"].setChecked(True)
    dialog.action.click()
    desk.rest()
    (server,) = desk.real.settings.current.engine.tool_servers
    assert server == ToolServer(name="sky", command=["sky", "--all", "of it"], agents=["default"])
    assert sky.opened == 1
    button(servers, "Tools…: sky").click()
    desk.settle()
    dialog = shown(desk)
    dialog.close()
    button(servers, "Remove: sky").click()
    desk.rest()
    assert desk.real.settings.current.engine.tool_servers == []


@pytest.mark.parametrize(("answer", "says"), [("Allow once", "Used “weather” of sky"), ("Deny", "was not allowed")])
def test_a_call_waits_for_the_users_word_and_is_shown_with_what_came_back(desk, qtbot, model, sky, answer, says):
    desk.real.outside.add(ToolServer(name="sky", command=["sky"]))
    model.queue(tool_call("sky_weather", ROME), "Take an umbrella.")
    page = desk.page("chat")
    page.composer.editor.setPlainText("How is the weather?")
    page.composer.send()
    qtbot.waitUntil(lambda: page.findChild(ToolRow) is not None)
    row = page.findChild(ToolRow)
    assert len(row.buttons) == 3
    assert model.requests[-1].messages[-1].role == "user"
    button(row, f"{answer}: weather").click()
    desk.settle()
    assert says in row.fold.text()
    row.fold.click()
    sent, back = row.findChildren(ThinkingBox)
    assert sent.toPlainText() == ROME
    assert ("It rains in Rome." in back.toPlainText()) == (answer == "Allow once")
    assert page.messages.last_assistant().text == "Take an umbrella."


def test_a_call_that_is_always_allowed_says_why_it_is_asked_for(desk, qtbot, model, sky):
    desk.real.settings.update("memory", {"local_only_kinds": ["health"]})
    desk.real.outside.add(ToolServer(name="sky", command=["sky"]))
    desk.real.outside.ask_for("sky", "weather", on=False)
    model.queue(tool_call("sky_weather", ROME), "Take an umbrella.")
    page = desk.page("chat")
    page.composer.editor.setPlainText("I have diabetes. How is the weather in Rome?")
    page.composer.send()
    qtbot.waitUntil(lambda: page.findChild(ToolRow) is not None)
    row = page.findChild(ToolRow)
    assert [each.text().strip() for each in row.buttons] == ["Allow once", "Deny"]
    assert any("stays on this machine" in label.text() for label in row.findChildren(QLabel))
    button(row, "Deny: weather").click()
    desk.settle()
