"""Work on the main thread in slices, and pages built that way."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QObject, QTimer

from memdesk.errors import EnvironmentFault
from memdesk.gui.pages import PAGES
from memdesk.gui.slices import SLICE_SECONDS, SliceOp
from memdesk.gui.views.agents.page import AgentsPage
from memdesk.gui.views.settings.page import SettingsPage
from memdesk.gui.widgets.options import FieldEditor
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


def test_steps_that_take_little_share_a_slice(bridge, owner, monkeypatch):
    monkeypatch.setattr("memdesk.gui.slices.SLICE_SECONDS", 60)
    rounds = []
    QTimer.singleShot(0, owner, lambda: rounds.append("after"))
    op = SliceOp(bridge, owner, iter([None] * 200)).done(lambda: rounds.append("done")).start()
    op._slice()
    assert rounds == ["done"]


def test_a_newer_one_of_its_name_ends_the_older(bridge, owner, qtbot):
    told, newer = [], []
    SliceOp(bridge, owner, slow(500, told)).done(lambda: told.append("done")).start(latest="cards")
    qtbot.waitUntil(lambda: bool(told))
    SliceOp(bridge, owner, slow(2, newer)).done(lambda: newer.append("done")).start(latest="cards")
    qtbot.waitUntil(lambda: not bridge.busy())
    assert newer == [0, 1, "done"]
    assert "done" not in told
    assert len(told) < 500


@pytest.mark.parametrize("end", ["owner", "cancel"])
def test_no_step_is_taken_for_an_owner_that_is_gone_or_when_cancelled(bridge, qtbot, end):
    told = []
    gone = QObject()
    op = SliceOp(bridge, gone, slow(500, told)).done(lambda: told.append("done")).start()
    qtbot.waitUntil(lambda: bool(told))
    if end == "owner":
        gone.deleteLater()
    else:
        op.cancel()
    qtbot.waitUntil(lambda: not bridge.busy())
    assert "done" not in told
    assert len(told) < 500


def test_the_failure_of_a_step_is_told(bridge, owner, qtbot):
    def broken():
        yield
        raise EnvironmentFault("The disk is full.")

    with qtbot.waitSignal(bridge.notices.shown) as shown:
        SliceOp(bridge, owner, broken()).done(pytest.fail).start()
    assert shown.args[0].message == "The disk is full."
    assert not bridge.busy()


# -- pages ---------------------------------------------------------------------------------


@pytest.fixture
def hold(desk, qtbot, monkeypatch):
    """``hold(id, kind)`` opens a page and keeps it half made; ``hold.free()`` lets it be finished."""

    def open_half(page_id, kind, **arguments):
        build = kind.build

        def held(page):
            yield from build(page)
            while page_id in open_half.held:
                yield

        open_half.held.add(page_id)
        monkeypatch.setattr(kind, "build", held)
        desk.window.navigate(page_id, **arguments)
        qtbot.waitUntil(lambda: isinstance(desk.window.host.currentWidget(), kind))
        assert not desk.window.host.page(page_id).built
        return desk.window.host.page(page_id)

    open_half.held = set()
    open_half.free = open_half.held.clear
    return open_half


def test_a_page_shows_before_it_is_built_and_is_entered_with_what_was_asked_last(desk, hold, monkeypatch):
    entered = []
    enter = AgentsPage.enter

    def note(page, **arguments):
        assert page.built
        entered.append(arguments)
        enter(page, **arguments)

    monkeypatch.setattr(AgentsPage, "enter", note)
    hold("agents", AgentsPage, agent_id="nobody")
    desk.window.resize(900, 700)
    desk.window.navigate("agents", agent_id="default")
    hold.free()
    desk.settle()
    assert entered == [{"agent_id": "default"}]


def test_a_page_that_is_left_while_it_is_made_is_not_entered(desk, hold, monkeypatch):
    monkeypatch.setattr(AgentsPage, "enter", lambda _page, **_arguments: pytest.fail("entered"))
    hold("agents", AgentsPage)
    desk.window.navigate("models")
    hold.free()
    desk.settle()
    assert desk.window.host.current == "models"
    assert desk.window.host.page("agents").built


@pytest.mark.parametrize("half", [False, True])
def test_a_lock_while_a_page_is_made_leaves_nothing_of_it(desk, hold, half):
    if half:
        hold("settings", SettingsPage)
    else:
        desk.window.navigate("settings")
    desk.session.lock()
    hold.free()
    desk.settle()
    assert all(desk.window.host.page(spec.id) is None for spec in PAGES)
    assert desk.face is desk.session.lock_page


def test_what_settings_are_asked_for_is_searched_once(desk, qtbot, monkeypatch):
    page = desk.page("settings", query="budget")
    monkeypatch.setattr(type(page), "_find", lambda _page, _query: pytest.fail("searched again"))
    desk.rest()
    assert page.search.text() == "budget"
    assert any(editor.spec.name == "memory_budget_tokens" for editor in page.findChildren(FieldEditor))


def test_another_text_size_while_a_page_is_made_makes_it_anew(desk, hold):
    half = hold("settings", SettingsPage, section="engine")
    desk.window.host.remake()
    hold.free()
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
