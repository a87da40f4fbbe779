"""Liveness and readiness."""

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse

import memdesk
from memdesk.api.feature import feature
from memdesk.api.plain import reply
from memdesk.services.container import Services


@feature("health")
def router(routes: APIRouter, services: Services) -> None:
    # Ollama's clients check here whether the server runs.
    @routes.api_route("/", methods=["GET", "HEAD"], include_in_schema=False)
    async def root() -> Response:
        return PlainTextResponse("memdesk is running")

    @routes.get("/health", summary="Alive; needs no token")
    async def health() -> Response:
        return reply({"status": "ok", "version": memdesk.__version__})

    @routes.get("/readyz", summary="Ready: the database is open; the engines' states")
    def ready() -> Response:
        state = services.status.ready()
        return reply(state, 200 if state["ready"] else 503)
