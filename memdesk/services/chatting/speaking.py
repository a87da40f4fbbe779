"""A model's output, as it streams."""

import time
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from memdesk.domain.models import ReceiptItem
from memdesk.errors import CancelledError
from memdesk.messages import say
from memdesk.ports import CancelToken, GenerationRequest, LanguageModel, Usage
from memdesk.services.chatting.messages import Delta, FinishReason, Thinking, ToolCall
from memdesk.services.chatting.tool_calls import ToolCallBuffer
from memdesk.services.distilling import OUTSIDE


@dataclass(slots=True)
class Answer:
    """The output so far."""

    text: list[str] = field(default_factory=list)
    finish_reason: FinishReason = "stop"
    stop_sequence: str = ""
    usage: Usage = field(default_factory=Usage)
    thinking: list[str] = field(default_factory=list)
    #: total thinking time, and when the present thinking began.
    thought_seconds: float = 0.0
    thinks_since: float | None = None
    #: where in ``text`` its latest speech starts.
    round_began: int = 0
    #: tools of other programs that were called; such an answer is not learned from.
    outside: list[dict[str, str]] = field(default_factory=list)
    #: the model's memory: the lines of its block, and whether it also searched.
    shown: tuple[ReceiptItem, ...] = ()
    searched: bool = False

    def think(self, text: str, since: float) -> None:
        """Add to the model's thinking, which began at ``since`` (``time.monotonic``) unless already in progress."""
        if self.thinks_since is None:
            self.thinks_since = since
            self.thinking += ["\n\n"] if self.thinking else []
        self.thinking.append(text)

    @property
    def latest(self) -> str:
        """The text since the model last began to speak."""
        return "".join(self.text[self.round_began :])

    def rest(self) -> None:
        """Record that the model speaks, or has ended."""
        if self.thinks_since is not None:
            self.thought_seconds += time.monotonic() - self.thinks_since
            self.thinks_since = None

    def told(self) -> dict[str, Any]:
        """Return the data stored with the answer's text."""
        usage = self.usage
        return {
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "prompt_seconds": round(usage.prompt_seconds, 3),
            "completion_seconds": round(usage.completion_seconds, 3),
            "finish_reason": self.finish_reason,
            "stopped": self.finish_reason == "stopped",
            **({OUTSIDE: self.outside} if self.outside else {}),
        }

    def speak(
        self, model: LanguageModel, request: GenerationRequest, cancel: CancelToken | None
    ) -> Generator[Thinking | Delta, None, list[ToolCall]]:
        """Run a model once; return the calls it made."""
        buffer = ToolCallBuffer()
        before = self.round_began = len(self.text)
        stream, began = model.generate(request, cancel=cancel), 0.0
        try:
            for chunk in stream:
                began = began or time.monotonic()
                if chunk.taken_back and len(self.text) > before:
                    words = "".join(self.text[before:])
                    self.think(words, began)
                    yield Thinking(words, taken_back=True)
                    del self.text[before:]
                if chunk.thinking:
                    self.think(chunk.thinking, time.monotonic())
                    yield Thinking(chunk.thinking)
                if chunk.text:
                    self.rest()
                    self.text.append(chunk.text)
                    yield Delta(chunk.text)
                buffer.add(chunk.tool_calls)
                if chunk.finish_reason is not None:
                    self.finish_reason = chunk.finish_reason
                    self.stop_sequence = chunk.stop_sequence if chunk.stop_sequence in request.stop else ""
                if chunk.usage is not None:
                    self.usage = _sum(self.usage, chunk.usage)
                if cancel is not None and cancel.is_set():
                    raise CancelledError(say("The answer was stopped."))
        finally:
            self.rest()
            # A reader that leaves mid-answer must stop the model now, not at garbage collection.
            if isinstance(stream, Generator):
                stream.close()
        return buffer.calls()


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(
        prompt_tokens=one.prompt_tokens + other.prompt_tokens,
        completion_tokens=one.completion_tokens + other.completion_tokens,
        prompt_seconds=one.prompt_seconds + other.prompt_seconds,
        completion_seconds=one.completion_seconds + other.completion_seconds,
    )
