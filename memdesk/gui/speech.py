"""Reading aloud through the system's speech: Speech Dispatcher on Linux, ``say`` on macOS, System.Speech on Windows.

Qt's own (QtTextToSpeech) comes in a package of 439 MB, three quarters of memdesk's total size.
"""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QProcess, Signal
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtNetwork import QLocalSocket

from memdesk.domain.language.tell import language_of
from memdesk.gui.rich import prose_html
from memdesk.gui.segments import split
from memdesk.gui.text import tr

#: A formula in text.
_OBJECT: Final = "\ufffc"
_SAY_ON_WINDOWS: Final = (
    "[Console]::InputEncoding = [Text.Encoding]::UTF8; Add-Type -AssemblyName System.Speech; "
    "$voice = New-Object System.Speech.Synthesis.SpeechSynthesizer; "
    "$voice.SelectVoiceByHints('NotSet', 'NotSet', 0, [Globalization.CultureInfo]'{language}'); "
    "$voice.Speak([Console]::In.ReadToEnd())"
)
#: Replies of Speech Dispatcher: ready for text, finished, stopped.
_GIVE_TEXT, _SAID, _STOPPED = "230", "702", "703"


def spoken(text: str) -> str:
    """Return the spoken text of a message: its prose without markup, code or formulas."""
    prose = (segment.text for segment in split(text) if segment.kind == "prose")
    plain = "\n".join(QTextDocumentFragment.fromHtml(prose_html(part)).toPlainText() for part in prose)
    return "\n".join(line.strip() for line in plain.replace(_OBJECT, "").splitlines() if line.strip())


def can_speak() -> bool:
    """Whether this machine has speech output."""
    program = {"darwin": "say", "win32": "powershell"}.get(sys.platform, "speech-dispatcher")
    return shutil.which(program) is not None or (sys.platform == "linux" and _dispatcher().exists())


class Speaker(QObject):
    """Reads one text at a time, if ``able``. ``changed``: one started or ended; ``failed``: why there is no speech."""

    changed = Signal()
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.able = can_speak()
        #: The message being read; "" for none.
        self.text = ""
        self._utterance: Utterance | None = None

    def toggle(self, text: str) -> None:
        """Read a message, or stop if it is the current one."""
        if self.text == text:
            self.stop()
        else:
            self.read(text)

    def read(self, text: str) -> None:
        """Read a message from the start, replacing the current one."""
        self.stop()
        words = spoken(text)
        if not words:
            return
        self.text = text
        kind = DispatcherUtterance if sys.platform == "linux" else ProcessUtterance
        self._utterance = kind(words, language_of(words), self._ended, self)
        self.changed.emit()

    def stop(self) -> None:
        """Stop speaking. Idempotent."""
        if self._utterance is not None:
            utterance, self._utterance = self._utterance, None
            utterance.stop()
            utterance.deleteLater()
            self.text = ""
            self.changed.emit()

    def _ended(self, fault: str) -> None:
        self.stop()
        if fault:
            self.failed.emit(fault)


class Utterance(QObject):
    """A text being spoken; unless stopped, ``ended`` is called once with an error or ""."""

    def __init__(self, ended: Callable[[str], object], parent: QObject) -> None:
        super().__init__(parent)
        self._ended: Callable[[str], object] | None = ended

    def stop(self) -> None:
        self._ended = None

    def _end(self, fault: str = "") -> None:
        ended, self._ended = self._ended, None
        if ended is not None:
            ended(fault)


class ProcessUtterance(Utterance):
    """By a program that reads standard input, which other users cannot see; killing it silences it."""

    def __init__(self, text: str, language: str, ended: Callable[[str], object], parent: QObject) -> None:
        super().__init__(ended, parent)
        self._process = QProcess(self)
        self._process.finished.connect(lambda code, _status: self._end("" if code == 0 else self._fault()))
        self._process.errorOccurred.connect(lambda _error: self._end(self._fault()))
        program, *arguments = command(language)
        self._process.start(program, arguments)
        self._process.write(text.encode())
        self._process.closeWriteChannel()

    def stop(self) -> None:
        super().stop()
        self._process.kill()
        self._process.waitForFinished(1000)

    def _fault(self) -> str:
        return tr("The system's voice cannot be used: {reason}.").format(reason=self._process.errorString())


def command(language: str) -> list[str]:
    """Return the program that reads its standard input aloud."""
    if sys.platform == "win32":
        return ["powershell", "-NoProfile", "-Command", _SAY_ON_WINDOWS.format(language=language)]
    return ["say", "-f", "-"]


def _dispatcher() -> Path:
    """Return Speech Dispatcher's socket."""
    runtime = os.environ.get("XDG_RUNTIME_DIR") or str(Path.home() / ".cache")
    return Path(runtime) / "speech-dispatcher" / "speechd.sock"


class DispatcherUtterance(Utterance):
    """By Speech Dispatcher over its socket (SSIP): a command per line, a numbered reply, later lines for the end."""

    def __init__(self, text: str, language: str, ended: Callable[[str], object], parent: QObject) -> None:
        super().__init__(ended, parent)
        self._lines = [
            "SET SELF CLIENT_NAME user:memdesk:answers",
            f"SET SELF LANGUAGE {language}",
            "SET SELF NOTIFICATION END on",
            "SET SELF NOTIFICATION CANCEL on",
            "SPEAK",
        ]
        # A line with a single dot ends the text; leading dots are doubled.
        lines = ("." + line if line.startswith(".") else line for line in text.splitlines())
        self._text = "\r\n".join(lines) + "\r\n."
        self._socket = QLocalSocket(self)
        self._socket.connected.connect(self._next)
        self._socket.readyRead.connect(self._heard)
        self._socket.errorOccurred.connect(lambda _error: self._end(self._fault()))
        self._starter = QProcess(self)
        self._starter.finished.connect(lambda _code, _status: self._connect())
        self._starter.errorOccurred.connect(lambda _error: self._connect())
        if _dispatcher().exists():
            self._connect()
        else:
            self._starter.start("speech-dispatcher", ["--spawn"])

    def stop(self) -> None:
        super().stop()
        if self._socket.state() == QLocalSocket.LocalSocketState.ConnectedState:
            self._say("CANCEL SELF\r\nQUIT")
            self._socket.flush()
            self._socket.disconnectFromServer()

    def _connect(self) -> None:
        if self._ended is not None:
            self._socket.connectToServer(str(_dispatcher()))

    def _heard(self) -> None:
        while self._ended is not None and self._socket.canReadLine():
            line = bytes(self._socket.readLine().data()).decode(errors="replace").strip()
            # "225-4" continues on another line, "225 OK MESSAGE QUEUED" is the last.
            if line[3:4] == "-":
                continue
            if line.startswith((_SAID, _STOPPED)):
                self._end()
            elif line.startswith(_GIVE_TEXT):
                self._say(self._text)
            elif line.startswith("2"):
                self._next()
            else:
                self._end(tr("Speech Dispatcher says: {reason}").format(reason=line))

    def _next(self) -> None:
        if self._lines:
            self._say(self._lines.pop(0))

    def _say(self, words: str) -> None:
        self._socket.write(f"{words}\r\n".encode())

    def _fault(self) -> str:
        return tr("The system's voice cannot be used: {reason}.").format(reason=self._socket.errorString())
