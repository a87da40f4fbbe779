"""What the memory finds, and what a chat would be given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from pydantic import Field

from memdesk.api.auth import agent_header, caller_of, needs
from memdesk.api.moments import EndMoment, Moment
from memdesk.api.params import Body
from memdesk.api.plain import reply
from memdesk.domain.models import Scope, Section

if TYPE_CHECKING:
    from memdesk.services.container import Services


class SearchBody(Body):
    """A search over one agent's memory."""

    agent_id: str | None = None
    query: str = Field(max_length=8000)
    scope: Scope = "all"
    limit: int = Field(default=10, ge=1, le=200)
    conversation_id: str | None = None
    since: Moment | None = None
    until: EndMoment | None = None
    speaker: str | None = None
    kind: str | None = None
    tag: str | None = None
    as_of: EndMoment | None = Field(default=None, description="What was known and valid then.")


class ContextBody(Body):
    """A question, as a chat would put it."""

    agent_id: str | None = None
    query: str = Field(max_length=50_000)
    budget_tokens: int | None = Field(default=None, ge=1, le=100_000)
    section: Section | Literal["auto"] | None = None
    conversation_id: str | None = None
    as_of: EndMoment | None = None
    session_now: Moment | None = Field(default=None, description="The present, for words such as “yesterday”.")
    history: list[str] = Field(default_factory=list, max_length=50)


def router(app: FastAPI) -> APIRouter:
    services: Services = app.state.services
    routes = APIRouter(tags=["memory"], dependencies=[Depends(needs("memory:read"))])

    @routes.post("/memory/search", summary="Search by words and meaning; items with scores and sources")
    def search(body: SearchBody, request: Request) -> Response:
        agent_id = caller_of(request).need_agent(body.agent_id or agent_header(request))
        found = services.recall.search(
            agent_id=agent_id,
            query=body.query,
            scope=body.scope,
            limit=body.limit,
            conversation_id=body.conversation_id,
            since=body.since,
            until=body.until,
            speaker=body.speaker,
            kind=body.kind,
            tag=body.tag,
            as_of=body.as_of,
            remote=caller_of(request).elsewhere,
        )
        return reply({"mode": found.mode, "items": found.items, "total": len(found.items), "next": None})

    @routes.post("/memory/context", summary="Exactly what a chat would be given, and why")
    def context(body: ContextBody, request: Request) -> Response:
        agent_id = caller_of(request).need_agent(body.agent_id or agent_header(request))
        elsewhere = caller_of(request).elsewhere
        return reply(
            services.recall.context(
                agent_id=agent_id,
                query=body.query,
                budget_tokens=body.budget_tokens,
                section=body.section,
                conversation_id=body.conversation_id,
                as_of=body.as_of,
                session_now=body.session_now,
                history=body.history,
                remote=elsewhere,
            ).told(elsewhere=elsewhere)
        )

    return routes
