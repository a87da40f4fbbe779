"""Agents: list, create, change, delete."""

from typing import Any

from fastapi import APIRouter, Depends, Request, Response

from memdesk.api.auth import caller_of, needs
from memdesk.api.feature import feature
from memdesk.api.params import Body, given
from memdesk.api.plain import reply
from memdesk.domain.models import Agent, MemoryMode
from memdesk.services.container import Services

_SHORT = ("id", "name", "description", "is_built_in", "created_at", "updated_at")
_WHOLE = ("system_prompt", "color", "sampling", "memory", "search_tool", "shares_identity")


class AgentBody(Body):
    """Fields to set; others stay, or are default in a new agent."""

    name: str | None = None
    description: str | None = None
    system_prompt: str | None = None
    default_model: str | None = None
    color: str | None = None
    sampling: dict[str, Any] | None = None
    memory: MemoryMode | None = None
    search_tool: bool | None = None
    shares_identity: bool | None = None


@feature("agents")
def router(routes: APIRouter, services: Services) -> None:
    agents = services.agents
    read, admin = [Depends(needs("memory:read", "admin"))], [Depends(needs("admin", whole=True))]

    def full(agent: Agent) -> dict[str, Any]:
        return _short(agent, agents.counts()) | {name: getattr(agent, name) for name in _WHOLE}

    @routes.get("/agents", dependencies=read, summary="List agents with the number of their facts")
    def all_(request: Request) -> Response:
        caller = caller_of(request)
        counts = agents.counts()
        return reply({"agents": [_short(agent, counts) for agent in agents.all() if caller.sees(agent.id)]})

    @routes.get("/agents/{agent_id:path}/export", dependencies=read, summary="An agent's settings as JSON")
    def export(agent_id: str, request: Request) -> Response:
        return reply(agents.export(caller_of(request).need_agent(agent_id)))

    @routes.get("/agents/{agent_id:path}", dependencies=read, summary="One agent")
    def one(agent_id: str, request: Request) -> Response:
        return reply(full(agents.get(caller_of(request).need_agent(agent_id))))

    @routes.put(
        "/agents/{agent_id:path}",
        dependencies=admin,
        summary="Make or change an agent",
        responses={201: {"description": "Made"}},
    )
    def put(agent_id: str, body: AgentBody) -> Response:
        fields = {name: value for name, value in given(body).items() if value is not None}
        if "default_model" in fields:
            fields["model"] = fields.pop("default_model")
        known = agents.find(agent_id)
        if known is None:
            name = fields.pop("name", agent_id)
            return reply(full(agents.create(name, agent_id=agent_id, **fields)), 201)
        return reply(full(agents.edit(agent_id, **fields)))

    @routes.delete(
        "/agents/{agent_id:path}", dependencies=admin, summary="Delete an agent with everything it remembers"
    )
    def delete(agent_id: str, dry_run: bool = False) -> Response:
        return reply(agents.delete(agent_id, dry_run))


def _short(agent: Agent, counts: dict[str, int]) -> dict[str, Any]:
    told = {name: getattr(agent, name) for name in _SHORT}
    return told | {"default_model": agent.model, "memory_entry_count": counts.get(agent.id, 0)}
