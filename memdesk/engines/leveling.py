"""Turns any model's vectors so that what counts as near with the bundled model counts as near with it.

Many models put all texts into a narrow cone: with e5 a question and a line about something else have a cosine of 0.7, with the
bundled model of 0.1. What all vectors have in common says nothing of any text (Mu and Viswanath, "All-but-the-Top",
https://arxiv.org/abs/1702.01417). So much of their mean is taken away that questions are as far from lines that do not answer them as they
are with the bundled model; every threshold and weight that was learned there then holds.
"""

from __future__ import annotations

import threading
import tomllib
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from memdesk.ports import EngineState, LaneName
from memdesk.settings.resources import resource_text

if TYPE_CHECKING:
    from memdesk.engines.embedder import ProcessEmbedder
    from memdesk.engines.remote_embedder import ServerEmbedder
    from memdesk.ports.engines import Vectors

#: Names the spaces that were leveled this way, by these pairs.
_MARK = "~1"
#: Halvings of the share of the mean that is taken away.
_STEPS = 20


class _Level(NamedTuple):
    """What is taken away of questions and of texts, shape (dim,) each."""

    query: Vectors
    document: Vectors


class LeveledEmbedder:
    """``ports.Embedder`` whose vectors are leveled; the first text waits until the level is measured."""

    def __init__(self, inner: ProcessEmbedder | ServerEmbedder) -> None:
        self._inner = inner
        self._lock = threading.Lock()
        self._level: _Level | None = None

    @property
    def model_id(self) -> str:
        return self._inner.model_id + _MARK

    @property
    def dim(self) -> int:
        return self._inner.dim

    def embed(self, texts: Sequence[str], *, query: bool = False, priority: LaneName = "interactive") -> Vectors:
        level = self._measured(priority)
        rows = self._inner.embed(texts, query=query, priority=priority)
        return _leveled(rows, level.query if query else level.document)

    def warm_up(self) -> None:
        self._inner.warm_up()

    def state(self) -> EngineState:
        return self._inner.state()

    def unload(self) -> None:
        """End the engine; see there."""
        self._inner.unload()

    def _measured(self, priority: LaneName) -> _Level:
        with self._lock:
            if self._level is None:
                asked, told = zip(*_measure()["pairs"], strict=True)
                questions = self._inner.embed(asked, query=True, priority=priority)
                lines = self._inner.embed(told, priority=priority)
                self._level = _level(questions, lines, _measure()["apart"])
            return self._level


def apart(questions: Vectors, lines: Vectors) -> float:
    """Return the mean cosine of each question to the lines of the others; both of shape (n, dim)."""
    cosines = questions @ lines.T
    return float((cosines.sum() - np.trace(cosines)) / (cosines.size - len(cosines)))


def _level(questions: Vectors, lines: Vectors, wanted: float) -> _Level:
    """Return the share of the means without which questions are ``wanted`` from the lines of others; none if they are so far apart already."""
    means = _Level(questions.mean(axis=0), lines.mean(axis=0))
    low, high = 0.0, 1.0
    if apart(questions, lines) <= wanted:
        high = 0.0
    for _ in range(_STEPS):
        share = (low + high) / 2
        found = apart(_leveled(questions, share * means.query), _leveled(lines, share * means.document))
        low, high = (share, high) if found > wanted else (low, share)
    return _Level(high * means.query, high * means.document)


def _leveled(rows: Vectors, away: Vectors) -> Vectors:
    moved = rows - away
    # A row of zeros is a text that stayed on this machine.
    moved[~rows.any(axis=1)] = 0.0
    norms = np.linalg.norm(moved, axis=1, keepdims=True)
    return np.asarray(moved / np.maximum(norms, np.finfo(np.float32).tiny), dtype=np.float32)


@cache
def _measure() -> dict[str, Any]:
    return tomllib.loads(resource_text("models", "level.toml"))
