"""Fetches and draws a conversation for the chat, on a lane. Knows no Qt widgets."""

from dataclasses import dataclass, field
from functools import partial

from memdesk.domain.chatting.drafts import Draft
from memdesk.domain.chatting.folders import Folder
from memdesk.domain.chatting.versions import Versions
from memdesk.domain.models import Agent, Conversation, MemoryMode, Overrides, every
from memdesk.gui.pictures import thumbnail
from memdesk.gui.rich import draw_all
from memdesk.gui.views.chat.shown import Small
from memdesk.gui.views.chat.thread import TurnView
from memdesk.gui.widgets.richtext import syntax_colors
from memdesk.services.container import Services
from memdesk.services.events import DistillationFinished


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """Initial state of the composer."""

    draft: Draft = field(default_factory=Draft)
    memory: MemoryMode = "on"
    overrides: Overrides = field(default_factory=dict)
    #: tokens of the context in use after the last answer; 0: unknown.
    used: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A conversation ready to show."""

    agent: Agent
    talk: Conversation
    folder: Folder | None = None
    draft: Draft = field(default_factory=Draft)
    turns: list[TurnView] = field(default_factory=list)
    #: versions of messages that have more than one, by turn.
    versions: dict[str, Versions] = field(default_factory=dict)
    #: what was last learned from it.
    learned: DistillationFinished | None = None

    @property
    def memory(self) -> MemoryMode:
        """The memory mode here: the conversation's, limited by the agent's."""
        return min((self.talk.memory, self.agent.memory), key=("off", "read_only", "on").index)

    @property
    def used(self) -> int:
        usage = self.turns[-1].turn.usage if self.turns else {}
        return int(usage.get("prompt_tokens", 0)) + int(usage.get("completion_tokens", 0))


def opening(services: Services, agent_id: str) -> Opening:
    """Return the draft and the memory mode of an agent's next chat."""
    agent = services.agents.ensure(agent_id)
    chosen = services.conversations.memory_of_next(agent_id)
    return Opening(
        draft=services.conversations.draft(agent_id, None),
        memory=min((chosen or agent.memory, agent.memory), key=("off", "read_only", "on").index),
        overrides=services.conversations.overrides_of_next(agent_id),
    )


def load(services: Services, agent_id: str, conversation_id: str) -> Loaded:
    """Return a conversation with every message drawn and its receipts' counts."""
    talk = services.conversations.get(agent_id, conversation_id)
    turns = services.conversations.turns(agent_id, conversation_id)
    asked = any(turn.receipt_id for turn in turns)
    kept = every(services.chat.receipts.page, agent_id, conversation_id, limit=200) if asked else ()
    receipts = {receipt.id: len(receipt.items) for receipt in kept}
    colors, thoughts = syntax_colors(), services.conversations.thoughts(agent_id, conversation_id)
    shown = {
        image.id: Small(image.name, thumbnail(image), partial(services.conversations.picture, image.id))
        for image in services.conversations.pictures(agent_id, conversation_id)
    }
    views = [
        TurnView(
            turn=turn,
            drawn=draw_all(turn.content, colors) if turn.role == "assistant" else [],
            memories=receipts.get(turn.receipt_id or "", 0),
            when=services.clock.local(turn.said_at),
            thought=thoughts.get(turn.id),
            pictures=tuple(shown[image] for image in turn.images if image in shown),
        )
        for turn in turns
    ]
    return Loaded(
        agent=services.agents.get(agent_id),
        talk=talk,
        folder=next((folder for folder in services.folders.all() if folder.id == talk.folder_id), None),
        draft=services.conversations.draft(agent_id, conversation_id),
        turns=views,
        versions=services.conversations.versions(agent_id, conversation_id),
        learned=services.conversations.learned(agent_id, conversation_id),
    )
