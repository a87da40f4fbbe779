"""The frame around the pages: past notices, help, the lock screen's options, earlier crashes."""

from __future__ import annotations

import faulthandler
import os
import subprocess
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices

from memdesk.errors import EnvironmentFault
from memdesk.gui.crash import CrashDialog
from memdesk.gui.lastcrash import LastCrash
from memdesk.gui.shell.help import AboutDialog, ShortcutsDialog
from memdesk.gui.shell.noticelist import NoticeList
from memdesk.gui.theme import Theme
from memdesk.gui.views.firststart.wizard import FirstStart
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Label
from memdesk.settings.paths import profile_paths
from memdesk.storage.errors import PassphraseRequiredError, RecoveryRequiredError, WrongPassphraseError
from tests.helpers.dialogs import shown
from tests.helpers.window import started, window


def words(widget):
    return [label.text() for label in widget.findChildren(Label)]


def test_notices_can_be_read_again_and_leave_with_a_lock(desk, qtbot):
    notices, bell = desk.window.notices, desk.window.status.bell
    notices.success("The backup was written", "/media/stick")
    notices.error(EnvironmentFault("The disk is full.", hint="Free some space."))
    desk.window.toasts.clear()
    assert bell.accessibleName() == "2 new notices"
    qtbot.mouseClick(bell, Qt.MouseButton.LeftButton)
    listed = shown(desk)
    assert isinstance(listed, NoticeList)
    said = words(listed)
    assert said.index("The disk is full.") < said.index("The backup was written")
    assert bell.accessibleName() == "Notices"
    listed.close()
    notices.info("Marta is vegetarian")
    desk.session.lock()
    desk.settle()
    assert notices.recent == []
    assert notices.unseen == 0


def test_the_list_of_notices_is_cleared(desk, qtbot):
    desk.window.notices.info("Nothing was waiting")
    desk.window.commands.run("view.notices")
    next(b for b in shown(desk).findChildren(Button) if b.text() == "Clear").click()
    desk.window.commands.run("view.notices")
    assert "None in this session." in words(shown(desk))
    shown(desk).close()


def test_every_shortcut_is_listed(desk, qtbot):
    desk.window.commands.run("help.shortcuts")
    dialog = shown(desk)
    assert isinstance(dialog, ShortcutsDialog)
    said = words(dialog)
    for command in desk.window.commands.all():
        if command.shortcut:
            assert command.title in said
    dialog.close()
    keys = [sequence.toString() for sequence in desk.window.commands.action("help.shortcuts").shortcuts()]
    assert keys == ["F1", "?"]


def test_a_question_mark_is_typed_where_one_types(desk, qtbot):
    chat = desk.page("chat")
    chat.composer.editor.setFocus()
    qtbot.keyClicks(chat.composer.editor, "Why?")
    assert chat.composer.editor.toPlainText() == "Why?"


