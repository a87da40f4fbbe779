"""The palette: every action, conversation and fact, found by a few letters, most recently used first."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog

from memdesk.gui.shell.fuzzy import score
from memdesk.gui.shell.palette import Palette
from memdesk.gui.views.memory.page import TABS
from memdesk.gui.views.settings.page import TITLES
from tests.helpers.person import Person


def opened(desk, text=""):
    desk.window.commands.run("app.palette")
    palette = desk.window.findChildren(Palette)[-1]
    palette.field.setText(text)
    desk.rest()
    return palette


def titles(palette):
    return [palette.list.item(n).text() for n in range(palette.list.count())]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("nwcht", "New chat"),
        ("consolid", "Run consolidation now"),
        ("RECOV", "Recovery code"),
        ("uber", "Über memdesk"),
    ],
)
def test_letters_in_their_order_are_found(query, text):
    assert score(query, text) > 0


def test_a_better_fit_is_worth_more_and_chance_is_worth_nothing():
    assert score("chat", "New chat") > score("chat", "Chatter") > score("hat", "Chatter") > score("ctr", "Chatter") > 0
    assert score("lock", "Pages that look alike, and rocks") == 0
    assert score("new lock", "New chat") == 0
    assert score("xq", "Next quarter") == 0


def test_actions_used_last_and_the_latest_talks_come_first(desk, qtbot, model):
    list(desk.real.chat.send(agent_id="default", conversation_id="boat", text="About the boat"))
    title = desk.real.conversations.get("default", "boat").title
    palette = opened(desk, "dark theme")
    palette._choose()
    desk.settle()
    palette = opened(desk)
    assert titles(palette)[:2] == ["Dark theme", title]
    assert "New chat" in titles(palette)
    assert len(titles(palette)) == len(set(titles(palette)))
    palette.close()
    written = (desk.app.config_folder / "window.ini").read_text()
    assert "view.dark" in written
    assert "boat" not in written


def test_a_title_is_found_by_letters_and_what_was_said_by_words(desk, qtbot, model):
    for name, text in (("a", "Trip to Lisbon"), ("b", "Something else")):
        list(desk.real.chat.send(agent_id="default", conversation_id=name, text=text))
    desk.real.memories.add_fact(agent_id="default", content="Marta flies to Lisbon in May.")
    assert any("Lisbon" in title for title in titles(opened(desk, "lsbn")))
    found = titles(opened(desk, "lisb"))
    assert "Marta flies to Lisbon in May." in found
    assert any("Trip to Lisbon" in title for title in found)


def test_what_is_stepped_to_stays_chosen_when_more_is_found(desk, qtbot, model):
    list(desk.real.chat.send(agent_id="default", conversation_id="boat", text="Show me boats"))
    desk.window.commands.run("app.palette")
    palette = desk.window.findChildren(Palette)[-1]
    palette.field.setText("show")
    before = palette.list.count()
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    chosen = palette.list.currentItem().text()
    qtbot.waitUntil(lambda: palette.list.count() > before)
    assert palette.list.currentItem().text() == chosen
    assert palette.field.accessibleDescription() == chosen
    palette.close()


def test_only_what_can_run_now_is_offered(desk, qtbot):
    assert "Resume background work" not in titles(opened(desk, "background work"))
    desk.app.set_paused(True)
    found = titles(opened(desk, "background work"))
    assert "Resume background work" in found
    assert "Pause background work" not in found


def test_every_part_of_memory_and_settings_can_be_gone_to(desk, qtbot):
    ids = {command.id for command in desk.window.commands.all()}
    assert {f"memory.{name}" for name, _title, _target in TABS} <= ids
    assert {f"settings.{name}" for name in TITLES} <= ids
    desk.window.commands.run("settings.server")
    desk.settle()
    assert desk.window.host.page("settings").sections.value() == "server"
    desk.window.commands.run("memory.episodes")
    desk.settle()
    assert desk.window.host.page("memory").segments.value() == "episodes"


@pytest.mark.parametrize(
    ("command", "dialog"),
    [
        ("models.download", "DownloadDialog"),
        ("models.server", "RemoteDialog"),
        ("models.file", "QFileDialog"),
        ("agents.import", "QFileDialog"),
        ("vault.back_up", "QFileDialog"),
        ("vault.drill", "DrillDialog"),
        ("vault.passphrase", "PassphraseDialog"),
    ],
)
def test_what_begins_with_a_dialog_begins_from_anywhere(desk, qtbot, command, dialog):
    desk.page("chat")
    desk.window.commands.run(command)
    desk.settle()
    found = [item for item in desk.window.findChildren(QDialog) if item.isVisible()]
    assert [type(item).__name__ for item in found] == [dialog]
    found[0].close()


def test_an_agent_is_made_from_anywhere(desk, qtbot):
    before = len(desk.real.agents.all())
    desk.window.commands.run("agents.new")
    desk.settle()
    assert desk.window.host.current == "agents"
    Person(desk).press("Create")
    assert len(desk.real.agents.all()) == before + 1


def test_what_is_open_is_acted_on(desk, qtbot, model):
    """A conversation, a fact or an agent: everything its menu or its page offers."""
    assert "Rename…" not in titles(opened(desk, "rename"))
    list(desk.real.chat.send(agent_id="default", conversation_id="boat", text="About the boat"))
    desk.page("chat", agent_id="default", conversation_id="boat")
    desk.settle()
    palette = opened(desk, "this conversation")
    assert titles(palette)[:8] == [
        "Settings of this chat…",
        "Compare two models…",
        "Rename…",
        "Pin",
        "Archive",
        "Export as Markdown…",
        "Export as JSON…",
        "Delete…",
    ]
    opened(desk, "archive")._choose()
    desk.settle()
    qtbot.waitUntil(lambda: desk.real.conversations.get("default", "boat").archived)
    # No longer listed, it is still the one that is open.
    qtbot.waitUntil(lambda: "Unarchive" in titles(opened(desk, "archive")))
    fact = desk.real.memories.add_fact(agent_id="default", content="The user keeps bees.")
    desk.page("memory", fact_id=fact.id)
    assert titles(opened(desk, "this fact"))[:4] == ["Edit", "Pin", "Disable", "Forget"]
    opened(desk, "pin")._choose()
    desk.settle()
    assert desk.real.memories.fact(fact.id).user_pinned
    assert titles(opened(desk))[0] != "Unpin"
    desk.page("agents", agent_id="default")
    # The built-in agent stays.
    assert titles(opened(desk, "this agent")) == ["Duplicate", "Export…"]
    desk.window.host.currentWidget()._agents.clear()
    # Nor is anything offered before the agents are read.
    assert titles(opened(desk, "this agent")) == []


def test_a_page_goes_before_what_else_is_named_after_it(desk, qtbot):
    palette = opened(desk, "memory")
    assert titles(palette)[0] == "Show Memory"
    assert titles(palette).index("Settings: Memory") > 0
