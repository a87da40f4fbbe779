"""``/v1/messages``: chat with memory for clients of Anthropic's API."""

from dataclasses import replace

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from memdesk.api.auth import needs
from memdesk.api.dialects.anthropic.reading import CountBody, MessagesBody, keeps_files, request_of
from memdesk.api.dialects.anthropic.writing import MessageEvents
from memdesk.api.dialects.serving import asked_by, counted, serve
from memdesk.api.feature import feature
from memdesk.api.plain import reply
from memdesk.domain.models import new_id
from memdesk.services.chatting import CompletionRequest, ReceiptReady
from memdesk.services.container import Services
from memdesk.services.tools import MEMORY_FILES


@feature("anthropic", needs("chat"))
def router(routes: APIRouter, services: Services) -> None:
    """Return the routes of ``/v1/messages``."""

    @routes.post("/v1/messages", summary="Chat in Anthropic's shape, with memory")
    async def messages(body: MessagesBody, request: Request) -> Response:
        def shape(ready: ReceiptReady) -> MessageEvents:
            return MessageEvents(f"msg_{new_id()}", ready.model, ready.fit.prompt_tokens, body.wants_thinking)

        asked = asked_by(request, await run_in_threadpool(request_of, body))
        if keeps_files(body):
            asked = with_files(request, asked)
        return await serve(request, [asked], shape, stream=body.stream)

    @routes.post("/v1/messages/count_tokens", summary="Count a prompt's tokens, without what memory adds")
    def count(body: CountBody, request: Request) -> Response:
        return reply({"input_tokens": counted(services, asked_by(request, request_of(body)))})


def with_files(request: Request, asked: CompletionRequest) -> CompletionRequest:
    """Return a request with the memory tool, which runs here if an agent's memory may be written, else in the client."""
    tool = request.app.state.services.tools.get(MEMORY_FILES)
    if asked.agent_id is not None and asked.memory == "on":
        return replace(asked, own_tools=(tool,))
    return replace(asked, tools=(*asked.tools, tool.as_function()))
