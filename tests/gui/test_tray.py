"""The tray where the desktop has one, and the end of the window where it has none."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QSystemTrayIcon

from memdesk.services.recording.ingest import IngestTurn
from tests.helpers.window import window


@pytest.fixture
def panel(monkeypatch):
    """A desktop with a tray; take ``shown`` away and it has none."""
    panel = {"shown": True}
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: panel["shown"]))
    return panel


@pytest.fixture
def desk(panel, home, qtbot, qapp, model):
    with window(home, qtbot, qapp) as made:
        yield made


def entries(tray):
    return {action.text(): action for action in tray._menu.actions() if action.text()}


def picture(tray):
    return tray._icon.icon().pixmap(64, 64).toImage()


def test_the_tray_shows_what_is_waiting_and_pauses_it(desk, qtbot):
    tray = desk.session.tray
    assert tray._icon.isVisible()
    assert tray._icon.toolTip() == "memdesk: Everything is distilled"
    quiet = picture(tray)
    turns = [IngestTurn(user="My sister is called Johanna.", assistant="Noted.")]
    desk.real.settings.update("memory", {"extraction_mode": "manual"})
    desk.real.ingest.ingest(agent_id="default", conversation_id="c", turns=turns, skip_extraction=False, wait=False)
    qtbot.waitUntil(lambda: "waits to be distilled" in tray._icon.toolTip())
    assert picture(tray) != quiet
    pause = entries(tray)["Pause background work"]
    pause.trigger()
    qtbot.waitUntil(lambda: tray._icon.toolTip() == "memdesk: Paused")
    assert desk.app.paused()
    assert pause.isChecked()
    pause.trigger()
    qtbot.waitUntil(lambda: not desk.app.paused())
    desk.settle()
    assert not pause.isChecked()


def test_the_tray_brings_the_window_back_locks_and_quits(desk, qtbot):
    tray = desk.session.tray
    desk.real.settings.update("appearance", {"close_to_tray": True})
    desk.window.close()
    qtbot.waitUntil(lambda: not desk.window.isVisible())
    assert not desk.window.allow_close
    tray._icon.activated.emit(QSystemTrayIcon.ActivationReason.Trigger)
    assert desk.window.isVisible()
    entries(tray)["Lock now"].trigger()
    qtbot.waitUntil(lambda: tray._icon.toolTip() == "memdesk: Locked")
    entries(tray)["Quit"].trigger()
    assert not desk.window.isVisible()


def test_a_closed_window_stays_in_the_tray_while_there_is_one(desk, panel, qtbot):
    desk.real.settings.update("appearance", {"close_to_tray": True})
    desk.window.close()
    qtbot.waitUntil(lambda: not desk.window.isVisible())
    assert not desk.window.allow_close
    desk.window.come_forward()
    panel["shown"] = False
    desk.window.close()
    qtbot.waitUntil(lambda: desk.window.allow_close)
    assert not desk.window.isVisible()


def test_without_the_wish_the_window_ends_beside_a_tray(desk, qtbot):
    desk.window.close()
    qtbot.waitUntil(lambda: desk.window.allow_close)


def test_started_hidden_without_a_tray_the_window_can_be_found(home, qtbot, qapp, model):
    from memdesk.gui.session import Session

    with window(home, qtbot, qapp) as desk:
        assert desk.session.tray is None
        desk.window.hide()
        hidden = Session(desk.services, desk.window, hidden=True)
        hidden._start_tray()
        assert desk.window.isVisible()
        assert desk.window.isMinimized()
        hidden.close()
