"""A model's thinking before it answers: a row that counts the seconds, and expands to the text."""

import math
import re
import time

from PySide6.QtCore import QTimer
from PySide6.QtGui import QResizeEvent, QTextCursor
from PySide6.QtWidgets import QWidget

from memdesk.domain.chatting.versions import Thought
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.layout import column, row
from memdesk.gui.widgets.richtext import PlainBox
from memdesk.gui.words import duration

#: Visible lines; the rest scrolls.
MOST_LINES = 12
TICK_MS = 1000
#: Characters added to the box per round of the event loop.
SLICE_CHARS = 16_000
#: Each new word lays out its paragraph again; longer ones are continued in a new one.
BLOCK_CHARS = 2000
_LONG = re.compile(rf"([^\n]{{{BLOCK_CHARS},}}?) ")


class Thoughts:
    """The thinking of one answer and its duration: streaming, or as stored with the answer."""

    def __init__(self, kept: Thought | None = None) -> None:
        self.words: list[str] = _sliced(kept.text) if kept else []
        self._before = kept.seconds if kept else 0.0
        self._began: float | None = None

    def add(self, text: str, since: float | None = None) -> None:
        """Add text; ``since`` is when it began (``time.monotonic``), now by default."""
        if self._began is None:
            self._began = time.monotonic() if since is None else since
            if self.words:
                self.words.append("\n\n")
        self.words += _sliced(text)

    def rest(self) -> None:
        """Pause: the model speaks, searches, or has ended."""
        self._before, self._began = self.seconds, None

    @property
    def running(self) -> bool:
        """Whether it is thinking now."""
        return self._began is not None

    @property
    def seconds(self) -> float:
        """Total thinking time."""
        return self._before + (time.monotonic() - self._began if self._began is not None else 0.0)


class ThinkingBox(PlainBox):
    """The text, growing from one line to ``MOST_LINES``; follows its end unless scrolled away."""

    def __init__(self, name: str) -> None:
        super().__init__("", name, height=0)
        self.setObjectName("thoughts")
        #: Trailing white space: shown when more text follows.
        self._blank = ""

    def add(self, text: str) -> None:
        came = text.lstrip() if self.document().isEmpty() else self._blank + text
        text = came.rstrip()
        self._blank = came[len(text) :]
        if not text:
            return
        if self.document().lastBlock().length() > BLOCK_CHARS:
            text = text.replace(" ", "\n", 1)
        text = _LONG.sub(r"\1\n", text)
        bar = self.verticalScrollBar()
        follows = bar.value() >= bar.maximum()
        end = QTextCursor(self.document())
        end.movePosition(QTextCursor.MoveOperation.End)
        end.insertText(text)
        self._fit()
        if follows:
            bar.setValue(bar.maximum())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the height to the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.ensurePolished()
        most, height = MOST_LINES * self.fontMetrics().lineSpacing(), 0.0
        block = self.document().begin()
        # Unseen blocks are laid out on demand, and only as many as fit.
        while block.isValid() and height < most:
            height += self.blockBoundingRect(block).height()
            block = block.next()
        wanted = math.ceil(min(height, most)) + 2 * round(self.document().documentMargin())
        if wanted != self.height():
            self.setFixedHeight(wanted)


class ThinkingRow(QWidget):
    """Closed: one line. Open: the text as plain text, to which new text is appended."""

    def __init__(self, thoughts: Thoughts) -> None:
        super().__init__()
        self.thoughts = thoughts
        self.fold = Button("", self._turn, variant="ghost", icon_name="chevron-right")
        self.fold.setObjectName("thinkingFold")
        self.fold.setCheckable(True)
        self.fold.setToolTip(
            self.tr(
                "What the model said to itself before it answered. It is kept with the answer, and never remembered."
            )
        )
        self.box: ThinkingBox | None = None
        #: Parts already in the box.
        self._shown = 0
        self._column = column(row(self.fold, None), gap=4)
        self.setLayout(self._column)
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self.refresh)
        self._clock = QTimer(self, interval=TICK_MS)
        self._clock.timeout.connect(self._tell)
        self.refresh()

    def refresh(self) -> None:
        """Show what is new."""
        if self.box is not None:
            self._add(self.box)
        if self.thoughts.running != self._clock.isActive() or not self.fold.text():
            self._tell()
            if self.thoughts.running:
                self._clock.start()
            else:
                self._clock.stop()

    def _tell(self) -> None:
        thinking, seconds = self.thoughts.running, duration(self.thoughts.seconds)
        if thinking:
            words = self.tr("Thinking… {time}")
        else:
            words = self.tr("Thought for {time}") if round(self.thoughts.seconds) else self.tr("Thought briefly")
        self.fold.setText(words.format(time=seconds))
        # A name that changes every second would be read out again and again.
        self.fold.setAccessibleName(self.tr("Thinking") if thinking else self.fold.text().strip())

    def _turn(self) -> None:
        if self.box is None:
            self.box = ThinkingBox(self.tr("What the model thinks"))
            self._shown = 0
            self._column.addWidget(self.box)
            self._add(self.box)
            if not self.thoughts.running:
                self.box.verticalScrollBar().setValue(0)
        else:
            self._column.removeWidget(self.box)
            self.box.hide()
            self.box.deleteLater()
            self.box = None
        self.fold.setChecked(self.box is not None)
        self.fold.set_icon("chevron-right" if self.box is None else "chevron-down")

    def _add(self, box: ThinkingBox) -> None:
        words, end, room = self.thoughts.words, self._shown, SLICE_CHARS
        while end < len(words) and room > 0:
            room -= len(words[end])
            end += 1
        box.add("".join(words[self._shown : end]))
        self._shown = end
        if end < len(words):
            self._rest.start(0)


def _sliced(text: str) -> list[str]:
    return [text[at : at + SLICE_CHARS] for at in range(0, len(text), SLICE_CHARS)]
