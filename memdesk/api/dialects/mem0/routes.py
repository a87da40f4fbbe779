"""``/v1/memories`` and related paths, with and without a trailing slash."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import APIRouter, Depends, FastAPI, Query, Request, Response

from memdesk.api.auth import caller_of, needs
from memdesk.api.dialects.mem0.bodies import Batch, Changes, Listing, NewMemories, Question, Scoped
from memdesk.api.plain import reply
from memdesk.domain.models import new_id
from memdesk.errors import BadRequestError, NotFoundError
from memdesk.services.library import NEVER, SCOPE, end_of, scope_in, spoken

if TYPE_CHECKING:
    from memdesk.api.tenants import Shared
    from memdesk.services.container import Services
    from memdesk.services.library import MemoryService

#: Default number of results.
LIMIT: Final = 100
READ: Final = [Depends(needs("memory:read"))]
WRITE: Final = [Depends(needs("memory:write"))]


def router(app: FastAPI) -> APIRouter:
    routes = APIRouter(tags=["mem0"])
    shared: Shared | None = getattr(app.state, "shared", None)
    services: Services = app.state.services
    calls = _Calls((lambda _: services.library) if shared is None else _memory_of(shared), shared)

    def both(method: str, path: str, call: Callable[..., Any], summary: str, rights: list[Any]) -> None:
        # A parameter that may contain slashes would include the trailing one.
        for address, shown in ((path + "/", False), (path, True)):
            routes.add_api_route(
                address, call, methods=[method], summary=summary, dependencies=rights, include_in_schema=shown
            )

    both("GET", "/ping", calls.ping, "Check the token", [])
    for path in ("/memories", "/v3/memories/add"):
        both("POST", path, calls.add, "Remember what messages say", WRITE)
    both("GET", "/memories", calls.listed, "The memories of a scope", READ)
    both("DELETE", "/memories", calls.delete_all, "Delete the memories of a scope", WRITE)
    both("GET", "/memories/search", calls.search_by_address, "The memories nearest to a query", READ)
    for path in ("/memories/search", "/search", "/v2/memories/search", "/v3/memories/search"):
        both("POST", path, calls.search, "The memories nearest to a query, with filters", READ)
    for path in ("/memories/list", "/v2/memories"):
        both("POST", path, calls.listed_by_body, "The memories of a scope, with filters", READ)
    both("POST", "/v3/memories", calls.page, "The memories of a scope, page by page", READ)
    both("PUT", "/batch", calls.update_some, "Overwrite several memories", WRITE)
    both("DELETE", "/batch", calls.delete_some, "Delete several memories", WRITE)
    both("GET", "/entities", calls.owners, "The users, agents and runs that have memories", READ)
    both("DELETE", "/v2/entities/{kind}/{name:path}", calls.delete_owner, "Delete the memories of one of them", WRITE)
    both("GET", "/memories/{memory_id:path}/history", calls.history, "What happened to a memory", READ)
    both("GET", "/memories/{memory_id:path}", calls.one, "One memory", READ)
    both("PUT", "/memories/{memory_id:path}", calls.update, "Overwrite a memory", WRITE)
    both("DELETE", "/memories/{memory_id:path}", calls.delete, "Delete a memory", WRITE)
    both(
        "POST",
        "/reset",
        calls.reset,
        "Delete everything that programs keep here",
        [Depends(needs("admin", whole=True))],
    )
    both("GET", "/event/{event_id:path}", calls.event, "Outcome of queued messages", READ)
    both("POST", "/entities", calls.entities, "The named people, places and things of a scope", READ)
    both("GET", "/entities/{name:path}/relations", calls.relations, "Relations of an entity", READ)
    return routes


def added(memory: MemoryService, given: dict[str, Any]) -> dict[str, Any]:
    """Remember what messages say; return the result. mem0's clients expect the text under ``memory``."""
    done = memory.add(**given)
    return {"results": [{**one, "memory": one["new_memory"] or one["old_memory"]} for one in done["results"]]}


def _memory_of(shared: Shared) -> Callable[[Request], MemoryService]:
    return lambda request: shared.memory(caller_of(request).token.id)


