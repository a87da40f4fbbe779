"""People and things."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from memdesk.api.auth import caller_of, needs
from memdesk.api.feature import feature
from memdesk.api.params import AgentQuery, Cursor, Limit
from memdesk.api.plain import paged, reply
from memdesk.services.container import Services


@feature("entities", needs("memory:read"))
def router(routes: APIRouter, services: Services) -> None:
    memories = services.memories

    @routes.get("/memory/entities", summary="List people, places, projects and tools")
    def entities(
        request: Request,
        agent_id: AgentQuery = None,
        q: Annotated[str, Query(max_length=2000)] = "",
        type_: Annotated[str | None, Query(alias="type")] = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response:
        agent = caller_of(request).agent(agent_id)
        return paged(memories.entities(agent, q, type_, limit, cursor))

    @routes.get("/memory/entities/{entity_id}", summary="One, with its facts, episodes and relations")
    def entity(entity_id: str) -> Response:
        return reply(memories.entity(entity_id))
