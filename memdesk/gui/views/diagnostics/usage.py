"""Usage of each model per day: answers, tokens, time, and memory's share of the prompt."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QScrollArea, QWidget

from memdesk.gui.text import tr
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import clear, column, line
from memdesk.gui.widgets.states import SectionHead
from memdesk.gui.words import day, duration, model_name, number, percent
from memdesk.ports import UsageRow

#: Days summed up, and lines shown.
DAYS, MOST_LINES = 30, 40


class UsageCard(QFrame):
    """A line for each day and model, newest first."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._rows: Sequence[UsageRow] | None = None
        self.grid = QGridLayout()
        self.grid.setHorizontalSpacing(Theme.current().px(24))
        self.grid.setColumnStretch(1, 1)
        self._host = QWidget()
        self._host.setProperty("role", "scroll")
        self._host.setLayout(self.grid)
        self.grid.setContentsMargins(0, 0, 0, 0)
        # In a narrow window the lines scroll by themselves, without widening the page.
        self._area = QScrollArea()
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setAccessibleName(self.tr("Usage"))
        self._area.setWidget(self._host)
        text = self.tr("Tokens and time of the last %n days, by day and model.", "", DAYS)
        self.setLayout(column(SectionHead(self.tr("Usage"), text), line(), self._area, gap=12, margins=16))

    def show_rows(self, rows: Sequence[UsageRow]) -> None:
        """Show the usage; nothing is redrawn while it is unchanged."""
        if rows == self._rows:
            return
        self._rows = rows
        clear(self.grid)
        if rows:
            self._fill(rows)
        else:
            self.grid.addWidget(Label(self.tr("No model has answered yet."), "muted"), 0, 0, 1, 2)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Reserve space for the scroll bar if there is one."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        needed = self._host.minimumSizeHint()
        bar = self._area.horizontalScrollBar().sizeHint().height() if needed.width() > self._area.width() else 0
        self._area.setFixedHeight(needed.height() + bar)

    def _fill(self, rows: Sequence[UsageRow]) -> None:
        heads = (
            self.tr("Day"),
            self.tr("Model"),
            self.tr("Answers"),
            self.tr("Tokens read"),
            self.tr("Of them memory"),
            self.tr("Tokens written"),
            self.tr("Time"),
        )
        for number_, words in enumerate((heads, *map(_words, rows[:MOST_LINES]))):
            for place, text in enumerate(words):
                label = Label(text, "small" if number_ == 0 else "")
                if place > 1:
                    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.grid.addWidget(label, number_, place)


def _words(row: UsageRow) -> tuple[str, ...]:
    return (
        day(row.day),
        model_name(row.model) or tr("unknown"),
        number(row.answers),
        number(row.prompt_tokens),
        # A server may count fewer tokens than estimated here for the memory.
        percent(min(1.0, row.memory_tokens / row.prompt_tokens)) if row.prompt_tokens else "",
        number(row.completion_tokens),
        duration(row.seconds),
    )
