"""A streamed answer of a remote server, assembled from its events."""

import time
from collections.abc import Iterator
from typing import Any, Final, Literal

from memdesk.domain.chatting.thinking import Piece, ThinkingSplitter
from memdesk.domain.decoding import list_in, number_in, object_in, text_in
from memdesk.engines.repetition import LETTERS, RepetitionGuard
from memdesk.ports import GenerationChunk, Usage

#: An answer slightly longer than requested is fine: servers count tokens differently.
SPARE_TOKENS: Final = 64
#: Longer than any tokenizer's average token; if several come in one event, their letters are counted.
CHARACTERS_A_TOKEN: Final = 32
MAX_CALLS: Final = 128
MAX_ARGUMENTS: Final = 2**20


class RemoteAnswer:
    """Collects streamed parts: tool calls, finish reason, counts; separates thinking from the answer.

    Servers send thinking separately as ``reasoning_content`` (DeepSeek, LM Studio, llama-server, older vLLM) or
    ``reasoning`` (Ollama, OpenRouter, newer vLLM), some as both, or leave it in the content.

    Args:
        opened: the tag with which the prompt presumably opens thinking; empty if it does not.
        most: maximum tokens, after which it is cut.
        free: whether it is prose. JSON has to repeat punctuation.
    """

    def __init__(self, opened: str = "", *, most: int, free: bool = True) -> None:
        self._most = most
        self._guard = RepetitionGuard(LETTERS) if free else None
        self._stuck = False
        self._characters = 0
        self._calls: dict[int, dict[str, Any]] = {}
        self._finish = self._stopped_by = ""
        self._usage: dict[str, Any] = {}
        self._pieces = 0
        self._started = time.perf_counter()
        self._first: float | None = None
        self._splitter = ThinkingSplitter(opened)
        self._believed = opened
        self._apart = False
        #: The tag with which the prompt opens thinking, according to this answer.
        self.opened = ""
        #: Whether there was thinking, and whether there was answer text.
        self.thought = self.said = False

    def take(self, data: dict[str, Any]) -> Iterator[GenerationChunk]:
        """Take one event and yield what can be shown of it; values of a wrong type are ignored."""
        self._usage = object_in(data, "usage") or self._usage
        for choice in list_in(data, "choices")[:1]:
            delta = object_in(choice, "delta")
            self._finish = text_in(choice, "finish_reason", 100) or self._finish
            # vLLM's word for the stop sequence; a token's number there is none.
            self._stopped_by = text_in(choice, "stop_reason", 1000) or self._stopped_by
            for part in list_in(delta, "tool_calls"):
                self._merge(part)
            thinking = text_in(delta, "reasoning_content") or text_in(delta, "reasoning")
            text = text_in(delta, "content")
            if thinking or text:
                self._first = self._first or time.perf_counter()
                self._pieces += 1
                self._characters += len(thinking) + len(text)
                self._stuck = self._guard is not None and any(map(self._guard.stuck, thinking + text))
            if thinking:
                self.thought = self._apart = True
                yield GenerationChunk(thinking=thinking)
            if self._apart and not self.said:
                text = text.lstrip()
            if text:
                yield from self._told(self._splitter.feed(text))

    @property
    def finished(self) -> bool:
        """Whether the server gave a finish reason."""
        return bool(self._finish)

    def cut(self) -> bool:
        """Whether it keeps repeating itself, or exceeds the requested length, which servers may ignore.

        It is ended then.
        """
        beyond = self._stuck or self._pieces > self._most + SPARE_TOKENS
        if beyond or self._characters > (self._most + SPARE_TOKENS) * CHARACTERS_A_TOKEN:
            self._finish = "length"
            return True
        return False

    def rest(self) -> Iterator[GenerationChunk]:
        """Yield text held back, at the end."""
        cut = self._finish == "length" or bool(self._calls)
        yield from self._told(self._splitter.end(cut=cut))
        if cut or not self._splitter.unclosed:
            self.opened = self.opened or self._believed

    def last(self) -> GenerationChunk:
        now = time.perf_counter()
        first = self._first or now
        cut: Literal["repeating", "length"] = "repeating" if self._stuck else "length"
        calls = tuple(self._calls[index] for index in sorted(self._calls) if self._calls[index]["function"]["name"])
        return GenerationChunk(
            tool_calls=calls,
            finish_reason="tool_calls" if calls else cut if self._finish == "length" else "stop",
            stop_sequence=self._stopped_by,
            usage=Usage(
                prompt_tokens=number_in(self._usage, "prompt_tokens"),
                completion_tokens=number_in(self._usage, "completion_tokens") or self._pieces,
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

    def _merge(self, part: Any) -> None:
        index = number_in(part, "index")
        if index not in self._calls and len(self._calls) >= MAX_CALLS:
            return
        call = self._calls.setdefault(index, {"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
        call["id"] = text_in(part, "id", 200) or call["id"]
        given, function = object_in(part, "function"), call["function"]
        function["name"] = (function["name"] + text_in(given, "name", 200))[:200]
        function["arguments"] = (function["arguments"] + text_in(given, "arguments"))[:MAX_ARGUMENTS]
