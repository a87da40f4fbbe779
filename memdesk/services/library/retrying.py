"""Retries calls to a remote model after rate limits; other errors are raised at once."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from memdesk.errors import RateLimitedError
from memdesk.ports import Embedder, EngineState, LaneName
from memdesk.ports.calls import current
from memdesk.ports.engines import Vectors
from memdesk.ports.library import TextModel

T = TypeVar("T")
RETRIES: Final = 3
#: Seconds before the first retry; each further one waits twice as long.
FIRST_PAUSE: Final = 1.0


def _pause(seconds: float) -> None:
    current().pause(seconds)


def retried(call: Callable[[], T], pause: Callable[[float], object] = _pause) -> T:
    """Return a call's result, retrying after rate limits.

    Raises:
        RateLimitedError: all ``RETRIES`` retries were refused too.
    """
    for attempt in range(RETRIES):
        try:
            return call()
        except RateLimitedError:
            pause(FIRST_PAUSE * 2**attempt)
    return call()


class RetryingModel:
    """``ports.library.TextModel`` that waits out rate limits."""

    def __init__(self, model: TextModel, pause: Callable[[float], object] = _pause) -> None:
        self._model = model
        self._pause = pause

    def complete(self, system: str, user: str) -> str:
        return retried(lambda: self._model.complete(system, user), self._pause)

    def close(self) -> None:
        self._model.close()


class RetryingEmbedder:
    """``ports.Embedder`` that waits out rate limits."""

    def __init__(self, embedder: Embedder, pause: Callable[[float], object] = _pause) -> None:
        self._embedder = embedder
        self._pause = pause

    @property
    def model_id(self) -> str:
        return self._embedder.model_id

    @property
    def dim(self) -> int:
        return self._embedder.dim

    def embed(self, texts: Sequence[str], *, query: bool = False, priority: LaneName = "interactive") -> Vectors:
        return retried(lambda: self._embedder.embed(texts, query=query, priority=priority), self._pause)

    def warm_up(self) -> None:
        self._embedder.warm_up()

    def state(self) -> EngineState:
        return self._embedder.state()
