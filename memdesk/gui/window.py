"""The main window: painted empty at once, filled once the services are ready."""

from typing import Any

from PySide6.QtCore import QByteArray, QSettings, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QStackedWidget, QWidget

from memdesk.gui.commands import Commands
from memdesk.gui.controls import AppControls
from memdesk.gui.notices import Notices
from memdesk.gui.pages import PAGES, PageContext
from memdesk.gui.shell.host import PageHost
from memdesk.gui.shell.sidebar import Sidebar
from memdesk.gui.shell.statusbar import StatusBar
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.layout import column, row
from memdesk.gui.widgets.notice import Banner, ToastStack
from memdesk.gui.widgets.tab_order import order_tabs

#: Below this width (px at 100 %) the sidebar folds automatically.
FOLD_BELOW = 900
#: Commands that macOS shows in the application's own menu.
_ROLES = {
    "app.quit": QAction.MenuRole.QuitRole,
    "help.about": QAction.MenuRole.AboutRole,
    "page.settings": QAction.MenuRole.PreferencesRole,
}


class Faces(QStackedWidget):
    """Shell, lock and first start; sized by the one shown."""

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def hasHeightForWidth(self) -> bool:
        """Take the remaining height; contents scroll by themselves."""
        return False


class MainWindow(QMainWindow):
    """Sidebar, page, status bar, and the views that cover them: lock and first start.

    ``closing`` asks whether the window may close; the application answers with ``allow_close``.
    """

    closing = Signal()

    def __init__(self, controls: AppControls, notices: Notices) -> None:
        super().__init__()
        self.setWindowTitle("memdesk")
        self.setMinimumSize(720, 480)
        self.controls = controls
        self.notices = notices
        self.commands = Commands(self)
        self.context: PageContext | None = None
        self.allow_close = False
        self._folded_by_width = False
        self._pending_page: tuple[str, dict[str, Any]] = ("chat", {})
        self.sidebar = Sidebar(PAGES, self._open_menu)
        self.sidebar.chosen.connect(self.navigate)
        self.host = PageHost()
        self.host.moved.connect(self._moved)
        self.banner = Banner()
        self.status = StatusBar()
        self.shell = QWidget()
        self.shell.setObjectName("shell")
        middle = row(self.sidebar, (column(self.banner, (self.host, 1), gap=0), 1), gap=0)
        frame = column((middle, 1), self.status, gap=0)
        self.shell.setLayout(frame)
        self.faces = Faces()
        self.faces.addWidget(self.shell)
        self.setCentralWidget(self.faces)
        self.toasts = ToastStack(self.faces, notices)
        self.host.entered.connect(self.toasts.place)
        self.host.moved.connect(self.toasts.moved)
        self.sidebar.select("chat")
        # Larger text has the effect of a narrower window.
        Theme.current().changed.connect(self._fit_sidebar)
        self._state = QSettings(str(controls.config_folder / "window.ini"), QSettings.Format.IniFormat)
        self._restore()

    # -- life --------------------------------------------------------------------------

    def attach(self, context: PageContext) -> None:
        self.context = context
        self.host.attach(context)
        self.status.attach(context)

    def detach(self) -> None:
        """Release pages and services (quit)."""
        self.host.drop()
        self.status.detach()
        self.context = None

    def open_shell(self) -> None:
        """Show the pages, at the requested one."""
        self.faces.setCurrentWidget(self.shell)
        self.commands.set_active(True)
        page, arguments = self._pending_page
        self._pending_page = ("chat", {})
        self.navigate(page, **arguments)

    def cover(self, face: QWidget) -> None:
        """Cover the shell with a view and focus its start; shortcuts are off meanwhile."""
        if self.faces.indexOf(face) < 0:
            self.faces.addWidget(face)
        self.faces.setCurrentWidget(face)
        face.setFocus()
        self.commands.set_active(False)

    def navigate(self, page: str, **arguments: Any) -> None:
        """Show a page; while locked or starting, remember it for later."""
        if self.context is None or self.faces.currentWidget() is not self.shell:
            self._pending_page = (page, arguments)
            return
        self.host.show_page(page, arguments)

    def come_forward(self) -> None:
        """Show, un-minimize and raise the window."""
        self.setWindowState((self.windowState() & ~Qt.WindowState.WindowMinimized) | Qt.WindowState.WindowActive)
        self.show()
        self.raise_()
        self.activateWindow()

    def save_state(self) -> None:
        """Store geometry and folding for the next start."""
        self._state.setValue("geometry", self.saveGeometry())
        self._state.setValue("folded", int(self.sidebar.folded and not self._folded_by_width))
        self._state.setValue("page", self.host.current or "chat")
        self._state.sync()

    # -- Qt ----------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask the application: quit, or stay in the tray."""
        self.save_state()
        if self.allow_close:
            event.accept()
            return
        event.ignore()
        # Not within this event: a closing window cannot be closed again.
        self.later(self.closing.emit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold the sidebar if narrow, and unfold it."""
        super().resizeEvent(event)
        self._fit_sidebar()

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002 - Qt's own name
        order_tabs(self.faces)
        return super().focusNextPrevChild(next)

    # -- parts -------------------------------------------------------------------------

    def menus(self) -> list[tuple[str, str]]:
        """Return ``(group, title)`` of the menus in order."""
        return [
            ("file", self.tr("File")),
            ("chat", self.tr("Chat")),
            ("memory", self.tr("Memory")),
            ("view", self.tr("View")),
            ("help", self.tr("Help")),
        ]

    def _fit_sidebar(self) -> None:
        narrow = self.width() < Theme.current().px(FOLD_BELOW)
        if narrow and not self.sidebar.folded:
            self._folded_by_width = True
            self.sidebar.set_folded(True)
        elif not narrow and self._folded_by_width:
            self._folded_by_width = False
            self.sidebar.set_folded(False)

    def _open_menu(self, anchor: QWidget) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for group, title in self.menus():
            actions = self.commands.group(group)
            if actions:
                menu.addMenu(title).addActions(actions)
        menu.popup(anchor.mapToGlobal(anchor.rect().bottomLeft()))

    def _moved(self, page_id: str) -> None:
        self.sidebar.select(page_id)
        title = next(spec.label for spec in PAGES if spec.id == page_id)
        self.setWindowTitle(f"{title} · memdesk")

    def _restore(self) -> None:
        geometry = self._state.value("geometry")
        if not (isinstance(geometry, QByteArray) and self.restoreGeometry(geometry)):
            self.resize(1240, 800)
        if str(self._state.value("folded", "0")) == "1":
            self.sidebar.set_folded(True)

    def build_menu_bar(self) -> None:
        """Fill the system's menu bar (macOS); elsewhere the menu button has the same menus."""
        bar = self.menuBar()
        bar.clear()
        for command in self.commands.all():
            # Otherwise macOS guesses by title, and moves settings into its own menu.
            self.commands.action(command.id).setMenuRole(_ROLES.get(command.id, QAction.MenuRole.NoRole))
        for group, title in self.menus():
            actions = self.commands.group(group)
            if actions:
                bar.addMenu(title).addActions(actions)

    def later(self, call: Any) -> None:
        """Run ``call`` after pending events."""
        QTimer.singleShot(0, call)
