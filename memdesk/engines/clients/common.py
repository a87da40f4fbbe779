"""Shared by the clients."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from memdesk.engines.embedding_prompts import Prompts
from memdesk.engines.remote_errors import RemoteAuthError, RemoteFailedError, RemoteUnreachableError
from memdesk.errors import BadRequestError, EngineError, MemdeskError, RateLimitedError
from memdesk.ports import EngineState, LaneName
from memdesk.ports.engines import Vectors


def needed(settings: dict[str, Any], name: str, provider: str) -> str:
    """Return a setting.

    Raises:
        BadRequestError: it is missing.
    """
    found = settings.get(name)
    if not found:
        raise missing(name, provider)
    return str(found)


def missing(name: str, provider: str) -> BadRequestError:
    return BadRequestError(f"{provider} needs {name} in its configuration.")


def by_status(status: int | None, name: str, words: object) -> MemdeskError:
    """Return our error for a remote model's; None means no answer at all."""
    if status is None:
        return RemoteUnreachableError(f"{name} is not running, or its address has changed.")
    if status == 429:
        return RateLimitedError(f"{name} takes no more requests for now.")
    if status in {401, 403}:
        return RemoteAuthError(f"{name} refuses the key ({status}).")
    return RemoteFailedError(f"{name} failed with {status}: {str(words)[:200]}")


class RemoteEmbedder:
    """``ports.Embedder`` over a call that returns the vectors of texts.

    Args:
        name: provider and model, ``openai:text-embedding-3-small``.
        embed: returns a vector for each text, given whether they are questions; raises our errors.
        dimensions: length of a vector; None detects it with the first text.
        prompts: prefixes of questions and texts.
    """

    #: closes the client's connections and thread; idempotent
    close: Callable[[], None]

    def __init__(
        self,
        name: str,
        embed: Callable[[list[str], bool], Sequence[Sequence[float]]],
        dimensions: int | None,
        prompts: Prompts | None = None,
    ) -> None:
        self._prompts = prompts or Prompts()
        self._name = name + self._prompts.mark
        self._embed = embed
        self._dimensions = dimensions

    @property
    def model_id(self) -> str:
        return self._name

    @property
    def dim(self) -> int:
        return self._dimensions or self.embed(["length"]).shape[1]

    def embed(self, texts: Sequence[str], *, query: bool = False, priority: LaneName = "interactive") -> Vectors:
        del priority
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        prompt = self._prompts.of(query=query)
        # Servers refuse empty texts, which mean nothing anyway.
        given = [prompt + (text if text.strip() else ".") for text in texts]
        rows: Vectors = np.asarray(self._embed(given, query), dtype=np.float32)
        if rows.ndim != 2 or len(rows) != len(texts) or self._dimensions not in {None, rows.shape[1]}:
            raise EngineError(f"{self._name} gave vectors of another number or length.")
        self._dimensions = rows.shape[1]
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = rows / np.maximum(norms, np.finfo(np.float32).tiny)
        return unit

    def warm_up(self) -> None:
        """Do nothing: servers are warm."""

    def state(self) -> EngineState:
        """Report ready: only the next call can tell."""
        return EngineState(name=self._name, kind="embedder", state="ready", model=self._name)
