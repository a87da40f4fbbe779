"""The same settings as the window's."""

from typing import Literal

from fastapi import APIRouter, Depends, Response

from memdesk.api.auth import needs
from memdesk.api.feature import READ_OPTIONS, feature
from memdesk.api.params import FreeBody
from memdesk.api.plain import listed, reply
from memdesk.services.container import Services

SectionName = Literal["memory", "server", "appearance", "engine"]


@feature("settings")
def router(routes: APIRouter, services: Services) -> None:
    settings = services.settings

    @routes.get("/memory/settings", dependencies=READ_OPTIONS, summary="Read settings")
    def read(section: SectionName = "memory") -> Response:
        return reply(getattr(settings.current, section))

    @routes.put("/memory/settings", dependencies=[Depends(needs("admin", whole=True))], summary="Change settings")
    def write(changes: FreeBody, section: SectionName = "memory") -> Response:
        return reply(getattr(settings.update(section, changes), section))

    @routes.get(
        "/memory/settings/fields", dependencies=READ_OPTIONS, summary="Every option with its default, bounds and help"
    )
    def fields() -> Response:
        return listed(settings.describe())
