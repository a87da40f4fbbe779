"""Calibrates any model's vectors so that nearness means the same as with the bundled model.

Many models put all texts into a narrow cone: with e5 a question and an unrelated line have a cosine of 0.7, with the
bundled model of 0.1. What all vectors share says nothing about any text (Mu and Viswanath, "All-but-the-Top",
https://arxiv.org/abs/1702.01417). So a share of their mean is subtracted, chosen such that questions are as far from
unrelated lines as with the bundled model; every threshold and weight learned there then holds.
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

#: Names the spaces that were calibrated this way, with these pairs.
_MARK = "~1"
#: Bisection steps for the share of the mean that is subtracted.
_STEPS = 20


class _Level(NamedTuple):
    """What is subtracted from questions and from texts, shape (dim,) each."""

    query: Vectors
    document: Vectors


class LeveledEmbedder:
    """``ports.Embedder`` with calibrated vectors; the first text waits for the calibration."""

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
        """Stop the engine; see there."""
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
    """Return the mean cosine of each question to the other questions' lines; both of shape (n, dim)."""
    cosines = questions @ lines.T
    return float((cosines.sum() - np.trace(cosines)) / (cosines.size - len(cosines)))


def _level(questions: Vectors, lines: Vectors, wanted: float) -> _Level:
    """Return the shares of the means that leave questions ``wanted`` from others' lines; zero if already that far."""
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
    # A zero row stands for a local-only text.
    moved[~rows.any(axis=1)] = 0.0
    norms = np.linalg.norm(moved, axis=1, keepdims=True)
    return np.asarray(moved / np.maximum(norms, np.finfo(np.float32).tiny), dtype=np.float32)


@cache
def _measure() -> dict[str, Any]:
    return tomllib.loads(resource_text("models", "level.toml"))
