"""Search, and the memory that a chat would be given."""

from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from memdesk.api.auth import agent_header, caller_of, needs
from memdesk.api.feature import feature
from memdesk.api.moments import EndMoment, Moment
from memdesk.api.params import Body
from memdesk.api.plain import reply
from memdesk.domain.models import Scope, Section
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
    """A question, as in a chat."""

    agent_id: str | None = None
    query: str = Field(max_length=50_000)
    budget_tokens: int | None = Field(default=None, ge=1, le=100_000)
    section: Section | Literal["auto"] | None = None
    conversation_id: str | None = None
    as_of: EndMoment | None = None
    session_now: Moment | None = Field(default=None, description="The present, for words such as “yesterday”.")
    history: list[str] = Field(default_factory=list, max_length=50)


@feature("memory", needs("memory:read"))
def router(routes: APIRouter, services: Services) -> None:
    def asked_of(body: SearchBody | ContextBody, request: Request) -> dict[str, Any]:
        caller = caller_of(request)
        agent_id = caller.need_agent(body.agent_id or agent_header(request))
        return body.model_dump() | {"agent_id": agent_id, "remote": caller.elsewhere}

    @routes.post("/memory/search", summary="Search by words and meaning; items with scores and sources")
    def search(body: SearchBody, request: Request) -> Response:
        found = services.recall.search(**asked_of(body, request))
        return reply({"mode": found.mode, "items": found.items, "total": len(found.items), "next": None})

    @routes.post("/memory/context", summary="Exactly what a chat would be given, and why")
    def context(body: ContextBody, request: Request) -> Response:
        asked = asked_of(body, request)
        counts = services.chat.tokenizer(asked["agent_id"])
        receipt = services.recall.context(**asked, tokenizer=counts, store_receipt=True)
        return reply(receipt.told(elsewhere=caller_of(request).elsewhere))
