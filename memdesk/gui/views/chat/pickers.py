"""The composer's choices: agents, models, use of memory."""

from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from memdesk.domain.models import Agent, MemoryMode, Overrides
from memdesk.gui.models.chat import ChatModel
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.gui.views.chat.choices import Choices
from memdesk.gui.views.chat.own_settings import OwnSettings
from memdesk.gui.words import model_name
from memdesk.ports import ModelInfo
from memdesk.services.events import AgentsChanged, EngineChanged, SettingsChanged


class Pickers(QObject):
    """Keeps the choices up to date, and applies them.

    ``agent_chosen`` has another agent's id; ``chosen``: the use of memory or the comparison changed.
    """

    agent_chosen = Signal(str)
    chosen = Signal()

    def __init__(self, context: PageContext, model: ChatModel, choices: Choices, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._model, self._choices = context, model, choices
        #: The agent whose own model is listed first.
        self._loaded_for = model.agent_id
        choices.agent_chosen.connect(self.choose_agent)
        choices.memory_chosen.connect(self.choose_memory)
        choices.model_chosen.connect(self.choose_model)
        choices.context_changed.connect(self._know_context)
        model.watch(self._show_agent, "open", "agents")
        model.watch(lambda: choices.set_model(model.overrides.get("model", "")), "overrides")
        model.watch(lambda: choices.set_memory(model.memory), "memory")
        model.watch(lambda: choices.set_temporary(on=model.temporary), "open")
        bridge = context.bridge
        bridge.on(AgentsChanged, lambda _e: self.load(), owner=self, settle_ms=200)
        bridge.on(EngineChanged, lambda _e: self.load(), owner=self, settle_ms=2000)
        bridge.on(SettingsChanged, lambda e: self.load() if "engine.chat_model" in e.names else None, owner=self)

    def load(self) -> None:
        services, agent_id = self._context.services, self._model.agent_id
        self._loaded_for = agent_id
        self._context.bridge.run(
            self,
            lambda: (services.agents.all(), services.models.all(), services.chat.default_model(agent_id)),
            self._fill,
            latest="pickers",
        )

    def _fill(self, found: tuple[list[Agent], list[Any], str]) -> None:
        agents, models, default = found
        self._choices.set_agents(agents, self._model.agent_id)
        self._choices.set_models(models, default)
        self._model.know_agents(agents)

    def _show_agent(self) -> None:
        if self._model.agent_id != self._loaded_for:
            self.load()
        self._choices.set_agent(self._model.agent_id)
        if self._model.agent is not None:
            self._choices.set_widest_memory(self._model.agent.memory)

    def _know_context(self, tokens: int) -> None:
        self._model.context_tokens = tokens or self._model.context_tokens

    def choose_agent(self, agent_id: str) -> None:
        """Start a chat with another agent."""
        if agent_id != self._model.agent_id:
            self.agent_chosen.emit(agent_id)

    def choose_memory(self, mode: MemoryMode) -> None:
        """Change the use of memory in this conversation."""
        self._model.set_memory(mode)
        self.chosen.emit()
        self._keep_memory()

    def choose_model(self, model_id: str) -> None:
        """Use another model in this conversation; empty: the agent's own."""
        others = {name: value for name, value in self._model.overrides.items() if name != "model"}
        self.override(others | {"model": model_id} if model_id else others)
        if self._model.compared is not None:
            self.compare(self._model.compared[1])

    def compare(self, model_id: str) -> None:
        """Compare another model with the chosen one; empty or the same: no comparison."""
        here = self._choices.answering()
        if model_id in {"", here}:
            self._model.compare(None)
        else:
            name = dict(self._choices.others()).get(model_id) or model_name(model_id)
            self._model.compare((here, model_id), (self._choices.models.currentText(), name))

    def offer_comparing(self, button: QWidget) -> QMenu:
        """Show a menu of models to compare with the chosen one."""
        menu = QMenu(button)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        now = self._model.compared[1] if self._model.compared is not None else ""
        others = self._choices.others()
        for key, name in [("", tr("One model answers")), *others]:
            words = tr("Beside it: {model}").format(model=name) if key else name
            action = menu.addAction(words, partial(self.compare, key))
            action.triggered.connect(lambda _checked: self.chosen.emit())
            action.setCheckable(True)
            action.setChecked(key == now)
        if not others:
            menu.addSeparator()
            menu.addAction(tr("Add another model…"), partial(self._context.navigate, "models"))
        menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
        return menu

    def ask_settings(self) -> None:
        """Ask for this chat's own settings."""
        services, here = self._context.services, self._model.here

        def ask(found: tuple[Agent, list[ModelInfo]]) -> None:
            if self._model.here == here:
                OwnSettings(self._choices.window(), *found, self._model.overrides, self.override).open()

        self._context.bridge.run(
            self, lambda: (services.agents.get(here[0]), services.models.all()), ask, latest="settings"
        )

    def override(self, overrides: Overrides) -> None:
        """Override a setting of the agent in this conversation."""
        self._model.set_overrides(overrides)
        self._keep_overrides()

    def keep_late(self, memory: MemoryMode, overrides: Overrides) -> None:
        """Store the choices made while a conversation was starting."""
        if self._model.memory != memory:
            self._keep_memory()
        if self._model.overrides != overrides:
            self._keep_overrides()

    def _keep_memory(self) -> None:
        (agent_id, talk), mode = self._model.here, self._model.memory
        if self._model.stored:
            set_memory = self._context.services.conversations.set_memory
            self._context.bridge.call(self, set_memory, agent_id, str(talk), mode).start()
        elif talk is None and not self._model.temporary:
            # Nothing is stored before the first answer; the choice must survive until then.
            conversations = self._context.services.conversations
            self._context.bridge.run(self, lambda: conversations.choose_memory(agent_id, mode))

    def _keep_overrides(self) -> None:
        (agent_id, talk), overrides = self._model.here, self._model.overrides
        if self._model.stored or (talk is None and not self._model.temporary):
            conversations = self._context.services.conversations
            self._context.bridge.run(self, lambda: conversations.set_overrides(agent_id, talk, overrides))
