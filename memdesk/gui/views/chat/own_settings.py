"""A chat's overrides of its agent: model, system prompt, memory tool and numbers."""

from collections.abc import Callable, Iterator

from PySide6.QtWidgets import QWidget

from memdesk.domain.models import Agent, Overrides
from memdesk.errors import BadRequestError
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.dialog import Dialog
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column
from memdesk.gui.widgets.parameters import ParameterForm
from memdesk.ports import ModelInfo
from memdesk.services.agents import check_overrides


class ChatForm(ParameterForm):
    """The fields of an agent that a chat can override."""

    def build(self) -> Iterator[None]:
        model, prompt = self.make_model(), self.make_prompt(rows=5)
        self.setLayout(column(model, prompt, self.make_sampling(), self.make_tool(), gap=14))
        yield


class OwnSettings(Dialog):
    """Shows the agent's settings as in one chat; ``changed`` gets the differences."""

    def __init__(
        self, parent: QWidget, agent: Agent, models: list[ModelInfo], overrides: Overrides,
        changed: Callable[[Overrides], object],
    ) -> None:  # fmt: skip
        super().__init__(parent, self.tr("Settings of this chat"), width=610)
        self._agent, self._changed = agent, changed
        self.form = ChatForm()
        for _ in self.form.building():
            pass
        self.form.set_models(models)
        self.form.show_parameters(agent.overridden(overrides))
        self.form.edited.connect(self._show_reset)
        words = self.tr("Everything else is as {name} has it. Programs that talk to {name} are not affected.")
        self.body.addWidget(Label(words.format(name=agent.name), "small", wrap=True))
        self.body.addWidget(self.form)
        self.reset = Button(self.tr("Back to {name}'s settings").format(name=agent.name), self._reset, variant="ghost")
        self.foot.insertWidget(0, self.reset)
        self.set_action(self.tr("Apply"), self._apply)
        self._show_reset()

    def _overrides(self) -> Overrides:
        return self._agent.overrides(self.form.parameters())

    def _show_reset(self) -> None:
        try:
            self.reset.setEnabled(bool(self._overrides()))
        except ValueError:
            self.reset.setEnabled(True)

    def _reset(self) -> None:
        self.form.show_parameters(self._agent)
        self.fault.hide()
        self._show_reset()

    def _apply(self) -> None:
        try:
            overrides = self._overrides()
            check_overrides(self._agent, overrides)
        except ValueError as wrong:
            self.show_fault(BadRequestError(str(wrong)))
        except BadRequestError as error:
            self.show_fault(error)
        else:
            self.accept()
            self._changed(overrides)
