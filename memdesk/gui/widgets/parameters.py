"""The form for how a model answers: model, prompt, tool and numbers. Used for agents and chats."""

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLayout, QLineEdit, QWidget

from memdesk.domain.models import Agent
from memdesk.gui.sliced import Sliced
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.forms import Combo, Field, TextArea
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column, flowing, row
from memdesk.gui.widgets.switch import Switch
from memdesk.ports import ModelInfo

#: Sampling parameters with a field here.
NUMBERS = ("temperature", "top_p", "max_tokens", "seed")


class NumberField(QLineEdit):
    """An optional number: empty means the model's default."""

    def __init__(self, *, whole: bool) -> None:
        super().__init__()
        self._whole = whole
        self.setPlaceholderText(self.tr("model's own"))
        self.setMaximumWidth(Theme.current().px(130))

    def number(self) -> float | int | None:
        """Return the number, or None when empty.

        Raises:
            ValueError: it is not a number; the message tells the user so.
        """
        text = self.text().strip().replace(",", ".")
        if not text:
            return None
        try:
            return int(text) if self._whole else float(text)
        except ValueError as wrong:
            words = (
                self.tr("{field} must be a whole number, or empty.")
                if self._whole
                else self.tr("{field} must be a number, or empty.")
            )
            raise ValueError(words.format(field=self.accessibleName())) from wrong

    def set_number(self, value: float | None) -> None:
        self.setText("" if value is None else f"{value:g}")


def switched(switch: Switch, words: str) -> QLayout:
    """Return a row with a name, a description and a switch at the end."""
    line = row(
        (column(Label(switch.accessibleName(), "strong", wrap=True), Label(words, "small", wrap=True), gap=2), 1),
        gap=10,
    )
    line.addWidget(switch, 0, Qt.AlignmentFlag.AlignVCenter)
    return line


class ParameterForm(Sliced):
    """The fields, created one by one by their caller. ``edited``: the user changed something."""

    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._offered: list[tuple[str, str]] = []
        #: Sampling parameters without a field, kept unchanged.
        self._others: dict[str, Any] = {}

    def make_model(self) -> QWidget:
        self.model = Combo(self.tr("Model"))
        self.model.chosen.connect(lambda _key: self.edited.emit())
        return Field(self.tr("Model"), self.model)

    def make_prompt(self, rows: int = 7) -> QWidget:
        self.prompt = TextArea(rows=rows)
        self.prompt.textChanged.connect(self.edited.emit)
        return Field(self.tr("System prompt"), self.prompt)

    def make_tool(self) -> QLayout:
        self.search_tool = Switch(self.tr("search_memory tool"))
        self.search_tool.clicked.connect(lambda _checked=False: self.edited.emit())
        words = self.tr("The model may search its memory by itself, up to three times a reply.")
        return switched(self.search_tool, words)

    def make_sampling(self) -> QWidget:
        self.temperature = NumberField(whole=False)
        self.top_p = NumberField(whole=False)
        self.max_tokens = NumberField(whole=True)
        self.seed = NumberField(whole=True)
        for field in (self.temperature, self.top_p, self.max_tokens, self.seed):
            field.textEdited.connect(lambda _text: self.edited.emit())
        return flowing(
            Field(self.tr("Temperature"), self.temperature),
            Field(self.tr("Top p"), self.top_p),
            Field(self.tr("Longest reply"), self.max_tokens),
            Field(self.tr("Seed"), self.seed),
            gap=12,
        )

    def set_models(self, models: list[ModelInfo]) -> None:
        """Offer models; the first choice is the app's own."""
        self._offered = [
            ("", self.tr("The app's chat model")),
            *((model.id, model.name) for model in models if model.available),
        ]

    def show_parameters(self, agent: Agent) -> None:
        self.prompt.setPlainText(agent.system_prompt)
        missing = agent.model if agent.model not in dict(self._offered) else ""
        # The selection stays until the user changes it: the file may come back.
        gone = [(missing, self.tr("{name} (not here)").format(name=missing.rpartition("/")[2]))] if missing else []
        self.model.set_options([*self._offered, *gone], agent.model)
        self._others = {name: value for name, value in agent.sampling.items() if name not in NUMBERS}
        self.search_tool.setChecked(agent.search_tool)
        for name in NUMBERS:
            getattr(self, name).set_number(agent.sampling.get(name))

    def parameters(self) -> dict[str, Any]:
        """Return the values, by the fields of an :class:`Agent`.

        Raises:
            ValueError: a number is invalid; the message for the user says which.
        """
        numbers = {name: getattr(self, name).number() for name in NUMBERS}
        return {
            "system_prompt": self.prompt.toPlainText().strip(),
            "model": self.model.key(),
            "search_tool": self.search_tool.isChecked(),
            "sampling": self._others | {name: value for name, value in numbers.items() if value is not None},
        }
