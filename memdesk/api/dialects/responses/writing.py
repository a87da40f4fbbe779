"""Writes an answer as OpenAI's response: whole, or as numbered events."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from memdesk.api.dialects.events import ALIVE, sse
from memdesk.api.dialects.responses.reading import ResponsesBody
from memdesk.api.dialects.serving import Whole
from memdesk.domain.models import new_id
from memdesk.ports import Usage
from memdesk.services.chatting import Delta, Finished, Thinking, ToolCall

#: For each kind of item, the type of its text part and the stem of its events.
_PARTS: Final = {"message": ("output_text", "output_text"), "reasoning": ("reasoning_text", "reasoning_text")}


@dataclass(slots=True)
class ResponseEvents:
    """One response; its items are numbered as they begin.

    Attributes:
        created: when, in seconds.
        model: the catalogue id of the answering model.
        body: the request, which the response repeats.
        keep: called with the response, the finished answer and its calls, for requests that continue it.
    """

    id: str
    created: int
    model: str
    body: ResponsesBody
    keep: Callable[[dict[str, Any], Finished, list[ToolCall]], None]
    media_type: str = "text/event-stream"
    alive: bytes = ALIVE
    _items: list[dict[str, Any]] = field(default_factory=list, init=False)
    _calls: list[ToolCall] = field(default_factory=list, init=False)
    _open: bool = field(default=False, init=False)
    _number: int = field(default=-1, init=False)

    def whole(self, answers: Sequence[Whole]) -> dict[str, Any]:
        answer = answers[0]
        if answer.thinking:
            self._items.append(_worded("reasoning", answer.thinking, done=True))
        if answer.finished.text:
            self._items.append(_worded("message", answer.finished.text, done=True))
        self._items += [_call(call, done=True) for call in answer.calls]
        response = self._ended(answer.finished)
        self.keep(response, answer.finished, answer.calls)
        return response

    def first(self) -> list[bytes]:
        begun = self._response("in_progress", None)
        return [self._event("response.created", response=begun), self._event("response.in_progress", response=begun)]

    def event(self, event: Delta | Thinking | ToolCall) -> list[bytes]:
        """Return the events of a piece; an item ends when a piece of another kind follows."""
        if isinstance(event, ToolCall):
            return self._called(event)
        if isinstance(event, Delta) or event.taken_back:
            # Thinking already sent as text gets its closing tag there.
            return self._said("message", event.text if isinstance(event, Delta) else "</think>\n\n")
        return self._said("reasoning", event.text)

    def last(self, finished: Finished) -> list[bytes]:
        ended = self._close()
        response = self._ended(finished)
        self.keep(response, finished, self._calls)
        return [*ended, self._event(f"response.{response['status']}", response=response)]

    def failed(self, error: dict[str, Any]) -> list[bytes]:
        """Return the error event, the last one."""
        told = error["error"]
        return [self._event("error", code=told["code"], message=told["message"], param=None)]

    def _said(self, kind: str, text: str) -> list[bytes]:
        part, stem = _PARTS[kind]
        began: list[bytes] = []
        if not self._open or self._items[-1]["type"] != kind:
            began = self._close()
            self._items.append(_worded(kind, "", done=False))
            self._open = True
            empty: dict[str, Any] = {"type": part, "text": ""} | ({"annotations": []} if kind == "message" else {})
            began.append(self._event("response.output_item.added", output_index=self._at, item=self._begun()))
            began.append(self._event("response.content_part.added", **self._place(), part=empty))
        self._items[-1]["content"][0]["text"] += text
        logprobs: dict[str, Any] = {"logprobs": []} if kind == "message" else {}
        return [*began, self._event(f"response.{stem}.delta", **self._place(), delta=text, **logprobs)]

    def _called(self, call: ToolCall) -> list[bytes]:
        ended = self._close()
        self._calls.append(call)
        self._items.append(_call(call, done=True))
        item = self._items[-1]
        begun = item | {"arguments": "", "status": "in_progress"}
        place = {"item_id": item["id"], "output_index": self._at}
        return [
            *ended,
            self._event("response.output_item.added", output_index=self._at, item=begun),
            self._event("response.function_call_arguments.delta", **place, delta=call.arguments),
            self._event("response.function_call_arguments.done", **place, name=call.name, arguments=call.arguments),
            self._event("response.output_item.done", output_index=self._at, item=item),
        ]

    def _close(self) -> list[bytes]:
        if not self._open:
            return []
        self._open = False
        item = self._items[-1]
        item["status"] = "completed"
        part, stem = item["content"][0], _PARTS[item["type"]][1]
        logprobs: dict[str, Any] = {"logprobs": []} if item["type"] == "message" else {}
        return [
            self._event(f"response.{stem}.done", **self._place(), text=part["text"], **logprobs),
            self._event("response.content_part.done", **self._place(), part=part),
            self._event("response.output_item.done", output_index=self._at, item=item),
        ]

    @property
    def _at(self) -> int:
        return len(self._items) - 1

    def _begun(self) -> dict[str, Any]:
        return self._items[-1] | {"content": []}

    def _place(self) -> dict[str, Any]:
        return {"item_id": self._items[-1]["id"], "output_index": self._at, "content_index": 0}

    def _ended(self, finished: Finished) -> dict[str, Any]:
        return self._response("incomplete" if finished.cut else "completed", finished.usage)

    def _response(self, status: str, usage: Usage | None) -> dict[str, Any]:
        body = self.body
        sent = body.model_dump(mode="json", by_alias=True, exclude_none=True)
        return {
            "id": self.id,
            "object": "response",
            "created_at": self.created,
            "status": status,
            "error": None,
            "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
            "instructions": body.instructions,
            "max_output_tokens": body.max_output_tokens,
            "model": self.model,
            "output": list(self._items),
            "parallel_tool_calls": True,
            "previous_response_id": body.previous_response_id,
            "store": body.store is not False,
            "temperature": body.temperature,
            "text": sent.get("text", {"format": {"type": "text"}}),
            "tool_choice": body.tool_choice or "auto",
            "tools": sent.get("tools", []),
            "top_p": body.top_p,
            "truncation": "auto",
            "usage": _usage(usage) if usage is not None else None,
            "metadata": body.metadata or {},
        }

    def _event(self, kind: str, **fields: Any) -> bytes:
        self._number += 1
        return sse({"type": kind, "sequence_number": self._number} | fields, kind)


def _worded(kind: str, text: str, *, done: bool) -> dict[str, Any]:
    status = "completed" if done else "in_progress"
    if kind == "reasoning":
        content = [{"type": "reasoning_text", "text": text}]
        return {"id": f"rs_{new_id()}", "type": kind, "summary": [], "content": content, "status": status}
    said = {"type": "output_text", "text": text, "annotations": list[Any]()}
    return {"id": f"msg_{new_id()}", "type": kind, "role": "assistant", "content": [said], "status": status}


def _call(call: ToolCall, *, done: bool) -> dict[str, Any]:
    return {
        "id": f"fc_{new_id()}",
        "type": "function_call",
        "call_id": call.id,
        "name": call.name,
        "arguments": call.arguments,
        "status": "completed" if done else "in_progress",
    }


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "input_tokens": usage.prompt_tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": usage.completion_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
    }