def _own(request: Request, scope: dict[str, Any]) -> dict[str, Any]:
    """Return a scope within what the caller's token may see."""
    return {**scope, "agent_id": caller_of(request).agent(scope.get("agent_id"))}


async def _named(
    request: Request,
    user_id: str | None = None,
    agent_id: str | None = None,
    run_id: str | None = None,
    app_id: str | None = None,
) -> dict[str, Any]:
    if app_id is not None:
        # If ignored, more would be shown or deleted than intended.
        raise BadRequestError("app_id does not name an owner here; use filters, or run_id.")
    return _own(request, {"user_id": user_id, "agent_id": agent_id, "run_id": run_id})


#: The scope named in the path.
Named = Annotated[dict[str, Any], Depends(_named)]


class _Calls:
    """The calls; each reads its request, calls the service, and writes the answer.

    A token of one agent sees and changes only that agent's memories.
    """

    def __init__(self, memory: Callable[[Request], MemoryService], shared: Shared | None) -> None:
        self._memory = memory
        self._shared = shared

    def ping(self, request: Request) -> Response:
        # mem0's client requires an organization and a project; here there is one of each.
        owner = {"org_id": "memdesk", "project_id": "memdesk", "user_email": None}
        return reply({"status": "ok", "name": caller_of(request).token.name, **owner})

    def add(self, body: NewMemories, request: Request) -> Response:
        scope, filters = scope_in(body.filters, _given(body))
        wishes = body.model_dump(include={"metadata", "prompt", "infer", "timestamp"})
        if body.app_id is not None:
            wishes["metadata"] = {**(body.metadata or {}), "app_id": body.app_id}
        given = {
            "messages": spoken(body.messages), **_own(request, scope), **wishes, "filters": filters,
            "expires_at": body.expires_at or end_of(body.expiration_date),
        }  # fmt: skip
        key = request.headers.get("idempotency-key", "")
        if self._shared is None or not (key or body.async_mode):
            return reply(added(self._memory(request), given))
        tenant = caller_of(request).token.id
        if not body.async_mode:
            return reply(self._shared.requests.once(tenant, key, given, lambda: added(self._memory(request), given)))
        self._memory(request).add(**given, dry_run=True)
        key = key or new_id()
        self._shared.requests.queue(tenant, key, given)
        return reply({"status": "PENDING", "event_id": key, "results": []})

    def event(self, event_id: str, request: Request) -> Response:
        found = self._shared and self._shared.requests.status(caller_of(request).token.id, event_id)
        if not found:
            raise NotFoundError(f"There is no event {event_id}.")
        status = "SUCCEEDED" if found.answer is not None else "FAILED" if found.given_up else "PENDING"
        return reply(
            {"status": status, "event_id": event_id, "problem": found.problem, **(found.answer or {"results": []})}
        )

    def search(self, body: Question, request: Request) -> Response:
        scope, filters = scope_in(body.filters, _given(body))
        return reply(
            self._memory(request).search(
                body.query,
                **_own(request, scope),
                filters=filters,
                limit=LIMIT if body.limit is None else body.limit,
                threshold=body.threshold,
                graph=body.graph,
                expired=body.expired,
            )
        )

    def search_by_address(
        self,
        request: Request,
        scope: Named,
        q: str = Query("", description="The query; `query` will do."),
        query: str = "",
        limit: int = LIMIT,
    ) -> Response:
        return reply(self._memory(request).search(q or query, **scope, limit=limit))

    def listed(self, request: Request, scope: Named, limit: int = LIMIT) -> Response:
        return reply(self._memory(request).get_all(**scope, limit=limit))

    def listed_by_body(self, body: Listing, request: Request) -> Response:
        scope, filters = scope_in(body.filters, _given(body))
        limit = LIMIT if body.limit is None else body.limit
        found = self._memory(request).get_all(
            **_own(request, scope), filters=filters, limit=limit, expired=body.expired, offset=body.offset
        )
        return reply(found)

    def page(
        self,
        body: Listing,
        request: Request,
        page: Annotated[int, Query(ge=1)] = 1,
        page_size: Annotated[int, Query(ge=1, le=1000)] = LIMIT,
    ) -> Response:
        scope, filters = scope_in(body.filters, _given(body))
        wanted = {**_own(request, scope), "filters": filters}
        memory = self._memory(request)
        count = memory.count(**wanted)
        found = memory.get_all(**wanted, limit=page_size, offset=(page - 1) * page_size, expired=body.expired)
        near = {"next": page + 1 if page * page_size < count else None, "previous": page - 1 or None}
        pages = {
            name: other and str(request.url.include_query_params(page=other, page_size=page_size))
            for name, other in near.items()
        }
        return reply({"count": count, **pages, **found})

    def one(self, memory_id: str, request: Request) -> Response:
        return reply(self._known(memory_id, request))

    def update(self, memory_id: str, body: Changes, request: Request) -> Response:
        self._known(memory_id, request)
        return reply(self._changed(memory_id, body, request))

    def update_some(self, body: Batch, request: Request) -> Response:
        for one in body.memories:
            self._known(one.memory_id, request)
        for one in body.memories:
            self._changed(one.memory_id, one, request)
        return reply({"message": f"Successfully updated {len(body.memories)} memories"})

    def delete_some(self, body: Batch, request: Request) -> Response:
        for one in body.memories:
            self._known(one.memory_id, request)
        for one in body.memories:
            self._memory(request).delete(one.memory_id)
        return reply({"message": f"Successfully deleted {len(body.memories)} memories", "deleted": len(body.memories)})

    def delete(self, memory_id: str, request: Request) -> Response:
        self._known(memory_id, request)
        self._memory(request).delete(memory_id)
        return reply({"message": "Memory deleted successfully!"})

    def delete_all(self, request: Request, scope: Named) -> Response:
        deleted = self._memory(request).delete_all(**scope)
        return reply({"message": "Memories deleted successfully!", "deleted": deleted})

    def history(self, memory_id: str, request: Request) -> Response:
        # The owner of a deleted memory is unknown: a token of one agent may only query existing ones.
        if caller_of(request).token.agents:
            self._known(memory_id, request)
        past = self._memory(request).history(memory_id)
        return reply(
            [
                {
                    **one, "old_memory": one["old_value"], "new_memory": one["new_value"],
                    "created_at": past[0]["timestamp"], "updated_at": one["timestamp"],
                }
                for one in past
            ]
        )  # fmt: skip

    def reset(self, request: Request) -> Response:
        self._memory(request).reset()
        return reply({"message": "All memories reset"})

    def entities(self, body: Scoped, request: Request) -> Response:
        return reply({"results": self._memory(request).entities(**_scope(request, body))})

    def owners(self, request: Request) -> Response:
        bound = caller_of(request).agent(None)
        found = [{**one, "id": one["name"]} for one in self._memory(request).owners(bound)]
        return reply({"count": len(found), "next": None, "previous": None, "results": found})

    def delete_owner(self, kind: str, name: str, request: Request) -> Response:
        scope = {f"{kind}_id": name}
        deleted = self._memory(request).delete_all(**_own(request, scope)) if scope.keys() <= set(SCOPE) else 0
        if not deleted:
            raise NotFoundError("No such owner has memories here.")
        return reply({"message": "Entity deleted successfully!", "deleted": deleted})

    def relations(self, name: str, request: Request, scope: Named) -> Response:
        return reply({"results": self._memory(request).relations(name, **scope)})

    def _changed(self, memory_id: str, body: Changes, request: Request) -> Any:
        ends: Any = body.expires_at
        if "expiration_date" in body.model_fields_set:
            ends = NEVER if body.expiration_date is None else end_of(body.expiration_date)
        return self._memory(request).update(memory_id, body.text, metadata=body.metadata, expires_at=ends)

    def _known(self, memory_id: str, request: Request) -> Any:
        found = self._memory(request).get(memory_id)
        bound = caller_of(request).token.agents
        if found is None or (bound and found.get("agent_id") not in bound):
            raise NotFoundError(f"Memory with id {memory_id} not found")
        return found


def _given(body: Scoped) -> dict[str, Any]:
    return {"user_id": body.user_id, "agent_id": body.agent_id, "run_id": body.run_id}


def _scope(request: Request, body: Scoped) -> dict[str, Any]:
    return _own(request, _given(body))
