"""An agent as one conversation sees it: with overridden settings, its folder's instructions, and the memory mode."""

from dataclasses import replace
from typing import Final

from memdesk.domain.models import Agent, Conversation, MemoryMode, Overrides
from memdesk.ports import Repositories
from memdesk.services.agents import check_overrides
from memdesk.services.recording import told_in_folder
from memdesk.services.settings import SettingsService

_NARROWEST: Final[dict[MemoryMode, int]] = {"off": 0, "read_only": 1, "on": 2}


def adapted(agent: Agent, known: Conversation | None, overrides: Overrides | None) -> Agent:
    """Return an agent with the overrides given, else with those stored with the conversation.

    Raises:
        BadRequestError: a field that cannot be overridden, or a value out of bounds.
    """
    if overrides is not None:
        check_overrides(agent, overrides)
        return agent.overridden(overrides)
    return agent if known is None else agent.overridden(known.overrides)


def in_folder(repos: Repositories, agent: Agent, folder_id: str | None) -> Agent:
    """Return an agent with a folder's instructions added."""
    return replace(agent, system_prompt=told_in_folder(repos, folder_id, agent.system_prompt))


def narrowest(*modes: MemoryMode) -> MemoryMode:
    """Return the most restrictive mode."""
    return min(modes, key=_NARROWEST.__getitem__)


def mode_of(settings: SettingsService, agent: Agent, *narrower: MemoryMode | None) -> MemoryMode:
    """Return an agent's memory mode: no wider than any of ``narrower``, and off while memory is off."""
    if not settings.current.memory.enabled:
        return "off"
    return narrowest(agent.memory, *(mode for mode in narrower if mode is not None))
