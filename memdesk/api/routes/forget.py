"""Forget anything, with a preview first."""

from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from memdesk.api.auth import caller_of, needs
from memdesk.api.feature import feature
from memdesk.api.params import Body
from memdesk.api.plain import reply
from memdesk.services.container import Services
from memdesk.services.forgetting import ForgetTarget


class ForgetBody(Body):
    """What to forget."""

    kind: Literal["fact", "facts", "episode", "identity", "conversation", "agent", "entity", "turn", "everything"]
    ids: list[str] = Field(default_factory=list, max_length=10_000)
    agent_id: str | None = None
    learned: bool = True
    include_turns: bool = False
    include_prompts: bool = False


def forgotten(request: Request, target: ForgetTarget, *, dry_run: bool) -> Response:
    """Forget for a caller, or return what that would do."""
    service = request.app.state.services.forgetting
    return reply(service.preview(target) if dry_run else service.forget(target, **caller_of(request).by))


@feature("memory", needs("memory:write"))
def router(routes: APIRouter, _services: Services) -> None:
    def target_of(body: ForgetBody, request: Request) -> ForgetTarget:
        caller = caller_of(request)
        agent_id = caller.agent(body.agent_id)
        if body.kind in {"agent", "everything"}:
            caller.need_scope("admin")
        if body.kind in {"agent", "everything", "identity"} or body.include_prompts:
            # Prompts belong to the user and to other agents too.
            caller.need_whole()
        return ForgetTarget(**body.model_dump() | {"ids": tuple(body.ids), "agent_id": agent_id})

    @routes.post("/memory/forget/preview", summary="What forgetting would do; changes nothing")
    def preview(body: ForgetBody, request: Request) -> Response:
        return forgotten(request, target_of(body, request), dry_run=True)

    @routes.post("/memory/forget", summary="Forget for good, and verify it")
    def forget(body: ForgetBody, request: Request) -> Response:
        return forgotten(request, target_of(body, request), dry_run=False)
