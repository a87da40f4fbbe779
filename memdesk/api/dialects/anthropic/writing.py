"""Writes an answer as Anthropic's message: whole, or as events."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from memdesk.api.dialects.events import arguments_of, sse
from memdesk.api.dialects.serving import Whole
from memdesk.api.faults import worded
from memdesk.services.chatting import Delta, Finished, Thinking, ToolCall

_REASONS: Final = {
    "stop": "end_turn",
    "stopped": "end_turn",
    "length": "max_tokens",
    "repeating": "max_tokens",
    "tool_calls": "tool_use",
}


@dataclass(slots=True)
class MessageEvents:
    """One message; its blocks are numbered as they begin.

    Attributes:
        model: the catalogue id of the answering model.
        prompt_tokens: tokens of the prompt, counted beforehand.
        thinking: whether to return the model's thinking in its own blocks; else it is left out.
    """

    id: str
    model: str
    prompt_tokens: int
    thinking: bool = False
    media_type: str = "text/event-stream"
    alive: bytes = b'event: ping\ndata: {"type": "ping"}\n\n'
    _open: str = field(default="", init=False)
    _index: int = field(default=-1, init=False)

    def whole(self, answers: Sequence[Whole]) -> dict[str, Any]:
        answer = answers[0]
        content: list[dict[str, Any]] = []
        if answer.thinking and self.thinking:
            content.append({"type": "thinking", "thinking": answer.thinking, "signature": ""})
        if answer.finished.text:
            content.append({"type": "text", "text": answer.finished.text})
        content += [_tool_use(call) | {"input": arguments_of(call)} for call in answer.calls]
        usage = answer.finished.usage
        counts = {"input_tokens": usage.prompt_tokens or self.prompt_tokens, "output_tokens": usage.completion_tokens}
        return self._message(content) | _ended(answer.finished) | {"usage": counts}

    def first(self) -> list[bytes]:
        return [_event("message_start", message=self._message([])), self.alive]

    def event(self, event: Delta | Thinking | ToolCall) -> list[bytes]:
        """Return the events of a piece; a block ends when a piece of another kind follows."""
        if isinstance(event, ToolCall):
            began = self._begin("tool_use", _tool_use(event) | {"input": {}}, anew=True)
            delta = {"type": "input_json_delta", "partial_json": event.arguments}
            return [*began, _event("content_block_delta", index=self._index, delta=delta)]
        if isinstance(event, Delta) or event.taken_back:
            # Thinking already sent as text gets its closing tag there.
            text = event.text if isinstance(event, Delta) else "</think>\n\n"
            began = self._begin("text", {"type": "text", "text": ""})
            return [
                *began,
                _event("content_block_delta", index=self._index, delta={"type": "text_delta", "text": text}),
            ]
        if not self.thinking:
            return []
        began = self._begin("thinking", {"type": "thinking", "thinking": "", "signature": ""})
        delta = {"type": "thinking_delta", "thinking": event.text}
        return [*began, _event("content_block_delta", index=self._index, delta=delta)]

    def last(self, finished: Finished) -> list[bytes]:
        usage = finished.usage
        counts = {"input_tokens": usage.prompt_tokens or self.prompt_tokens, "output_tokens": usage.completion_tokens}
        return [*self._end(), _event("message_delta", delta=_ended(finished), usage=counts), _event("message_stop")]

    def failed(self, error: dict[str, Any]) -> list[bytes]:
        """Return the error event, the last one."""
        return [_event("error", error=worded("/v1/messages", 500, error)[1]["error"])]

    def _begin(self, kind: str, block: dict[str, Any], *, anew: bool = False) -> list[bytes]:
        if self._open == kind and not anew:
            return []
        ended = self._end()
        self._open, self._index = kind, self._index + 1
        return [*ended, _event("content_block_start", index=self._index, content_block=block)]

    def _end(self) -> list[bytes]:
        if not self._open:
            return []
        self._open = ""
        return [_event("content_block_stop", index=self._index)]

    def _message(self, content: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "id": self.id,
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": content,
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": self.prompt_tokens, "output_tokens": 0},
        }


def _ended(finished: Finished) -> dict[str, str | None]:
    if finished.finish_reason == "stop" and finished.stop_sequence:
        return {"stop_reason": "stop_sequence", "stop_sequence": finished.stop_sequence}
    return {"stop_reason": _REASONS[finished.finish_reason], "stop_sequence": None}


def _tool_use(call: ToolCall) -> dict[str, Any]:
    return {"type": "tool_use", "id": call.id, "name": call.name}


def _event(kind: str, **fields: Any) -> bytes:
    return sse({"type": kind} | fields, kind)
