"""Caches what the model has already read; runs only in the llama.cpp child process."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import llama_cpp

from memdesk.errors import EngineError
from memdesk.messages import say

if TYPE_CHECKING:
    from memdesk.engines.llama_vision import Picture

#: Tokens read between checks of the cancel flag: about a second on two slow cores.
CHUNK_TOKENS = 128
#: A saved state must save at least this many tokens to be worth restoring.
WORTH_RESTORING = 48
#: Largest state that is saved, in bytes; a large model with a long context would double its memory.
MAX_STATE_BYTES = 192 * 1024 * 1024


@dataclass(slots=True)
class _Saved:
    tokens: list[int]
    state: bytes


class PromptCache:
    """Reads prompts, but only their new part.

    A chat sends its whole history each time; what is unchanged since the last call stays in the KV cache. Chats and
    background work would evict each other's prefix, so their states are saved in memory and restored when their turn
    comes again. So is the state of an answer that waits for another.
    """

    def __init__(self, llama: Any) -> None:
        self._llama = llama
        self._tokens: list[int] = []
        self._lane = "interactive"
        self._saved: dict[str, _Saved] = {}
        #: The current answer, and the states of waiting ones.
        self._answer: object | None = None
        self._paused: dict[object, _Saved] = {}
        self._can_trim = not (
            llama_cpp.llama_model_is_recurrent(llama._model.model)  # noqa: SLF001  # no public name
            or llama_cpp.llama_model_is_hybrid(llama._model.model)  # noqa: SLF001  # no public name
        )
        self.reused = 0

    @property
    def portable(self) -> bool:
        """Whether the state can be saved as a whole."""
        return self._can_trim and 0 < self._size() <= MAX_STATE_BYTES

    def read(
        self,
        tokens: list[int],
        lane: str,
        cancelled: Callable[[], bool],
        answer: object,
        *,
        pictures: Sequence[Picture] = (),
        look: Callable[[Picture], None] | None = None,
    ) -> Iterator[None]:
        """Read ``tokens`` to the end for an answer; stops early when cancelled.

        Yields between chunks, but never after the last: the answer starts from the state at that point.

        Negative ``tokens`` are pictures, which ``look`` reads one by one, at the current end.
        """
        self._take_up(answer)
        self._switch(lane, tokens)
        # The last token is always read again: the answer starts from its logits.
        keep = min(_common(self._tokens, tokens), len(tokens) - 1)
        # A picture is read as a whole.
        keep = next((picture.start for picture in pictures if picture.start < keep < picture.end), keep)
        if not self._can_trim and keep < len(self._tokens):
            keep = 0
        if keep == 0:
            self._llama.reset()
        self.reused = keep
        self._truncate(keep)
        starts = {picture.start: picture for picture in pictures}
        at = keep
        while at < len(tokens):
            if at > keep:
                yield None
                self._take_up(answer)
            if cancelled():
                return
            picture = starts.get(at)
            if picture is not None and look is not None:
                end = picture.end
                look(picture)
                self._tokens += tokens[at:end]
            else:
                end = min([at + CHUNK_TOKENS, *(start for start in starts if start > at), len(tokens)])
                self._eval(tokens[at:end])
            at = end

    def append(self, token: int, answer: object) -> None:
        self._take_up(answer)
        self._eval([token])

    def release(self, answer: object) -> None:
        """An answer has ended."""
        self._paused.pop(answer, None)
        if self._answer is answer:
            self._answer = None

    def _take_up(self, answer: object) -> None:
        """Resume an answer: save the other's state and restore this one's."""
        if self._answer is answer:
            return
        if self._answer is not None:
            self._paused[self._answer] = self._snapshot()
        self._answer = answer
        if (saved := self._paused.pop(answer, None)) is not None and not self._restore(saved):
            self._llama.reset()
            if any(token < 0 for token in saved.tokens):
                raise EngineError(say("The model lost what it had read of a picture."))
            self._eval(saved.tokens)

    def _eval(self, tokens: list[int]) -> None:
        try:
            self._llama.eval(tokens)
        except RuntimeError as error:
            self._llama.reset()
            self._tokens = []
            raise EngineError(say("The model failed while reading: {error}", error=error)) from error
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
        if saved is not None and gain >= WORTH_RESTORING:
            self._restore(saved)

    def _set_aside(self, lane: str) -> None:
        self._saved.pop(lane, None)
        if len(self._tokens) >= WORTH_RESTORING and self.portable and (saved := self._snapshot()).state:
            self._saved[lane] = saved

    def _size(self) -> int:
        return int(llama_cpp.llama_state_seq_get_size(self._llama.ctx, 0))

    def _snapshot(self) -> _Saved:
        """Return the present state; empty if it is not available."""
        size = self._size()
        buffer = (ctypes.c_uint8 * size)()
        written = int(llama_cpp.llama_state_seq_get_data(self._llama.ctx, buffer, size, 0))
        return _Saved(list(self._tokens), bytes(memoryview(buffer)[:written]))

    def _restore(self, saved: _Saved) -> bool:
        """Restore a saved state; if that fails, the model has read nothing."""
        buffer = (ctypes.c_uint8 * len(saved.state)).from_buffer_copy(saved.state)
        self._llama.reset()
        llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(self._llama.ctx), False)
        if llama_cpp.llama_state_seq_set_data(self._llama.ctx, buffer, len(saved.state), 0):
            self._tokens = list(saved.tokens)
            self._llama.n_tokens = len(saved.tokens)
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
