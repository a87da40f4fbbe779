"""OpenAI's chat answer, whole or as chunks."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from memdesk.api.dialects.serving import Whole
from memdesk.ports import Usage
from memdesk.services.chatting import Delta, Finished, Thinking, ToolCall

DONE: Final = b"data: [DONE]\n\n"
#: A comment line: keeps proxies and clients from giving up while a model reads a long prompt.
ALIVE: Final = b": still working\n\n"


@dataclass(frozen=True, slots=True)
class Chunks:
    """What all chunks of one answer share; ``counted`` adds one that counts tokens."""

    id: str
    created: int
    model: str
    counted: bool = False
    media_type: str = "text/event-stream"
    alive: bytes = ALIVE

    def whole(self, answer: Whole) -> dict[str, Any]:
        """Return a ``chat.completion``; thinking stands beside the content, as DeepSeek's servers began to give it."""
        finished, calls, thinking = answer.finished, answer.calls, answer.thinking
        message: dict[str, Any] = {"role": "assistant", "content": finished.text or (None if calls else "")}
        if thinking:
            message["reasoning_content"] = thinking
        if calls:
            message["tool_calls"] = [call.as_openai() for call in calls]
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason(finished)}
        return self._head("chat.completion") | {"choices": [choice], "usage": usage_of(finished.usage)}

    def several(self, answers: Sequence[Whole]) -> dict[str, Any]:
        """Return one ``chat.completion`` with a choice for each answer, and the tokens of all."""
        bodies = [self.whole(answer) for answer in answers]
        choices = [body["choices"][0] | {"index": number} for number, body in enumerate(bodies)]
        return bodies[0] | {"choices": choices, "usage": usage_of_all(answers)}

    def first(self) -> list[bytes]:
        return [self._chunk({"role": "assistant", "content": ""})]

    def event(self, event: Delta | Thinking | ToolCall) -> list[bytes]:
        """Return a chunk; words that were sent as content before get the tag that ends thinking there."""
        if isinstance(event, ToolCall):
            return [self._chunk({"tool_calls": [{"index": event.index} | event.as_openai()]})]
        if isinstance(event, Thinking):
            ended = {"content": "</think>\n\n"}
            return [self._chunk(ended if event.taken_back else {"reasoning_content": event.text})]
        return [self._chunk({"content": event.text})]

    def last(self, finished: Finished) -> list[bytes]:
        """Return the chunk that says why it ended, the tokens if they are wanted, and the end."""
        ended = [self._chunk({}, finish_reason(finished))]
        if self.counted:
            counts = {"choices": [], "usage": usage_of(finished.usage)}
            ended.append(sse(self._head("chat.completion.chunk") | counts))
        return [*ended, DONE]

    def failed(self, error: dict[str, Any]) -> list[bytes]:
        return [sse(error), DONE]

    def _chunk(self, delta: dict[str, Any], reason: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return sse(self._head("chat.completion.chunk") | {"choices": [choice]})

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}


def sse(data: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(data, ensure_ascii=False).encode() + b"\n\n"


def usage_of(usage: Usage) -> dict[str, int]:
    """Return tokens in OpenAI's words."""
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
    }


def usage_of_all(answers: Sequence[Whole]) -> dict[str, int]:
    each = [usage_of(answer.finished.usage) for answer in answers]
    return {name: sum(counts[name] for counts in each) for name in each[0]}


def finish_reason(finished: Finished) -> str:
    """Return why an answer ended, in OpenAI's words; it has none for "the client left"."""
    return "stop" if finished.finish_reason == "stopped" else finished.finish_reason
