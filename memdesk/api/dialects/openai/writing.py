"""Writes OpenAI's chat answer, whole or as chunks."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from memdesk.api.dialects.events import ALIVE, sse
from memdesk.api.dialects.serving import Whole
from memdesk.ports import Usage
from memdesk.services.chatting import Delta, Finished, Thinking, ToolCall

DONE: Final = b"data: [DONE]\n\n"


@dataclass(slots=True)
class Pieces(ABC):
    """Base of the chunks of one request.

    Attributes:
        answers: how many there will be.
        counted: whether a last chunk has token counts.
    """

    id: str
    created: int
    model: str
    counted: bool = False
    answers: int = 1
    media_type: str = "text/event-stream"
    alive: bytes = ALIVE
    _ended: list[Usage] = field(default_factory=list, init=False)
    #: ``object`` of a whole body and of a chunk, and the end of an answer.
    _whole: ClassVar[str]
    _part: ClassVar[str]
    _nothing: ClassVar[dict[str, Any]]

    def whole(self, answers: Sequence[Whole]) -> dict[str, Any]:
        choices = [
            {
                "index": number,
                **self._told(number, each),
                "logprobs": None,
                "finish_reason": finish_reason(each.finished),
            }
            for number, each in enumerate(answers)
        ]
        usage = usage_of(*(each.finished.usage for each in answers))
        return self._head(self._whole) | {"choices": choices, "usage": usage}

    def last(self, finished: Finished) -> list[bytes]:
        """Return the chunk with the finish reason, and after the last answer the token counts, if wanted, and the end."""
        ended = [self._piece(self._nothing, finish_reason(finished))]
        self._ended.append(finished.usage)
        if len(self._ended) < self.answers:
            return ended
        if self.counted:
            ended.append(sse(self._head(self._part) | {"choices": [], "usage": usage_of(*self._ended)}))
        return [*ended, DONE]

    def failed(self, error: dict[str, Any]) -> list[bytes]:
        return [sse(error), DONE]

    @abstractmethod
    def _told(self, number: int, answer: Whole) -> dict[str, Any]:
        """Return the content of a whole answer, with its key."""

    def _piece(self, said: dict[str, Any], reason: str | None = None) -> bytes:
        choice = {"index": len(self._ended), **said, "logprobs": None, "finish_reason": reason}
        return sse(self._head(self._part) | {"choices": [choice]})

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}


@dataclass(slots=True)
class Chunks(Pieces):
    """Chunks of a chat; thinking is beside the content, as introduced by DeepSeek's servers."""

    _whole, _part, _nothing = "chat.completion", "chat.completion.chunk", {"delta": {}}

    def first(self) -> list[bytes]:
        return [self._delta({"role": "assistant", "content": ""})]

    def event(self, event: Delta | Thinking | ToolCall) -> list[bytes]:
        """Return a chunk; thinking already sent as content gets its closing tag there."""
        if isinstance(event, ToolCall):
            return [self._delta({"tool_calls": [{"index": event.index} | event.as_openai()]})]
        if isinstance(event, Thinking):
            ended = {"content": "</think>\n\n"}
            return [self._delta(ended if event.taken_back else {"reasoning_content": event.text})]
        return [self._delta({"content": event.text})]

    def _told(self, number: int, answer: Whole) -> dict[str, Any]:  # noqa: ARG002 -- texts are echoed by their number
        text, calls = answer.finished.text, answer.calls
        message: dict[str, Any] = {"role": "assistant", "content": text or (None if calls else "")}
        if answer.thinking:
            message["reasoning_content"] = answer.thinking
        if calls:
            message["tool_calls"] = [call.as_openai() for call in calls]
        return {"message": message}

    def _delta(self, delta: dict[str, Any]) -> bytes:
        return self._piece({"delta": delta})


def usage_of(*answers: Usage) -> dict[str, int]:
    """Return the token counts of answers, under OpenAI's names."""
    asked, said = sum(each.prompt_tokens for each in answers), sum(each.completion_tokens for each in answers)
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}


def finish_reason(finished: Finished) -> str:
    """Return OpenAI's finish reason; it has none for "the client left" and "it repeats itself"."""
    return {"stopped": "stop", "repeating": "length"}.get(finished.finish_reason, finished.finish_reason)
