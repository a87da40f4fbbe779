"""The application object, for what macOS asks of one: to end when told so from outside, to come back from the Dock."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QApplication


class Application(QApplication):
    """Tells that it is ``ending`` before the windows are asked.

    Cmd+Q, the Dock's menu and the end of the user's session close every window first, and one that stays open, in the tray
    for instance, refuses the whole: macOS then says that memdesk kept it from shutting down.
    """

    ending = Signal()
    #: Whether the garbage collector is told to spare it (see ``app.make_application``).
    spared = False

    def event(self, event: QEvent) -> bool:
        """See the end coming."""
        if event.type() == QEvent.Type.Quit:
            self.ending.emit()
        return super().event(event)
