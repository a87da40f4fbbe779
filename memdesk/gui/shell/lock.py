"""The lock screen: a blank page without user data, to unlock; and locking when nobody is there."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import QApplication, QWidget

from memdesk.errors import LockedError
from memdesk.gui.notices import describe, fault_words
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.forms import SecretEdit
from memdesk.gui.widgets.labels import IconLabel, Label
from memdesk.gui.widgets.layout import column, row
from memdesk.gui.widgets.switch import Segments
from memdesk.ports import Way
from memdesk.services.settings import SettingsService

#: The remaining way to unlock, by the keyring's error code.
INSTEAD = {"passphrase_required": "passphrase", "recovery_required": "recovery"}
#: Interval of the idle check, in ms.
IDLE_LOOK_MS = 15_000
_INPUT = {
    QEvent.Type.KeyPress,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.Wheel,
    QEvent.Type.TouchBegin,
}


class LockPage(QWidget):
    """Asks how to unlock. ``asked`` has ``(way, secret)``: ``keyring``, ``passphrase`` or ``recovery``."""

    asked = Signal(str, str)
    wanted_restore = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("lockPage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title = Label(self.tr("memdesk is locked"), "display", wrap=True)
        self._text = Label("", "muted", wrap=True)
        self.ways = Segments(
            [
                ("keyring", self.tr("This computer")),
                ("passphrase", self.tr("Passphrase")),
                ("recovery", self.tr("Recovery code")),
            ],
            name=self.tr("How to unlock"),
        )
        self.ways.changed.connect(self._choose)
        self.secret = SecretEdit()
        self.secret.returnPressed.connect(self._ask)
        self.fault = Label("", "danger", wrap=True)
        self.fault.hide()
        self.button = Button(self.tr("Unlock"), self._ask, variant="primary", icon_name="lock-open")
        self.restore = Button(self.tr("Restore a backup"), self.wanted_restore.emit, variant="link")
        self.restore.hide()
        for label in (self._title, self._text, self.fault):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        inner = QWidget()
        inner.setMaximumWidth(Theme.current().px(440))
        inner.setLayout(
            column(
                row(None, IconLabel("lock", "accent", 32), None),
                4,
                self._title,
                self._text,
                8,
                row(None, self.ways, None),
                self.secret,
                self.fault,
                row(None, self.button, None),
                row(None, self.restore, None),
                gap=10,
            )
        )
        self.setLayout(column(None, row(None, (inner, 1000), None, margins=(16, 0, 16, 0)), None))
        self._choose("keyring")

    def ask(self, way: str = "keyring") -> None:
        """Start over: an empty field and no error."""
        self.ways.set_value(way)
        self._choose(way)
        self.set_busy(busy=False)

    def offer(self, ways: frozenset[Way]) -> None:
        """Offer the ways to open this memory, besides the recovery code; the keyring only if it has the key."""
        for way in ("keyring", "passphrase"):
            self.ways.set_shown(way, on=way in ways)
        if self.ways.value() not in {*ways, "recovery"}:
            self.ask("passphrase" if "passphrase" in ways else "recovery")

    def set_busy(self, *, busy: bool) -> None:
        self.button.setEnabled(not busy)
        self.button.setText(self.tr("Unlocking…") if busy else self.tr("Unlock"))
        if not busy:
            # A disabled button has lost the focus.
            self.setFocus()

    def show_fault(self, error: Exception) -> None:
        """Say why unlocking failed; a keyring without the key leads to the remaining way."""
        other = INSTEAD.get(getattr(error, "code", ""))
        # What is asked for is no fault before anything was typed.
        if other and self.ways.value() in {"keyring", other} and not self.secret.text():
            self.ask(other)
            return
        self.fault.setText(fault_words(error))
        self.fault.show()
        # A wrong secret can be retyped; an unusable store needs another way out.
        unusable = not isinstance(error, LockedError)
        self.restore.setVisible(unusable)
        if unusable:
            self._title.setText(describe(error)["title"])
        self.set_busy(busy=False)
        self.secret.selectAll()

    def _choose(self, way: str) -> None:
        self._title.setText(self.tr("memdesk is locked"))
        self.secret.clear()
        self.fault.hide()
        self.secret.setVisible(way != "keyring")
        self.secret.set_hidden(hidden=way == "passphrase")
        self.secret.offer_eye(on=way == "passphrase")
        words = {
            "keyring": (self.tr("The key is in this computer's keyring."), ""),
            "passphrase": (self.tr("Enter the passphrase you chose."), self.tr("Passphrase")),
            "recovery": (self.tr("Enter the recovery code you kept at the first start."), self.tr("Recovery code")),
        }
        text, placeholder = words[way]
        self._text.setText(text)
        self.secret.setPlaceholderText(placeholder)
        self.secret.setAccessibleName(placeholder)
        self.setFocusProxy(self.secret if way != "keyring" else self.button)
        self.setFocus()

    def _ask(self) -> None:
        way = self.ways.value()
        if way != "keyring" and not self.secret.text().strip():
            self.secret.setFocus()
            return
        self.fault.hide()
        self.set_busy(busy=True)
        self.asked.emit(way, self.secret.text())


class IdleLock(QObject):
    """Calls ``lock`` after ``appearance.lock_after_minutes`` without keyboard or mouse input in any window."""

    def __init__(self, parent: QObject, window: QWidget, settings: SettingsService, lock: Callable[[], object]) -> None:
        super().__init__(parent)
        self._window, self._settings, self._lock = window, settings, lock
        self._quiet_ms = 0
        self._timer = QTimer(self, interval=IDLE_LOOK_MS)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """Watch the input of the window and whatever else gets the focus, such as dialogs."""
        self._watch(self._window.windowHandle())
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusWindowChanged.connect(self._watch)
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _INPUT:
            self._quiet_ms = 0
        return super().eventFilter(watched, event)

    def look(self) -> None:
        """Lock if idle long enough."""
        self._quiet_ms += IDLE_LOOK_MS
        minutes = self._settings.current.appearance.lock_after_minutes
        if minutes and self._quiet_ms >= minutes * 60_000:
            self._quiet_ms = 0
            self._lock()

    def _watch(self, window: QWindow | None) -> None:
        if window is not None:
            window.installEventFilter(self)
