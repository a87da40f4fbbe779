"""Starts the window: paint first, open the services meanwhile, then fill it.

``run`` is called by the command line with either the services or a callable that opens them, which runs on its own
thread while the empty window is already on the screen.
"""

from __future__ import annotations

import gc
import signal
import socket
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSocketNotifier, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from memdesk.domain.decoding import decode
from memdesk.gui.application import Application
from memdesk.gui.i18n import install as install_language
from memdesk.gui.notices import Notices
from memdesk.gui.text import tr
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.focus import focus_again, focus_at
from memdesk.gui.window import MainWindow

if TYPE_CHECKING:
    from memdesk.gui.controls import AppControls
    from memdesk.gui.crash import CrashGuard
    from memdesk.gui.doorbell import Doorbell
    from memdesk.gui.lastcrash import LastCrash
    from memdesk.gui.session import Session
    from memdesk.services.container import Services

OpenServices = Callable[[], "Services"]
#: Switch interval of the interpreter, in seconds: a handler competes for the lock again
#: after each call into Qt, and at Python's default of 5 ms a busy lane stretches 20 ms of work to 300.
SWITCH_SECONDS = 0.0005
#: When objects are frozen for the garbage collector, in ms after the start: every page's code is loaded by then.
FREEZE_AFTER_MS = 5000
#: Passes over younger objects before a full collection.
_NEVER = 1_000_000


def run(services: Services | OpenServices, *, app_controls: AppControls, hidden: bool = False, wish: str = "") -> int:
    """Show the window and return the exit code when the user quits.

    Args:
        services: the services, or a callable that opens them (runs off the main thread; may raise ``MemdeskError``).
        app_controls: the process around the window; closed before this returns.
        hidden: start in the tray; without a tray the window is shown minimized.
        wish: what else to show, see :func:`memdesk.gui.ring.ring`.
    """
    app = make_application(sys.argv[:1])
    look = appearance_hint(app_controls)
    Theme(app, choice=str(look.get("theme", "system")), scale=int(look.get("fontScale", 100)))
    install_language(app, str(look.get("language", "system")))
    notices = Notices(app)
    window = MainWindow(app_controls, notices)
    if not hidden:
        window.show()
    starter = Starter(services, window, hidden=hidden, wish=wish)
    interrupts = Interrupts(app, starter.quit)
    starter.start()
    try:
        return app.exec()
    finally:
        starter.finish()
        app_controls.close()
        interrupts.close()


def make_application(argv: list[str]) -> Application:
    """Return the application object, created once per process; from here on the main thread has priority."""
    sys.setswitchinterval(SWITCH_SECONDS)
    present = QApplication.instance()
    app = present if isinstance(present, Application) else _new_application(argv)
    if not app.spared:
        _spare(app)
    return app


def _new_application(argv: list[str]) -> Application:
    QApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    app = Application(argv)
    app.setApplicationName("memdesk")
    app.setApplicationDisplayName("memdesk")
    app.setDesktopFileName("memdesk")
    app.setQuitOnLastWindowClosed(False)
    return app


def _spare(app: Application) -> None:
    """Keep full garbage collections out of the window: over all imported modules, one takes 80 to 100 ms.

    There are none while the app starts; afterwards they skip what existed by then.
    """
    app.spared = True
    young, middle, old = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(young, middle, _NEVER)

    def started() -> None:
        gc.freeze()
        gc.set_threshold(young, middle, old)

    QTimer.singleShot(FREEZE_AFTER_MS, app, started)


def appearance_hint(controls: AppControls) -> dict[str, Any]:
    """Read theme, text size and language straight from the file, so that the first paint looks right.

    A missing or damaged file means defaults here; the settings service reports it later.
    """
    try:
        found = decode((controls.config_folder / "appearance.json").read_bytes())
    except (OSError, ValueError):
        return {}
    scale = found.get("fontScale", 100) if isinstance(found, dict) else None
    return found if isinstance(scale, int) and 80 <= scale <= 200 else {}


