"""A private session bus with an imitated desktop portal, which grants or refuses shortcuts, and presses them."""

from __future__ import annotations

import subprocess
import threading
from contextlib import contextmanager

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

PATH = "/org/freedesktop/portal/desktop"


class PlayedPortal:
    """Answers on a thread. ``asked`` has each call's name and body; ``code`` is what it answers binding with."""

    def __init__(self, address):
        self.asked = []
        self.code = 0
        self.there = True
        self._address = address
        self._bus = open_dbus_connection(bus=address)
        self._bus.send_and_get_reply(message_bus.RequestName("org.freedesktop.portal.Desktop"))
        self._thread = threading.Thread(target=self._serve, name="played-portal", daemon=True)
        self._thread.start()

    def _serve(self):
        while True:
            try:
                message = self._bus.receive()
            except (OSError, EOFError):
                return
            if message.header.message_type == MessageType.method_call:
                self._answer(message)

    def _answer(self, message):
        fields = message.header.fields
        member, sender = fields[HeaderFields.member], fields[HeaderFields.sender]
        self.asked.append((member, message.body))
        if not self.there or member == "Register":
            self._bus.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod", "s", ("no such thing",)))
            return
        options = message.body[-1]
        handle = f"{PATH}/request/{sender[1:].replace('.', '_')}/{options['handle_token'][1]}"
        self._bus.send(new_method_return(message, "o", (handle,)))
        if member == "CreateSession":
            self._respond(
                handle, 0, {"session_handle": ("s", f"{PATH}/session/s/{options['session_handle_token'][1]}")}
            )
        else:
            (ident, wish), *_ = message.body[1]
            trigger = wish["preferred_trigger"][1].replace("CTRL+ALT+space", "Ctrl+Alt+Spacebar")
            given = [(ident, {"trigger_description": ("s", trigger)})]
            self._respond(handle, self.code, {"shortcuts": ("a(sa{sv})", given)} if self.code == 0 else {})

    def _respond(self, handle, code, results):
        self._emit(
            DBusAddress(handle, interface="org.freedesktop.portal.Request"), "Response", "ua{sv}", (code, results)
        )

    def press(self, ident="quick-entry", token="a-token"):
        """Press the keys of a shortcut."""
        body = (f"{PATH}/session/s/x", ident, 1, {"activation_token": ("s", token)})
        self._emit(DBusAddress(PATH, interface="org.freedesktop.portal.GlobalShortcuts"), "Activated", "osta{sv}", body)

    def _emit(self, source, name, signature, body):
        self._bus.send(new_signal(source, name, signature, body))

    def close(self):
        import socket

        self._bus.sock.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._bus.close()


@contextmanager
def session_bus():
    """Start a bus and yield its address."""
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--print-address", "--nofork"], stdout=subprocess.PIPE, text=True
    )
    assert daemon.stdout is not None
    try:
        yield daemon.stdout.readline().strip()
    finally:
        daemon.terminate()
        daemon.wait()
        daemon.stdout.close()
