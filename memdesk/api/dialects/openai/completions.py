"""``POST /v1/completions``: older clients' prompts without roles, answered as user messages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

from memdesk.api.auth import needs
from memdesk.api.dialects.openai.embeddings import texts_of
from memdesk.api.dialects.openai.reading import MOST_ANSWERS, StreamOptions, several
from memdesk.api.dialects.openai.writing import Pieces
from memdesk.api.dialects.parts import Sampled
from memdesk.api.dialects.serving import Whole, asked_by, serve
from memdesk.api.feature import feature
from memdesk.domain.models import new_id
from memdesk.errors import BadRequestError
from memdesk.ports import ChatMessage
from memdesk.services.chatting import CompletionRequest, Delta, Thinking, ToolCall
from memdesk.services.container import Services


class CompletionBody(Sampled):
    """One text, or several to be answered separately."""

    prompt: str | list[str] | list[int] | list[list[int]]
    model: str = "default"
    max_tokens: int | None = Field(default=16, ge=1)
    n: int | None = Field(default=1, ge=1, le=MOST_ANSWERS)
    echo: bool = False
    suffix: str | None = None
    stream: bool | None = False
    stream_options: StreamOptions | None = None


@dataclass(slots=True)
class Texts(Pieces):
    """Continuations; ``before`` precedes each of them."""

    before: Sequence[str] = ()
    _whole, _part, _nothing = "text_completion", "text_completion", {"text": ""}

    def first(self) -> list[bytes]:
        """Return the echoed text: text completions do not start with a role."""
        echoed = self.before[len(self._ended)]
        return [self._piece({"text": echoed})] if echoed else []

    def event(self, event: Delta | Thinking | ToolCall) -> list[bytes]:
        """Return a piece; only text is supported here."""
        return [self._piece({"text": event.text})] if isinstance(event, Delta) else []

    def _told(self, number: int, answer: Whole) -> dict[str, Any]:
        return {"text": self.before[number] + answer.finished.text}


@feature("openai", needs("chat"))
def router(routes: APIRouter, services: Services) -> None:
    """Return the route of ``/v1/completions``."""

    @routes.post("/v1/completions", summary="A text's continuation, as older clients ask for it")
    async def completions(body: CompletionBody, request: Request) -> Response:
        texts, count = _texts(body), body.n or 1
        usage = body.stream_options is not None and body.stream_options.include_usage
        created = int(services.clock.now().timestamp())
        asked = [one for text in texts for one in several(asked_by(request, _request_of(body, text)), count)]
        before = [text if body.echo else "" for text in texts for _ in range(count)]
        return await serve(
            request,
            asked,
            lambda ready: Texts(f"cmpl-{new_id()}", created, ready.model, usage, len(asked), before=before),
            stream=bool(body.stream),
        )


def _request_of(body: CompletionBody, text: str) -> CompletionRequest:
    return CompletionRequest(
        messages=(ChatMessage(role="user", content=text),), model=body.model, sampling=body.sampling(body.max_tokens)
    )


def _texts(body: CompletionBody) -> list[str]:
    if body.suffix:
        raise BadRequestError("suffix is not supported: no engine here can fill in between two texts.")
    texts = texts_of(body.prompt)
    if not 1 <= len(texts) <= MOST_ANSWERS:
        raise BadRequestError(f"prompt has 1 to {MOST_ANSWERS} texts.")
    return texts
