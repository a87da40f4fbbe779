"""Brings the window to the front when memdesk is started again."""

from fastapi import APIRouter, Response

from memdesk.api.auth import needs
from memdesk.api.feature import feature
from memdesk.api.plain import reply
from memdesk.services.container import Services
from memdesk.services.events import WindowWanted


@feature("app", needs("admin", whole=True))
def router(routes: APIRouter, services: Services) -> None:
    events = services.events

    @routes.post("/memory/window", summary="Bring the window to the front", status_code=202)
    def show() -> Response:
        there = events.listeners(WindowWanted) > 0
        events.publish(WindowWanted())
        return reply({"window": there}, 202)
