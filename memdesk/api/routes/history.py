"""What changed, when, and by whom."""

from typing import Literal

from fastapi import APIRouter, Request, Response

from memdesk.api.auth import caller_of, needs
from memdesk.api.feature import feature
from memdesk.api.params import AgentQuery, Cursor, Limit
from memdesk.api.plain import paged
from memdesk.services.container import Services


@feature("memory", needs("memory:read"))
def router(routes: APIRouter, services: Services) -> None:
    @routes.get("/memory/history", summary="Changes, newest first")
    def history(
        request: Request,
        agent_id: AgentQuery = None,
        kind: Literal["fact", "episode", "identity", "entity", "conversation", "agent"] | None = None,
        ref_id: str | None = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response:
        agent = caller_of(request).agent(agent_id)
        return paged(services.history.page(kind=kind, ref_id=ref_id, agent_id=agent, limit=limit, cursor=cursor))
