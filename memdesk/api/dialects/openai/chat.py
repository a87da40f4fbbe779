"""Chat completions in OpenAI's shape, with the memory of an agent when one is named."""

from typing import Any

from fastapi import APIRouter, Request, Response

from memdesk.api.auth import needs
from memdesk.api.dialects.openai.reading import ChatBody, request_of, several
from memdesk.api.dialects.openai.writing import Chunks
from memdesk.api.dialects.serving import Whole, asked_by, serve, serve_several
from memdesk.api.feature import feature
from memdesk.domain.models import new_id
from memdesk.services.chatting import ReceiptReady
from memdesk.services.container import Services


@feature("openai", needs("chat"))
def router(routes: APIRouter, services: Services) -> None:
    @routes.post("/v1/chat/completions", summary="Chat; X-Memdesk-Agent-Id turns memory on")
    async def completions(body: ChatBody, request: Request) -> Response:
        asked = asked_by(request, request_of(body), session=body.session_id, memory=body.memory)
        usage = body.stream_options is not None and body.stream_options.include_usage
        created = int(services.clock.now().timestamp())
        if (body.n or 1) > 1:

            def told(ready: ReceiptReady, answers: list[Whole]) -> dict[str, Any]:
                return Chunks(f"chatcmpl-{new_id()}", created, ready.model).several(answers)

            return await serve_several(request, several(asked, body.n or 1), told)
        return await serve(
            request,
            asked,
            lambda ready: Chunks(f"chatcmpl-{new_id()}", created, ready.model, usage),
            stream=bool(body.stream),
        )
