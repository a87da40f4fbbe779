"""Restoring a backup: choose the file, open it, see its contents, and replace the memory.

A separate view, because it is also needed when the memory cannot be opened and no page can be shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLayout, QLineEdit, QProgressBar, QWidget

from memdesk.gui.notices import fault_words
from memdesk.gui.operations.settings import check_backup
from memdesk.gui.text import tr
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.files import ask_file
from memdesk.gui.widgets.forms import Combo, Field
from memdesk.gui.widgets.labels import Brand, Label
from memdesk.gui.widgets.layout import StepColumn, boxed, card, clear, column, framed, row
from memdesk.gui.widgets.switch import Segments
from memdesk.gui.words import moment, number, size

if TYPE_CHECKING:
    from memdesk.gui.pages import PageContext
    from memdesk.services.guarding import BackupReport, RestoreReport, Snapshot


class RestorePage(QWidget):
    """``restored``: the backup is open now; ``left``: the user went back. The caller deletes it."""

    restored = Signal()
    left = Signal()

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.setObjectName("shell")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._context = context
        #: Whether a backup is being read or restored.
        self.working = False
        # Paths of the snapshots, and whether the present key opens them, so that no secret is needed.
        self._snapshots: frozenset[str] = frozenset()
        self._is_open = False
        self.snapshots = Combo(self.tr("Snapshot"), [("", self.tr("Another file"))])
        self.snapshots.chosen.connect(self._choose)
        self.path = QLineEdit(placeholderText=self.tr("No file chosen"))
        self.path.setAccessibleName(self.tr("Backup file"))
        self.path.textChanged.connect(self._changed)
        self.ways = Segments(
            [("recovery_code", self.tr("Recovery code")), ("passphrase", self.tr("Passphrase"))],
            name=self.tr("What opens the backup"),
        )
        self.ways.changed.connect(self._choose_way)
        self.secret = QLineEdit()
        self.secret.textChanged.connect(self._changed)
        self.secret.returnPressed.connect(self.look)
        self.open = Button(self.tr("Open the backup"), self.look, icon_name="eye")
        self.holds = column(gap=4)
        self._card = card(Label(self.tr("What it holds"), "strong"), self.holds)
        self.fault = Label("", "danger", wrap=True)
        self.bar = QProgressBar(minimum=0, maximum=0, textVisible=False)
        self.doing = Label("", "muted", wrap=True)
        self.back = Button(self.tr("Back"), self.left.emit, variant="ghost")
        self.go = Button(self.tr("Restore"), self.restore, variant="primary")
        area = StepColumn(gap=16)
        area.body.addWidget(Label(self.tr("Restore a backup"), "display", wrap=True))
        area.body.addWidget(
            Label(
                self.tr(
                    "The backup takes the place of the memory on this computer. What is here now is moved aside into "
                    "a folder of the profile, not deleted. Settings stay as they are."
                ),
                "muted",
                wrap=True,
            )
        )
        words = self.tr("One is made each day; those of the last days, weeks and months are kept.")
        self._daily = Field(self.tr("Snapshot"), self.snapshots, words)
        self._daily.hide()
        area.body.addWidget(self._daily)
        browse = Button(self.tr("Choose…"), self._browse, icon_name="folder-open")
        area.body.addWidget(Field(self.tr("Backup file"), _host(row(self.path, browse), self.path)))
        opener = _host(column(row(self.ways, None), self.secret), self.secret)
        words = self.tr("The one you had when the backup was made.")
        self._opener = Field(self.tr("What opens it"), opener, words)
        area.body.addWidget(self._opener)
        area.body.addLayout(row(self.open, None))
        for part in (self._card, self.bar, self.doing, self.fault):
            part.hide()
            area.body.addWidget(part)
        area.body.addStretch(1)
        self.setLayout(framed(row(Brand(), None), area, row(self.back, None, self.go)))
        self._choose_way("recovery_code")
        context.bridge.run(self, self._read, self._offer)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go back on Escape, unless a restore is in progress."""
        if event.key() == Qt.Key.Key_Escape and not self.working:
            self.left.emit()
            return
        super().keyPressEvent(event)

    def look(self) -> None:
        """Open the backup and show its contents; nothing is changed."""
        if not self.open.isEnabled():
            return
        self._busy(self.tr("Opening the backup…"))
        op = check_backup(self._context, self, path=self._file(), secret=self._secret())
        op.success(self._show).failure(self._failed).start()

    def restore(self) -> None:
        self._busy(self.tr("Restoring… The memory is closed meanwhile."))
        op = self._context.bridge.call(
            self, self._context.services.backup.restore, self._file(), **self._secret()
        ).behind()
        op.success(self._restored).failure(self._failed).start()

    # -- showing -------------------------------------------------------------------------

    def _read(self) -> tuple[list[Snapshot], bool]:
        services = self._context.services
        return services.snapshots.all(), services.vault.is_open()

    def _offer(self, found: tuple[list[Snapshot], bool]) -> None:
        snapshots, self._is_open = found
        local = self._context.services.clock.local
        named = [(str(one.path), f"{moment(local(one.made_at))} · {size(one.bytes)}") for one in snapshots]
        self._snapshots = frozenset(path for path, _label in named)
        self.snapshots.set_options([("", self.tr("Another file")), *named])
        self._daily.setVisible(bool(named))

    def _choose(self, path: str) -> None:
        self.path.setText(path)
        if self._asks_nothing():
            self.look()

    def _show(self, found: tuple[BackupReport, dict[str, int]]) -> None:
        report, present = found
        self._rest()
        clear(self.holds)
        made = self._context.services.clock.local(report.created_at)
        names = {
            "agents": self.tr("Agents"),
            "conversations": self.tr("Conversations"),
            "turns": self.tr("Messages"),
            "episodes": self.tr("Episodes"),
            "facts": self.tr("Facts"),
        }
        lines = [
            (self.tr("Written"), moment(made)),
            (self.tr("By memdesk"), report.version),
            (self.tr("Size"), size(report.bytes)),
            *((names.get(name, name), self._beside(count, present.get(name))) for name, count in report.counts.items()),
        ]
        for name, value in lines:
            self.holds.addLayout(row(Label(name, "muted"), None, Label(value, "strong")))
        self._card.show()
        self.go.setEnabled(True)
        self.go.setFocus()

    def _beside(self, count: int, present: int | None) -> str:
        """Say how much it has and, if different, how much the memory has now."""
        if present is None or present == count:
            return number(count)
        return self.tr("{count} (now {present})").format(count=number(count), present=number(present))

    def _restored(self, report: RestoreReport) -> None:
        aside = tr("What was here before is in {folder}.").format(folder=report.replaced) if report.replaced else ""
        self._context.notices.success(tr("The backup was restored"), aside)
        self.restored.emit()

    def _failed(self, error: Exception) -> None:
        if self._asks_nothing():
            # It may be from before a change of keys: its old secrets still open it.
            self._is_open = False
            self._opener.show()
        self._rest()
        self.fault.setText(fault_words(error))
        self.fault.show()

    # -- state ---------------------------------------------------------------------------

    def _busy(self, words: str) -> None:
        self.working = True
        self.fault.hide()
        self.doing.setText(words)
        for part in (self.bar, self.doing):
            part.show()
        for control in (self.snapshots, self.path, self.secret, self.ways, self.open, self.go, self.back):
            control.setEnabled(False)

    def _rest(self) -> None:
        self.working = False
        for part in (self.bar, self.doing):
            part.hide()
        for control in (self.snapshots, self.path, self.secret, self.ways, self.back):
            control.setEnabled(True)
        self.open.setEnabled(bool(self._file() and (self._asks_nothing() or self.secret.text().strip())))
        self.go.setEnabled(False)

    def _changed(self) -> None:
        """Another file or secret: what is shown no longer matches."""
        self._card.hide()
        self.fault.hide()
        self.snapshots.set_key(self._file())
        self._opener.setVisible(not self._asks_nothing())
        self._rest()

    def _choose_way(self, way: str) -> None:
        hidden = way == "passphrase"
        self.secret.setEchoMode(QLineEdit.EchoMode.Password if hidden else QLineEdit.EchoMode.Normal)
        name = self.tr("Passphrase") if hidden else self.tr("Recovery code")
        self.secret.setPlaceholderText(name)
        self.secret.setAccessibleName(name)
        self.secret.clear()
        self._changed()

    def _file(self) -> str:
        return self.path.text().strip()

    def _asks_nothing(self) -> bool:
        return self._is_open and self._file() in self._snapshots

    def _secret(self) -> dict[str, str]:
        if self._asks_nothing():
            return {}
        return {self.ways.value(): self.secret.text().strip()}

    def _browse(self) -> None:
        filters = (self.tr("Backups of memdesk") + " (*.memdesk-backup)", self.tr("All files") + " (*)")
        ask_file(self.window(), self.tr("Restore from"), self.path.setText, *filters)


def _host(layout: QLayout, first: QWidget) -> QWidget:
    """Return a container of several controls that passes the focus to ``first``."""
    host = boxed(layout)
    host.setFocusProxy(first)
    return host
