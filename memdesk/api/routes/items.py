"""Items of all forms and tiers: what ``/memory/facts``, ``/memory/identity`` and ``/memory/episodes`` are views of."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from memdesk.api.auth import agent_header, caller_of
from memdesk.api.feature import READ, WRITE, feature
from memdesk.api.moments import Moment
from memdesk.api.params import AgentQuery, Body, Cursor, Limit, given
from memdesk.api.plain import reply, whole
from memdesk.api.routes.facts import FactChanges
from memdesk.domain.decoding import decode
from memdesk.domain.items.filters import And, Filter, Where, parse
from memdesk.domain.items.item import ItemType, Privacy, Tier
from memdesk.domain.items.scope import Scope
from memdesk.domain.models import FactKind
from memdesk.errors import BadRequestError
from memdesk.services.container import Services
from memdesk.services.tools import DEFAULT_AGENT


class NewItem(Body):
    """An item, or if its scope has the key, a change of that item: other fields stay, except its expiration."""

    content: str
    agent_id: str | None = None
    run_id: str | None = Field(default=None, max_length=200)
    form: str = "statement"
    tier: Tier | None = None
    type: ItemType | None = None
    key: str = ""
    metadata: dict[str, Any] = Field(default_factory=dict)
    privacy: Privacy | None = None
    expires_at: Moment | None = None
    kind: FactKind = FactKind.OTHER
    tags: list[str] = Field(default_factory=list)
    salience: float = Field(default=0.6, ge=0, le=1)
    valid_from: Moment | None = None
    valid_until: Moment | None = None
    user_pinned: bool = False


class ItemChanges(FactChanges):
    """Fields to change; others stay, and metadata is merged key by key."""

    tier: Tier | None = None
    type: ItemType | None = None
    key: str | None = None
    metadata: dict[str, Any] | None = None
    privacy: Privacy | None = None
    expires_at: Moment | None = None


@feature("items")
def router(routes: APIRouter, services: Services) -> None:
    items = services.items

    @routes.get("/memory/items", dependencies=READ, summary="List items by scope, form, kind, tier, tag and metadata")
    def listing(
        request: Request,
        agent_id: AgentQuery = None,
        user_id: str | None = None,
        run_id: str | None = None,
        form: str | None = None,
        kind: FactKind | None = None,
        type: ItemType | None = None,  # noqa: A002 - the parameter's name
        tier: Tier | None = None,
        status: str | None = "active",
        key: str | None = None,
        tag: str | None = None,
        q: Annotated[str, Query(max_length=2000)] = "",
        filter: Annotated[str, Query(max_length=8000)] = "",  # noqa: A002 - the parameter's name
        expired: bool = False,
        order: Literal["created", "updated", "salience"] = "created",
        descending: bool = False,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response:
        wanted = {"form": form, "kind": kind, "type": type, "tier": tier, "status": status or None, "key": key}
        parts: list[Filter] = [Where(name, "eq", str(value)) for name, value in wanted.items() if value is not None]
        if (more := _filter(filter)) is not None:
            parts.append(more)
        page = items.page(
            Scope(user_id=user_id, agent_id=caller_of(request).agent(agent_id), run_id=run_id),
            And(tuple(parts)),
            tag=tag,
            query=q,
            expired=expired,
            order=order,
            descending=descending,
            limit=limit,
            cursor=cursor,
        )
        return reply({"items": [whole(item) for item in page.items], "total": page.total, "next": page.next})

    @routes.post(
        "/memory/items",
        dependencies=WRITE,
        summary="Write an item, by its key where it has one",
        responses={201: {"description": "A new one"}},
    )
    def put(body: NewItem, request: Request) -> Response:
        caller = caller_of(request)
        whose = body.agent_id
        if body.tier == "always":
            # Every agent sees it, so a token of one agent must not write it.
            caller.need_whole()
        else:
            whose = caller.need_agent(whose)
            services.agents.ensure(whose)
        item, is_new = items.put(**given(body) | {"agent_id": whose}, **caller.by)
        return reply(whole(item), 201 if is_new else 200)

    @routes.get("/memory/items/{item_id}", dependencies=READ, summary="One item")
    def one(item_id: str) -> Response:
        return reply(whole(items.get(item_id)))

    @routes.patch("/memory/items/{item_id}", dependencies=WRITE, summary="Change an item")
    def change(item_id: str, body: ItemChanges, request: Request) -> Response:
        return reply(whole(items.change(item_id, **caller_of(request).by, **given(body))))

    @routes.delete("/memory/items/{item_id}", dependencies=WRITE, summary="Forget an item, or say what that would do")
    def forget(item_id: str, request: Request, dry_run: bool = False) -> Response:
        return reply(items.preview(item_id) if dry_run else items.forget(item_id, **caller_of(request).by))

    @routes.delete("/memory/files", dependencies=WRITE, summary="Clear the files that an agent wrote for itself")
    def clear_files(request: Request) -> Response:
        caller = caller_of(request)
        agent_id = caller.agent(agent_header(request)) or DEFAULT_AGENT
        return reply({"text": services.own_files.clear(agent_id, by=caller.token.name)})


def _filter(text: str) -> Filter | None:
    """Return the filter in a query parameter, as JSON. Raises ``BadRequestError``."""
    if not text.strip():
        return None
    try:
        return parse(decode(text))
    except ValueError as error:
        raise BadRequestError('filter is JSON, as {"metadata key": "value"}.') from error
