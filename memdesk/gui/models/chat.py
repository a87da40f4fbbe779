"""What the parts of the chat page share: which conversation is open, and what was chosen for it. Knows no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memdesk.domain.chatting.folders import Folder
    from memdesk.domain.models import Agent, MemoryMode, Overrides, Receipt
    from memdesk.services.chatting import ContextFit

#: An agent, and its conversation (None: its next one).
Place = tuple[str, str | None]
DEFAULT_AGENT = "default"


@dataclass(frozen=True, slots=True)
class Fullness:
    """How full the model's context is: tokens in use (0: not known), and the fit of the last prompt."""

    used: int = 0
    fit: ContextFit | None = None


class Observable:
    """State that several parts observe: tells its watchers the name of what changed; called, and calling, on one thread."""

    def __init__(self) -> None:
        self._watchers: list[tuple[frozenset[str], Callable[[], object]]] = []

    def watch(self, call: Callable[[], object], *names: str) -> None:
        """Call ``call`` after each change of one of ``names``, in the order the watchers came."""
        self._watchers.append((frozenset(names), call))

    def _tell(self, *names: str) -> None:
        changed = frozenset(names)
        for wanted, call in list(self._watchers):
            if wanted & changed:
                call()


class ChatModel(Observable):
    """The open conversation and the choices for it.

    Watchers hear of ``open`` (another conversation, or the one that begins was given its id), ``title``, ``agents``,
    ``folder``, ``memory``, ``overrides``, ``compared``, ``fullness`` and ``busy``.
    """

    def __init__(self) -> None:
        super().__init__()
        self._agent_id = DEFAULT_AGENT
        self._conversation_id: str | None = None
        self._temporary = False
        self._agents: dict[str, Agent] = {}
        self._memory: MemoryMode = "on"
        self._overrides: Overrides = {}
        self._compared: tuple[str, str] | None = None
        #: What the two models are called.
        self.compared_names: tuple[str, ...] = ()
        self._title = ""
        self._folder: Folder | None = None
        self._fullness = Fullness()
        #: Tokens that the chosen model sees; that of the smallest model until it is known.
        self.context_tokens = 2048
        self._busy = self._begins = False
        #: Receipts of the temporary chat that is open; they are stored nowhere.
        self.receipts: dict[str, Receipt] = {}

    # -- the conversation --------------------------------------------------------------

    @property
    def agent_id(self) -> str:
        """Whose conversation is open."""
        return self._agent_id

    @property
    def conversation_id(self) -> str | None:
        """Which conversation is open; None for one that has not begun."""
        return self._conversation_id

    @property
    def temporary(self) -> bool:
        """Whether nothing of the conversation is stored."""
        return self._temporary

    @property
    def here(self) -> Place:
        """The agent and the conversation that is open."""
        return self._agent_id, self._conversation_id

    def open(
        self, agent_id: str, conversation_id: str | None, *, temporary: bool = False, folder: Folder | None = None
    ) -> None:
        """Know which conversation is open now, and the folder of one that begins."""
        self._agent_id, self._conversation_id, self._temporary = agent_id, conversation_id, temporary
        self.receipts.clear()
        self._overrides, self._title, self._folder = {}, "", None if temporary else folder
        self._compared = None
        self._tell("open", "overrides", "compared", "title", "folder")

    def place(self, conversation_id: str | None) -> None:
        """Give the chat that begins its id, or take it back when nothing of it was kept."""
        self._conversation_id = conversation_id
        self._tell("open")

    @property
    def title(self) -> str:
        """What the conversation is called; empty before it is known."""
        return self._title

    def set_title(self, title: str) -> None:
        self._title = title
        self._tell("title")

    @property
    def folder(self) -> Folder | None:
        """The folder that the conversation is in, or begins in."""
        return self._folder

    def set_folder(self, folder: Folder | None) -> None:
        self._folder = folder
        self._tell("folder")

    # -- agents ------------------------------------------------------------------------

    @property
    def agents(self) -> list[Agent]:
        return list(self._agents.values())

    @property
    def agent(self) -> Agent | None:
        """Whose conversation is open, once it is known."""
        return self._agents.get(self._agent_id)

    def know_agents(self, agents: Iterable[Agent]) -> None:
        self._agents = {agent.id: agent for agent in agents}
        self._tell("agents")

    def know_agent(self, agent: Agent) -> None:
        self._agents[agent.id] = agent
        self._tell("agents")

    # -- what was chosen ---------------------------------------------------------------

    @property
    def memory(self) -> MemoryMode:
        return self._memory

    def set_memory(self, mode: MemoryMode) -> None:
        self._memory = mode
        self._tell("memory")

    @property
    def overrides(self) -> Overrides:
        """What the conversation has in the place of its agent's."""
        return self._overrides

    def set_overrides(self, overrides: Overrides) -> None:
        self._overrides = overrides
        self._tell("overrides")

    @property
    def compared(self) -> tuple[str, str] | None:
        """The two models that answer beside each other, until another conversation is opened; None: one answers."""
        return self._compared

    def compare(self, models: tuple[str, str] | None, names: tuple[str, ...] = ()) -> None:
        """Have two models, with these names, answer beside each other, or one again."""
        self._compared, self.compared_names = models, names
        self._tell("compared")

    # -- answers -----------------------------------------------------------------------

    @property
    def fullness(self) -> Fullness:
        """How full the model's context is."""
        return self._fullness

    def fill(self, used: int, fit: ContextFit | None = None) -> None:
        self._fullness = Fullness(used, fit)
        self._tell("fullness")

    @property
    def busy(self) -> bool:
        """Whether an answer is being made in the conversation that is open."""
        return self._busy

    @property
    def stored(self) -> bool:
        """Whether the conversation is in the store; it is with its first answer."""
        return self._conversation_id is not None and not self._temporary and not (self._busy and self._begins)

    def set_busy(self, *, on: bool, begins: bool = False) -> None:
        """Know whether an answer is being made here, and whether the conversation begins with it."""
        self._busy, self._begins = on, begins
        self._tell("busy")
