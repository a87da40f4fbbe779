"""A global shortcut: through the desktop portal on Linux, the system's own call on Windows.

macOS requires permission to watch every keystroke, which memdesk does not ask for.
"""

from __future__ import annotations

import logging
import secrets
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Protocol

from memdesk.errors import EnvironmentFault
from memdesk.messages import say

if TYPE_CHECKING:
    from jeepney import MatchRule, Message
    from jeepney.io.blocking import DBusConnection

log = logging.getLogger(__name__)

#: Called on the shortcut's thread with the activation token that lets the window take focus (Wayland); may be empty.
Pressed = Callable[[str], object]
#: How long the desktop may take to answer, and the user to agree in its dialog, in seconds.
ANSWER_SECONDS: Final = 10.0
AGREE_SECONDS: Final = 300.0
_ID: Final = "quick-entry"
_APP: Final = "memdesk"
_BUS: Final = "org.freedesktop.portal.Desktop"
_PATH: Final = "/org/freedesktop/portal/desktop"
_PORTAL: Final = "org.freedesktop.portal.GlobalShortcuts"


class ShortcutError(EnvironmentFault):
    """The system grants no shortcut, or not this one."""

    code = "shortcut_unavailable"
    title = say("The shortcut is not available")
    default_hint = say("Bind the command “memdesk quick” to keys in your system's settings instead.")


class Shortcut(Protocol):
    """A shortcut that is bound until it is closed."""

    #: The keys as the system names them; empty if it leaves them to the user.
    keys: str

    def close(self) -> None:
        """Release the keys. Idempotent."""


def bind(keys: str, pressed: Pressed) -> Shortcut:
    """Bind keys; waits for the desktop, which may ask the user. Do not call it on the main thread.

    Args:
        keys: such as ``Ctrl+Alt+Space``, as in the setting ``appearance.quickShortcut``.
        pressed: called each time they are pressed.

    Raises:
        ShortcutError: the system does not support it, refuses it, or the keys are taken.
    """
    if sys.platform == "win32":
        return WindowsShortcut(keys, pressed)
    if sys.platform == "darwin":
        raise ShortcutError(
            say("macOS gives global shortcuts only to programs that may watch all keys."),
            hint=say("Make a shortcut in the app Shortcuts that runs “memdesk quick”, and give it keys there."),
        )
    return PortalShortcut(keys, pressed)


# -- Linux ---------------------------------------------------------------------------------


def portal_trigger(keys: str) -> str:
    """Return keys as the XDG shortcuts specification writes them: ``CTRL+ALT+space``."""
    *modifiers, key = keys.split("+")
    named = "".join({"Meta": "LOGO"}.get(name, name.upper()) + "+" for name in modifiers)
    return named + (key if key[1:].isdigit() else key.lower())


