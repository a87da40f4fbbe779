"""Arrows between the versions of a message."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from memdesk.domain.chatting.versions import Versions
from memdesk.gui.widgets.buttons import IconButton
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import row


class VersionArrows(QWidget):
    """``2 / 3`` between two arrows; hidden if there is only one version. ``wanted`` has the key of another."""

    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._versions: Versions | None = None
        self._place = Label("", "small")
        self.back = IconButton("chevron-left", self.tr("Former version"), lambda: self._go(-1), side=14)
        self.on = IconButton("chevron-right", self.tr("Later version"), lambda: self._go(1), side=14)
        self.setLayout(row(self.back, self._place, self.on, gap=0))
        self.hide()

    def show_versions(self, versions: Versions | None) -> None:
        """Show the version's number and the total; None: there is only one."""
        self._versions = versions
        self.setVisible(versions is not None)
        if versions is not None:
            self._place.setText(f"{versions.number} / {versions.count}")
            self.setAccessibleName(
                self.tr("Version {number} of {count}").format(number=versions.number, count=versions.count)
            )
            self.back.setEnabled(bool(versions.neighbor(-1)))
            self.on.setEnabled(bool(versions.neighbor(1)))

    def take_focus(self) -> None:
        """Restore the focus, to an arrow that is enabled."""
        button = self.back if self.back.isEnabled() else self.on
        button.setFocus()

    def _go(self, step: int) -> None:
        if self._versions is not None:
            self.wanted.emit(self._versions.neighbor(step))
