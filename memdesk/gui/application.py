"""The application object, for what macOS asks of one: to end when told so, to come back from the Dock, to take a file."""

import ctypes
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QEvent, QLibraryInfo, QMessageLogContext, QtMsgType, Signal, qInstallMessageHandler
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

#: How the loader names the library that it could not use.
_LIBRARY = re.compile(r"(lib[^/:\s]+\.so[.\d]*): ")


@contextmanager
def telling_why_not(tell: Callable[[str], object]) -> Iterator[None]:
    """Tell in Qt's words why there can be no window: Qt ends the process where nothing it has can show one.

    Args:
        tell: is given the first thing Qt complained of, and has to end the process itself to be the last that speaks.
    """
    complaints: list[str] = []

    def hear(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
        complaints.append(text)
        if kind == QtMsgType.QtFatalMsg:
            tell(complaints[0])

    former = qInstallMessageHandler(hear)
    try:
        yield
    finally:
        qInstallMessageHandler(former)


def missing_library() -> str:
    """Return the name of the system library that Qt's X11 part cannot be loaded for; empty where it can."""
    part = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), "platforms", "libqxcb.so")
    try:
        ctypes.CDLL(str(part))
    except OSError as error:
        found = _LIBRARY.search(str(error))
        return found[1] if found else ""
    return ""


class Application(QApplication):
    """Tells that it is ``ending`` before the windows are asked, and the address of a file that was ``handed`` to it.

    Cmd+Q, the Dock's menu and the end of the user's session close every window first, and one that stays open, in the tray
    for instance, refuses the whole: macOS then says that memdesk kept it from shutting down.
    """

    ending = Signal()
    handed = Signal(str)
    #: Whether the garbage collector is told to spare it (see ``app.make_application``).
    spared = False

    def event(self, event: QEvent) -> bool:
        """See the end coming, or a file."""
        if event.type() == QEvent.Type.Quit:
            self.ending.emit()
        elif isinstance(event, QFileOpenEvent):
            self.handed.emit(event.url().toString())
            return True
        return super().event(event)