class PortalShortcut:
    """``org.freedesktop.portal.GlobalShortcuts``: GNOME 48, Plasma 5.27, Hyprland and newer. The desktop asks the user once."""

    def __init__(self, keys: str, pressed: Pressed) -> None:
        self._pressed = pressed
        self._closed = False
        try:
            from jeepney.io.blocking import open_dbus_connection

            self._bus: DBusConnection = open_dbus_connection(bus="SESSION")
        except (ImportError, OSError, KeyError, ValueError) as error:
            raise ShortcutError(say("This desktop has no session bus.")) from error
        try:
            self.keys = self._bind(keys)
        except BaseException:
            self._bus.close()
            raise
        self._thread = threading.Thread(target=self._listen, name="memdesk-shortcut", daemon=True)
        self._thread.start()

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        # Closing the connection wakes the thread that waits for a signal.
        self._bus.sock.shutdown(socket.SHUT_RDWR)
        self._thread.join(ANSWER_SECONDS)
        self._bus.close()

    def _bind(self, keys: str) -> str:
        """Return the keys that the user agreed to, as the desktop writes them."""
        from jeepney import MatchRule

        self._name_app()
        answers = MatchRule(type="signal", interface="org.freedesktop.portal.Request", member="Response")
        token = ("handle_token", ("s", f"memdesk_{secrets.token_hex(4)}"))
        session_token = ("session_handle_token", ("s", f"memdesk_{secrets.token_hex(4)}"))
        made = self._ask(answers, ANSWER_SECONDS, "CreateSession", "a{sv}", (dict((token, session_token)),))
        session = made["session_handle"][1]
        wish = {
            "description": ("s", "memdesk: ask or remember something"),
            "preferred_trigger": ("s", portal_trigger(keys)),
        }
        token = ("handle_token", ("s", f"memdesk_{secrets.token_hex(4)}"))
        body = (session, [(_ID, wish)], "", dict((token,)))
        bound = self._ask(answers, AGREE_SECONDS, "BindShortcuts", "oa(sa{sv})sa{sv}", body)
        given = dict(bound.get("shortcuts", ("", []))[1])
        if _ID not in given:
            raise ShortcutError(say("The desktop did not assign the shortcut."))
        return str(given[_ID].get("trigger_description", ("s", ""))[1])

    def _name_app(self) -> None:
        """Register the app's name; older portals take it from the desktop."""
        from jeepney import DBusAddress, DBusErrorResponse, new_method_call

        registry = DBusAddress(_PATH, bus_name=_BUS, interface="org.freedesktop.host.portal.Registry")
        call = new_method_call(registry, "Register", "sa{sv}", (_APP, {}))
        try:
            self._call(call)
        except (DBusErrorResponse, TimeoutError) as error:
            log.debug("the portal takes no name of a program: %s", type(error).__name__)

    def _call(self, message: Message) -> tuple[Any, ...]:
        """Return a call's reply; raises ``DBusErrorResponse``."""
        from jeepney.wrappers import unwrap_msg

        found: tuple[Any, ...] = unwrap_msg(self._bus.send_and_get_reply(message, timeout=ANSWER_SECONDS))
        return found

    def _ask(self, answers: MatchRule, seconds: float, method: str, signature: str, body: Any) -> dict[str, Any]:
        """Call the portal and wait for its response signal."""
        from jeepney import DBusAddress, DBusErrorResponse, HeaderFields, message_bus, new_method_call

        queue: deque[Message] = deque()
        portal = DBusAddress(_PATH, bus_name=_BUS, interface=_PORTAL)
        try:
            with self._bus.filter(answers, queue=queue):
                self._call(message_bus.AddMatch(answers))
                (handle,) = self._call(new_method_call(portal, method, signature, body))
                while True:
                    answer = self._bus.recv_until_filtered(queue, timeout=seconds)
                    if answer.header.fields[HeaderFields.path] == handle:
                        break
        except DBusErrorResponse as error:
            raise ShortcutError(say("This desktop offers no global shortcuts to programs.")) from error
        except (TimeoutError, OSError) as error:
            raise ShortcutError(say("The desktop did not answer in time.")) from error
        code, results = answer.body
        if code != 0:
            raise ShortcutError(say("The shortcut was not allowed."))
        found: dict[str, Any] = results
        return found

    def _listen(self) -> None:
        from jeepney import MatchRule, message_bus

        wanted = MatchRule(type="signal", interface=_PORTAL, member="Activated")
        queue: deque[Message] = deque()
        try:
            with self._bus.filter(wanted, queue=queue):
                self._call(message_bus.AddMatch(wanted))
                while True:
                    _session, ident, _time, options = self._bus.recv_until_filtered(queue).body
                    if ident == _ID:
                        self._pressed(str(options.get("activation_token", ("s", ""))[1]))
        except (OSError, EOFError) as error:
            if not self._closed:
                log.warning("the desktop's shortcuts went away: %s", type(error).__name__)


# -- Windows -------------------------------------------------------------------------------

_MODIFIERS: Final = {"Alt": 1, "Ctrl": 2, "Shift": 4, "Meta": 8}
_NO_REPEAT: Final = 0x4000
_WM_HOTKEY, _WM_QUIT = 0x0312, 0x0012


def windows_keys(keys: str) -> tuple[int, int]:
    """Return modifiers and virtual key code of keys for ``RegisterHotKey``."""
    *modifiers, key = keys.split("+")
    code = 0x20 if key == "Space" else 0x6F + int(key[1:]) if key[1:].isdigit() else ord(key)
    return sum(_MODIFIERS[name] for name in modifiers) | _NO_REPEAT, code


class WindowsShortcut:
    """``RegisterHotKey``, on a thread with a message queue: the keys belong to the thread that registered them."""

    def __init__(self, keys: str, pressed: Pressed) -> None:
        self.keys = keys
        self._pressed = pressed
        self._bound, self._ready, self._thread_id = False, threading.Event(), 0
        self._thread = threading.Thread(target=self._listen, name="memdesk-shortcut", daemon=True)
        self._thread.start()
        self._ready.wait()
        if not self._bound:
            raise ShortcutError(say("Another program uses {keys}.", keys=keys))

    def close(self) -> None:
        if self._thread.is_alive():
            _windows().user32.PostThreadMessageW(self._thread_id, _WM_QUIT, 0, 0)
            self._thread.join(ANSWER_SECONDS)

    def _listen(self) -> None:
        import ctypes
        from ctypes import wintypes

        windows, message = _windows(), wintypes.MSG()
        self._thread_id = windows.kernel32.GetCurrentThreadId()
        # Creates the queue before anybody posts to it.
        windows.user32.PeekMessageW(ctypes.byref(message), None, 0, 0, 0)
        self._bound = bool(windows.user32.RegisterHotKey(None, 1, *windows_keys(self.keys)))
        self._ready.set()
        while self._bound and windows.user32.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
            if message.message == _WM_HOTKEY:
                self._pressed("")
        if self._bound:
            windows.user32.UnregisterHotKey(None, 1)


def _windows() -> Any:
    """Return the system's libraries, which are untyped outside Windows."""
    import ctypes

    return getattr(ctypes, "windll")  # noqa: B009
