"""The settings of one agent as a form; it is saved as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QButtonGroup, QLayout, QLineEdit, QWidget

from memdesk.domain.models import Agent
from memdesk.gui.sliced import Sliced
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.forms import Combo, Field, TextArea
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import FlowLayout, column, flowing, row
from memdesk.gui.widgets.switch import Segments, Switch
from memdesk.ports import ModelInfo

COLORS = ("#4f6bed", "#0b7a75", "#2f8f6b", "#7a8b1f", "#c28a17", "#b4562f", "#b23a5e", "#8a4fbf", "#5b6770")

#: Sampling that has a field here.
NUMBERS = ("temperature", "top_p", "max_tokens", "seed")


class Swatch(QAbstractButton):
    """One color to choose."""

    def __init__(self, color: str) -> None:
        super().__init__()
        self.color = color
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(self.tr("Color {code}").format(code=color))
        side = Theme.current().px(24)
        self.setFixedSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a disc, ringed when chosen."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inset = self.width() // 5
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.color))
        painter.drawEllipse(self.rect().adjusted(inset, inset, -inset, -inset))
        if self.isChecked() or self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(Theme.current().color("text" if self.isChecked() else "accent"), 1.6))
            painter.drawEllipse(self.rect().adjusted(2, 2, -2, -2))


class NumberField(QLineEdit):
    """A number that may be left open: empty means the model's own choice."""

    def __init__(self, *, whole: bool) -> None:
        super().__init__()
        self._whole = whole
        self.setPlaceholderText(self.tr("model's own"))
        self.setMaximumWidth(Theme.current().px(130))

    def number(self) -> float | int | None:
        """Return the number, or None when empty.

        Raises:
            ValueError: it is none; the message says so to the user.
        """
        text = self.text().strip().replace(",", ".")
        if not text:
            return None
        try:
            return int(text) if self._whole else float(text)
        except ValueError as wrong:
            words = (
                self.tr("{field} is a whole number, or empty.")
                if self._whole
                else self.tr("{field} is a number, or empty.")
            )
            raise ValueError(words.format(field=self.accessibleName())) from wrong

    def set_number(self, value: float | None) -> None:
        """Show a number."""
        self.setText("" if value is None else f"{value:g}")


def _switched(switch: Switch, words: str) -> QLayout:
    """Return a row with a switch at its end, after its name and a line that says what it does."""
    line = row(gap=10)
    line.addLayout(
        column(Label(switch.accessibleName(), "strong", wrap=True), Label(words, "small", wrap=True), gap=2), 1
    )
    line.addWidget(switch, 0, Qt.AlignmentFlag.AlignVCenter)
    return line