class Interrupts(QObject):
    """Turns SIGINT and SIGTERM into a call on the main thread, which may be deep in Qt's event loop.

    Python records a signal at once but runs handlers only between its own instructions; the byte it writes to a socket
    wakes the event loop.
    """

    def __init__(self, parent: QObject, ended: Callable[[], object]) -> None:
        super().__init__(parent)
        self._ended = ended
        self._awake, self._wake = socket.socketpair()
        for end in (self._awake, self._wake):
            end.setblocking(False)
        self._former_fd = signal.set_wakeup_fd(self._wake.fileno())
        self._former = {name: signal.signal(name, lambda *_: None) for name in (signal.SIGINT, signal.SIGTERM)}
        self._notifier = QSocketNotifier(self._awake.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._heard)

    def close(self) -> None:
        """Restore the signal handlers."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._former_fd)
        for name, handler in self._former.items():
            signal.signal(name, handler)
        for end in (self._awake, self._wake):
            end.close()

    def _heard(self) -> None:
        if set(self._awake.recv(64)) & {signal.SIGINT, signal.SIGTERM}:
            self._ended()


class Starter(QObject):
    """Opens the services on a thread and hands them to a session on the main thread."""

    _opened = Signal(object)

    def __init__(
        self, services: Services | OpenServices, window: MainWindow, *, hidden: bool = False, wish: str = ""
    ) -> None:
        # Without a parent: windows come and go with the language.
        super().__init__()
        self._hidden = hidden
        self._wish = wish
        self._guard: CrashGuard | None = None
        self._bell: Doorbell | None = None
        self._last_crash: LastCrash | None = None
        self._services = services
        self._window = window
        self.session: Session | None = None
        self._opened.connect(self._fill)
        app = QApplication.instance()
        assert isinstance(app, Application)
        self._app: Application | None = app
        app.ending.connect(self._ending)
        app.handed.connect(self._come_forward)
        if sys.platform == "darwin":
            app.applicationStateChanged.connect(self._state_changed)

    def start(self) -> None:
        """Start, once the window is painted."""
        self._window.later(self._begin)

    def quit(self) -> None:
        """End the application, even while the services are still opening."""
        if self.session is not None:
            self.session.quit()
        else:
            QApplication.quit()

    def finish(self) -> None:
        """End the session. Idempotent."""
        if self._app is not None:
            self._app.ending.disconnect(self._ending)
            self._app.handed.disconnect(self._come_forward)
            if sys.platform == "darwin":
                self._app.applicationStateChanged.disconnect(self._state_changed)
            self._app = None
        if self._guard is not None:
            self._guard.remove()
        if self._bell is not None:
            self._bell.close()
        if self._last_crash is not None:
            self._last_crash.end()
        if self.session is not None:
            self.session.close()
            self.session = None

    def _ending(self) -> None:
        self._window.save_state()
        self._window.allow_close = True

    def _state_changed(self, state: Qt.ApplicationState) -> None:
        """A click in the Dock activates the application: show a window that is in the tray."""
        if state == Qt.ApplicationState.ApplicationActive and self.session is not None and not self._window.isVisible():
            self._come_forward()

    def _begin(self) -> None:
        if self._guard is None:
            self._guard_window()
        if callable(self._services):
            threading.Thread(target=self._open, name="memdesk-open", daemon=True).start()
        else:
            self._fill(self._services)

    def _guard_window(self) -> None:
        from memdesk.gui.crash import CrashGuard

        if self._guard is not None:
            self._guard.remove()
        self._guard = CrashGuard(self._window, lambda: None if self.session is None else self.session.context)
        self._guard.install()

    def _open(self) -> None:
        assert callable(self._services)
        from memdesk.gui.ring import ring

        try:
            self._opened.emit(self._services())
        except Exception as error:  # noqa: BLE001 - shown to the user on the main thread, with a way out
            # Two starts at the same moment: the second one leaves it to the first one's window.
            folder = self._window.controls.config_folder
            second = getattr(error, "code", "") == "already_running" and ring(folder, self._wish)
            self._opened.emit(None if second else error)

    def _fill(self, outcome: Services | Exception | None) -> None:
        from memdesk.gui.doorbell import Doorbell
        from memdesk.gui.lastcrash import LastCrash
        from memdesk.gui.session import StartFault

        if outcome is None:
            self.quit()
            return
        if isinstance(outcome, Exception):
            self._window.cover(StartFault(outcome, self._again))
            return
        # From here on the profile is ours.
        folder = self._window.controls.config_folder
        self._bell = Doorbell(folder, self._come_forward, self)
        self._last_crash = LastCrash(folder)
        self._join(outcome)
        trace = self._last_crash.begin()
        if trace and self._guard is not None:
            self._guard.tell_of_last(trace)

    def _come_forward(self, wish: str = "") -> None:
        if self.session is not None:
            self.session.carry_out(wish)
        else:
            self._wish = wish or self._wish
            self._window.come_forward()

    def _join(self, services: Services) -> None:
        from memdesk.gui.session import Session

        self.session = Session(services, self._window, hidden=self._hidden)
        self.session.reworded.connect(lambda: QTimer.singleShot(0, self, self._reword))
        self.session.start()
        if self._wish:
            wish, self._wish = self._wish, ""
            self.session.carry_out(wish)

    def _reword(self) -> None:
        """Replace the window by one in the new language, with the same services."""
        session, former = self.session, self._window
        if session is None or former.faces.currentWidget() is not former.shell or former.host.unsent():
            former.notices.info(tr("The new language shows at the next start"), tr("Until then nothing is lost."))
            return
        app = QApplication.instance()
        assert isinstance(app, Application)
        there = {"page": former.host.current, **former.host.place()}
        shown, focus = former.isVisible(), focus_at(former.shell)
        former.save_state()
        session.close()
        install_language(app, session.services.settings.current.appearance.language)
        self._window = MainWindow(former.controls, former.notices)
        self._window.setVisible(shown)
        former.allow_close = True
        former.close()
        former.deleteLater()
        self._guard_window()
        self._join(session.services)
        focus_again(self._window.shell, focus)
        self._window.navigate(**there)

    def _again(self) -> None:
        self._window.faces.setCurrentWidget(self._window.shell)
        self._begin()
