"""A second start brings up the window, whatever that is doing."""

from __future__ import annotations

import os
import threading
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QFileOpenEvent

from memdesk.bootstrap.app import App
from memdesk.bootstrap.profile import MemorySecrets
from memdesk.gui.app import Starter
from memdesk.gui.doorbell import Doorbell
from memdesk.gui.ring import address, ring
from memdesk.gui.shell.lock import LockPage
from memdesk.gui.shell.restore import RestorePage
from memdesk.gui.views.firststart.wizard import FirstStart
from memdesk.settings.paths import profile_paths
from tests.helpers.window import started


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    return tmp_path / "config of ada"


def rung_from_outside(folder, qtbot, wish="", patience=3.0):
    """Ring as another process does, whose main thread is not ours."""
    found = []
    thread = threading.Thread(target=lambda: found.append(ring(folder, wish, patience=patience)))
    thread.start()
    qtbot.waitUntil(lambda: not thread.is_alive())
    return found[0]


def test_nobody_is_there(folder, qtbot):
    assert not rung_from_outside(folder, qtbot, patience=0)


def test_what_a_crash_left_behind_is_replaced(folder, qtbot, qapp):
    rings = []
    Path(address(folder)).touch()
    assert not rung_from_outside(folder, qtbot, patience=0)
    bell = Doorbell(folder, rings.append, qapp)
    assert bell.listening
    assert rung_from_outside(folder, qtbot)
    assert rings == [""]
    bell.close()
    assert not rung_from_outside(folder, qtbot, patience=0)
    bell.deleteLater()


def test_another_profile_is_another_window(folder, qtbot, qapp):
    bell = Doorbell(folder, lambda _wish: None, qapp)
    assert not rung_from_outside(folder / "work", qtbot, patience=0)
    bell.close()
    bell.deleteLater()


def test_the_right_to_the_focus_is_handed_on(folder, qtbot, qapp, monkeypatch):
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "token-of-the-launcher")
    seen = []

    def rung(_wish):
        seen.append(os.environ.get("XDG_ACTIVATION_TOKEN"))

    bell = Doorbell(folder, rung, qapp)
    assert rung_from_outside(folder, qtbot)
    assert seen == ["token-of-the-launcher"]
    bell.close()
    bell.deleteLater()


def test_a_window_at_its_first_start_and_a_locked_one_come_forward(folder, home, qtbot, qapp, model):
    paths = profile_paths(home=home)
    with started(paths, qapp) as (starter, shown, _app):
        qtbot.waitUntil(lambda: starter.session is not None)
        for face in (FirstStart, LockPage):
            if face is LockPage:
                starter.session.lock()
            qtbot.waitUntil(lambda: not starter.session.bridge.busy())
            assert isinstance(shown.faces.currentWidget(), face)
            shown.hide()
            assert rung_from_outside(paths.config, qtbot)
            assert shown.isVisible()


@pytest.mark.parametrize("state", ["new", "locked", "open"])
def test_a_backup_that_is_double_clicked_is_shown_for_restoring(folder, home, qtbot, qapp, model, state):
    paths, secrets = profile_paths(home=home), MemorySecrets()
    backup = folder / "of Jürgen 100%.memdesk-backup"
    if state != "new":
        with closing(App(paths, secrets=secrets, embedder=lambda: None)) as app:
            code = app.services.vault.create(passphrase="a passphrase" if state == "locked" else None)
            app.services.vault.confirm_recovery(dict(enumerate(code.split("-"))))

    def shows(shown, path):
        face = shown.faces.currentWidget()
        return isinstance(face, RestorePage) and face.path.text() == str(path)

    with started(paths, qapp, secrets=secrets, wish=backup.as_uri()) as (starter, shown, _app):
        qtbot.waitUntil(lambda: shows(shown, backup))
        # Another one goes to the window that runs, before a restore is shown and while it is.
        assert rung_from_outside(paths.config, qtbot, (folder / "other").as_uri())
        assert shows(shown, folder / "other")
        shown.faces.currentWidget().left.emit()
        qtbot.waitUntil(lambda: not isinstance(shown.faces.currentWidget(), RestorePage))
        assert rung_from_outside(paths.config, qtbot, backup.as_uri())
        assert shows(shown, backup)
        qtbot.waitUntil(lambda: not starter.session.bridge.busy())


def test_macos_hands_over_a_backup_as_an_event(folder, desk, qapp):
    starter = Starter(desk.real, desk.window)
    starter.session = desk.session
    QCoreApplication.sendEvent(qapp, QFileOpenEvent(QUrl.fromLocalFile(str(folder))))
    assert desk.face.path.text() == str(folder)
    starter.session = None
    starter.finish()
    desk.settle()


def test_of_two_starts_at_once_the_second_leaves_it_to_the_first(folder, home, qtbot, qapp, model, monkeypatch):
    paths = profile_paths(home=home)
    with started(paths, qapp) as (first, shown, _app):
        qtbot.waitUntil(lambda: first.session is not None)
        ended = []
        monkeypatch.setattr(Starter, "quit", lambda starter: ended.append(starter))  # noqa: PLW0108 -- a method binds
        shown.hide()
        with started(paths, qapp) as (second, _window, _other):
            qtbot.waitUntil(lambda: bool(ended))
            assert ended == [second]
            assert second.session is None
        assert shown.isVisible()
