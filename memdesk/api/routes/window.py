"""Asks the window to come to the front, when memdesk is started a second time."""

from __future__ import annotations

from fastapi import APIRouter, Depends, FastAPI, Response

from memdesk.api.auth import needs
from memdesk.api.plain import reply
from memdesk.services.events import WindowWanted


def router(app: FastAPI) -> APIRouter:
    events = app.state.services.events
    routes = APIRouter(tags=["app"], dependencies=[Depends(needs("admin", whole=True))])

    @routes.post("/memory/window", summary="Bring the window to the front", status_code=202)
    def show() -> Response:
        there = events.listeners(WindowWanted) > 0
        events.publish(WindowWanted())
        return reply({"window": there}, 202)

    return routes
