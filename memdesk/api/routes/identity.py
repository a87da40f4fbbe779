"""Identity: always-on lines about the user, shared by all agents."""

from typing import Literal

from fastapi import APIRouter, Depends, Request, Response

from memdesk.api.auth import caller_of, needs
from memdesk.api.feature import feature
from memdesk.api.params import AgentQuery, Body, given
from memdesk.api.plain import listed, reply
from memdesk.api.routes.forget import forgotten
from memdesk.domain.items.registry import IDENTITY, viewed
from memdesk.services.container import Services
from memdesk.services.forgetting import ForgetTarget


class NewLine(Body):
    """A line for every agent."""

    content: str


class LineChanges(Body):
    """Fields to change; others stay."""

    content: str | None = None
    status: Literal["active", "disabled"] | None = None


@feature("identity")
def router(routes: APIRouter, services: Services) -> None:
    memories = services.memories
    read = [Depends(needs("memory:read"))]
    # Every agent sees these lines, so a token of one agent must not write them.
    write = [Depends(needs("memory:write", whole=True))]

    @routes.get("/memory/identity", dependencies=read, summary="The lines about the user")
    def identity(request: Request, include_inactive: bool = False, agent_id: AgentQuery = None) -> Response:
        lines = memories.identity(include_inactive, caller_of(request).agent(agent_id))
        return listed([viewed(line, IDENTITY) for line in lines])

    @routes.post("/memory/identity", dependencies=write, summary="Add a line", status_code=201)
    def add(body: NewLine, request: Request) -> Response:
        return reply(viewed(memories.add_identity(body.content, **caller_of(request).by), IDENTITY), 201)

    @routes.patch("/memory/identity/{line_id}", dependencies=write, summary="Change a line")
    def change(line_id: str, body: LineChanges, request: Request) -> Response:
        changed = memories.edit_identity(line_id, **caller_of(request).by, **given(body))
        return reply(viewed(changed, IDENTITY))

    @routes.delete("/memory/identity/{line_id}", dependencies=write, summary="Forget a line")
    def forget(line_id: str, request: Request, dry_run: bool = False) -> Response:
        return forgotten(request, ForgetTarget(kind="identity", ids=(line_id,)), dry_run=dry_run)
