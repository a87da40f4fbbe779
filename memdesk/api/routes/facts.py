"""Pinned facts: list, add, edit, forget."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from memdesk.api.auth import caller_of
from memdesk.api.feature import READ, WRITE, feature
from memdesk.api.moments import EndMoment, Moment
from memdesk.api.params import AgentQuery, Body, Cursor, Limit, given
from memdesk.api.plain import listed, paged, reply
from memdesk.api.routes.forget import forgotten
from memdesk.domain.models import FactKind, FactStatus
from memdesk.ports import FactFilter
from memdesk.services.container import Services
from memdesk.services.forgetting import ForgetTarget

_ACTIVE = (FactStatus.ACTIVE,)
#: Facts replaced since were valid then.
_BELIEVED_THEN = (FactStatus.ACTIVE, FactStatus.SUPERSEDED)


class NewFact(Body):
    """A handwritten fact."""

    agent_id: str | None = None
    content: str
    kind: FactKind = FactKind.OTHER
    tags: list[str] = Field(default_factory=list)
    salience: float = Field(default=0.6, ge=0, le=1)
    valid_from: Moment | None = None
    valid_until: Moment | None = None
    pinned: bool = False


class FactChanges(Body):
    """Fields to change; others stay."""

    content: str | None = None
    kind: FactKind | None = None
    tags: list[str] | None = None
    salience: float | None = Field(default=None, ge=0, le=1)
    valid_from: Moment | None = None
    valid_until: Moment | None = None
    user_pinned: bool | None = None
    status: Literal["active", "disabled"] | None = None


@feature("facts")
def router(routes: APIRouter, services: Services) -> None:
    memories = services.memories

    @routes.get("/memory/facts", dependencies=READ, summary="List facts, filtered and sorted")
    def facts(
        request: Request,
        agent_id: AgentQuery = None,
        q: Annotated[str, Query(max_length=2000)] = "",
        status: Annotated[list[FactStatus] | None, Query()] = None,
        kind: FactKind | None = None,
        tag: str | None = None,
        pinned: bool | None = None,
        min_salience: Annotated[float | None, Query(ge=0, le=1)] = None,
        since: Moment | None = None,
        until: EndMoment | None = None,
        as_of: EndMoment | None = None,
        entity_id: str | None = None,
        conversation_id: str | None = None,
        sort: Literal["updated", "created", "salience", "last_used", "content"] = "updated",
        descending: bool = True,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response:
        flt = FactFilter(
            agent_id=caller_of(request).agent(agent_id),
            query=q,
            status=tuple(status or (_ACTIVE if as_of is None else _BELIEVED_THEN)),
            kind=kind,
            tag=tag,
            user_pinned=pinned,
            min_salience=min_salience,
            since=since,
            until=until,
            as_of=as_of,
            entity_id=entity_id,
            conversation_id=conversation_id,
            sort=sort,
            descending=descending,
        )
        return paged(memories.facts(flt, limit=limit, cursor=cursor))

    @routes.post("/memory/facts", dependencies=WRITE, summary="Add a fact", status_code=201)
    def add(body: NewFact, request: Request) -> Response:
        caller = caller_of(request)
        values: dict[str, Any] = body.model_dump() | {"agent_id": caller.need_agent(body.agent_id)}
        services.agents.ensure(values["agent_id"])
        return reply(memories.add_fact(**values, **caller.by), 201)

    @routes.get("/memory/facts/{fact_id}", dependencies=READ, summary="One fact")
    def one(fact_id: str) -> Response:
        return reply(memories.fact(fact_id))

    @routes.patch("/memory/facts/{fact_id}", dependencies=WRITE, summary="Change a fact")
    def change(fact_id: str, body: FactChanges, request: Request) -> Response:
        return reply(memories.edit_fact(fact_id, **caller_of(request).by, **given(body)))

    @routes.delete("/memory/facts/{fact_id}", dependencies=WRITE, summary="Forget a fact, or say what that would do")
    def forget(fact_id: str, request: Request, dry_run: bool = False, include_turns: bool = False) -> Response:
        fact = memories.fact(fact_id, follow=False)
        target = ForgetTarget(kind="fact", ids=(fact.id,), agent_id=fact.agent_id, include_turns=include_turns)
        return forgotten(request, target, dry_run=dry_run)

    @routes.get("/memory/facts/{fact_id}/sources", dependencies=READ, summary="The messages it came from")
    def sources(fact_id: str) -> Response:
        return listed(memories.sources(fact_id))

    @routes.get("/memory/facts/{fact_id}/neighbours", dependencies=READ, summary="Facts that say something similar")
    def neighbors(fact_id: str) -> Response:
        return listed(memories.neighbors(fact_id))
