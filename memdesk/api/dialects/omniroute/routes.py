"""``/api/memory``: a gateway's entries, in OmniRoute's protocol."""

import time
from collections import Counter
from dataclasses import replace
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import AliasChoices, Field

from memdesk.api.auth import caller_of, needs
from memdesk.api.feature import READ, READ_OPTIONS, WRITE, feature
from memdesk.api.moments import Moment
from memdesk.api.params import OpenBody, given
from memdesk.api.plain import reply
from memdesk.domain.items.item import ItemType
from memdesk.domain.language.text import estimate_tokens
from memdesk.domain.models import new_id
from memdesk.errors import EngineError, NotFoundError
from memdesk.services.container import Services
from memdesk.services.tools import DEFAULT_AGENT, EntryMetadata, EntryScope, entry
from memdesk.settings.schema import Strategy


class NewEntry(OpenBody):
    """An entry, or a change of the entry with this key."""

    content: str = Field(min_length=1)
    key: str = Field(min_length=1, max_length=200)
    type: ItemType = "factual"
    sessionId: str = ""  # noqa: N815 -- as it is sent
    apiKeyId: str = ""  # noqa: N815 -- as it is sent
    scope: EntryScope | None = None
    metadata: EntryMetadata = Field(default_factory=dict)
    expires_at: Moment | None = Field(default=None, validation_alias=AliasChoices("expiresAt", "expires_at"))


class EntryChanges(OpenBody):
    """Changes to an entry; null removes its expiration, and leaves other fields as they are."""

    content: str | None = None
    key: str | None = None
    type: ItemType | None = None
    metadata: EntryMetadata | None = None
    expires_at: Moment | None = Field(default=None, validation_alias=AliasChoices("expiresAt", "expires_at"))


class Summarize(OpenBody):
    """Entries to replace by a summary; nothing is changed unless ``dryRun`` is false."""

    olderThanDays: int = Field(default=30, ge=0, le=3650)  # noqa: N815 -- as it is sent
    apiKeyId: str = ""  # noqa: N815 -- as it is sent
    dryRun: bool = True  # noqa: N815 -- as it is sent


class MemoryOptions(OpenBody):
    """Changes to ``/api/settings/memory``."""

    enabled: bool | None = None
    maxTokens: int | None = Field(default=None, ge=0, le=16_000)  # noqa: N815 -- as it is sent
    retentionDays: int | None = Field(default=None, ge=1, le=365)  # noqa: N815 -- as it is sent
    strategy: Strategy | None = None
    skillsEnabled: bool | None = None  # noqa: N815 -- as it is sent


#: Their names of our memory settings.
_MOST_DAYS: Final = 365
_SETTINGS: Final = {
    "enabled": "enabled",
    "maxTokens": "memory_budget_tokens",
    "retentionDays": "episode_retention_days",
    "strategy": "recall_strategy",
}


