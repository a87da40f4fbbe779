"""The window's lifecycle with its services: first start, lock, pages, tray, settings that take effect at once."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, QUrl, Signal
from PySide6.QtWidgets import QApplication, QWidget

from memdesk.gui.bridge import Bridge
from memdesk.gui.commands import Command
from memdesk.gui.notices import describe
from memdesk.gui.pages import PAGES, PageContext, load_all
from memdesk.gui.ring import FOCUS, QUICK
from memdesk.gui.shell.lock import IdleLock, LockPage
from memdesk.gui.shell.restore import RestorePage
from memdesk.gui.theme import Theme
from memdesk.gui.tray import Tray, app_icon
from memdesk.gui.views.firststart import progress
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.states import EmptyState
from memdesk.services.events import LockChanged, SettingsChanged

if TYPE_CHECKING:
    from memdesk.gui.shell.quick import QuickEntry
    from memdesk.gui.window import MainWindow
    from memdesk.ports import Way
    from memdesk.services.container import Services

log = logging.getLogger(__name__)
#: When other pages are imported, in ms after the first one is shown.
LOAD_AFTER_MS = 1500


class StartFault(EmptyState):
    """What to show if services or vault could not be opened: the text, a retry, possibly another action."""

    def __init__(self, error: Exception, again: Callable[[], object], other: QWidget | None = None) -> None:
        words = describe(error)
        text = "\n\n".join(part for part in (words["message"], words["hint"]) if part)
        super().__init__("circle-alert", words["title"], text, action=self.tr("Try again"), handler=again, other=other)


class Session(QObject):
    """Joins window and services. Main thread only.

    ``reworded``: another language was chosen, so the window must be recreated.
    """

    reworded = Signal()

    def __init__(self, services: Services, window: MainWindow, *, hidden: bool = False) -> None:
        super().__init__(window)
        self._hidden = hidden
        self.tray: Tray | None = None
        self.services = services
        self.window = window
        self.bridge = Bridge(services, window.notices, self)
        self.context = PageContext(
            services=services,
            bridge=self.bridge,
            theme=Theme.current(),
            commands=window.commands,
            notices=window.notices,
            controls=window.controls,
            navigate=window.navigate,
        )
        self.lock_page = LockPage()
        self.lock_page.asked.connect(self._unlock)
        self.lock_page.wanted_restore.connect(self.show_restore)
        self._idle = IdleLock(self, window, services.settings, self.lock)
        self._small: QuickEntry | None = None
        #: Whether a request for quick entry waits for the memory to open.
        self._quick_waits = False
        #: A requested backup, until the state of the memory is known.
        self._backup = ""
        self._closed = False

    def start(self) -> None:
        """Fill the window: first start, lock screen or pages."""
        self._add_commands()
        self.bridge.on(LockChanged, self._lock_changed, owner=self)
        self.bridge.on(SettingsChanged, self._settings_changed, owner=self)
        self.window.closing.connect(self._closing)
        self.window.controls.on_raise(lambda: self.bridge.post(self.window.come_forward))
        self._apply_look()
        self.window.setWindowIcon(app_icon())
        self._start_tray()
        self._look()
        if self.services.settings.current.appearance.quick_shortcut:
            self._bind_shortcut(tell=False)
        self._idle.start()

    def close(self) -> None:
        """Release everything. Idempotent."""
        if self._closed:
            return
        self._closed = True
        self._idle.stop()
        if self.tray is not None:
            self.tray.stop()
        self.window.detach()
        if self._small is not None:
            self._small.deleteLater()
        # Unless the memory was locked once, no window owns it.
        self.lock_page.deleteLater()
        self.bridge.close()

    # -- faces -------------------------------------------------------------------------

    def _look(self) -> None:
        """Query the memory's state and show the matching view."""
        self.bridge.run(self, self.services.vault.state, self._enter, self._no_memory)

    def carry_out(self, wish: str) -> None:
        """Show quick entry, a backup, or just the window; see :func:`memdesk.gui.ring.ring`."""
        if wish == QUICK:
            self.quick()
            return
        self.window.come_forward()
        self._backup = QUrl(wish).toLocalFile() or self._backup
        if self.window.faces.currentWidget() is not self.window.shell or self.window.context is not None:
            self._show_backup()

    def _show_backup(self) -> None:
        if self._backup:
            self.show_restore(self._backup)
            self._backup = ""

    def quick(self) -> None:
        """Show quick entry; if the memory is not open, first unlock it."""
        open_ = self.window.faces.currentWidget() is self.window.shell
        self._quick_waits = not open_ or self.window.context is None
        if not open_:
            self.window.come_forward()
        if self._quick_waits:
            return
        if self._small is None:
            from memdesk.gui.shell.quick import QuickEntry

            self._small = QuickEntry(self.context)
            self._small.asked.connect(self._ask)
        self._small.come()

    def _ask(self, agent_id: str, text: str) -> None:
        self.window.come_forward()
        self.window.navigate("chat", agent_id=agent_id, text=text, send=True)

    def _no_memory(self, error: Exception) -> None:
        """The vault cannot be read: say so, with a backup as the way out."""
        restore = Button(self.tr("Restore a backup"), self.show_restore, icon_name="archive-restore")
        face = StartFault(error, lambda: self._leave(face, self._look), restore)
        self.window.cover(face)
        self._show_backup()

    def _leave(self, face: QWidget, then: Callable[[], object]) -> None:
        """Replace a view."""
        then()
        self.window.faces.removeWidget(face)
        face.deleteLater()

    def _enter(self, state: str) -> None:
        if state == "new":
            self.show_first_start()
            if self._quick_waits:
                self.window.come_forward()
        elif state == "locked":
            self.window.cover(self.lock_page)
            self._offer_ways()
            self._unlock("keyring", "")
        else:
            self._open()

    def _open(self) -> None:
        """Show the pages, or resume an unfinished first start."""
        if progress.unfinished(self.context):
            self.show_first_start()
            return
        self._open_pages()
        vault = self.services.vault
        self.bridge.run(self, lambda: None if vault.recovery_confirmed() else vault.ways(), self._remind)

    def _remind(self, ways: frozenset[Way] | None) -> None:
        """Return a reminder of an unconfirmed recovery code; None if confirmed."""
        banner = self.window.banner
        if ways is None:
            banner.hide()
            return
        if ways == {"passphrase"}:
            lost = self.tr("If you forget the passphrase, nothing else opens your memory.")
        elif "passphrase" in ways:
            lost = self.tr("If keyring and passphrase are lost, nothing else opens your memory.")
        else:
            lost = self.tr("If the keyring is lost, nothing else opens your memory.")
        banner.say(
            "warning",
            self.tr("Your recovery code is not confirmed yet."),
            Button(self.tr("Confirm it"), lambda: self.window.navigate("settings", query=self.tr("recovery"))),
            Button(self.tr("Later"), banner.hide, variant="ghost"),
            more=lost,
        )

    def show_first_start(self) -> None:
        from memdesk.gui.views.firststart.wizard import FirstStart

        wizard = FirstStart(self.context)
        wizard.finished.connect(lambda: self._leave(wizard, self._open))
        self.window.cover(wizard)
        self._show_backup()

    def show_restore(self, path: str = "") -> None:
        """Let the user restore a backup, whatever is shown now."""
        before = self.window.faces.currentWidget()
        if isinstance(before, RestorePage):
            if path and not before.working:
                before.path.setText(path)
            return
        page = RestorePage(self.context)
        page.path.setText(path)
        page.restored.connect(lambda: self._leave(page, self._restored))
        page.left.connect(lambda: self._back_to(before, page))
        self.window.cover(page)

    def _restored(self) -> None:
        """The memory was replaced: drop every page and first-start step that knows the old one."""
        progress.finish(self.context)
        self.window.host.drop()
        self.window.navigate("chat")
        self._drop_first_start()
        self._open()

    def _drop_first_start(self) -> None:
        from memdesk.gui.views.firststart.wizard import FirstStart

        for wizard in self.window.faces.findChildren(FirstStart):
            self._leave(wizard, lambda: None)

    def _back_to(self, face: QWidget | None, page: RestorePage) -> None:
        """Return to the view before a cancelled restore; a failed one leaves the memory locked."""

        def known(state: str) -> None:
            self._leave(page, self._show_lock if state == "locked" else lambda: self._return(face))

        def unknown(error: Exception) -> None:
            self._leave(page, lambda: self._no_memory(error))

        self.bridge.run(self, self.services.vault.state, known, unknown)

    def _return(self, face: QWidget | None) -> None:
        if face is self.lock_page:
            self._open()
        elif face is None or face is self.window.shell:
            self.window.navigate(self.window.host.current or "chat")
            self.window.open_shell()
        else:
            self.window.cover(face)

    def _open_pages(self) -> None:
        if self.window.context is None:
            self.window.attach(self.context)
        self.window.open_shell()
        if self._quick_waits:
            self.quick()
        self._show_backup()
        QTimer.singleShot(LOAD_AFTER_MS, self, self._load_pages)

    def _load_pages(self) -> None:
        if not self._closed:
            self.bridge.run(self, load_all, lane="background")

    # -- lock --------------------------------------------------------------------------

    def lock(self) -> None:
        """Lock now: the page goes blank at once, then keys and engines go."""
        self._show_lock()
        self.bridge.run(self, self.services.vault.lock)

    def _show_lock(self) -> None:
        shown = self.window.faces.currentWidget()
        if shown is self.lock_page or (isinstance(shown, RestorePage) and shown.working):
            return
        for above in QApplication.topLevelWidgets():
            # A dialog, the palette or a menu may reveal as much as a page, even a key.
            if above is not self.window and above.isVisible():
                above.close()
        # It shows the recovery code; completed steps are stored.
        self._drop_first_start()
        page, place = self.window.host.current, self.window.host.place()
        self.window.host.drop()
        self.window.toasts.clear()
        self.window.notices.forget()
        self.window.setWindowTitle("memdesk")
        self.lock_page.ask()
        self._offer_ways()
        self.window.cover(self.lock_page)
        if page:
            # The place to return to after unlocking: page and chat by id, but no text of the user's.
            self.window.navigate(page, **{name: value for name, value in place.items() if name != "query"})

    def _offer_ways(self) -> None:
        """Show the ways to open this memory on the lock screen; all of them if unknown."""
        self.bridge.run(self, self.services.vault.ways, self.lock_page.offer, log.warning)

    def _lock_changed(self, event: LockChanged) -> None:
        if event.locked:
            self._show_lock()
        elif self.window.faces.currentWidget() is self.lock_page:
            self._open()

    def _unlock(self, way: str, secret: str) -> None:
        vault = self.services.vault
        self.lock_page.set_busy(busy=True)

        def work() -> None:
            if way == "recovery":
                vault.unlock(recovery_code=secret)
            elif way == "passphrase":
                vault.unlock(passphrase=secret)
            else:
                vault.unlock()

        def opened(_none: None) -> None:
            # It would stay in the hidden page as long as the memory is open.
            self.lock_page.secret.clear()
            if self.window.faces.currentWidget() is self.lock_page:
                self._open()

        def failed(error: Exception) -> None:
            self.lock_page.show_fault(error)
            if self._quick_waits:
                self.window.come_forward()
            self._show_backup()

        self.bridge.run(self, work, opened, failed)

    # -- settings ----------------------------------------------------------------------

    def _settings_changed(self, event: SettingsChanged) -> None:
        if any(name.startswith("appearance.") for name in event.names):
            self._apply_look()
        if "appearance.language" in event.names:
            self.reworded.emit()
        if "appearance.quick_shortcut" in event.names:
            self._bind_shortcut()
        if "appearance.start_at_login" in event.names:
            on = self.services.settings.current.appearance.start_at_login
            self.bridge.run(self, lambda: self.window.controls.set_start_at_login(on))

    def _bind_shortcut(self, *, tell: bool = True) -> None:
        """Ask the system for the keys of quick entry; at start its answer is only logged."""
        keys = self.services.settings.current.appearance.quick_shortcut
        controls, bridge = self.window.controls, self.bridge

        def pressed(token: str) -> None:
            if token:
                os.environ[FOCUS] = token
            bridge.post(self.quick)

        def bound(given: str) -> None:
            if tell and keys:
                words = self.tr("Press {keys} in any program.").format(keys=given or keys)
                self.window.notices.success(self.tr("The quick entry shortcut is set"), words)

        def failed(error: Exception) -> None:
            log.warning("no shortcut: %s", error)
            if tell:
                self.window.notices.error(error)

        bridge.run(self, lambda: controls.bind_shortcut(keys, pressed), bound, failed, latest="keys")

    def _apply_look(self) -> None:
        look = self.services.settings.current.appearance
        theme = Theme.current()
        grown = theme.scale != look.font_scale
        theme.set_choice(look.theme, look.font_scale)
        if grown and self.window.host.current:
            self.window.host.remake()
        if grown and self._small is not None:
            # Its lengths are fixed when it is made.
            self._small.close()
            self._small.deleteLater()
            self._small = None

    # -- end ---------------------------------------------------------------------------

    def _start_tray(self) -> None:
        if Tray.available():
            self.tray = Tray(
                self.context,
                show=self.window.come_forward,
                quick=self.quick,
                lock=self.lock,
                leave=self.quit,
                parent=self,
            )
            self.tray.start()
        elif self._hidden:
            self.window.showMinimized()

    def _closing(self) -> None:
        # The desktop's panel, and the icon, may be gone since the start: a window without a tray could not be found
        # again.
        stays = self.tray is not None and Tray.available()
        if stays and self.services.settings.current.appearance.close_to_tray:
            self.window.hide()
        else:
            self.quit()

    def quit(self) -> None:
        if self._small is not None:
            self._small.close()
        self.window.save_state()
        self.window.allow_close = True
        self.window.close()
        QApplication.quit()

    # -- commands ----------------------------------------------------------------------

    def _add_commands(self) -> None:
        from memdesk.gui.actions import window_commands

        own = window_commands(
            self.context, self.window, quick=self.quick, lock=self.lock, restore=self.show_restore, leave=self.quit
        )
        pages = (command for spec in PAGES for command in spec.commands(self.context, self.window))
        for command in (*pages, *own):
            self.window.commands.add(command)
        for number, spec in enumerate(PAGES, start=1):
            self.window.commands.add(
                Command(
                    f"page.{spec.id}",
                    self.tr("Show {page}").format(page=spec.label),
                    spec.icon,
                    partial(self.window.navigate, spec.id),
                    shortcut=f"Ctrl+{number}",
                    group="view",
                )
            )
        if sys.platform == "darwin":
            self.window.build_menu_bar()
