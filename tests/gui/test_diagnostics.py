"""The Diagnostics page shows all it can, whatever is broken."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from memdesk.errors import EnvironmentFault
from memdesk.gui.operations.work import distill_now
from memdesk.gui.views.diagnostics.tile import Tile
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Label
from memdesk.services.distilling.distillation import DistillationService
from memdesk.services.events import ServerChanged
from tests.helpers.demo import fill, give_receipt


def words(widget):
    return [label.text() for label in widget.findChildren(Label) if label.isVisibleTo(widget)]


def tiles(page):
    return {tile.accessibleName().partition(",")[0]: tile for tile in page.findChildren(Tile) if tile.isVisibleTo(page)}


def press(widget, text):
    next(b for b in widget.findChildren(Button) if b.text().strip() == text and b.isVisibleTo(widget)).click()


@pytest.fixture
def app_log():
    """What the app says of its work, as it comes to the log's file."""
    log = logging.getLogger("memdesk.engines")
    before = log.level
    log.setLevel(logging.INFO)
    yield log
    log.setLevel(before)


def test_a_database_that_cannot_be_read_leaves_the_rest_of_the_page(desk, qtbot, monkeypatch):
    def damaged():
        raise EnvironmentFault("A part of memory.db does not decrypt.", hint="Restore a backup.")

    monkeypatch.setattr(desk.real.status, "snapshot", damaged)
    page = desk.page("diagnostics")
    assert page.pane.currentWidget() is page.pane.content
    assert set(tiles(page)) >= {"Vault", "Database", "Disk", "Local server"}
    assert page.log.isVisibleTo(page)
    assert not page.queue_card.isVisibleTo(page)
    assert not desk.window.toasts.toasts
    monkeypatch.undo()
    page.reload()
    desk.settle()
    assert page.queue_card.isVisibleTo(page)


def test_a_part_that_is_broken_leads_to_where_it_is_mended(desk, qtbot):
    desk.real.events.publish(ServerChanged("", "failed", "Port 1337 on 127.0.0.1 is in use."))
    desk.app.set_paused(True)
    page = desk.page("diagnostics")
    found = tiles(page)
    assert "not working" in found["Local server"].accessibleName()
    assert "needs attention" in found["Consolidation"].accessibleName()
    press(found["Consolidation"], "Resume")
    desk.settle()
    assert not desk.app.paused()
    press(found["Local server"], "Server settings")
    desk.settle()
    assert desk.window.host.current == "settings"
    assert desk.window.host.page("settings").sections.value() == "server"


def test_the_log_shows_its_end_without_secrets_and_is_copied(desk, qtbot, app_log):
    app_log.info("started with key=%s", "sk-0123456789abcdefghijklmnop")
    page = desk.page("diagnostics")
    shown = page.log.text.toPlainText()
    assert "started with [redacted]" in shown
    assert "0123456789" not in shown
    press(page.log, "Copy log")
    assert QApplication.clipboard().text() == shown
    for number in range(80):
        app_log.info("line %s", number)
    bar = page.log.text.verticalScrollBar()
    page.reload()
    desk.settle()
    assert bar.value() == bar.maximum() > 0
    bar.setValue(0)
    app_log.info("one more")
    page.reload()
    desk.settle()
    assert "one more" in page.log.text.toPlainText()
    assert bar.value() == 0


def test_sizes_and_speeds_are_measured(desk, qtbot):
    talks, facts = fill(desk.app)
    give_receipt(desk.app, talks, facts)
    page = desk.page("diagnostics")
    shown = words(page.sizes_card)
    assert "Database on disk" in shown
    assert "Searching the memory for a reply, median" in shown
    assert any(text.endswith(("kB", "MB")) for text in shown)


def test_a_backfill_says_how_far_it_is_and_stops_when_asked(desk, qtbot, model, monkeypatch):
    desk.real.settings.update("memory", {"extraction_mode": "manual"})
    for name in ("a", "b", "c"):
        list(desk.real.chat.send(agent_id="default", conversation_id=name, text=f"My boat {name} is red."))
    page = desk.page("diagnostics")
    asked = []

    def one_then_stop(_service, cancel, progress):
        progress(1, 3)
        asked.append(1)
        cancel.wait(60)
        return []

    monkeypatch.setattr(DistillationService, "backfill", one_then_stop)
    page.again.click()
    qtbot.waitUntil(lambda: page.doing.text() == "1 of 3 conversations")
    assert page.again.text().strip() == "Cancel backfill"
    page.again.click()
    desk.settle()
    assert asked == [1]
    assert page.again.text().strip() == "Learn from older chats"
    assert "Learning from older chats was stopped" in [notice.title for notice in desk.window.notices.recent]


def test_a_backfill_that_could_not_distill_says_so(desk, qtbot, model):
    list(desk.real.chat.send(agent_id="default", conversation_id="a", text="My boat is red."))
    desk.real.settings.update("memory", {"core_model": ""})
    page = desk.page("diagnostics")
    page.again.click()
    desk.settle()
    assert [notice.level for notice in desk.window.notices.recent] == ["warning"]


def test_one_conversation_is_told_as_one(desk, model):
    list(desk.real.chat.send(agent_id="default", conversation_id="a", text="My boat is red."))
    page = desk.page("diagnostics")
    distill_now(page.context, page).start()
    desk.settle()
    assert [notice.title for notice in desk.window.notices.recent] == ["Distilled 1 conversation"]


def test_usage_is_told_by_day_and_model_with_the_share_of_memory(desk, model):
    desk.page("chat")
    for number, said in enumerate(("One two three", "Four five")):
        model.queue(said)
        list(desk.real.chat.send(agent_id="default", conversation_id=f"t{number}", text="Hello there"))
    (row,) = desk.real.status.usage()
    assert (row.model, row.answers, row.completion_tokens) == ("bundled:smollm2-135m", 2, 5)
    assert row.prompt_tokens > row.memory_tokens >= 0
    page = desk.page("diagnostics")
    shown = words(page.usage)
    assert shown[shown.index("Day") :][:7] == [
        "Day", "Model", "Answers", "Tokens read", "Of them memory", "Tokens written", "Time",
    ]  # fmt: skip
    assert shown[-7:][1:3] == ["smollm2-135m", "2"]
    assert shown[-2] == "5"
    # A server that counts only what it had not read before.
    page.usage.show_rows([replace(row, prompt_tokens=10, memory_tokens=35)])
    desk.settle()
    assert words(page.usage)[-3] == "100%"
    desk.window.resize(760, 700)
    desk.settle()
    assert page.usage._area.horizontalScrollBar().maximum() > 0
    assert page.usage.width() <= page.width()
