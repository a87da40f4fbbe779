"""The tools of the registry: list and use them."""

from typing import Any

from fastapi import APIRouter, Request, Response

from memdesk.api.auth import agent_header, caller_of, header, needs
from memdesk.api.feature import feature
from memdesk.api.plain import listed, reply
from memdesk.services.container import Services


# A tool that changes something also needs memory:write.
@feature("tools", needs("memory:read"))
def router(routes: APIRouter, services: Services) -> None:
    @routes.get("/memory/tools", summary="Tools for models and programs, with their arguments")
    def tools() -> Response:
        return listed([tool.told() for tool in services.tools.all()])

    @routes.post("/memory/tools/{name}", summary="Use a tool; the body is its arguments")
    def use(name: str, body: dict[str, Any], request: Request) -> Response:
        agent, program = agent_header(request), header(request, "x-memdesk-program") or ""
        return reply(services.tools.use(name, body, caller_of(request), agent_id=agent, program=program))
