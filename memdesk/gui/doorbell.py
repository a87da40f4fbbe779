"""How a second start finds the first one's window in any state: locked, at its first start, without a server.

The window listens on a local socket (a named pipe on Windows) that only its own user may open, named after the
profile's folder. Every ring is answered at once, so that a dead process is not taken for a window.
"""

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from memdesk.gui.ring import ANSWER, FOCUS, address


class Doorbell(QObject):
    """Listens for a profile's second start; replaces what a crashed window left behind.

    Args:
        folder: the profile's folder of settings.
        rung: called on the main thread with the wish, such as :data:`~memdesk.gui.ring.QUICK`; usually empty.
        parent: its owner.
    """

    def __init__(self, folder: Path, rung: Callable[[str], object], parent: QObject) -> None:
        super().__init__(parent)
        self._rung = rung
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._answer)
        name = address(folder)
        # Only the profile's owner gets here, so the previous holder of the name is gone.
        if not self._server.listen(name):
            QLocalServer.removeServer(name)
            self._server.listen(name)

    @property
    def listening(self) -> bool:
        """Whether it can be rung."""
        return self._server.isListening()

    def close(self) -> None:
        """Stop listening. Idempotent."""
        self._server.close()

    def _answer(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.disconnected.connect(socket.deleteLater)
            socket.readyRead.connect(lambda socket=socket: self._heard(socket))

    def _heard(self, socket: QLocalSocket) -> None:
        token, _, wish = bytes(socket.readLine().data()).decode(errors="replace").partition(" ")
        if token:
            os.environ[FOCUS] = token
        socket.write(ANSWER)
        socket.flush()
        self._rung(wish.strip())
