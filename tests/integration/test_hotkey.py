"""Global shortcuts: requested from an imitated desktop portal on a real bus, and Windows' key codes."""

from __future__ import annotations

import shutil
import sys
import threading

import pytest

from memdesk.runtime import hotkey
from memdesk.runtime.hotkey import ShortcutError, bind, portal_trigger, windows_keys
from tests.helpers.portal import PlayedPortal, session_bus

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the portal is Linux's")


@pytest.fixture
def portal(monkeypatch):
    if shutil.which("dbus-daemon") is None:
        pytest.skip("needs dbus-daemon")
    with session_bus() as address:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        played = PlayedPortal(address)
        yield played
        played.close()


class Presses:
    """What the shortcut told, and a way to wait for it."""

    def __init__(self):
        self.tokens, self._come = [], threading.Semaphore(0)

    def __call__(self, token):
        self.tokens.append(token)
        self._come.release()

    def wait(self):
        assert self._come.acquire(timeout=60)


def test_keys_are_asked_for_given_and_pressed(portal):
    presses = Presses()
    shortcut = bind("Ctrl+Alt+Space", presses)
    assert shortcut.keys == "Ctrl+Alt+Spacebar"
    names = [name for name, _body in portal.asked]
    assert names == ["Register", "CreateSession", "BindShortcuts"]
    ((ident, wish),) = portal.asked[2][1][1]
    assert ident == "quick-entry"
    assert wish["preferred_trigger"] == ("s", "CTRL+ALT+space")
    portal.press("another-program")
    portal.press(token="first")
    portal.press(token="second")
    presses.wait()
    presses.wait()
    assert presses.tokens == ["first", "second"]
    shortcut.close()
    shortcut.close()


def test_a_user_who_refuses_and_a_desktop_without_it_are_told_of(portal):
    portal.code = 1
    with pytest.raises(ShortcutError, match="not allowed"):
        bind("Ctrl+Alt+Space", lambda _token: None)
    portal.there = False
    with pytest.raises(ShortcutError, match="offers no global shortcuts") as fault:
        bind("Ctrl+Alt+Space", lambda _token: None)
    assert "memdesk quick" in fault.value.hint


def test_without_a_bus_it_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    with pytest.raises(ShortcutError, match="no session bus"):
        bind("Ctrl+Alt+Space", lambda _token: None)


def test_macos_is_told_what_to_do(monkeypatch):
    monkeypatch.setattr(hotkey.sys, "platform", "darwin")
    with pytest.raises(ShortcutError) as fault:
        bind("Ctrl+Alt+Space", lambda _token: None)
    assert "Shortcuts" in fault.value.hint


@pytest.mark.parametrize(
    ("keys", "portals", "windows"),
    [
        ("Ctrl+Alt+Space", "CTRL+ALT+space", (0x4003, 0x20)),
        ("Meta+Shift+M", "LOGO+SHIFT+m", (0x400C, 0x4D)),
        ("Ctrl+7", "CTRL+7", (0x4002, 0x37)),
        ("Alt+F12", "ALT+F12", (0x4001, 0x7B)),
        ("Alt+F", "ALT+f", (0x4001, 0x46)),
    ],
)
def test_keys_are_written_as_each_system_writes_them(keys, portals, windows):
    assert portal_trigger(keys) == portals
    assert windows_keys(keys) == windows
