"""The transcript, word for word."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from memdesk.api.auth import caller_of, needs
from memdesk.api.feature import feature
from memdesk.api.params import AgentQuery, Cursor, Limit
from memdesk.api.plain import paged
from memdesk.services.container import Services


@feature("conversations", needs("memory:read"))
def router(routes: APIRouter, services: Services) -> None:
    @routes.get("/memory/transcript", summary="The messages of an agent or of one conversation")
    def transcript(
        request: Request,
        agent_id: AgentQuery = None,
        conversation_id: str | None = None,
        q: Annotated[str, Query(max_length=2000)] = "",
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response:
        agent = caller_of(request).need_agent(agent_id)
        return paged(services.memories.transcript(agent, conversation_id, q, limit, cursor))
