"""``POST /v1/completions``: older clients' texts without roles, answered as what a user says."""

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

from memdesk.api.auth import needs
from memdesk.api.dialects.openai.embeddings import texts_of
from memdesk.api.dialects.openai.reading import MOST_ANSWERS, several
from memdesk.api.dialects.openai.writing import ALIVE, DONE, finish_reason, sse, usage_of_all
from memdesk.api.dialects.parts import Sampled
from memdesk.api.dialects.serving import Whole, asked_by, serve, serve_several
from memdesk.api.feature import feature
from memdesk.domain.models import new_id
from memdesk.errors import BadRequestError
from memdesk.ports import ChatMessage
from memdesk.services.chatting import CompletionRequest, Delta, Finished, ReceiptReady, Thinking, ToolCall
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


@dataclass(frozen=True, slots=True)
class Texts:
    """What all pieces of one answer share."""

    id: str
    created: int
    model: str
    media_type: str = "text/event-stream"
    alive: bytes = ALIVE

    def whole(self, answer: Whole) -> dict[str, Any]:
        """Return a ``text_completion``."""
        return self.several([answer], [""])

    def several(self, answers: list[Whole], before: list[str]) -> dict[str, Any]:
        """Return a ``text_completion`` with a choice for each answer, each behind the text that is echoed."""
        choices = [
            _choice(number, echoed + answer.finished.text, finish_reason(answer.finished))
            for number, (answer, echoed) in enumerate(zip(answers, before, strict=True))
        ]
        return self._head() | {"choices": choices, "usage": usage_of_all(answers)}

    def first(self) -> list[bytes]:
        """Return nothing: a text has no role to be named first."""
        return []

    def event(self, event: Delta | Thinking | ToolCall) -> list[bytes]:
        """Return a piece; what is not text has no place here."""
        return [sse(self._head() | {"choices": [_choice(0, event.text, None)]})] if isinstance(event, Delta) else []

    def last(self, finished: Finished) -> list[bytes]:
        return [sse(self._head() | {"choices": [_choice(0, "", finish_reason(finished))]}), DONE]

    def failed(self, error: dict[str, Any]) -> list[bytes]:
        return [sse(error), DONE]

    def _head(self) -> dict[str, Any]:
        return {"id": self.id, "object": "text_completion", "created": self.created, "model": self.model}


@feature("openai", needs("chat"))
def router(routes: APIRouter, services: Services) -> None:
    """Return the route of ``/v1/completions``."""

    @routes.post("/v1/completions", summary="A text's continuation, as older clients ask for it")
    async def completions(body: CompletionBody, request: Request) -> Response:
        texts, count = _texts(body), body.n or 1
        created = int(services.clock.now().timestamp())
        asked = [asked_by(request, _request_of(body, text)) for text in texts]
        if body.stream:
            if len(asked) * count > 1 or body.echo:
                raise BadRequestError("A stream has one answer to one text, which is not echoed.")
            return await serve(
                request, asked[0], lambda ready: Texts(f"cmpl-{new_id()}", created, ready.model), stream=True
            )

        def told(ready: ReceiptReady, answers: list[Whole]) -> dict[str, Any]:
            echoed = [text if body.echo else "" for text in texts for _ in range(count)]
            return Texts(f"cmpl-{new_id()}", created, ready.model).several(answers, echoed)

        return await serve_several(request, [one for each in asked for one in several(each, count)], told)


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
