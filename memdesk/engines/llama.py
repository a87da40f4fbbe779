"""The app's side of a local GGUF model: requests go to its child process. Imports nothing native."""

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from typing import Any

from memdesk.ports import (
    CancelToken,
    ChatMessage,
    EngineState,
    GenerationChunk,
    GenerationRequest,
    ModelInfo,
    Usage,
    Worker,
)

#: GNU OpenMP's waiting threads spin for so long that a busy machine does little else: with two
#: threads on two contended cores llama.cpp read 25-38 tokens a second by default, 74-165 with this.
ENVIRONMENT = {"GOMP_SPINCOUNT": "10000"}


class LlamaModel:
    """``ports.LanguageModel`` over a supervised llama.cpp process.

    Args:
        context_tokens: context size, as configured and never above what it was trained for.
    """

    def __init__(self, info: ModelInfo, context_tokens: int, worker: Worker) -> None:
        self._info = info
        self._context_tokens = context_tokens
        self._worker = worker

    @property
    def info(self) -> ModelInfo:
        return self._info

    @property
    def context_tokens(self) -> int:
        return self._context_tokens

    @property
    def worker(self) -> Worker:
        return self._worker

    def generate(self, request: GenerationRequest, *, cancel: CancelToken | None = None) -> Iterator[GenerationChunk]:
        items = self._worker.stream("generate", request_args(request), priority=request.priority, cancel=cancel)
        for item, _ in items:
            yield _chunk(item)

    def count_tokens(self, messages: Sequence[ChatMessage]) -> int:
        """Return the prompt's length in the model's own tokens, chat template included."""
        item, _ = self._worker.call("count", {"messages": [message_dict(m) for m in messages]}, aside=True)
        return int(item["tokens"])

    def state(self) -> EngineState:
        return self._worker.state()


def message_dict(message: ChatMessage) -> dict[str, Any]:
    """Return a message in OpenAI's shape; empty fields left out."""
    body: dict[str, Any] = {"role": message.role, "content": _parts(message) if message.images else message.content}
    if message.name:
        body["name"] = message.name
    if message.tool_calls:
        body["tool_calls"] = [dict(call) for call in message.tool_calls]
    if message.tool_call_id:
        body["tool_call_id"] = message.tool_call_id
    return body


def _parts(message: ChatMessage) -> list[dict[str, Any]]:
    """Return text and pictures in order; text put before the words comes first."""
    parts: list[dict[str, Any]] = []
    content, start = message.content, 0
    for image, behind in zip(message.images, chain(message.behind, repeat(0)), strict=False):
        end = max(start, len(content) - behind)
        # The texts on both sides of a picture were joined by a line break.
        text = content[start:end].removesuffix("\n") if behind else content[start:end]
        shown = {"url": image.url} | ({"detail": image.detail} if image.detail else {})
        parts += [{"type": "text", "text": text}] if text else []
        parts.append({"type": "image_url", "image_url": shown})
        start = end
    return [*parts, {"type": "text", "text": content[start:]}] if content[start:] else parts


def request_args(request: GenerationRequest) -> dict[str, Any]:
    return {
        "messages": [message_dict(message) for message in request.messages],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "top_p": request.top_p,
        "stop": list(request.stop),
        "seed": request.seed,
        "top_k": request.top_k,
        "presence_penalty": request.presence_penalty,
        "frequency_penalty": request.frequency_penalty,
        "json_schema": request.json_schema,
        "tools": [dict(tool) for tool in request.tools],
        "tool_choice": request.tool_choice,
        "priority": request.priority,
    }


def _chunk(item: dict[str, Any]) -> GenerationChunk:
    usage = item.get("usage")
    return GenerationChunk(
        text=item.get("text", ""),
        thinking=item.get("thinking", ""),
        taken_back=item.get("taken_back", False),
        tool_calls=tuple(item.get("tool_calls") or ()),
        finish_reason=item.get("finish_reason"),
        stop_sequence=item.get("stop_sequence", ""),
        usage=Usage(**usage) if usage else None,
    )
