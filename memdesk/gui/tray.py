"""The tray: pending state, pause, show, quit. Absent if the desktop has none."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QIcon, QPainter
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from memdesk.gui.icons import mark
from memdesk.gui.pages import PageContext
from memdesk.gui.theme import Theme
from memdesk.services.events import (
    DistillationFinished,
    DistillationStarted,
    LockChanged,
    PendingChanged,
    TurnsRecorded,
)


def app_icon(side: int = 64, *, badge: str = "") -> QIcon:
    """Return the app's icon: its mark, with a colored dot for pending work."""
    image = mark(side)
    if badge:
        point = int(side * 0.34)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(Theme.current().color(badge))
        painter.drawEllipse(side - point, 0, point, point)
        painter.end()
    return QIcon(image)


class Tray(QObject):
    """The icon and its menu."""

    def __init__(
        self,
        context: PageContext,
        *,
        show: Callable[[], object],
        quick: Callable[[], object],
        lock: Callable[[], object],
        leave: Callable[[], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._show_window = show
        self._icon = QSystemTrayIcon(app_icon(), self)
        self._menu = QMenu()
        self._state = self._menu.addAction("")
        self._state.setEnabled(False)
        self._menu.addSeparator()
        self._menu.addAction(self.tr("Show memdesk"), show)
        self._menu.addAction(self.tr("Quick entry"), quick)
        self._pause = self._menu.addAction(self.tr("Pause background work"))
        self._pause.setCheckable(True)
        self._pause.triggered.connect(self._set_paused)
        self._menu.addAction(self.tr("Lock now"), lock)
        self._menu.addSeparator()
        self._menu.addAction(self.tr("Quit"), leave)
        self._icon.setContextMenu(self._menu)
        self._icon.activated.connect(self._activated)
        self._show("", 0, paused=False)
        for kind in (PendingChanged, TurnsRecorded, DistillationStarted, DistillationFinished, LockChanged):
            context.bridge.on(kind, lambda _event: self.refresh(), owner=self, settle_ms=500)

    @staticmethod
    def available() -> bool:
        """Whether the desktop has a tray."""
        return QSystemTrayIcon.isSystemTrayAvailable()

    def start(self) -> None:
        self._icon.show()
        self.refresh()

    def stop(self) -> None:
        self._icon.hide()

    def refresh(self) -> None:
        services, controls = self._context.services, self._context.controls
        distillation, vault = services.distillation, services.vault

        def read() -> tuple[str, dict[str, Any], bool]:
            state = vault.state()
            return state, distillation.status() if state == "open" else {}, controls.paused()

        self._context.bridge.run(self, read, self._fill, lambda _error: None, latest="tray")

    def _fill(self, found: tuple[str, dict[str, Any], bool]) -> None:
        state, status, paused = found
        if state != "open":
            self._show("locked", 0, paused=paused)
            return
        pending = status.get("pending") or 0
        self._show("", pending if isinstance(pending, int) else len(pending), paused=paused)

    def _show(self, state: str, pending: int, *, paused: bool) -> None:
        if state == "locked":
            words, badge = self.tr("Locked"), ""
        elif paused:
            words, badge = self.tr("Paused"), "warning"
        elif pending:
            words, badge = self.tr("%n messages wait to be distilled", "", pending), "success"
        else:
            words, badge = self.tr("Everything is distilled"), ""
        self._state.setText(words)
        self._pause.setChecked(paused)
        self._icon.setIcon(app_icon(badge=badge))
        self._icon.setToolTip(f"memdesk: {words}")

    def _set_paused(self, on: bool) -> None:
        from memdesk.gui.operations.work import pause_work

        pause_work(self._context, self, on=on).then(self.refresh).start()

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason == QSystemTrayIcon.ActivationReason.Trigger:
            self._show_window()
