"""The state of memory and of background work."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response

from memdesk.api.auth import caller_of, needs
from memdesk.api.feature import feature
from memdesk.api.plain import listed, reply
from memdesk.services.container import Services


@feature("status")
def router(routes: APIRouter, services: Services) -> None:
    read = [Depends(needs("memory:read"))]
    whole = [Depends(needs("admin", whole=True))]

    @routes.get("/memory/status", dependencies=read, summary="Pending, parked, running; engines, index, counts")
    def status(request: Request) -> Response:
        state: dict[str, Any] = services.status.snapshot()
        caller = caller_of(request)
        if caller.token.agents:
            for queue in ("pending", "parked"):
                state[queue] = [session for session in state[queue] if caller.sees(session["agent_id"])]
            for shared in ("distillation", "running", "server"):
                state.pop(shared)
        return reply(state)

    @routes.get("/memory/health", dependencies=whole, summary="Health tiles")
    def health() -> Response:
        return listed(services.status.health())

    @routes.get("/memory/activity", dependencies=whole, summary="Requests to this server; never content")
    def activity(request: Request, limit: Annotated[int, Query(ge=1, le=500)] = 100) -> Response:
        request.app.state.activity.flush()
        return listed(services.status.activity(limit))
