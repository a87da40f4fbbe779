"""Reading answers aloud: each one's button, and the command."""

from functools import partial

from memdesk.gui.commands import Command
from memdesk.gui.speech import Speaker
from memdesk.gui.text import tr
from memdesk.gui.widgets.buttons import IconButton


class ReadButton(IconButton):
    """Reads an answer, or stops. Hidden while there is no answer, and without speech output."""

    def __init__(self, speaker: Speaker) -> None:
        super().__init__("volume-2", "", lambda: speaker.toggle(self._text), side=14)
        self._speaker, self._text = speaker, ""
        speaker.changed.connect(self._show)
        self.offer("")

    def offer(self, text: str) -> None:
        self._text = text
        self.setVisible(self._speaker.able and bool(text))
        self._show()

    def _show(self) -> None:
        on = bool(self._text) and self._text == self._speaker.text
        name = tr("Stop reading") if on else tr("Read aloud")
        if name != self.accessibleName():
            self.set_name(name)
            self.set_icon("square" if on else "volume-2", "accent" if on else "muted")


def reading(speaker: Speaker, last: str) -> list[Command]:
    """Return the command that reads the last answer aloud, or stops; none if nothing can be read."""
    name, text = tr("Stop reading") if speaker.text else tr("Read the last answer aloud"), speaker.text or last
    read = partial(speaker.toggle, text)
    found = Command("conversation.read", name, "volume-2", read, keywords=tr("voice speak"))
    return [found] if speaker.able and text else []
