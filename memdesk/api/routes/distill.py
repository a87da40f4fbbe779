"""Distil now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Depends, FastAPI, Request, Response

from memdesk.api.auth import caller_of, needs
from memdesk.api.params import Body
from memdesk.api.plain import reply

if TYPE_CHECKING:
    from memdesk.services.container import Services


class DistillBody(Body):
    """What to distil: everything pending, one agent's, or one session."""

    agent_id: str | None = None
    conversation_id: str | None = None
    wait: bool = True
    retry_parked: bool = False


def router(app: FastAPI) -> APIRouter:
    """Return the route of ``/memory/distill``."""
    services: Services = app.state.services
    routes = APIRouter(tags=["work"], dependencies=[Depends(needs("memory:write"))])

    @routes.post("/memory/distill", summary="Distil what is pending; one outcome a session")
    def distill(body: DistillBody, request: Request) -> Response:
        agent_id = caller_of(request).agent(body.agent_id)
        if body.retry_parked:
            services.distillation.retry_parked(agent_id, body.conversation_id)
        if not body.wait:
            services.lanes.submit("background", lambda: services.distillation.distill(agent_id, body.conversation_id))
            return reply({"status": "accepted", "outcomes": []}, 202)
        outcomes = services.distillation.distill(agent_id, body.conversation_id)
        return reply({"status": "ok", "outcomes": outcomes})

    return routes
