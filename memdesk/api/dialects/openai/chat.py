"""Chat completions in OpenAI's shape, with an agent's memory if one is named."""

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from memdesk.api.auth import needs
from memdesk.api.dialects.openai.reading import ChatBody, request_of, several
from memdesk.api.dialects.openai.writing import Chunks
from memdesk.api.dialects.serving import asked_by, serve
from memdesk.api.feature import feature
from memdesk.domain.models import new_id
from memdesk.services.chatting import ReceiptReady
from memdesk.services.container import Services


@feature("openai", needs("chat"))
def router(routes: APIRouter, services: Services) -> None:
    @routes.post("/v1/chat/completions", summary="Chat; X-Memdesk-Agent-Id turns memory on")
    async def completions(body: ChatBody, request: Request) -> Response:
        asked = asked_by(
            request, await run_in_threadpool(request_of, body), session=body.session_id, memory=body.memory
        )
        usage = body.stream_options is not None and body.stream_options.include_usage
        created, count = int(services.clock.now().timestamp()), body.n or 1

        def shape(ready: ReceiptReady) -> Chunks:
            return Chunks(f"chatcmpl-{new_id()}", created, ready.model, usage, count)

        return await serve(request, several(asked, count), shape, stream=bool(body.stream))
