"""Work of the main thread in slices, and pages that are made by it."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QObject, QTimer

from memdesk.errors import EnvironmentFault
from memdesk.gui.pages import PAGES
from memdesk.gui.slices import SLICE_SECONDS, SliceOp
from memdesk.gui.views.agents.page import AgentsPage
from memdesk.gui.widgets.states import EmptyState


@pytest.fixture
def owner(qapp):
    made = QObject()
    yield made
    made.deleteLater()


def slow(count, told):
    """Steps that each take a slice's time."""
    for number in range(count):
        time.sleep(SLICE_SECONDS)
        told.append(number)
        yield


def test_other_events_come_in_between_the_slices(bridge, owner, qtbot):
    told, beats = [], []
    pulse = QTimer(owner)
    pulse.timeout.connect(lambda: beats.append(len(told)))
    pulse.start(1)
    SliceOp(bridge, owner, slow(8, told)).done(lambda: told.append("done")).start()
    assert bridge.busy()
    assert told == []
    qtbot.waitUntil(lambda: not bridge.busy())
    assert told == [*range(8), "done"]
    assert len(set(beats)) > 3


def test_steps_that_take_little_share_a_slice(bridge, owner, qtbot):
    rounds = []
    QTimer.singleShot(0, owner, lambda: rounds.append("after"))
    op = SliceOp(bridge, owner, iter([None] * 200)).done(lambda: rounds.append("done")).start()
    op._slice()
    assert rounds == ["done"]


def test_a_newer_one_of_its_name_ends_the_older(bridge, owner, qtbot):
    told, newer = [], []
    SliceOp(bridge, owner, slow(50, told)).done(lambda: told.append("done")).start(latest="cards")
    qtbot.waitUntil(lambda: bool(told))
    SliceOp(bridge, owner, slow(2, newer)).done(lambda: newer.append("done")).start(latest="cards")
    qtbot.waitUntil(lambda: not bridge.busy())
    assert newer == [0, 1, "done"]
    assert "done" not in told
    assert len(told) < 10


@pytest.mark.parametrize("end", ["owner", "cancel"])
def test_no_step_is_taken_for_an_owner_that_is_gone_or_when_cancelled(bridge, qtbot, end):
    told = []
    gone = QObject()
    op = SliceOp(bridge, gone, slow(50, told)).done(lambda: told.append("done")).start()
    qtbot.waitUntil(lambda: bool(told))
    if end == "owner":
        gone.deleteLater()
    else:
        op.cancel()
    qtbot.waitUntil(lambda: not bridge.busy())
    assert "done" not in told
    assert len(told) < 10


def test_the_failure_of_a_step_is_told(bridge, owner, qtbot):
    def broken():
        yield
        raise EnvironmentFault("The disk is full.")

    with qtbot.waitSignal(bridge.notices.shown) as shown:
        SliceOp(bridge, owner, broken()).done(pytest.fail).start()
    assert shown.args[0].message == "The disk is full."
    assert not bridge.busy()


# -- pages ---------------------------------------------------------------------------------


def test_a_page_shows_before_it_is_built_and_is_entered_with_what_was_asked_last(desk, qtbot, monkeypatch):
    entered = []
    enter = AgentsPage.enter

    def note(page, **arguments):
        assert page.built
        entered.append(arguments)
        enter(page, **arguments)

    monkeypatch.setattr(AgentsPage, "enter", note)
    desk.window.navigate("agents", agent_id="nobody")
    qtbot.waitUntil(lambda: isinstance(desk.window.host.currentWidget(), AgentsPage))
    assert not desk.window.host.currentWidget().built
    desk.window.resize(900, 700)
    desk.window.navigate("agents", agent_id="default")
    desk.settle()
    assert entered == [{"agent_id": "default"}]


def test_a_page_that_is_left_while_it_is_made_is_not_entered(desk, qtbot, monkeypatch):
    monkeypatch.setattr(AgentsPage, "enter", lambda _page, **_arguments: pytest.fail("entered"))
    desk.window.navigate("agents")
    qtbot.waitUntil(lambda: isinstance(desk.window.host.currentWidget(), AgentsPage))
    desk.page("models")
    assert desk.window.host.current == "models"
    assert desk.window.host.page("agents").built


def test_a_lock_while_a_page_is_made_leaves_nothing_of_it(desk, qtbot):
    desk.window.navigate("settings")
    desk.session.lock()
    desk.settle()
    assert all(desk.window.host.page(spec.id) is None for spec in PAGES)
    assert desk.face is desk.session.lock_page


def test_another_text_size_while_a_page_is_made_makes_it_anew(desk, qtbot):
    desk.window.navigate("settings", section="engine")
    qtbot.waitUntil(lambda: desk.window.host.page("settings") is not None)
    half = desk.window.host.page("settings")
    assert not half.built
    desk.window.host.remake()
    desk.settle()
    page = desk.window.host.page("settings")
    assert page is not half
    assert page.sections.value() == "engine"


@pytest.mark.parametrize("where", ["__init__", "build"])
def test_a_page_that_cannot_be_made_says_so(desk, qtbot, monkeypatch, caplog, where):
    def broken(*_args, **_options):
        raise ZeroDivisionError

    monkeypatch.setattr(AgentsPage, where, broken)
    shown = desk.page("agents")
    assert isinstance(shown, EmptyState)
    assert desk.window.host.currentWidget() is shown
    assert "the page agents could not be made" in caplog.text
    caplog.clear()
