"""Shows what a program wrote, and undoes it."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from memdesk.api.auth import needs
from memdesk.api.feature import feature
from memdesk.api.plain import listed, reply
from memdesk.services.container import Services

Program = Annotated[str, Query(min_length=1, max_length=300, description="Name of its token, as the history shows it.")]


@feature("tokens", needs("admin", whole=True))
def router(routes: APIRouter, services: Services) -> None:
    @routes.get(
        "/memory/programs/all",
        summary="Programs that have a token or have called: when, what they asked, how much they wrote",
    )
    def programs() -> Response:
        return listed(services.programs.all())

    @routes.get("/memory/programs", summary="How much of what a program wrote could be taken back")
    def written(program: Program) -> Response:
        return reply(services.programs.written(program))

    @routes.delete("/memory/programs", summary="Take back everything that a program wrote")
    def take_back(program: Program) -> Response:
        return reply(services.programs.take_back(program))