def test_about_names_the_licenses_and_asks_no_network(desk, qtbot, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    desk.window.commands.run("help.about")
    dialog = shown(desk)
    assert isinstance(dialog, AboutDialog)
    said = " ".join(words(dialog))
    for name in ("LGPL-3.0", "Lucide", "ISC", "Apache-2.0", desk.app.version):
        assert name in said
    buttons = {b.text().strip(): b for b in dialog.findChildren(Button)}
    buttons["Documentation"].click()
    assert [url.isLocalFile() for url in opened] == [True]
    buttons["Report a bug"].click()
    desk.settle()
    assert desk.window.host.current == "diagnostics"


@pytest.mark.parametrize(
    ("error", "way"),
    [
        (PassphraseRequiredError("It opens with its passphrase."), "passphrase"),
        (RecoveryRequiredError("Gone."), "recovery"),
    ],
)
def test_a_keyring_without_the_key_leads_to_the_way_that_is_left(desk, qtbot, error, way):
    page = desk.session.lock_page
    desk.session.lock()
    desk.settle()
    # The second comes late, when the way is asked for already.
    for _ in range(2):
        page.show_fault(error)
        assert page.ways.value() == way
        assert page.secret.isVisible()
        assert not page.fault.isVisible()
    assert page.button.isEnabled()
    page.show_fault(WrongPassphraseError("It does not fit."))
    assert page.fault.isVisible()


def test_locking_a_first_start_takes_its_recovery_code_away(new_desk, qtbot):
    desk = new_desk
    code = desk.face.steps[0].code
    assert code
    desk.session.lock()
    desk.settle()
    qtbot.wait(20)
    assert desk.face is desk.session.lock_page
    assert not desk.window.faces.findChildren(FirstStart)
    qtbot.mouseClick(desk.session.lock_page.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: isinstance(desk.face, FirstStart))


def test_one_can_quit_a_locked_window_by_its_shortcut(home, qtbot, qapp, model):
    with window(home, qtbot, qapp) as desk:
        desk.session.lock()
        desk.settle()
        assert not desk.window.commands.action("app.palette").isEnabled()
        assert desk.window.commands.action("app.quit").isEnabled()


CRASHING = """
import faulthandler, sys
from pathlib import Path
from memdesk.gui.lastcrash import LastCrash
LastCrash(Path(sys.argv[1])).begin()
faulthandler._sigsegv()
"""


def test_a_native_crash_is_noted_as_it_happens_and_read_once(tmp_path):
    ended = subprocess.run([sys.executable, "-c", CRASHING, str(tmp_path)], capture_output=True, check=False)
    assert ended.returncode != 0
    if os.name == "posix":
        assert (tmp_path / "last-crash.txt").stat().st_mode & 0o077 == 0
    crash = LastCrash(tmp_path)
    left = crash.begin()
    assert "Segmentation fault" in left or "access violation" in left
    crash.end()
    crash.end()
    # Read once; and where stacks are written elsewhere already, as here, they stay there.
    again = LastCrash(tmp_path)
    assert again.begin() == ""
    assert not (tmp_path / "last-crash.txt").exists()
    again.end()
    assert faulthandler.is_enabled()


def test_the_last_run_s_crash_is_told_with_its_report(home, qtbot, qapp, model, caplog):
    paths = profile_paths(home=home)
    paths.ensure()
    trace = f'Fatal Python error: Segmentation fault\n  File "{home}/src/memdesk/gui/app.py", line 7 in run\n'
    for visible in (True, False):
        (paths.config / "last-crash.txt").write_text(trace)
        with started(paths, qapp, shown=visible) as (starter, made, _app):
            qtbot.waitUntil(lambda s=starter: s.session is not None)
            qtbot.waitUntil(lambda s=starter: not s.session.bridge.busy())
            found = made.findChildren(CrashDialog)
            assert len(found) == int(visible)
            if visible:
                told = found[0].report.toPlainText()
                assert "Segmentation fault" in told
                assert "memdesk/gui/app.py" in told
                assert "src" not in told
                assert "Health" in told
                found[0].close()
        assert not (paths.config / "last-crash.txt").exists()
    caplog.clear()


def test_a_chat_whose_memory_was_switched_off_waits_for_nothing(desk, qtbot, model):
    desk.real.settings.update("memory", {"extraction_mode": "manual"})
    list(desk.real.chat.send(agent_id="default", conversation_id="boat", text="About the boat"))
    bar = desk.window.status
    qtbot.waitUntil(lambda: bar.pending.text() == "1 pending")
    desk.real.conversations.set_memory("default", "boat", "off")
    qtbot.waitUntil(lambda: bar.pending.text() == "All distilled")
    desk.real.conversations.set_memory("default", "boat", "on")
    qtbot.waitUntil(lambda: bar.pending.text() == "1 pending")


@pytest.mark.parametrize("scale", [200, 100])
def test_the_folded_sidebar_keeps_its_measure_at_every_text_size(desk, qtbot, scale):
    sidebar, theme = desk.window.sidebar, Theme.current()
    sidebar.set_folded(True)
    theme.set_choice("light", scale)
    qtbot.waitUntil(lambda: sidebar.width() - sidebar.buttons["chat"].width() == 2 * theme.px(8))