@feature("omniroute")
def router(routes: APIRouter, services: Services) -> None:
    gateway = services.gateway

    def owner(request: Request, named: str) -> str:
        return caller_of(request).agent(named or None) or DEFAULT_AGENT

    def own(request: Request, memory_id: str) -> Any:
        item = services.items.get(memory_id)
        if not item.key or item.agent_id is None or not caller_of(request).sees(item.agent_id):
            raise NotFoundError("There is no such memory.")
        return item

    @routes.get("/api/memory", dependencies=READ, summary="A gateway's entries, with figures")
    def listing(
        request: Request,
        apiKeyId: str = "",  # noqa: N803 -- as it is sent
        type: ItemType | None = None,  # noqa: A002 -- as it is sent
        sessionId: str = "",  # noqa: N803 -- as it is sent
        scope: EntryScope | None = None,
        q: str = "",
        limit: Annotated[int, Query(ge=1, le=500)] = 50,
        page: Annotated[int, Query(ge=1)] = 1,
        offset: Annotated[int | None, Query(ge=0)] = None,
    ) -> Response:
        found = gateway.all(owner(request, apiKeyId), type=type, session=sessionId, scope=scope, query=q)
        first = (page - 1) * limit if offset is None else offset
        shown = found[first : first + limit]
        stats = {
            "total": len(found),
            "byType": Counter(item.type for item in found),
            "tokensUsed": sum(estimate_tokens(item.content) for item in found),
            "hitRate": services.recall.stats().get("contexts", {}).get("rate", 0.0),
        }
        told = {"page": first // limit + 1, "limit": limit, "totalPages": -(-len(found) // limit)}
        entries = [entry(item) for item in shown]
        return reply({"memories": entries, "data": entries, "stats": stats, "total": len(found), **told})

    @routes.post(
        "/api/memory",
        dependencies=WRITE,
        summary="Write an entry by its key",
        responses={201: {"description": "A new one"}},
    )
    def add(body: NewEntry, request: Request) -> Response:
        item, is_new = gateway.add(
            owner(request, body.apiKeyId),
            key=body.key,
            content=body.content,
            type=body.type,
            session=body.sessionId,
            scope=body.scope,
            metadata=body.metadata,
            expires_at=body.expires_at,
            by=caller_of(request).token.name,
        )
        return reply({"success": True, "id": item.id, "memory": entry(item)}, 201 if is_new else 200)

    @routes.get("/api/memory/health", dependencies=WRITE, summary="Write, list and forget an entry")
    def health(request: Request) -> Response:
        began, whose, key = time.perf_counter(), owner(request, ""), f"health:{new_id()}"
        item, _ = gateway.add(whose, key=key, content="Whether entries can be kept.", type="factual")
        try:
            if all(each.id != item.id for each in gateway.all(whose)):
                raise EngineError("What was written is not listed.")
        finally:
            gateway.forget(item)
        taken = (time.perf_counter() - began) * 1000
        return reply({"status": "healthy", "working": True, "latencyMs": round(taken, 1)})

    @routes.post("/api/memory/summarize", dependencies=WRITE, summary="Summarize old entries")
    def summarize(body: Summarize, request: Request) -> Response:
        whose, by = owner(request, body.apiKeyId), caller_of(request).token.name
        old = gateway.older(whose, body.olderThanDays)
        made = [] if body.dryRun else gateway.summarize(whose, body.olderThanDays, by)
        return reply(
            {
                "dryRun": body.dryRun,
                "candidates": [entry(item) for item in old],
                "totalTokens": sum(estimate_tokens(item.content) for item in old),
                "deletedCount": len(old) if made else 0,
                "summaryId": made[0].id if made else None,
                "summaryIds": [item.id for item in made],
            }
        )

    @routes.get("/api/memory/{memory_id}", dependencies=READ, summary="One entry")
    def one(memory_id: str, request: Request) -> Response:
        return reply(entry(own(request, memory_id)))

    @routes.put("/api/memory/{memory_id}", dependencies=WRITE, summary="Change an entry")
    def change(memory_id: str, body: EntryChanges, request: Request) -> Response:
        item = own(request, memory_id)
        values = {name: value for name, value in given(body).items() if value is not None or name == "expires_at"}
        changed = services.items.change(item.id, **caller_of(request).by, **values)
        return reply(entry(changed))

    @routes.delete("/api/memory/{memory_id}", dependencies=WRITE, summary="Forget an entry")
    def forget(memory_id: str, request: Request) -> Response:
        gateway.forget(own(request, memory_id), caller_of(request).token.name)
        return reply({"success": True})

    def options() -> dict[str, Any]:
        memory = services.settings.current.memory
        told = {name: getattr(memory, ours) for name, ours in _SETTINGS.items()}
        # Ours may keep forever (0), or longer than theirs can express.
        days = min(told["retentionDays"] or _MOST_DAYS, _MOST_DAYS)
        agent = services.agents.find(DEFAULT_AGENT) or services.agents.draft(DEFAULT_AGENT)
        return told | {"retentionDays": days, "skillsEnabled": agent.search_tool}

    @routes.get(
        "/api/settings/memory",
        dependencies=READ_OPTIONS,
        summary="Settings of memory, in OmniRoute's words",
    )
    def read_options() -> Response:
        return reply(options())

    @routes.put(
        "/api/settings/memory",
        dependencies=[Depends(needs("admin", whole=True))],
        summary="Change settings of memory, in OmniRoute's words",
    )
    def change_options(body: MemoryOptions) -> Response:
        changes = body.model_dump(exclude_none=True)
        services.settings.update("memory", {ours: changes[name] for name, ours in _SETTINGS.items() if name in changes})
        if body.skillsEnabled is not None:
            agent = services.agents.ensure(DEFAULT_AGENT)
            services.agents.put(replace(agent, search_tool=body.skillsEnabled))
        return reply(options())
