"""What the composer offers to choose from: agents, models, how much memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from memdesk.domain.drafts import Draft
from memdesk.domain.models import Agent, MemoryMode
from memdesk.gui.operations import conversations as operations
from memdesk.services.events import AgentsChanged, EngineChanged, SettingsChanged

if TYPE_CHECKING:
    from memdesk.gui.views.chat.page import ChatPage


class Pickers(QObject):
    """Keeps the choices up to date, and does what was chosen."""

    def __init__(self, page: ChatPage) -> None:
        super().__init__(page)
        self._page = page
        self._choices = page.composer.choices
        self._agents: dict[str, Agent] = {}
        self._choices.agent_chosen.connect(self.choose_agent)
        self._choices.memory_chosen.connect(self.choose_memory)
        bridge = page.context.bridge
        bridge.on(AgentsChanged, lambda _e: self.load(), owner=self, settle_ms=200)
        bridge.on(EngineChanged, lambda _e: self.load(), owner=self, settle_ms=2000)
        bridge.on(SettingsChanged, lambda e: self.load() if "engine.chat_model" in e.names else None, owner=self)

    def load(self) -> None:
        """Fetch the agents and the models."""
        services, agent_id = self._page.context.services, self._page.agent_id
        self._page.context.bridge.run(
            lambda: (services.agents.all(), services.models.all(), services.chat.default_model(agent_id)),
            owner=self,
            success=self._fill,
            latest="pickers",
        )

    def _fill(self, found: tuple[list[Agent], list[Any], str]) -> None:
        agents, models, default = found
        self._agents = {agent.id: agent for agent in agents}
        self._page.list.set_agents(agents)
        self._choices.set_agents(agents, self._page.agent_id)
        self._choices.set_models(models, default)
        self.show_agent()

    def learn(self, agent: Agent) -> None:
        """Know an agent as it is now, and show whose conversation is open."""
        self._agents[agent.id] = agent
        self.show_agent()

    def show_agent(self) -> None:
        """Show whose conversation is open."""
        page = self._page
        self._choices.set_agent(page.agent_id)
        agent = self._agents.get(page.agent_id)
        if agent is not None:
            page.messages.set_agent(agent)
            self._choices.set_widest_memory(agent.memory)
            page.composer.editor.setPlaceholderText(self.tr("Message {agent}").format(agent=agent.name))

    def choose_agent(self, agent_id: str) -> None:
        """Begin a chat with another agent; what is written goes along."""
        page = self._page
        if agent_id == page.agent_id:
            return
        draft, talking = page.composer.draft(), bool(page.messages.messages)
        page.composer.clear()
        page.keep_draft(Draft())
        page.new_chat(agent_id=agent_id, temporary=page.temporary, draft=draft)
        page.keep_draft(draft)
        self.load()
        if talking:
            page.context.notices.info(
                self.tr("A new chat begins"), self.tr("Every agent has its own memory and its own conversations.")
            )

    def choose_memory(self, mode: MemoryMode) -> None:
        """Use memory otherwise in this conversation."""
        page = self._page
        self._choices.set_memory(mode)
        if page.conversation_id is not None:
            operations.set_memory(
                context=page.context,
                parent=self,
                agent_id=page.agent_id,
                conversation_id=page.conversation_id,
                mode=mode,
            ).start()
