"""The application object, with what macOS expects: quit on request, come back from the Dock, open a file."""

import ctypes
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QEvent, QLibraryInfo, QMessageLogContext, QtMsgType, Signal, qInstallMessageHandler
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

#: How the loader reports a library that it could not use.
_LIBRARY = re.compile(r"(lib[^/:\s]+\.so[.\d]*): ")


@contextmanager
def telling_why_not(tell: Callable[[str], object]) -> Iterator[None]:
    """Report in Qt's words why there can be no window: Qt ends the process if no platform works.

    Args:
        tell: gets Qt's first complaint, and must end the process itself to have the last word.
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
    """Return the system library that is missing for Qt's X11 plugin; empty if none."""
    part = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), "platforms", "libqxcb.so")
    try:
        ctypes.CDLL(str(part))
    except OSError as error:
        found = _LIBRARY.search(str(error))
        return found[1] if found else ""
    return ""


class Application(QApplication):
    """Emits ``ending`` before the windows are asked, and ``handed`` with the URL of an opened file.

    Cmd+Q, the Dock's menu and logging out close every window first, and one that stays open, for instance in the tray,
    vetoes it: macOS then says that memdesk interrupted the shutdown.
    """

    ending = Signal()
    handed = Signal(str)
    #: Whether the garbage collector spares it (see ``app.make_application``).
    spared = False

    def event(self, event: QEvent) -> bool:
        """Handle quitting, or a file."""
        if event.type() == QEvent.Type.Quit:
            self.ending.emit()
        elif isinstance(event, QFileOpenEvent):
            self.handed.emit(event.url().toString())
            return True
        return super().event(event)
