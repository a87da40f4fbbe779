"""OpenAI's chat answer, whole or as chunks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from memdesk.ports import Usage
from memdesk.services.chat import Finished, ReceiptReady, Thinking, ToolCall


@dataclass(frozen=True, slots=True)
class Shape:
    """What all chunks of one answer share."""

    id: str
    created: int
    model: str

    def whole(self, finished: Finished, calls: list[ToolCall], thinking: str) -> dict[str, Any]:
        """Return a ``chat.completion``; thinking stands beside the content, as DeepSeek's servers began to give it."""
        message: dict[str, Any] = {"role": "assistant", "content": finished.text or (None if calls else "")}
        if thinking:
            message["reasoning_content"] = thinking
        if calls:
            message["tool_calls"] = [call.as_openai() for call in calls]
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason(finished)}
        return self._head("chat.completion") | {"choices": [choice], "usage": usage_of(finished.usage)}

    def first(self) -> bytes:
        """Return the chunk that names the role."""
        return self._chunk({"role": "assistant", "content": ""})

    def text(self, text: str) -> bytes:
        """Return a chunk of text."""
        return self._chunk({"content": text})

    def thinking(self, thinking: Thinking) -> bytes:
        """Return a chunk of thinking; words that were sent as content before get the tag that ends thinking there."""
        return self.text("</think>\n\n") if thinking.taken_back else self._chunk({"reasoning_content": thinking.text})

    def call(self, call: ToolCall) -> bytes:
        """Return a chunk with one whole tool call."""
        return self._chunk({"tool_calls": [{"index": call.index} | call.as_openai()]})

    def last(self, finished: Finished) -> bytes:
        """Return the chunk that says why it ended."""
        return self._chunk({}, finish_reason(finished))

    def usage(self, finished: Finished) -> bytes:
        """Return the chunk that counts tokens."""
        return sse(self._head("chat.completion.chunk") | {"choices": [], "usage": usage_of(finished.usage)})

    def _chunk(self, delta: dict[str, Any], reason: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return sse(self._head("chat.completion.chunk") | {"choices": [choice]})

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}


def sse(data: dict[str, Any]) -> bytes:
    """Return one server-sent event."""
    return b"data: " + json.dumps(data, ensure_ascii=False).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"
#: A comment line: keeps proxies and clients from giving up while a model reads a long prompt.
ALIVE = b": still working\n\n"


def usage_of(usage: Usage) -> dict[str, int]:
    """Return tokens in OpenAI's words."""
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "total_tokens": usage.prompt_tokens + usage.completion_tokens,
    }


def finish_reason(finished: Finished) -> str:
    """Return why an answer ended, in OpenAI's words; it has none for "the client left"."""
    return "stop" if finished.finish_reason == "stopped" else finished.finish_reason


def memory_headers(ready: ReceiptReady) -> dict[str, str]:
    """Return the headers that say what of the memory the answer sees, and what did not fit."""
    receipt = ready.receipt
    headers = {
        "X-Memdesk-Memory-Section": receipt.section if receipt is not None else "none",
        "X-Memdesk-Memory-Tokens": str(receipt.tokens if receipt is not None else 0),
        "X-Memdesk-Dropped-Messages": str(ready.fit.dropped_messages),
    }
    if receipt is not None:
        headers["X-Memdesk-Memory-Receipt"] = headers["X-Memdesk-Receipt"] = receipt.id
    if ready.conversation_id is not None and ready.conversation_id.isascii():
        headers["X-Memdesk-Session-Id"] = ready.conversation_id
    return headers
