"""A language model that answers from a queue, and a catalogue that offers it."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import replace

from memdesk.domain.chatting.thinking import ThinkingSplitter
from memdesk.errors import CancelledError, ContextOverflowError, ModelMissingError
from memdesk.ports import GenerationChunk, ModelInfo, Usage


class QueueModel:
    """``ports.LanguageModel`` whose answers are queued by the test; it keeps every request it gets.

    An answer is a text (streamed word by word, its thinking apart), an exception (raised), or a list of chunks. With an empty
    queue it says ``default``. One token is one word.
    """

    def __init__(self, model_id: str = "fake:echo", *, context: int = 2048, default: str = "All right.") -> None:
        self._info = ModelInfo(id=model_id, name=model_id.partition(":")[2], source="bundled", context_tokens=context)
        self.context_tokens = context
        #: whether it takes pictures.
        self.sees: bool | None = False
        self.default = default
        self.answers: deque = deque()
        self.requests: list = []
        #: while set, generation waits after ``hold_after`` words, until cancelled or released.
        self.hold: threading.Event | None = None
        self.hold_after = 1
        self.stopped = threading.Event()
        #: set once the first word was taken and the rest is held.
        self.holding = threading.Event()
        self.counted = 0

    @property
    def info(self) -> ModelInfo:
        return replace(self._info, sees=self.sees)

    def queue(self, *answers) -> None:
        self.answers.extend(answers)

    def count_tokens(self, messages) -> int:
        self.counted += 1
        return sum(4 + len(message.content.split()) for message in messages)

    def generate(self, request, *, cancel=None):
        self.requests.append(request)
        if self.count_tokens(request.messages) > self.context_tokens:
            raise ContextOverflowError("too long")
        answer = self.answers.popleft() if self.answers else self.default
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, list):
            yield from self._chunks(answer)
            return
        words, splitter = answer.split(" "), ThinkingSplitter()
        for number, word in enumerate(words):
            if cancel is not None and cancel.is_set():
                self.stopped.set()
                raise CancelledError("stopped")
            for piece in splitter.feed(word if number == 0 else " " + word):
                yield GenerationChunk(text=piece.answer, thinking=piece.thinking, taken_back=piece.taken_back)
            if number + 1 == self.hold_after:
                self._wait(cancel)
        for piece in splitter.end():
            yield GenerationChunk(text=piece.answer, thinking=piece.thinking, taken_back=piece.taken_back)
        prompt = self.count_tokens(request.messages)
        yield GenerationChunk(
            finish_reason="stop",
            usage=Usage(prompt_tokens=prompt, completion_tokens=len(words), completion_seconds=0.1),
        )

    def _wait(self, cancel) -> None:
        while self.hold is not None and not self.hold.wait(0.01):
            self.holding.set()
            if cancel is not None and cancel.is_set():
                return

    @staticmethod
    def _chunks(answer):
        for item in answer:
            if isinstance(item, BaseException):
                raise item
            yield item


def tool_call(name: str, arguments: str, call_id: str = "call_1") -> list[GenerationChunk]:
    """Return an answer that calls one tool."""
    call = {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
    return [GenerationChunk(tool_calls=(call,)), GenerationChunk(finish_reason="tool_calls", usage=Usage())]


class OneModelCatalogue:
    """``ports.ModelCatalogue`` with the models given."""

    def __init__(self, *models: QueueModel) -> None:
        self.models = {model.info.id: model for model in models}

    def embedders(self):
        return []

    def all(self):
        return [model.info for model in self.models.values()]

    def info(self, model_id):
        model = self.models.get(model_id)
        return model.info if model is not None else None

    def open(self, model_id):
        if model_id not in self.models:
            raise ModelMissingError("There is no model.")
        return self.models[model_id]

    def add_path(self, path: str, name: str = "") -> list[ModelInfo]:
        raise NotImplementedError

    def delete_file(self, model_id: str) -> None:
        raise NotImplementedError

    def remove(self, model_id):
        self.models.pop(model_id, None)

    def unload(self, model_id=None):
        return None

    def states(self):
        return []
