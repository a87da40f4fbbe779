"""Synthetic conversations of any length, and an embedder at almost no cost."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from memdesk.domain.items.item import Digest, MemoryItem, detail, episode
from memdesk.domain.language.text import content_words
from memdesk.domain.models import FactSource, new_id
from memdesk.ports import EngineState, LaneName
from memdesk.services.recording import IngestTurn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

SESSION_TURNS = 40
_START = datetime(2021, 1, 1, 9, 0, tzinfo=UTC)
_SYLLABLES = [first + vowel for first in "bdfgklmnprstv" for vowel in "aeiou"]
#: Everyday words.
_EVERY_DAY = "today went really good people work home time week thing little made took found told friend family better long place"
COMMON = _EVERY_DAY.split()
_DIM = 384


#: Variance of the i-th axis, as the bundled model's falls over 1,451 turns of conversations (36 axes' worth by
#: participation ratio; here 41). Vectors spread evenly over 384 axes would have no near neighbors to find.
_SPREAD = (np.arange(_DIM, dtype=np.float32) + 4.0) ** np.float32(-1.25 / 2)
#: Length of the common component of all vectors; 0.67 for the bundled model as well.
_COMMON_LENGTH = 0.67


class SyntheticEmbedder:
    """``ports.Embedder`` that adds up a fixed random vector for each word: similarity without a model.

    The vectors are distributed over their axes like those of the bundled model.
    """

    model_id = "synthetic@2"
    dim = _DIM

    def embed(self, texts: Sequence[str], *, query: bool = False, priority: LaneName = "interactive") -> Vectors:
        """Return float32 of shape (len(texts), 384), rows of norm 1."""
        del query, priority
        rows = np.zeros((len(texts), _DIM), dtype=np.float32)
        for i, text in enumerate(texts):
            for word in content_words(text):
                rows[i] += _vector(word)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        rows *= np.sqrt(1.0 - _COMMON_LENGTH**2) / np.maximum(norms, 1e-6)
        rows[:, -1] += _COMMON_LENGTH
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)

    def warm_up(self) -> None:
        """Do nothing."""

    def state(self) -> EngineState:
        return EngineState(name="embedder", kind="embedder", state="ready", model=self.model_id)


@lru_cache(maxsize=200_000)
def _vector(word: str) -> Vectors:
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")
    return np.random.default_rng(seed).standard_normal(_DIM).astype(np.float32) * _SPREAD


class Writer:
    """Writes sentences from a vocabulary with the long tail of a natural one (Zipf), reproducibly.

    Args:
        turns: number of turns to write; the vocabulary grows with its square root (Heaps' law).
    """

    def __init__(self, turns: int) -> None:
        self._random = random.Random(7)
        size = int(40 * turns**0.5) + 500
        self._words = [self._word() for _ in range(size)]
        weights = np.array([1.0 / (rank + 3) for rank in range(size)])
        self._chances = np.cumsum(weights / weights.sum())

    def sentence(self, words: int = 16) -> str:
        picks = np.searchsorted(self._chances, np.array([self._random.random() for _ in range(words)]))
        body = [
            self._random.choice(COMMON) if self._random.random() < 0.3 else self._words[min(pick, len(self._words) - 1)]
            for pick in picks
        ]
        return " ".join(body).capitalize() + "."

    def question(self) -> str:
        """Return a question of a few words, common and rare ones."""
        rare = self._words[self._random.randrange(len(self._words))]
        return f"When did I talk about {rare} and {self.sentence(3).lower().strip('.')}?"

    def sessions(self, turns: int) -> Iterator[tuple[str, datetime, list[IngestTurn]]]:
        """Yield ``(conversation id, date, exchanges)`` of :data:`SESSION_TURNS` turns until there are enough."""
        for number in range(0, turns, SESSION_TURNS):
            when = _START + timedelta(hours=number / 20)
            exchanges = [
                IngestTurn(user=self.sentence(), assistant=self.sentence(22), date=when)
                for _ in range(min(SESSION_TURNS, turns - number) // 2)
            ]
            yield f"session-{number // SESSION_TURNS}", when, exchanges

    def fact(self, agent_id: str, when: datetime) -> MemoryItem:
        text = self.sentence(10)
        return MemoryItem(
            id=new_id(),
            agent_id=agent_id,
            content=text,
            origin="distiller",
            salience=self._random.random(),
            sources=(FactSource(turn_id=new_id(), quote=text),),
            created_at=when,
            updated_at=when,
        )

    def episode(self, agent_id: str, conversation_id: str, when: datetime) -> MemoryItem:
        summary, topics = self.sentence(24), (self.sentence(2).strip("."),)
        details = tuple(detail(self.sentence(10), id=new_id(), at=when) for _ in range(4))
        return episode(
            summary,
            Digest(details=details, started_at=when, ended_at=when),
            id=new_id(),
            agent_id=agent_id,
            run_id=conversation_id,
            tags=topics,
            created_at=when,
            updated_at=when,
        )

    def _word(self) -> str:
        return "".join(self._random.choice(_SYLLABLES) for _ in range(self._random.randint(2, 4)))
