"""What the composer offers to choose from: agents, models, how much memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from memdesk.gui.operations import conversations as operations
from memdesk.services.events import AgentsChanged, EngineChanged, SettingsChanged

if TYPE_CHECKING:
    from memdesk.domain.models import Agent, MemoryMode
    from memdesk.gui.models.chat import ChatModel
    from memdesk.gui.pages import PageContext
    from memdesk.gui.views.chat.choices import Choices


class Pickers(QObject):
    """Keeps the choices up to date, and does what was chosen.

    ``agent_chosen`` tells another agent's id, ``memory_chosen`` that memory is used otherwise now.
    """

    agent_chosen = Signal(str)
    memory_chosen = Signal()

    def __init__(self, context: PageContext, model: ChatModel, choices: Choices, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._model, self._choices = context, model, choices
        choices.agent_chosen.connect(self.choose_agent)
        choices.memory_chosen.connect(self.choose_memory)
        choices.model_chosen.connect(lambda model_id: model.set_model(model_id or None))
        choices.context_changed.connect(self._know_context)
        model.watch(self._show_agent, "open", "agents")
        model.watch(lambda: choices.set_memory(model.memory), "memory")
        model.watch(lambda: choices.set_temporary(on=model.temporary), "open")
        bridge = context.bridge
        bridge.on(AgentsChanged, lambda _e: self.load(), owner=self, settle_ms=200)
        bridge.on(EngineChanged, lambda _e: self.load(), owner=self, settle_ms=2000)
        bridge.on(SettingsChanged, lambda e: self.load() if "engine.chat_model" in e.names else None, owner=self)

    def load(self) -> None:
        """Fetch the agents and the models."""
        services, agent_id = self._context.services, self._model.agent_id
        self._context.bridge.run(
            lambda: (services.agents.all(), services.models.all(), services.chat.default_model(agent_id)),
            owner=self,
            success=self._fill,
            latest="pickers",
        )

    def _fill(self, found: tuple[list[Agent], list[Any], str]) -> None:
        agents, models, default = found
        self._choices.set_agents(agents, self._model.agent_id)
        self._choices.set_models(models, default)
        self._model.know_agents(agents)

    def _show_agent(self) -> None:
        """Show whose conversation is open, and offer no more memory than the agent has."""
        self._choices.set_agent(self._model.agent_id)
        if self._model.agent is not None:
            self._choices.set_widest_memory(self._model.agent.memory)

    def _know_context(self, tokens: int) -> None:
        self._model.context_tokens = tokens or self._model.context_tokens

    def choose_agent(self, agent_id: str) -> None:
        """Have a chat with another agent begin."""
        if agent_id != self._model.agent_id:
            self.agent_chosen.emit(agent_id)

    def choose_memory(self, mode: MemoryMode) -> None:
        """Use memory otherwise in this conversation."""
        self._model.set_memory(mode)
        self.memory_chosen.emit()
        agent_id, talk = self._model.here
        if talk is None and not self._model.temporary:
            # Nothing is stored before the first answer; the choice must outlive whatever comes between.
            conversations = self._context.services.conversations
            self._context.bridge.run(lambda: conversations.choose_memory(agent_id, mode), owner=self)
        elif talk is not None:
            operations.set_memory(
                context=self._context, parent=self, agent_id=agent_id, conversation_id=talk, mode=mode
            ).start()
