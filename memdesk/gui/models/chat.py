"""State shared by the parts of the chat page: the open conversation, and the choices for it. Knows no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memdesk.domain.chatting.files import files_room

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
    """How full the model's context is: tokens in use (0: unknown), and the fit of the last prompt."""

    used: int = 0
    fit: ContextFit | None = None


class Observable:
    """Observable state: notifies its watchers of the name of each change. Single-threaded."""

    def __init__(self) -> None:
        self._watchers: list[tuple[frozenset[str], Callable[[], object]]] = []

    def watch(self, call: Callable[[], object], *names: str) -> None:
        """Call ``call`` after each change of one of ``names``, in order of registration."""
        self._watchers.append((frozenset(names), call))

    def _tell(self, *names: str) -> None:
        changed = frozenset(names)
        for wanted, call in list(self._watchers):
            if wanted & changed:
                call()


class ChatModel(Observable):
    """The open conversation and the choices for it.

    Watchers are notified of ``open`` (another conversation, or a new one got its id), ``title``, ``agents``,
    ``folder``, ``memory``, ``overrides``, ``compared``, ``fullness`` and ``busy``. Each change has its own method,
    which notifies them.
    """

    def __init__(self) -> None:
        super().__init__()
        #: The agent of the open conversation.
        self.agent_id = DEFAULT_AGENT
        #: None for one that has not started.
        self.conversation_id: str | None = None
        #: Whether nothing of the conversation is stored.
        self.temporary = False
        self._agents: dict[str, Agent] = {}
        self.memory: MemoryMode = "on"
        #: The conversation's overrides of its agent's settings.
        self.overrides: Overrides = {}
        #: The two models being compared, until another conversation is opened; None for a single model.
        self.compared: tuple[str, str] | None = None
        #: The names of the two models.
        self.compared_names: tuple[str, ...] = ()
        #: Empty until known.
        self.title = ""
        #: The folder of the conversation, or of a new one.
        self.folder: Folder | None = None
        self.fullness = Fullness()
        #: Context size of the chosen model; the smallest model's until known.
        self.context_tokens = 2048
        #: Whether the open conversation is being answered.
        self.busy = False
        self._begins = False
        #: Receipts of the open temporary chat; stored nowhere.
        self.receipts: dict[str, Receipt] = {}

    # -- the conversation --------------------------------------------------------------

    @property
    def files_room(self) -> int:
        return files_room(self.context_tokens)

    @property
    def here(self) -> Place:
        """The open agent and conversation."""
        return self.agent_id, self.conversation_id

    def open(
        self, agent_id: str, conversation_id: str | None, *, temporary: bool = False, folder: Folder | None = None
    ) -> None:
        """Set the open conversation, and the folder of a new one."""
        self.agent_id, self.conversation_id, self.temporary = agent_id, conversation_id, temporary
        self.receipts.clear()
        self.overrides, self.title, self.folder = {}, "", None if temporary else folder
        self.compared = None
        self._tell("open", "overrides", "compared", "title", "folder")

    def place(self, conversation_id: str | None) -> None:
        """Give a new chat its id, or take it back if nothing of it was kept."""
        self.conversation_id = conversation_id
        self._tell("open")

    def set_title(self, title: str) -> None:
        self.title = title
        self._tell("title")

    def set_folder(self, folder: Folder | None) -> None:
        self.folder = folder
        self._tell("folder")

    # -- agents ------------------------------------------------------------------------

    @property
    def agents(self) -> list[Agent]:
        return list(self._agents.values())

    @property
    def agent(self) -> Agent | None:
        """The agent of the open conversation, once known."""
        return self._agents.get(self.agent_id)

    def know_agents(self, agents: Iterable[Agent]) -> None:
        self._agents = {agent.id: agent for agent in agents}
        self._tell("agents")

    def know_agent(self, agent: Agent) -> None:
        self._agents[agent.id] = agent
        self._tell("agents")

    # -- what was chosen ---------------------------------------------------------------

    def set_memory(self, mode: MemoryMode) -> None:
        self.memory = mode
        self._tell("memory")

    def set_overrides(self, overrides: Overrides) -> None:
        self.overrides = overrides
        self._tell("overrides")

    def compare(self, models: tuple[str, str] | None, names: tuple[str, ...] = ()) -> None:
        """Compare two models, with these names, or return to one."""
        self.compared, self.compared_names = models, names
        self._tell("compared")

    # -- answers -----------------------------------------------------------------------

    def fill(self, used: int, fit: ContextFit | None = None) -> None:
        self.fullness = Fullness(used, fit)
        self._tell("fullness")

    @property
    def stored(self) -> bool:
        """Whether the conversation is stored, which its first answer does."""
        return self.conversation_id is not None and not self.temporary and not (self.busy and self._begins)

    def set_busy(self, *, on: bool, begins: bool = False) -> None:
        """Set whether an answer is being made here, and whether the conversation starts with it."""
        self.busy, self._begins = on, begins
        self._tell("busy")
