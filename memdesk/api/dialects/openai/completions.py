"""``POST /v1/completions``: older clients' texts without roles, answered as what a user says."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

from memdesk.api.auth import needs
from memdesk.api.dialects.events import ALIVE, sse
from memdesk.api.dialects.openai.embeddings import texts_of
from memdesk.api.dialects.openai.reading import MOST_ANSWERS, several
from memdesk.api.dialects.openai.writing import DONE, finish_reason, usage_of
from memdesk.api.dialects.parts import Sampled
from memdesk.api.dialects.serving import Whole, asked_by, serve
from memdesk.api.feature import feature
from memdesk.domain.models import new_id
from memdesk.errors import BadRequestError
from memdesk.ports import ChatMessage
from memdesk.services.chatting import CompletionRequest, Delta, Finished, Thinking, ToolCall
from memdesk.services.container import Services


class CompletionBody(Sampled):
    """One text, or several to be answered apart."""

    prompt: str | list[str] | list[int] | list[list[int]]
    model: str = "default"
    max_tokens: int | None = Field(default=16, ge=1)
    n: int | None = Field(default=1, ge=1, le=MOST_ANSWERS)
    echo: bool = False
    suffix: str | None = None
    stream: bool | None = False


@dataclass(slots=True)
class Texts:
    """What all pieces of one request share; ``before`` is what each answer is told behind."""

    id: str
    created: int
    model: str
    before: list[str]
    media_type: str = "text/event-stream"
    alive: bytes = ALIVE
    _ended: int = field(default=0, init=False)

    def whole(self, answers: Sequence[Whole]) -> dict[str, Any]:
        """Return a ``text_completion``."""
        choices = [
            _choice(number, echoed + answer.finished.text, finish_reason(answer.finished))
            for number, (answer, echoed) in enumerate(zip(answers, self.before, strict=True))
        ]
        return self._head() | {"choices": choices, "usage": usage_of(*(each.finished.usage for each in answers))}

    def first(self) -> list[bytes]:
        """Return the text that is echoed: one has no role to be named first."""
        return self._piece(self.before[self._ended]) if self.before[self._ended] else []

    def event(self, event: Delta | Thinking | ToolCall) -> list[bytes]:
        """Return a piece; what is not text has no place here."""
        return self._piece(event.text) if isinstance(event, Delta) else []

    def last(self, finished: Finished) -> list[bytes]:
        ended = self._piece("", finish_reason(finished))
        self._ended += 1
        return ended if self._ended < len(self.before) else [*ended, DONE]

    def failed(self, error: dict[str, Any]) -> list[bytes]:
        return [sse(error), DONE]

    def _piece(self, text: str, reason: str | None = None) -> list[bytes]:
        return [sse(self._head() | {"choices": [_choice(self._ended, text, reason)]})]

    def _head(self) -> dict[str, Any]:
        return {"id": self.id, "object": "text_completion", "created": self.created, "model": self.model}


@feature("openai", needs("chat"))
def router(routes: APIRouter, services: Services) -> None:
    """Return the route of ``/v1/completions``."""

    @routes.post("/v1/completions", summary="A text's continuation, as older clients ask for it")
    async def completions(body: CompletionBody, request: Request) -> Response:
        texts, count = _texts(body), body.n or 1
        created = int(services.clock.now().timestamp())
        asked = [one for text in texts for one in several(asked_by(request, _request_of(body, text)), count)]
        before = [text if body.echo else "" for text in texts for _ in range(count)]
        return await serve(
            request,
            asked,
            lambda ready: Texts(f"cmpl-{new_id()}", created, ready.model, before),
            stream=bool(body.stream),
        )


def _request_of(body: CompletionBody, text: str) -> CompletionRequest:
    return CompletionRequest(
        messages=(ChatMessage(role="user", content=text),), model=body.model, sampling=body.sampling(body.max_tokens)
    )


def _texts(body: CompletionBody) -> list[str]:
    if body.suffix:
        raise BadRequestError("suffix is not known here: no engine fills in between two texts.")
    texts = texts_of(body.prompt)
    if not 1 <= len(texts) <= MOST_ANSWERS:
        raise BadRequestError(f"prompt has 1 to {MOST_ANSWERS} texts.")
    return texts


def _choice(index: int, text: str, reason: str | None) -> dict[str, Any]:
    return {"index": index, "text": text, "logprobs": None, "finish_reason": reason}
