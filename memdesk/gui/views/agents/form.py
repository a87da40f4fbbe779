"""The settings of one agent as a form; it is saved as a whole."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QButtonGroup, QLayout, QLineEdit, QWidget

from memdesk.domain.models import Agent
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.forms import Field
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import FlowLayout, column, row
from memdesk.gui.widgets.parameters import ParameterForm, switched
from memdesk.gui.widgets.switch import Segments, Switch

COLORS = ("#4f6bed", "#0b7a75", "#2f8f6b", "#7a8b1f", "#c28a17", "#b4562f", "#b23a5e", "#8a4fbf", "#5b6770")


class Swatch(QAbstractButton):
    """A color to choose."""

    def __init__(self, color: str) -> None:
        super().__init__()
        self.color = color
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(self.tr("Color {code}").format(code=color))
        side = Theme.current().px(24)
        self.setFixedSize(side, side)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inset = self.width() // 5
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.color))
        painter.drawEllipse(self.rect().adjusted(inset, inset, -inset, -inset))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        # A ring around the selected one, and another for keyboard focus.
        for shown, color, room in ((self.isChecked(), "text", 3), (self.hasFocus(), "accent", 1)):
            if shown:
                painter.setPen(QPen(Theme.current().color(color), 1.6))
                painter.drawEllipse(self.rect().adjusted(room, room, -room, -room))


class AgentForm(ParameterForm):
    """Fields of an agent. ``edited``: the user changed something. Nothing below is called before it is built."""

    def build(self) -> Iterator[None]:
        box = column(gap=14)
        self.setLayout(box)
        self.name = QLineEdit()
        self._names = row((Field(self.tr("Name"), self.name), 1), (self.make_model(), 1), gap=16)
        box.addLayout(self._names)
        yield
        self.description = QLineEdit()
        box.addWidget(Field(self.tr("Description"), self.description))
        yield
        box.addWidget(self.make_prompt())
        yield
        self._pair = row((self._memory(), 1), (self._hue(), 1), gap=16)
        box.addLayout(self._pair)
        yield
        box.addLayout(self.make_tool())
        box.addLayout(self._sharing())
        yield
        box.addWidget(self.make_sampling())
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
        # The discs are vertically centered on the choice beside them.
        flow.setContentsMargins(0, Theme.current().px(3), 0, 0)
        for color in COLORS:
            swatch = Swatch(color)
            swatch.clicked.connect(lambda _checked=False: self.edited.emit())
            self._swatches.addButton(swatch)
            flow.addWidget(swatch)
        return column(Label(self.tr("Color"), "strong"), colors, None, gap=4)

    def _sharing(self) -> QLayout:
        self.shares_identity = Switch(self.tr("Share what is learned about you"))
        words = self.tr("Other agents see what this one learns about you, and it sees what they learn.")
        return switched(self.shares_identity, words)

    def _connect(self) -> None:
        for edit in (self.name, self.description):
            edit.textEdited.connect(lambda _text: self.edited.emit())
        self.memory.changed.connect(lambda _key: self.edited.emit())
        self.shares_identity.clicked.connect(lambda _checked=False: self.edited.emit())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Redo the layout."""
        super().resizeEvent(event)
        if self.built:
            self._share_room()

    def _share_room(self) -> None:
        """Use one column if narrow."""
        narrow = self.width() < Theme.current().px(500)
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        for pair in (self._names, self._pair):
            pair.setDirection(way)

    def show_agent(self, agent: Agent) -> None:
        """Fill the fields without emitting ``edited``."""
        self.blockSignals(True)
        self.name.setText(agent.name)
        self.description.setText(agent.description)
        self.description.setCursorPosition(0)
        self.show_parameters(agent)
        self.memory.set_value(agent.memory)
        self.shares_identity.setChecked(agent.shares_identity)
        self._swatches.setExclusive(False)
        for button in self._swatches.buttons():
            button.setChecked(isinstance(button, Swatch) and button.color == agent.color)
        self._swatches.setExclusive(True)
        self.blockSignals(False)

    def fields(self) -> dict[str, Any]:
        """Return the form's values.

        Raises:
            ValueError: a number is invalid; the message for the user says which.
        """
        swatch = self._swatches.checkedButton()
        found: dict[str, Any] = {
            "name": self.name.text().strip(),
            "description": self.description.text().strip(),
            "memory": self.memory.value(),
            "shares_identity": self.shares_identity.isChecked(),
            **self.parameters(),
        }
        if isinstance(swatch, Swatch):
            found["color"] = swatch.color
        return found
