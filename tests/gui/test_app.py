from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from types import SimpleNamespace

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
)

from memdesk.errors import EnvironmentFault
from memdesk.gui.app import Starter, appearance_hint
from memdesk.gui.crash import CrashDialog, CrashGuard, trace_of
from memdesk.gui.pages import PAGES
from memdesk.gui.shell.lock import IDLE_LOOK_MS
from memdesk.gui.shell.palette import Palette
from memdesk.gui.widgets import notice
from memdesk.services.events import Notice
from tests.helpers import dialogs
from tests.helpers.window import window


def test_lock_blanks_the_window_and_unlock_brings_it_back(desk, qtbot):
    desk.page("chat")
    desk.session.lock()
    assert desk.face is desk.session.lock_page
    assert desk.window.host.current == ""
    assert desk.window.windowTitle() == "memdesk"
    desk.settle()
    assert desk.real.vault.state() == "locked"
    desk.window.navigate("agents")
    assert desk.face is desk.session.lock_page
    assert desk.window.focusWidget() is desk.session.lock_page.button
    qtbot.keyClick(desk.window.focusWidget(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: desk.face is desk.window.shell)
    desk.settle()
    assert desk.window.host.current == "agents"


def test_unlocked_it_goes_on_at_the_page_where_it_was_locked(desk, qtbot):
    desk.page("settings")
    desk.session.lock()
    desk.settle()
    assert desk.window.host.current == ""
    desk.session.lock_page.button.click()
    qtbot.waitUntil(lambda: desk.face is desk.window.shell)
    assert desk.window.host.current == "settings"


def test_unlocked_the_chat_is_open_that_was(desk, qtbot, model):
    page = desk.page("chat")
    page.composer.editor.setPlainText("What is a quokka?")
    page.composer.send()
    desk.settle()
    here = page.model.here
    desk.session.lock()
    desk.settle()
    desk.session.lock_page.button.click()
    qtbot.waitUntil(lambda: desk.face is desk.window.shell)
    desk.settle()
    page = desk.window.host.page("chat")
    assert page.model.here == here
    assert page.messages.messages[0].text == "What is a quokka?"


def test_a_window_takes_all_it_made_along(home, qtbot, qapp, model):
    before = set(qapp.topLevelWidgets())
    with window(home, qtbot, qapp) as made:
        pass
    qtbot.waitUntil(lambda: not shiboken6.isValid(made.session.lock_page))
    assert set(qapp.topLevelWidgets()) <= before


@pytest.mark.parametrize("above", ["dialog", "palette", "menu"])
def test_a_lock_closes_what_is_open_above_the_window(desk, qtbot, above):
    """Such windows say as much as a page does, and some show a key."""
    if above == "dialog":
        desk.page("memory", add=True)
    elif above == "palette":
        desk.window.commands.run("app.palette")
    else:
        qtbot.mouseClick(desk.window.sidebar._menu, Qt.MouseButton.LeftButton)
    desk.settle()
    assert len(visible()) == 2
    desk.session.lock()
    assert visible() == [desk.window]
    desk.settle()


def visible():
    return [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]


def test_the_recovery_code_unlocks_and_a_wrong_one_says_so(home, qtbot, qapp, model):
    with window(home, qtbot, qapp) as desk:
        code = desk.code
        desk.session.lock()
        desk.settle()
        page = desk.session.lock_page
        page.ways.set_value("recovery")
        page._choose("recovery")
        page.secret.setText("0000-0000")
        page._ask()
        desk.settle()
        assert page.fault.isVisible()
        assert desk.face is page
        page.secret.setText(code.lower())
        page._ask()
        desk.settle()
        assert desk.real.vault.state() == "open"
        assert page.secret.text() == ""


def test_it_locks_when_nobody_is_there(desk, qtbot):
    desk.real.settings.update("appearance", {"lock_after_minutes": 1})
    for _ in range(60_000 // IDLE_LOOK_MS - 1):
        desk.session._idle.look()
    assert desk.face is desk.window.shell
    desk.session._idle.look()
    assert desk.face is desk.session.lock_page
    desk.settle()


@pytest.mark.parametrize("hidden", [False, True])
def test_it_does_not_lock_on_who_writes_in_a_dialog_or_came_from_the_tray(home, qtbot, qapp, model, hidden):
    with window(home, qtbot, qapp, hidden=hidden) as desk:
        desk.real.settings.update("appearance", {"lock_after_minutes": 1})
        desk.window.come_forward()
        desk.settle()
        target = desk.window
        if not hidden:
            desk.page("memory", add=True)
            target = dialogs.shown(desk)
        qtbot.waitUntil(lambda: QApplication.focusWindow() is target.windowHandle())
        for _ in range(60_000 // IDLE_LOOK_MS * 2):
            qtbot.keyClick(target.windowHandle(), Qt.Key.Key_A)
            desk.session._idle.look()
        assert desk.face is desk.window.shell


def test_every_page_opens_by_its_shortcut_and_in_the_menu(desk, qtbot):
    for spec in PAGES:
        desk.window.commands.run(f"page.{spec.id}")
        desk.settle()
        assert desk.window.host.current == spec.id
        assert type(desk.window.host.page(spec.id)).__name__ != "EmptyState", spec.id
    groups = {group for group, _title in desk.window.menus()}
    assert {command.group for command in desk.window.commands.all()} <= {*groups, ""}


def test_shortcuts_are_unique(desk):
    used = [command.shortcut for command in desk.window.commands.all() if command.shortcut]
    assert len(used) == len(set(used))


def test_the_palette_finds_actions_conversations_and_facts(desk, qtbot, model):
    desk.real.memories.add_fact(agent_id="default", content="The greenhouse has nine panes.")
    list(desk.real.chat.send(agent_id="default", conversation_id=None, text="About the greenhouse"))
    desk.window.commands.run("app.palette")
    desk.settle()
    (palette,) = desk.window.findChildren(Palette)
    palette.field.setText("greenhouse")
    qtbot.waitUntil(lambda: palette.list.count() >= 2)
    kinds = {palette.list.item(n).data(Qt.ItemDataRole.UserRole).hint for n in range(palette.list.count())}
    assert {"Conversation", "Fact"} <= kinds
    palette.field.setText("lock now")
    assert palette.list.item(0).text() == "Lock now"
    palette.field.setText("no such thing anywhere")
    desk.rest()
    assert not palette.list.isVisible()
    palette.close()


def test_look_follows_the_settings_live(desk, qtbot):
    desk.window.commands.run("view.dark")
    desk.settle()
    assert desk.session.context.theme.mode == "dark"
    desk.window.commands.run("view.larger")
    desk.settle()
    assert desk.session.context.theme.scale == 110
    assert desk.window.host.current == "chat"
    saved = json.loads((desk.app.config_folder / "appearance.json").read_text())
    assert saved["theme"] == "dark"


@pytest.mark.parametrize("text", ['{"a":' * 20_000, "{", "5", '{"fontScale": "x"}'])
def test_a_damaged_look_begins_with_the_defaults(tmp_path, text):
    (tmp_path / "appearance.json").write_text(text)
    assert appearance_hint(SimpleNamespace(config_folder=tmp_path)) == {}


def test_another_text_size_keeps_what_is_not_sent(desk, qtbot, model):
    chat = desk.page("chat")
    chat.composer.editor.setPlainText("half a thought")
    agents = desk.page("agents")
    agents.form.description.setText("Writes letters")
    agents.form.edited.emit()
    desk.page("memory", tab="episodes")
    former = desk.window.host.page("memory")
    desk.window.commands.run("view.larger")
    desk.settle()
    memory = desk.window.host.page("memory")
    assert memory is not former
    assert memory.segments.value() == "episodes"
    assert desk.page("chat").composer.editor.toPlainText() == "half a thought"
    assert desk.page("agents").form.description.text() == "Writes letters"
    agents._show()
    desk.page("memory")
    assert desk.page("agents") is not agents


def test_an_open_conversation_is_found_again_after_another_text_size(desk, qtbot, model):
    list(desk.real.chat.send(agent_id="default", conversation_id="boat", text="About the boat"))
    former = desk.page("chat", agent_id="default", conversation_id="boat")
    desk.window.commands.run("view.larger")
    desk.settle()
    page = desk.window.host.page("chat")
    assert page is not former
    assert page.model.conversation_id == "boat"
    assert page.messages.messages


def test_geometry_and_fold_are_restored(home, qtbot, qapp, model):
    # The offscreen screen measures 800 x 800.
    with window(home, qtbot, qapp, size=(770, 560)) as desk:
        desk.window.save_state()
    with window(home, qtbot, qapp, created=False, size=None) as desk:
        assert (desk.window.width(), desk.window.height()) == (770, 560)
        desk.window.resize(1300, 700)
        assert not desk.window.sidebar.folded
        desk.window.sidebar.toggle()
        desk.window.save_state()
    with window(home, qtbot, qapp, created=False) as desk:
        assert desk.window.sidebar.folded


def test_a_window_kept_on_a_screen_that_is_gone_comes_back_to_one_that_is_there(home, qtbot, qapp, model):
    with window(home, qtbot, qapp, size=(770, 560)) as desk:
        desk.window.move(5000, 3000)
        qtbot.waitUntil(lambda: desk.window.x() == 5000)
        desk.window.save_state()
    with window(home, qtbot, qapp, created=False, size=None) as desk:
        there = qapp.primaryScreen().availableGeometry()
        assert there.intersects(desk.window.geometry())
        assert desk.window.frameGeometry().top() >= there.top()


def test_a_narrow_window_folds_the_sidebar_and_a_wide_one_unfolds_it(desk, qtbot):
    desk.window.resize(760, 600)
    assert desk.window.sidebar.folded
    desk.window.resize(1300, 800)
    assert not desk.window.sidebar.folded
    # So does larger type in a window that stays as wide.
    desk.real.settings.update("appearance", {"font_scale": 200})
    qtbot.waitUntil(lambda: desk.window.sidebar.folded)
    desk.real.settings.update("appearance", {"font_scale": 100})
    qtbot.waitUntil(lambda: not desk.window.sidebar.folded)


def test_a_second_start_raises_the_window(desk, qtbot):
    from memdesk.services.events import WindowWanted

    desk.window.hide()
    desk.real.events.publish(WindowWanted())
    qtbot.waitUntil(desk.window.isVisible)


def test_notices_stay_until_closed_when_they_are_errors(desk, qtbot):
    desk.real.events.publish(Notice("error", "The disk is full", "Nothing was stored.", "Free some space."))
    qtbot.waitUntil(lambda: len(desk.window.toasts.toasts) == 1)
    (toast,) = desk.window.toasts.toasts
    assert not toast._timer.isActive()
    assert "Free some space." in toast.accessibleName()
    desk.real.events.publish(Notice("error", "The disk is full", "Nothing was stored.", "Free some space."))
    desk.settle()
    assert len(desk.window.toasts.toasts) == 1


def test_an_error_leaves_with_its_page_once_it_could_be_read_and_stays_under_the_bell(desk, qtbot, monkeypatch):
    desk.page("memory")
    desk.window.notices.show(Notice("error", "The disk is full", "Nothing was stored."))
    (toast,) = desk.window.toasts.toasts
    desk.page("memory", tab="episodes")
    assert not toast._timer.isActive()
    monkeypatch.setattr(notice, "READ_MS", 10**7)
    desk.page("models")
    assert toast._timer.isActive()
    monkeypatch.setattr(notice, "READ_MS", 0)
    desk.window.notices.show(Notice("error", "The port is taken"))
    desk.page("agents")
    qtbot.waitUntil(lambda: [each.notice.title for each in desk.window.toasts.toasts] == ["The disk is full"])
    assert [each.title for each in desk.window.notices.recent] == ["The disk is full", "The port is taken"]


def test_our_own_bug_is_caught_told_and_reported_without_content(desk, qtbot, caplog):
    guard = CrashGuard(desk.window, lambda: desk.session.context)
    with pytest.raises(ValueError, match="secret") as raised:
        int("a secret the user typed")
    caught = raised.value
    assert "secret" not in trace_of(caught)
    assert "test_app.py" in trace_of(caught)
    guard._take(ValueError, caught, caught.__traceback__)
    guard._take(ValueError, caught, caught.__traceback__)
    desk.settle()
    (dialog,) = desk.window.findChildren(CrashDialog)
    assert "secret" not in dialog.report.toPlainText()
    dialog.copy.click()
    assert QApplication.clipboard().text() == dialog.report.toPlainText()
    dialog.reject()
    caplog.clear()


def test_a_dialog_that_fails_while_reporting_a_failure_stops_there(desk, qtbot, caplog, monkeypatch):
    monkeypatch.setattr(CrashDialog, "open", lambda _dialog: 1 // 0)
    guard = CrashGuard(desk.window, lambda: desk.session.context)
    guard.install()
    try:
        guard._take(KeyError, KeyError("first"), None)
    finally:
        guard.remove()
    found = [record.getMessage().splitlines()[0] for record in caplog.records]
    assert found == [f"an unexpected {kind} reached the event loop" for kind in ("KeyError", "ZeroDivisionError")]
    caplog.clear()


def test_services_that_cannot_be_opened_say_why_and_can_be_tried_again(home, qtbot, qapp, model):
    from memdesk.gui.notices import Notices
    from memdesk.gui.session import StartFault
    from memdesk.gui.theme import Theme
    from memdesk.gui.window import MainWindow
    from memdesk.settings.paths import profile_paths
    from tests.helpers.window import App, MemorySecrets, any_port

    theme, paths = Theme(qapp), profile_paths(home=home)
    any_port(paths)
    app = App(paths, secrets=MemorySecrets(), embedder=lambda: None)
    tries = []

    def open_services():
        tries.append(1)
        if len(tries) == 1:
            raise EnvironmentFault("The memory folder cannot be read.", hint="Check its rights.")
        return app.open_window()

    shown = MainWindow(app, Notices())
    shown.show()
    starter = Starter(open_services, shown)
    starter.start()
    qtbot.waitUntil(lambda: isinstance(shown.faces.currentWidget(), StartFault))
    starter._again()
    qtbot.waitUntil(lambda: starter.session is not None)
    qtbot.waitUntil(lambda: not starter.session.bridge.busy())
    starter.finish()
    shown.allow_close = True
    shown.close()
    shown.deleteLater()
    app.close()
    theme.deleteLater()


def _is_part(control):
    """Whether it is a piece of another control: a popup's list, a spin box's line, a clear button."""
    above = control.parent()
    while above is not None:
        if isinstance(above, (QComboBox, QAbstractSpinBox, QLineEdit, QAbstractItemView)):
            return True
        above = above.parent()
    return False


def test_every_control_has_a_name(desk, qtbot):
    unnamed = []
    for spec in PAGES:
        desk.page(spec.id)
        page = desk.window.host.page(spec.id)
        for kind in (QAbstractButton, QAbstractItemView, QComboBox, QLineEdit, QPlainTextEdit):
            for control in page.findChildren(kind):
                if control.objectName().startswith("qt_") or control.parent() is None:
                    continue
                if _is_part(control) or not control.isVisibleTo(page):
                    continue
                named = control.accessibleName() or (isinstance(control, QAbstractButton) and control.text())
                if not named:
                    unnamed.append(f"{spec.id}: {type(control).__name__} in {type(control.parent()).__name__}")
    assert unnamed == []


@pytest.mark.parametrize("way", ["quit", "close"])
def test_the_window_ends(home, qtbot, qapp, model, way):
    with window(home, qtbot, qapp) as desk:
        if way == "quit":
            desk.session.quit()
        else:
            desk.window.close()
        qtbot.wait(20)
        assert not desk.window.isVisible()


def test_an_end_from_outside_is_told_before_the_windows_are_asked():
    """The event goes through Qt's own end of an application, so this one is a process of its own."""
    code = """
        from PySide6.QtCore import QTimer
        from PySide6.QtWidgets import QWidget
        from memdesk.gui.application import Application

        class Stays(QWidget):
            may_go = False

            def closeEvent(self, event):
                event.setAccepted(self.may_go)

        app = Application([])
        window = Stays()
        window.show()
        if {told}:
            app.ending.connect(lambda: setattr(window, "may_go", True))
        QTimer.singleShot(0, app.quit)
        QTimer.singleShot(30_000 if {told} else 1000, lambda: app.exit(5))
        raise SystemExit(app.exec())
    """

    def ended(told):
        script = textwrap.dedent(code).format(told=told)
        return subprocess.run([sys.executable, "-c", script], check=False, timeout=60).returncode

    assert ended(told=False) == 5
    assert ended(told=True) == 0


def test_the_window_lets_itself_be_closed_when_the_application_ends(desk, qapp):
    starter = Starter(desk.real, desk.window)
    assert not desk.window.close()
    qapp.ending.emit()
    assert desk.window.close()
    starter.finish()
    starter.deleteLater()


def test_a_click_in_the_dock_brings_the_window_back(desk, qtbot, qapp, monkeypatch):
    monkeypatch.setattr("sys.platform", "darwin")
    starter = Starter(desk.real, desk.window)
    desk.window.hide()
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert not desk.window.isVisible()  # a hidden start: nothing is open yet
    starter.session = desk.session
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
    assert not desk.window.isVisible()
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert desk.window.isVisible()
    starter.session = None
    starter.finish()
    starter.deleteLater()


def test_macos_finds_quit_about_and_settings_by_role_in_every_language(desk):
    desk.window.build_menu_bar()
    roles = {command.id: desk.window.commands.action(command.id).menuRole() for command in desk.window.commands.all()}
    told = {name: role for name, role in roles.items() if role != QAction.MenuRole.NoRole}
    assert told == {
        "app.quit": QAction.MenuRole.QuitRole,
        "help.about": QAction.MenuRole.AboutRole,
        "page.settings": QAction.MenuRole.PreferencesRole,
    }
    desk.window.menuBar().hide()


SPARED = """
import gc
from PySide6.QtTest import QTest
from memdesk.bench.watchdog import WatchedApplication
from memdesk.gui import app
passes = []
gc.callbacks.append(lambda phase, info: passes.append(info["generation"]))
usual = gc.get_threshold()
app.FREEZE_AFTER_MS = 300
made = WatchedApplication([])
app.make_application([])
there = gc.get_freeze_count()
assert there > 10_000, there
passes.clear()
kept = [[n] for n in range(300_000)]
assert 1 in passes and 2 not in passes, set(passes)
QTest.qWait(600)
assert gc.get_freeze_count() > there + 300_000
assert gc.get_threshold() == usual
app.make_application([])
assert gc.get_threshold() == usual
"""


def test_no_full_pass_of_the_collector_keeps_the_window_while_it_starts_or_over_what_was_there_then():
    ended = subprocess.run([sys.executable, "-c", SPARED], capture_output=True, text=True, check=False, timeout=60)
    assert (
        ended.returncode,
        ended.stderr.replace("This plugin does not support propagateSizeHints()", "").strip(),
    ) == (0, "")
