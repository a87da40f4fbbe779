"""A fake Speech Dispatcher: a socket that accepts SSIP, and finishes speaking when told to."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket


class PlayedDispatcher(QObject):
    """``commands`` has each line asked, ``texts`` what was to be spoken; ``end`` tells that the last one was."""

    def __init__(self, folder, parent=None):
        super().__init__(parent)
        (folder / "speech-dispatcher").mkdir()
        self.commands, self.texts, self.refuses = [], [], ""
        self._server = QLocalServer(self)
        assert self._server.listen(str(folder / "speech-dispatcher" / "speechd.sock"))
        self._server.newConnection.connect(self._answer)
        self._line = QLocalSocket(self)
        self._taking = None

    def _answer(self):
        self._line = self._server.nextPendingConnection()
        self._taking = None
        self._line.readyRead.connect(self._heard)

    def _heard(self):
        while self._line.canReadLine():
            line = bytes(self._line.readLine().data()).decode().rstrip("\r\n")
            if self._taking is None:
                self.commands.append(line)
                if self.refuses and line.startswith(self.refuses):
                    self._say("300 ERR NO SUCH THING")
                elif line == "SPEAK":
                    self._taking = []
                    self._say("230 OK RECEIVING DATA")
                else:
                    self._say("200 OK")
            elif line == ".":
                self.texts.append([said.removeprefix(".") for said in self._taking])
                self._taking = None
                self._say("225-7")
                self._say("225 OK MESSAGE QUEUED")
            else:
                self._taking.append(line)

    def end(self):
        """The text was spoken to its end."""
        for line in ("702-7", "702-1", "702 END"):
            self._say(line)

    def _say(self, words):
        self._line.write(f"{words}\r\n".encode())
        self._line.flush()

    def close(self):
        self._server.close()
