"""Keeps what the model has already read; runs in the llama.cpp child process only."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import llama_cpp

from memdesk.errors import EngineError

#: Tokens read between two looks at the cancel flag: about a second on two slow cores.
CHUNK_TOKENS = 128
#: A set-aside state must spare at least this many tokens to be worth copying back.
WORTH_RESTORING = 48
#: Largest state that is set aside, in bytes; a large model at a long context would double its memory.
MAX_STATE_BYTES = 192 * 1024 * 1024


@dataclass(slots=True)
class _Saved:
    tokens: list[int]
    state: bytes


class PromptCache:
    """Reads prompts, and only the part of them that is new.

    A chat sends its whole history each time; what is unchanged since the last call stays in the KV cache.
    Chats and background work would throw each other's prefix out, so what one of them leaves behind is
    set aside in memory and copied back when its turn comes again.
    """

    def __init__(self, llama: Any) -> None:
        self._llama = llama
        self._tokens: list[int] = []
        self._lane = "interactive"
        self._saved: dict[str, _Saved] = {}
        self._can_trim = not (
            llama_cpp.llama_model_is_recurrent(llama._model.model)  # noqa: SLF001  # no public name
            or llama_cpp.llama_model_is_hybrid(llama._model.model)  # noqa: SLF001  # no public name
        )
        self.reused = 0

    def read(self, tokens: list[int], lane: str, cancelled: Callable[[], bool]) -> Iterator[None]:
        """Bring the model to the end of ``tokens``; yields after each chunk, stops early when cancelled."""
        self._switch(lane, tokens)
        # The last token is always read again: its logits are what the answer starts from.
        keep = min(_common(self._tokens, tokens), len(tokens) - 1)
        if not self._can_trim and keep < len(self._tokens):
            keep = 0
        if keep == 0:
            self._llama.reset()
        self.reused = keep
        self._truncate(keep)
        for start in range(keep, len(tokens), CHUNK_TOKENS):
            if cancelled():
                return
            self._eval(tokens[start : start + CHUNK_TOKENS])
            yield None

    def append(self, token: int) -> None:
        """Read one token of the answer."""
        self._eval([token])

    def _eval(self, tokens: list[int]) -> None:
        try:
            self._llama.eval(tokens)
        except RuntimeError as error:
            self._llama.reset()
            self._tokens = []
            raise EngineError(f"The model failed while reading: {error}") from error
        self._tokens += tokens

    def _truncate(self, keep: int) -> None:
        self._llama.n_tokens = keep
        del self._tokens[keep:]

    def _switch(self, lane: str, tokens: list[int]) -> None:
        if lane == self._lane:
            return
        saved = self._saved.pop(lane, None)
        gain = 0 if saved is None else _common(saved.tokens, tokens) - _common(self._tokens, tokens)
        self._set_aside(self._lane)
        self._lane = lane
        if saved is not None and gain >= WORTH_RESTORING and self._restore(saved):
            self._tokens = saved.tokens
            self._llama.n_tokens = len(saved.tokens)

    def _set_aside(self, lane: str) -> None:
        context = self._llama.ctx
        size = int(llama_cpp.llama_state_seq_get_size(context, 0))
        if not self._can_trim or len(self._tokens) < WORTH_RESTORING or not 0 < size <= MAX_STATE_BYTES:
            self._saved.pop(lane, None)
            return
        buffer = (ctypes.c_uint8 * size)()
        written = int(llama_cpp.llama_state_seq_get_data(context, buffer, size, 0))
        if written:
            self._saved[lane] = _Saved(list(self._tokens), bytes(memoryview(buffer)[:written]))

    def _restore(self, saved: _Saved) -> bool:
        buffer = (ctypes.c_uint8 * len(saved.state)).from_buffer_copy(saved.state)
        self._llama.reset()
        llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(self._llama.ctx), False)
        if llama_cpp.llama_state_seq_set_data(self._llama.ctx, buffer, len(saved.state), 0):
            return True
        self._tokens = []
        return False


def _common(a: list[int], b: list[int]) -> int:
    count = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        count += 1
    return count
