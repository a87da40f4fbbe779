"""The models that a program may name: the default, the catalogue's, and agents."""

from fastapi import Request

from memdesk.api.auth import caller_of
from memdesk.api.dialects.serving import AGENT_MODEL
from memdesk.ports import ModelInfo
from memdesk.services.container import Services


def offered(request: Request, services: Services) -> list[ModelInfo]:
    """Return ``default``, the catalogue's models, and ``agent:ID`` for each agent that the caller may name."""
    services.models.ask_servers()
    default = ModelInfo(id="default", name="default", source="bundled")
    return [default, *services.models.catalogue.all(), *agents_of(request, services)]


def agents_of(request: Request, services: Services) -> list[ModelInfo]:
    """Return the agents that the caller may name, as models."""
    caller = caller_of(request)
    agents = [agent for agent in services.agents.all() if caller.sees(agent.id)]
    return [ModelInfo(id=AGENT_MODEL + agent.id, name=agent.name, source="bundled") for agent in agents]
