"""A recorded tour: no handler may keep the main thread longer than 50 ms, and no service is called on it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from memdesk.services.ingest import IngestTurn
from tests.helpers.demo import fill


@pytest.fixture
def full(desk):
    """The demo profile with a long conversation and a few thousand facts."""
    fill(desk.app)
    turns = [IngestTurn(user=f"Question {n}", assistant=f"Answer **{n}**\n\n" + "some words " * 60) for n in range(80)]
    desk.real.ingest.ingest(agent_id="default", conversation_id="long", turns=turns, skip_extraction=True)
    desk.settle()
    return desk


def test_nothing_stalls_the_window(full, qapp, qtbot, model):
    desk = full
    for spec in ("memory", "consolidation", "agents", "models", "diagnostics", "settings", "chat"):
        desk.page(spec)
    desk.page("memory", tab="review")
    # The first message loads its fonts: part of the first paint.
    desk.page("chat", agent_id="default", conversation_id="demo-0")
    qapp.slow.clear()
    qapp.watching = True
    try:
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
        desk.settle(30_000)
        page.list.search.setText("marta")
        qtbot.wait(400)
        for tab in ("facts", "episodes", "transcript", "entities", "review", "identity"):
            desk.page("memory", tab=tab)
        for spec in ("agents", "models", "diagnostics", "settings", "consolidation", "chat"):
            desk.page(spec)
        desk.window.commands.run("app.palette")
        qtbot.wait(100)
        desk.session.lock()
        desk.settle()
    finally:
        qapp.watching = False
    assert qapp.slow == []


def test_typing_never_waits_for_an_answer_or_a_consolidation(full, qapp, qtbot, model):
    """Every key goes through the window while a long answer streams in and a pass runs over the store."""
    desk = full
    page = desk.page("chat", agent_id="default", conversation_id="long")
    model.queue("A longer answer with **marks**. " * 900 + "\n\n```python\n" + "x = 1\n" * 200 + "```")
    page.composer.editor.setPlainText("Tell me all")
    page.composer.send()
    qtbot.waitUntil(lambda: bool(page.messages.last_assistant().text), timeout=10_000)
    run = desk.real.lanes.submit("background", lambda: desk.real.consolidation.run(dry_run=True))
    qapp.reset()
    qapp.watching = True
    try:
        for letter in "And what about the greenhouse?":
            qtbot.keyClick(page.composer.editor, letter)
            qtbot.wait(20)
    finally:
        qapp.watching = False
    assert page.composer.editor.toPlainText() == "And what about the greenhouse?"
    assert qapp.slow == []
    run.result(30)
    desk.settle(30_000)