class AgentForm(Sliced):
    """Fields of an agent. ``edited`` tells any change by the user. Nothing below is called before it is built."""

    edited = Signal()

    def build(self) -> Iterator[None]:
        """Make the fields, from the top down."""
        box = column(gap=14)
        self.setLayout(box)
        self.name = QLineEdit()
        self.model = Combo(self.tr("Model"))
        self._names = row(gap=16)
        self._names.addWidget(Field(self.tr("Name"), self.name), 1)
        self._names.addWidget(Field(self.tr("Model"), self.model), 1)
        box.addLayout(self._names)
        yield
        self.description = QLineEdit()
        box.addWidget(Field(self.tr("Description"), self.description))
        yield
        self.prompt = TextArea(rows=7)
        box.addWidget(Field(self.tr("System prompt"), self.prompt))
        yield
        self._pair = row(gap=16)
        self._pair.addLayout(self._memory(), 1)
        self._pair.addLayout(self._hue(), 1)
        box.addLayout(self._pair)
        yield
        box.addLayout(self._tool())
        box.addLayout(self._sharing())
        yield
        box.addWidget(self._sampling())
        self._offered: list[tuple[str, str]] = []
        #: Sampling without a field, which stays as it is.
        self._others: dict[str, Any] = {}
        self._connect()
        self._share_room()

    def _memory(self) -> QLayout:
        self.memory = Segments(
            [("on", self.tr("On")), ("read_only", self.tr("Read-only")), ("off", self.tr("Off"))],
            name=self.tr("Memory"),
        )
        memory = column(Label(self.tr("Memory"), "strong"), self.memory, None, gap=4)
        memory.setAlignment(self.memory, Qt.AlignmentFlag.AlignLeft)
        return memory

    def _hue(self) -> QLayout:
        self._swatches = QButtonGroup(self)
        colors = QWidget()
        flow = FlowLayout(colors, gap=4)
        # The discs stand in the middle of the line that the choice beside them takes.
        flow.setContentsMargins(0, Theme.current().px(3), 0, 0)
        for color in COLORS:
            swatch = Swatch(color)
            swatch.clicked.connect(lambda _checked=False: self.edited.emit())
            self._swatches.addButton(swatch)
            flow.addWidget(swatch)
        return column(Label(self.tr("Color"), "strong"), colors, None, gap=4)

    def _tool(self) -> QLayout:
        self.search_tool = Switch(self.tr("search_memory tool"))
        words = self.tr("The model may search its memory by itself, up to three times a reply.")
        return _switched(self.search_tool, words)

    def _sharing(self) -> QLayout:
        self.shares_identity = Switch(self.tr("Share what is learned about you"))
        words = self.tr("Other agents see what this one learns about you, and it sees what they learn.")
        return _switched(self.shares_identity, words)

    def _sampling(self) -> QWidget:
        self.temperature = NumberField(whole=False)
        self.top_p = NumberField(whole=False)
        self.max_tokens = NumberField(whole=True)
        self.seed = NumberField(whole=True)
        return flowing(
            Field(self.tr("Temperature"), self.temperature),
            Field(self.tr("Top p"), self.top_p),
            Field(self.tr("Longest reply"), self.max_tokens),
            Field(self.tr("Seed"), self.seed),
            gap=12,
        )

    def _connect(self) -> None:
        for edit in (self.name, self.description, self.temperature, self.top_p, self.max_tokens, self.seed):
            edit.textEdited.connect(lambda _text: self.edited.emit())
        self.prompt.textChanged.connect(self.edited.emit)
        self.model.chosen.connect(lambda _key: self.edited.emit())
        self.memory.changed.connect(lambda _key: self.edited.emit())
        for switch in (self.search_tool, self.shares_identity):
            switch.clicked.connect(lambda _checked=False: self.edited.emit())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room anew."""
        super().resizeEvent(event)
        if self.built:
            self._share_room()

    def _share_room(self) -> None:
        """Stand in one column where there is little room."""
        narrow = self.width() < Theme.current().px(500)
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        for pair in (self._names, self._pair):
            pair.setDirection(way)

    def set_models(self, models: list[ModelInfo]) -> None:
        """Offer models; the first choice is the app's own."""
        self._offered = [
            ("", self.tr("The app's chat model")),
            *((model.id, model.name) for model in models if model.available),
        ]

    def show_agent(self, agent: Agent) -> None:
        """Fill the fields without telling."""
        self.blockSignals(True)
        self.name.setText(agent.name)
        self.description.setText(agent.description)
        self.description.setCursorPosition(0)
        self.prompt.setPlainText(agent.system_prompt)
        missing = agent.model if agent.model not in dict(self._offered) else ""
        # What is chosen stays chosen until the user chooses otherwise: the file may come back.
        gone = [(missing, self.tr("{name} (not here)").format(name=missing.rpartition("/")[2]))] if missing else []
        self.model.set_options([*self._offered, *gone], agent.model)
        self._others = {name: value for name, value in agent.sampling.items() if name not in NUMBERS}
        self.memory.set_value(agent.memory)
        self.search_tool.setChecked(agent.search_tool)
        self.shares_identity.setChecked(agent.shares_identity)
        for name in NUMBERS:
            getattr(self, name).set_number(agent.sampling.get(name))
        self._swatches.setExclusive(False)
        for button in self._swatches.buttons():
            button.setChecked(isinstance(button, Swatch) and button.color == agent.color)
        self._swatches.setExclusive(True)
        self.blockSignals(False)

    def fields(self) -> dict[str, Any]:
        """Return what the form says.

        Raises:
            ValueError: a number is none; the message says which, to the user.
        """
        numbers = {name: getattr(self, name).number() for name in NUMBERS}
        swatch = self._swatches.checkedButton()
        found: dict[str, Any] = {
            "name": self.name.text().strip(),
            "description": self.description.text().strip(),
            "system_prompt": self.prompt.toPlainText().strip(),
            "model": self.model.key(),
            "memory": self.memory.value(),
            "search_tool": self.search_tool.isChecked(),
            "shares_identity": self.shares_identity.isChecked(),
            "sampling": self._others | {name: value for name, value in numbers.items() if value is not None},
        }
        if isinstance(swatch, Swatch):
            found["color"] = swatch.color
        return found
