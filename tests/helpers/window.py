"""The whole window over a real, temporary profile."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import fields

from PySide6.QtCore import QTimer

from memdesk.bootstrap.app import App
from memdesk.bootstrap.profile import MemorySecrets
from memdesk.gui.app import Starter
from memdesk.gui.notices import Notices
from memdesk.gui.session import Session
from memdesk.gui.theme import Theme
from memdesk.gui.window import MainWindow
from memdesk.settings.paths import profile_paths

#: Whatever waits for a burst to end, or for a pause in typing, has come within so many ms.
SOON_MS = 1000


class MainThreadError(AssertionError):
    """A service was called on the main thread."""


class Guarded:
    """Passes calls on to a service, and refuses those of the main thread while ``armed``.

    Properties and plain attributes (``settings.current``) are free: they read memory.
    """

    armed = True
    #: Calls that only return what is in memory.
    FREE = frozenset(
        (
            "current",
            "catalogue",
            "embedder",
            "now",
            "local",
            "submit",
            "later",
            "subscribe",
            "publish",
            "templates",
            "state",
        )
    )

    def __init__(self, service):
        self._service = service

    def __getattr__(self, name):
        found = getattr(self._service, name)
        if not callable(found) or name in self.FREE or name.startswith("_"):
            return found

        def call(*args, **kwargs):
            if Guarded.armed and threading.current_thread() is threading.main_thread():
                raise MainThreadError(f"{type(self._service).__name__}.{name} was called on the main thread")
            return found(*args, **kwargs)

        return call


def guarded(services):
    """Return the services with every service method kept off the main thread."""
    return type(services)(**{f.name: Guarded(getattr(services, f.name)) for f in fields(services)})


class Window:
    """A running window: ``app`` (the process), ``window``, ``session``, ``services`` (guarded)."""

    def __init__(self, home, qtbot, *, theme="light", scale=100, size=(1240, 800), embedder=None, secrets=None):
        self.qtbot = qtbot
        given = None if embedder == "own" else embedder or (lambda: None)
        self.app = App(profile_paths(home=home), secrets=secrets or MemorySecrets(), embedder=given)
        self.real = self.app.services
        self.real.settings.update("server", {"port": 0, "enabled": False})
        self.real.settings.update("appearance", {"theme": theme, "font_scale": scale})
        self.services = guarded(self.real)
        self.window = MainWindow(self.app, Notices())
        if size:
            self.window.resize(*size)
        self.session: Session | None = None

    def create(self):
        """Make the memory, so that the window opens on its pages."""
        self.code = code = self.real.vault.create()
        self.real.vault.confirm_recovery(dict(enumerate(code.split("-"))))
        return code

    def show(self, *, hidden=False):
        """Open the window, or leave it to a tray, and wait until it is filled."""
        if not hidden:
            self.window.show()
        self.session = Session(self.services, self.window)
        self.session.start()
        self.settle()
        return self

    def settle(self, timeout=120_000):
        """Wait until nothing is on its way."""
        self.qtbot.wait(20)
        assert self.session is not None
        bridge = self.session.bridge
        while bridge.busy():
            self.qtbot.waitUntil(lambda: not bridge.busy(), timeout=timeout)
            self.qtbot.wait(20)
        self.qtbot.wait(20)

    def rest(self):
        """Wait until nothing is on its way, nor about to be: what waits for a burst of changes to end has come."""
        for _ in range(20):
            self.settle()
            if not self._waits():
                return
            self.qtbot.waitUntil(lambda: not self._waits())
        raise AssertionError("it comes to no rest")

    def _waits(self):
        timers = self.window.findChildren(QTimer)
        return any(t.isActive() and t.isSingleShot() and t.interval() <= SOON_MS for t in timers)

    def page(self, name, **arguments):
        """Show a page and return it."""
        self.window.navigate(name, **arguments)
        self.settle()
        return self.window.host.page(name)

    @property
    def face(self):
        """What covers the window now: the shell, the lock, the first start."""
        return self.window.faces.currentWidget()

    def close(self):
        if self.session is not None:
            self.session.close()
        self.window.allow_close = True
        self.window.close()
        self.window.deleteLater()
        self.app.close()


@contextmanager
def window(home, qtbot, qapp, *, created=True, hidden=False, **options):
    """A window that is closed again, services and all."""
    theme = Theme(qapp, choice=options.get("theme", "light"), scale=options.get("scale", 100))
    made = Window(home, qtbot, **options)
    if created:
        made.create()
    try:
        yield made.show(hidden=hidden)
    finally:
        made.close()
        qtbot.wait(10)
        theme.deleteLater()


def any_port(paths):
    """Let the profile's server take a free port: the usual one may be that of another test, or of memdesk itself."""
    paths.ensure()
    (paths.config / "server.json").write_text('{"port": 0}', encoding="utf-8")


@contextmanager
def started(paths, qapp, *, shown=False, secrets=None, passphrase=None, wish=""):
    """A window as the command line starts it."""
    any_port(paths)
    theme = Theme(qapp)
    app = App(paths, secrets=secrets or MemorySecrets(), embedder=lambda: None)
    made = MainWindow(app, Notices())
    made.setVisible(shown)
    starter = Starter(lambda: app.open_window(passphrase), made, wish=wish)
    starter.start()
    try:
        yield starter, made, app
    finally:
        starter.finish()
        last = starter._window
        last.allow_close = True
        last.close()
        last.deleteLater()
        app.close()
        theme.deleteLater()
