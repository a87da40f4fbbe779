"""``POST /v1/responses``: chat with memory, which a request may go on from by ``previous_response_id``."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter, Depends, FastAPI, Request, Response

from memdesk.api.auth import caller_of, needs
from memdesk.api.dialects.responses.reading import ResponsesBody, given, request_of
from memdesk.api.dialects.responses.writing import ResponseEvents
from memdesk.api.dialects.serving import asked_by, serve
from memdesk.domain.models import new_id
from memdesk.errors import NotFoundError
from memdesk.ports import ChatMessage
from memdesk.services.chatting import Finished, ReceiptReady, ToolCall
from memdesk.services.events import LockChanged

if TYPE_CHECKING:
    from memdesk.services.container import Services

#: Responses that a request may go on from, the oldest forgotten first.
KEPT: Final = 256


class UnknownResponseError(NotFoundError):
    """The response to go on from is not known (any more)."""

    code = "previous_response_not_found"
    default_hint = "Responses are kept until memdesk is locked or ends. Send the whole conversation as input instead."


class Responses:
    """What was said up to each recent response. In this process only, and only while the memory is open."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._said: OrderedDict[tuple[str, str], tuple[ChatMessage, ...]] = OrderedDict()

    def keep(self, token_id: str, response_id: str, said: tuple[ChatMessage, ...]) -> None:
        """Remember what was said up to a response."""
        with self._lock:
            self._said[token_id, response_id] = said
            while len(self._said) > KEPT:
                self._said.popitem(last=False)

    def before(self, token_id: str, response_id: str | None) -> tuple[ChatMessage, ...]:
        """Return what was said up to a response of the same token.

        Raises:
            UnknownResponseError: it is not known.
        """
        if response_id is None:
            return ()
        with self._lock:
            found = self._said.get((token_id, response_id))
        if found is None:
            raise UnknownResponseError("The previous response is not known.")
        return found

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._said.clear()


def router(app: FastAPI) -> APIRouter:
    """Return the route of ``/v1/responses``."""
    services: Services = app.state.services
    routes = APIRouter(tags=["openai"], dependencies=[Depends(needs("chat"))])
    kept = Responses()
    services.events.subscribe(LockChanged, lambda event: kept.clear() if event.locked else None)

    @routes.post("/v1/responses", summary="Chat in the shape of OpenAI's responses, with memory")
    async def responses(body: ResponsesBody, request: Request) -> Response:
        token_id, response_id = caller_of(request).token.id, f"resp_{new_id()}"
        before = kept.before(token_id, body.previous_response_id)
        asked = asked_by(request, request_of(body, before))

        def keep(finished: Finished, calls: list[ToolCall]) -> None:
            if body.store is not False:
                called = tuple(call.as_openai() for call in calls)
                answer = ChatMessage(role="assistant", content=finished.text, tool_calls=called)
                kept.keep(token_id, response_id, (*before, *given(body), answer))

        def shape(ready: ReceiptReady) -> ResponseEvents:
            return ResponseEvents(response_id, int(services.clock.now().timestamp()), ready.model, body, keep)

        return await serve(request, asked, shape, stream=bool(body.stream))

    return routes
