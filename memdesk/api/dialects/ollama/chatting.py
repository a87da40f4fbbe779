"""Ollama's chat and generate: converts its requests into ours, and our answers into its lines of JSON."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from memdesk.api.dialects.events import arguments_of
from memdesk.api.dialects.parts import Sampled, call_of, message_of
from memdesk.api.dialects.serving import Whole
from memdesk.api.params import OpenBody
from memdesk.domain.chatting.images import Image
from memdesk.errors import BadRequestError
from memdesk.ports import ChatMessage
from memdesk.services.chatting import CompletionRequest, Delta, Finished, Thinking, ToolCall


class Message(OpenBody):
    """One message."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str | None = ""
    images: list[str] | None = None
    tool_calls: list[dict[str, Any]] | None = None
    tool_name: str | None = None


class Options(Sampled):
    """Sampling options, under Ollama's names."""

    num_predict: int | None = None
    top_k: int | None = Field(default=None, ge=0)


class _Body(OpenBody):
    model: str = "default"
    stream: bool = True
    format: str | dict[str, Any] | None = None
    options: Options | None = None
    think: bool | str | None = None
    #: how long the model stays loaded; only "not at all" is accepted from clients.
    keep_alive: float | str | None = None

    @property
    def unloads(self) -> bool:
        """Whether the model is to be unloaded."""
        return self.keep_alive is not None and not str(self.keep_alive).strip("0.hms")


class ChatBody(_Body):
    """``POST /api/chat``."""

    messages: list[Message] = Field(default_factory=list)
    tools: list[dict[str, Any]] | None = None


class GenerateBody(_Body):
    """``POST /api/generate``."""

    prompt: str = ""
    system: str | None = None
    images: list[str] | None = None
    suffix: str = ""
    context: list[int] | None = None


def chat_request(body: ChatBody) -> CompletionRequest:
    """Return our request for a chat.

    Raises:
        BadRequestError: an unusable image or an unknown format.
    """
    options = body.options or Options()
    most = options.num_predict
    return CompletionRequest(
        messages=tuple(_messages(body.messages)),
        model=model_name(body.model),
        # Ollama's "no limit" is a number below one.
        sampling=options.sampling(most if most and most > 0 else None, top_k=options.top_k or None),
        tools=tuple(body.tools or ()),
        json_schema=_schema(body.format),
    )


def generate_request(body: GenerateBody) -> CompletionRequest:
    """Return our request for a completion of one prompt.

    Raises:
        BadRequestError: an unusable image, an unknown format, or an option that no engine here supports.
    """
    if body.suffix:
        raise BadRequestError("suffix is not supported: no engine here can fill in between two texts.")
    if body.context:
        raise BadRequestError(
            "context is not supported: the tokens of an earlier answer are not kept.",
            hint="Send the whole conversation to /api/chat.",
        )
    messages = [Message(role="system", content=body.system)] if body.system else []
    messages.append(Message(role="user", content=body.prompt, images=body.images))
    asked = ChatBody(model=body.model, messages=messages, format=body.format, options=body.options)
    return chat_request(asked)


def model_name(model: str) -> str:
    """Return a model's name without the tag that Ollama's clients add."""
    return model.removesuffix(":latest")


@dataclass(frozen=True, slots=True)
class Lines:
    """One answer in Ollama's shape.

    Attributes:
        chat: text is in a ``message``; else in ``response``.
    """

    model: str
    created_at: datetime
    chat: bool
    media_type: str = "application/x-ndjson"
    alive: bytes = b"\n"

    def whole(self, answers: Sequence[Whole]) -> dict[str, Any]:
        answer = answers[0]
        return self._said(answer.finished.text, answer.thinking, answer.calls) | self._end(answer.finished)

    def first(self) -> list[bytes]:
        """Return nothing: the stream starts with the first word."""
        return []

    def event(self, event: Delta | Thinking | ToolCall) -> list[bytes]:
        if isinstance(event, ToolCall):
            return [self._line(self._said("", "", [event]))]
        if isinstance(event, Delta):
            return [self._line(self._said(event.text))]
        return [self._line(self._said("</think>\n\n") if event.taken_back else self._said("", event.text))]

    def last(self, finished: Finished) -> list[bytes]:
        return [self._line(self._said("") | self._end(finished))]

    def failed(self, error: dict[str, Any]) -> list[bytes]:
        return [json.dumps({"error": error["error"]["message"]}, ensure_ascii=False).encode() + b"\n"]

    def _said(self, text: str, thinking: str = "", calls: list[ToolCall] | None = None) -> dict[str, Any]:
        thought = {"thinking": thinking} if thinking else {}
        if not self.chat:
            return {"response": text} | thought
        called = {"tool_calls": [_call(call) for call in calls]} if calls else {}
        return {"message": {"role": "assistant", "content": text} | thought | called}

    def _end(self, finished: Finished) -> dict[str, Any]:
        usage = finished.usage
        read, wrote = int(usage.prompt_seconds * 1e9), int(usage.completion_seconds * 1e9)
        return self._head(done=True) | {
            "done_reason": "length" if finished.cut else "stop",
            "total_duration": read + wrote,
            "load_duration": 0,
            "prompt_eval_count": usage.prompt_tokens,
            "prompt_eval_duration": read,
            "eval_count": usage.completion_tokens,
            "eval_duration": wrote,
        }

    def _head(self, *, done: bool) -> dict[str, Any]:
        return {"model": self.model, "created_at": self.created_at.isoformat(), "done": done}

    def _line(self, fields: dict[str, Any]) -> bytes:
        return json.dumps(self._head(done=False) | fields, ensure_ascii=False).encode() + b"\n"


def _messages(messages: list[Message]) -> Iterator[ChatMessage]:
    """Yield our messages; Ollama's calls have no ids, so results are matched to calls by order."""
    waiting: list[str] = []
    for number, message in enumerate(messages):
        calls = []
        for place, call in enumerate(message.tool_calls or ()):
            function = call.get("function") or {}
            arguments = json.dumps(function.get("arguments") or {}, ensure_ascii=False)
            waiting.append(f"call_{number}_{place}")
            calls.append(call_of(waiting[-1], str(function.get("name") or ""), arguments))
        yield message_of(
            message.role,
            [*(Image.of(image) for image in message.images or ()), message.content or ""],
            name=message.tool_name,
            tool_calls=tuple(calls),
            tool_call_id=(waiting.pop(0) if waiting else None) if message.role == "tool" else None,
        )


def _schema(wanted: str | dict[str, Any] | None) -> dict[str, Any] | None:
    if isinstance(wanted, dict):
        return wanted
    if not wanted:
        return None
    if wanted == "json":
        return {}
    raise BadRequestError("format must be “json” or a JSON schema.")


def _call(call: ToolCall) -> dict[str, Any]:
    return {"function": {"name": call.name, "arguments": arguments_of(call)}}
