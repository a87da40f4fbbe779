"""What an agent is in one conversation: with what was chosen for it, what its folder says, and how far memory goes."""

from dataclasses import replace
from typing import Final

from memdesk.domain.models import Agent, Conversation, MemoryMode, Overrides
from memdesk.ports import Repositories
from memdesk.services.agents import check_overrides
from memdesk.services.recording import told_in_folder
from memdesk.services.settings import SettingsService

_NARROWEST: Final[dict[MemoryMode, int]] = {"off": 0, "read_only": 1, "on": 2}


def adapted(agent: Agent, known: Conversation | None, overrides: Overrides | None) -> Agent:
    """Return an agent as it is in a conversation: with what was chosen, else with what is kept there.

    Raises:
        BadRequestError: a field that stays the agent's, or a value out of bounds.
    """
    if overrides is not None:
        check_overrides(agent, overrides)
        return agent.overridden(overrides)
    return agent if known is None else agent.overridden(known.overrides)


def in_folder(repos: Repositories, agent: Agent, folder_id: str | None) -> Agent:
    """Return an agent that knows what a folder says to each of its conversations."""
    return replace(agent, system_prompt=told_in_folder(repos, folder_id, agent.system_prompt))


def narrowest(*modes: MemoryMode) -> MemoryMode:
    """Return the mode in which the least is done."""
    return min(modes, key=_NARROWEST.__getitem__)


def mode_of(settings: SettingsService, agent: Agent, *narrower: MemoryMode | None) -> MemoryMode:
    """Return how far an agent's memory goes: no further than each of ``narrower``, and nowhere while memory is off."""
    if not settings.current.memory.enabled:
        return "off"
    return narrowest(agent.memory, *(mode for mode in narrower if mode is not None))
