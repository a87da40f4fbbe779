"""Voice input: a button that records, and a line that says so and which server transcribes."""

from typing import Literal

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from memdesk.gui.notices import fault_words
from memdesk.gui.pages import PageContext
from memdesk.gui.widgets.announcing import announce
from memdesk.gui.widgets.buttons import IconButton, set_property
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column
from memdesk.ports import Listener
from memdesk.services.events import SettingsChanged

#: A recording stops after this long, in ms, which is also the most that is kept of one.
LONGEST_MS = 9 * 60_000


class Dictation(QWidget):
    """The status line; hidden if empty. ``button`` is placed elsewhere; ``written`` has the text.

    Press once to record, again to transcribe; ``drop`` cancels without sending anything.
    """

    written = Signal(str)

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self._context = context
        self._state: Literal["off", "beginning", "on", "writing"] = "off"
        self.button = IconButton("mic", "", self.press)
        self.line = Label("", "small", wrap=True)
        self.setLayout(column(self.line, gap=0))
        self._limit = QTimer(self, singleShot=True, interval=LONGEST_MS)
        self._limit.timeout.connect(self.press)
        context.bridge.on(SettingsChanged, lambda _event: self._offer(), owner=self)
        self._offer()
        self._show("off")

    @property
    def listening(self) -> bool:
        """Whether the microphone is on, or about to be."""
        return self._state in {"beginning", "on"}

    def press(self) -> None:
        """Start recording, or transcribe."""
        voice, bridge = self._context.services.voice, self._context.bridge
        if self._state == "off":

            def begin() -> Listener | None:
                found = voice.listener()
                voice.begin()
                return found

            self._show("beginning")
            bridge.run(self, begin, self._begun, self._failed, latest="voice")
        elif self._state == "on":
            self._show("writing", self.tr("Transcribing…"))
            bridge.run(self, voice.finish, self._heard, self._failed, latest="voice")

    def drop(self) -> None:
        """Cancel without sending. Idempotent."""
        if self._state == "off":
            return
        self._context.bridge.supersede(self, "voice")
        self._context.bridge.run(self, self._context.services.voice.drop)
        self._show("off")

    def _begun(self, listener: Listener | None) -> None:
        if listener is None:
            self.drop()
            return
        words = self.tr("Listening. Press the square to transcribe it, Esc to discard it.")
        if not listener.on_this_machine:
            words = self.tr("What you say leaves this machine: it goes to {server}.").format(server=listener.name) + (
                " " + words
            )
        self._show("on", words, role="small" if listener.on_this_machine else "warning")

    def _heard(self, words: str) -> None:
        self._show("off", "" if words else self.tr("Nothing was heard."))
        if words:
            self.written.emit(words)

    def _failed(self, error: Exception) -> None:
        self._show("off", fault_words(error), role="danger")

    def _offer(self) -> None:
        """Show the button if a server is configured."""
        on = bool(self._context.services.settings.current.engine.voice_server.strip())
        self.button.setVisible(on)
        if not on:
            self.drop()

    def _show(self, state: Literal["off", "beginning", "on", "writing"], words: str = "", role: str = "small") -> None:
        self._state = state
        (self._limit.start if state == "on" else self._limit.stop)()
        self.button.setEnabled(state in {"off", "on"})
        self.button.set_name(self.tr("Transcribe") if state == "on" else self.tr("Dictate a message"))
        self.button.set_icon("square" if state == "on" else "mic", "accent" if state == "on" else "muted")
        set_property(self.line, "role", role)
        self.line.setText(words)
        self.setVisible(bool(words))
        if words:
            announce(self.line, words)
