"""One streamed answer of a remote server, put together from its events."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from memdesk.domain.thinking import Piece, ThinkingSplitter
from memdesk.ports import GenerationChunk, Usage


class RemoteAnswer:
    """Collects what comes in pieces: tool calls, the finish reason, the counts; tells thinking from the answer.

    Servers give thinking apart as ``reasoning_content`` (DeepSeek, LM Studio, llama-server, older vLLM) or
    ``reasoning`` (Ollama, OpenRouter, newer vLLM), some as both, or leave it in the content.

    Args:
        opened: the tag with which the prompt is believed to open thinking; empty when it does not.
    """

    def __init__(self, opened: str = "") -> None:
        self._calls: dict[int, dict[str, Any]] = {}
        self._finish = ""
        self._usage: dict[str, Any] = {}
        self._pieces = 0
        self._started = time.perf_counter()
        self._first: float | None = None
        self._splitter = ThinkingSplitter(opened)
        self._believed = opened
        self._apart = False
        #: The tag that the prompt opens thinking with, as far as this answer shows.
        self.opened = ""
        #: Whether there was thinking, and whether there was an answer in words.
        self.thought = self.said = False

    def take(self, data: dict[str, Any]) -> Iterator[GenerationChunk]:
        """Take one event and yield what of it can be shown."""
        self._usage = data.get("usage") or self._usage
        for choice in (data.get("choices") or [])[:1]:
            delta = choice.get("delta") or {}
            self._finish = choice.get("finish_reason") or self._finish
            for part in delta.get("tool_calls") or []:
                self._merge(part)
            thinking = delta.get("reasoning_content") or delta.get("reasoning")
            text = delta.get("content")
            if thinking or text:
                self._first = self._first or time.perf_counter()
                self._pieces += 1
            if thinking:
                self.thought = self._apart = True
                yield GenerationChunk(thinking=str(thinking))
            if self._apart and not self.said:
                text = (text or "").lstrip()
            if text:
                yield from self._told(self._splitter.feed(text))

    @property
    def finished(self) -> bool:
        """Whether the server gave a finish reason."""
        return bool(self._finish)

    def rest(self) -> Iterator[GenerationChunk]:
        """Yield what was held back, once no more comes."""
        cut = self._finish == "length" or bool(self._calls)
        yield from self._told(self._splitter.end(cut=cut))
        if cut or not self._splitter.unclosed:
            self.opened = self.opened or self._believed

    def last(self) -> GenerationChunk:
        """Return the closing chunk."""
        now = time.perf_counter()
        first = self._first or now
        calls = tuple(self._calls[index] for index in sorted(self._calls))
        return GenerationChunk(
            tool_calls=calls,
            finish_reason="tool_calls" if calls else "length" if self._finish == "length" else "stop",
            usage=Usage(
                prompt_tokens=int(self._usage.get("prompt_tokens") or 0),
                completion_tokens=int(self._usage.get("completion_tokens") or self._pieces),
                prompt_seconds=first - self._started,
                completion_seconds=now - first,
            ),
        )

    def _told(self, pieces: list[Piece]) -> Iterator[GenerationChunk]:
        for piece in pieces:
            if piece.taken_back:
                self.opened = "<think>"
            self.thought = self.thought or bool(piece.thinking) or piece.taken_back
            self.said = (self.said and not piece.taken_back) or bool(piece.answer)
            yield GenerationChunk(text=piece.answer, thinking=piece.thinking, taken_back=piece.taken_back)

    def _merge(self, part: dict[str, Any]) -> None:
        index = int(part.get("index") or 0)
        call = self._calls.setdefault(index, {"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
        call["id"] = part.get("id") or call["id"]
        function = part.get("function") or {}
        call["function"]["name"] += function.get("name") or ""
        call["function"]["arguments"] += function.get("arguments") or ""
