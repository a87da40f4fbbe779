"""``/v1/responses``: chat with memory, which a request may continue with ``previous_response_id``."""

from dataclasses import dataclass
from typing import Any, Final, Literal

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from memdesk.api.auth import caller_of, needs
from memdesk.api.dialects.responses.reading import ResponsesBody, given, items_of, request_of
from memdesk.api.dialects.responses.writing import ResponseEvents
from memdesk.api.dialects.serving import asked_by, counted, serve
from memdesk.api.feature import feature
from memdesk.api.plain import reply
from memdesk.domain.caches import Recent
from memdesk.domain.models import new_id
from memdesk.errors import NotFoundError
from memdesk.ports import ChatMessage
from memdesk.services.chatting import Finished, ReceiptReady, ToolCall
from memdesk.services.container import Services
from memdesk.services.events import LockChanged

#: Maximum responses that can be continued; the oldest is forgotten first.
KEPT: Final = 256


class UnknownResponseError(NotFoundError):
    """The response to continue is not known (any more)."""

    code = "previous_response_not_found"
    default_hint = "Responses are kept until memdesk is locked or ends. Send the whole conversation as input instead."


@dataclass(frozen=True, slots=True)
class Kept:
    """A response, its output items, and all messages up to it."""

    told: dict[str, Any]
    given: list[dict[str, Any]]
    said: tuple[ChatMessage, ...]


class Responses:
    """The recent responses. In this process only, and only while the memory is open."""

    def __init__(self) -> None:
        self._kept: Recent[tuple[str, str], Kept] = Recent(KEPT)
        self.clear = self._kept.clear

    def keep(self, token_id: str, kept: Kept) -> None:
        self._kept.keep((token_id, kept.told["id"]), kept)

    def get(self, token_id: str, response_id: str, *, gone: bool = False) -> Kept:
        """Return a response of a token, and with ``gone`` forget it.

        Raises:
            UnknownResponseError: it is not known.
        """
        found = (self._kept.take if gone else self._kept.get)((token_id, response_id))
        if found is None:
            raise UnknownResponseError(f"The response “{response_id[:120]}” is not known.")
        return found


@feature("openai", needs("chat"))
def router(routes: APIRouter, services: Services) -> None:
    """Return the routes of ``/v1/responses``."""
    kept = Responses()
    services.events.subscribe(LockChanged, lambda event: kept.clear() if event.locked else None)

    def said_before(body: ResponsesBody, request: Request) -> tuple[ChatMessage, ...]:
        before = body.previous_response_id
        return kept.get(caller_of(request).token.id, before).said if before else ()

    @routes.post("/v1/responses/input_tokens", summary="Count a prompt's tokens, without what memory adds")
    def count(body: ResponsesBody, request: Request) -> Response:
        asked = asked_by(request, request_of(body, (*said_before(body, request), *given(body))))
        return reply({"object": "response.input_tokens", "input_tokens": counted(services, asked)})

    @routes.post("/v1/responses", summary="Chat in the shape of OpenAI's responses, with memory")
    async def responses(body: ResponsesBody, request: Request) -> Response:
        token_id, response_id = caller_of(request).token.id, f"resp_{new_id()}"
        before = said_before(body, request)
        brought = await run_in_threadpool(given, body)
        asked = asked_by(request, request_of(body, (*before, *brought)))

        def keep(told: dict[str, Any], finished: Finished, calls: list[ToolCall]) -> None:
            if body.store is not False:
                called = tuple(call.as_openai() for call in calls)
                answer = ChatMessage(role="assistant", content=finished.text, tool_calls=called)
                kept.keep(token_id, Kept(told, items_of(body), (*before, *brought, answer)))

        def shape(ready: ReceiptReady) -> ResponseEvents:
            return ResponseEvents(response_id, int(services.clock.now().timestamp()), ready.model, body, keep)

        return await serve(request, [asked], shape, stream=bool(body.stream))

    @routes.get("/v1/responses/{response_id}", summary="A recent response")
    def response(response_id: str, request: Request) -> Response:
        return reply(kept.get(caller_of(request).token.id, response_id).told)

    @routes.get("/v1/responses/{response_id}/input_items", summary="What a recent response answered")
    def items(response_id: str, request: Request, order: Literal["asc", "desc"] = "desc") -> Response:
        found = kept.get(caller_of(request).token.id, response_id).given
        data = found if order == "asc" else found[::-1]
        ends = {"first_id": data[0]["id"], "last_id": data[-1]["id"]} if data else {}
        return reply({"object": "list", "data": data, "has_more": False} | ends)

    @routes.delete("/v1/responses/{response_id}", summary="Forget a recent response")
    def forget(response_id: str, request: Request) -> Response:
        kept.get(caller_of(request).token.id, response_id, gone=True)
        return reply({"id": response_id, "object": "response", "deleted": True})
