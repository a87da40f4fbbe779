"""Distill now."""

from fastapi import APIRouter, Depends, Request, Response

from memdesk.api.auth import caller_of, needs
from memdesk.api.feature import READ_OPTIONS, feature
from memdesk.api.params import Body
from memdesk.api.plain import reply
from memdesk.services.container import Services
from memdesk.settings.prompts import distill_prompt


class DistillBody(Body):
    """What to distill: everything pending, one agent's, or one session."""

    agent_id: str | None = None
    conversation_id: str | None = None
    wait: bool = True
    retry_parked: bool = False


@feature("work")
def router(routes: APIRouter, services: Services) -> None:
    @routes.post(
        "/memory/distill",
        dependencies=[Depends(needs("memory:write"))],
        summary="Distill what is pending; one outcome per session",
        responses={202: {"description": "Begun; the status tells the rest"}},
    )
    def distill(body: DistillBody, request: Request) -> Response:
        agent_id = caller_of(request).agent(body.agent_id)
        if body.retry_parked:
            services.distillation.retry_parked(agent_id, body.conversation_id)
        if not body.wait:
            services.lanes.submit("background", lambda: services.distillation.distill(agent_id, body.conversation_id))
            return reply({"status": "accepted", "outcomes": []}, 202)
        outcomes = services.distillation.distill(agent_id, body.conversation_id)
        return reply({"status": "ok", "outcomes": outcomes})

    @routes.get(
        "/memory/distill/prompt",
        # A setting of the app: it may contain what the user wants to be remembered.
        dependencies=READ_OPTIONS,
        summary="The prompt of a distilling model, and the built-in text",
    )
    def prompt() -> Response:
        return reply(distill_prompt(services.settings.current.memory.distill_prompt))
