"""Settings, Programs: connected and disconnected by a click, shown with what they wrote, which can be undone."""

from __future__ import annotations

import json

import pytest

from memdesk.gui.views.settings.programs import ConnectCard, HandDialog, SeenCard
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.code import CodeBlock
from memdesk.gui.widgets.labels import Label
from memdesk.ports import FactFilter
from memdesk.services.guarding import PROGRAMS
from tests.helpers.dialogs import shown


@pytest.fixture
def page(desk):
    made = desk.page("settings", section="programs")
    desk.settle()
    return made


def click(desk, page, name):
    button = next(b for b in page.findChildren(Button) if b.accessibleName() == name)
    button.click()
    desk.rest()


def names(page):
    return {button.accessibleName() for button in page.findChildren(Button)}


def test_a_click_connects_a_program_and_another_takes_it_out_again(desk, page):
    file = PROGRAMS["cursor"].file()
    click(desk, page, "Connect: Cursor")
    entry = json.loads(file.read_text())["mcpServers"]["memdesk"]
    (token,) = desk.real.tokens.all()
    assert (token.name, token.agents) == ("Cursor", ("default",))
    assert desk.real.tokens.check(entry["headers"]["Authorization"].removeprefix("Bearer ")).id == token.id
    assert "Connect: Cursor" not in names(page)
    click(desk, page, "Disconnect: Cursor")
    assert json.loads(file.read_text()) == {"mcpServers": {}}
    assert desk.real.tokens.all()[0].revoked
    assert "Connect: Cursor" in names(page)


def test_a_file_that_is_no_json_is_left_alone_and_its_entry_is_shown_to_copy(desk, page):
    file = PROGRAMS["zed"].file()
    file.parent.mkdir(parents=True)
    file.write_text("{ mine")
    page.findChild(ConnectCard).reload()
    desk.settle()
    assert "Connect: Zed" not in names(page)
    click(desk, page, "By hand…: Zed")
    dialog = shown(desk)
    assert isinstance(dialog, HandDialog)
    entry = json.loads(dialog.findChild(CodeBlock).view.toPlainText())["context_servers"]["memdesk"]
    assert desk.real.tokens.check(entry["env"]["MEMDESK_TOKEN"]).name == "Zed"
    assert file.read_text() == "{ mine"
    dialog.close()


def test_what_a_program_wrote_is_counted_and_taken_back(desk, page):
    desk.real.tokens.create("Editor", ["memory:write"], ["default"])
    desk.real.memories.add_fact(agent_id="default", content="I like figs.")
    desk.real.memories.add_fact(agent_id="default", content="Ada keeps bees.", actor="api", actor_detail="Editor")
    page.findChild(SeenCard).reload()
    desk.rest()
    click(desk, page, "Look…: Editor")
    dialog = shown(desk)
    assert any(child.text() == "Ada keeps bees." for child in dialog.findChildren(type(dialog.heading)))
    dialog.close()
    click(desk, page, "Undo…: Editor")
    dialog = shown(desk)
    assert desk.real.programs.written("Editor").added == 1
    dialog.button.click()
    desk.rest()
    facts = desk.real.memories.facts(FactFilter(agent_id="default")).items
    assert [fact.content for fact in facts] == ["I like figs."]
    assert "Undo…: Editor" in names(page)


def test_a_server_that_is_off_is_turned_on_where_programs_are_connected(desk, page, qtbot):
    words = "The local server is off"
    assert any(label.text().startswith(words) for label in page.findChildren(Label) if label.isVisible())
    next(button for button in page.findChildren(Button) if button.text().strip() == "Turn the server on").click()
    qtbot.waitUntil(lambda: desk.app.server_state()[0] == "listening")
    desk.rest()
    assert desk.real.settings.current.server.enabled
    assert not any(label.text().startswith(words) for label in page.findChildren(Label) if label.isVisible())
