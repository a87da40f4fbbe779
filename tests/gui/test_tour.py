"""A recorded tour: no handler may keep the main thread longer than 50 ms, and no service is called on it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QTimer

from memdesk.bench.watchdog import LIMIT
from memdesk.gui import icons
from memdesk.services.recording.ingest import IngestTurn
from tests.helpers.demo import fill
from tests.helpers.scenes import MEMORY_TABS, PAGES, SETTINGS


@pytest.fixture
def full(desk):
    """The demo profile with a long conversation and a few thousand facts."""
    _talks, desk.facts = fill(desk.app)
    turns = [IngestTurn(user=f"Question {n}", assistant=f"Answer **{n}**\n\n" + "some words " * 60) for n in range(80)]
    desk.real.ingest.ingest(agent_id="default", conversation_id="long", turns=turns, skip_extraction=True)
    desk.settle()
    return desk


@pytest.fixture
def undrawn():
    """Icons as at the start: none is drawn yet."""
    for kept in (icons._svg, icons._renderer, icons._shape, icons._tinted):
        kept.cache_clear()


def test_no_first_opening_stalls_the_window(full, undrawn, watched):
    """Every page, tab and section is made while it is watched, and a fact and a conversation opened."""
    desk = full
    for tab in MEMORY_TABS:
        desk.page("memory", tab=tab)
    for spec in PAGES:
        desk.page(spec)
    for section in SETTINGS:
        desk.page("settings", section=section)
    desk.page("settings", query="memory")
    desk.page("memory", fact_id=desk.facts[0].id)
    desk.page("chat", agent_id="default", conversation_id="demo-0")
    assert watched.slow == []


def test_the_watchdog_barks(desk, watched, qtbot):
    """A handler that keeps the main thread is told, or the tours would prove nothing."""
    QTimer.singleShot(0, desk.window, lambda: sum(range(10_000_000)))
    qtbot.waitUntil(lambda: bool(watched.slow))
    assert watched.worst > LIMIT


def test_nothing_stalls_the_window(full, watched, qtbot, model):
    desk = full
    page = desk.page("chat", agent_id="default", conversation_id="long")
    qtbot.wait(200)
    bar = page.messages.verticalScrollBar()
    for _ in range(6):
        bar.setValue(bar.minimum())
        qtbot.wait(60)
    page.messages.to_end()
    model.queue("A longer answer. " * 400 + "\n\n```python\n" + "x = 1\n" * 80 + "```")
    for letter in "Tell me all":
        qtbot.keyClick(page.composer.editor, letter)
    qtbot.keyClick(page.composer.editor, Qt.Key.Key_Return)
    desk.settle()
    page.list.search.setText("marta")
    qtbot.wait(400)
    for spec in (*PAGES, "memory", "chat"):
        desk.page(spec)
    desk.window.commands.run("app.palette")
    qtbot.wait(100)
    desk.session.lock()
    desk.settle()
    assert watched.slow == []


def test_typing_never_waits_for_an_answer_or_a_consolidation(full, qtbot, model, request):
    """Every key goes through the window while a long answer streams in and a pass runs over the store."""
    desk = full
    page = desk.page("chat", agent_id="default", conversation_id="long")
    model.queue("A longer answer with **marks**. " * 900 + "\n\n```python\n" + "x = 1\n" * 200 + "```")
    page.composer.editor.setPlainText("Tell me all")
    page.composer.send()
    qtbot.waitUntil(lambda: bool(page.messages.last_assistant().text))
    run = desk.real.lanes.submit("background", lambda: desk.real.consolidation.run(dry_run=True))
    watched = request.getfixturevalue("watched")
    for letter in "And what about the greenhouse?":
        qtbot.keyClick(page.composer.editor, letter)
        qtbot.wait(20)
    watched.watching = False
    assert page.composer.editor.toPlainText() == "And what about the greenhouse?"
    assert watched.slow == []
    run.result(30)
    desk.settle()
