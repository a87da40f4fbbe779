"""Decides whether a message is answered with memory: its wording and what the memory holds on it, weighed together.

A logistic regression on a few signals and products of two of them. ``memdesk bench train`` learns it, from messages that need memory and from messages
about nothing remembered, put to the same memories; the result is a probability, so that one half is the threshold.
"""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass, fields, replace
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import numpy as np

from memdesk.domain.recalling.ranking import Weights, probabilities

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memdesk.domain.recalling.ranking import Floats

#: What was at hand to weigh: words and vectors of the model that the sense was taught with, of another model, words alone, words
#: of a language other than those that taught the weights.
MODES = ("hybrid", "vectors", "fts", "foreign")
#: From this probability on the message gets memory.
THRESHOLD = 0.5
#: The same for a model that a block without an answer leads astray, where the message does not speak of the one who asks.
SURE = 0.8
#: The same in another language than the weights were taught in, or by the vectors of another model: both tell less there.
UNTAUGHT = 0.65
#: Log odds beyond which wording says no more, and beyond which the sense does not.
MOST_WORDING = 6.0
MOST_SENSE = 6.0
#: The language whose messages the sense tells apart: of German ones its model knows little (area under the curve .63, of English .84).
SENSED = "en"
#: Beyond so many standard deviations a likeness says no more.
MOST_DEVIATIONS = 5.0
#: Rows of the largest memory that taught the gate. Among more of them what answers stands less high above what does not: so much is added
#: for each unit of the logarithm of how many times as many there are, and so much at most, lest messages about nothing get memory.
TAUGHT_ROWS = 1_500
GROWN, MOST_GROWN = 0.45, 0.6
#: A narrower spread of noise than this is an accident of a small memory. What lies so many spreads above the median and is so alike is none.
LEAST_SPREAD, OUTLYING, ANSWERED = 0.05, 3.0, 0.6
#: The standard deviation of a normal distribution, by its median absolute deviation.
_DEVIATION = 1.4826


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What speaks for memory.

    Attributes:
        wording: how much the wording rather asks for a section than for none, in log odds; 0 where it does not tell.
        sense: the same by what the message means, told by its vector; None without one of the model that taught it, and
            in other languages than :data:`SENSED`.
        guarded: a rule says that the message asks for nothing of the user's.
        named: it names an entity that is known, or somebody who speaks in the transcript.
        likeness: cosine of the best passage or fact, in standard deviations above what questions about nothing reach, 0..5.
        third: the same of the third best passage, or of the best fact; what was talked about is said more than once.
        answer: likeness times the root of how likely the best passage is to answer: what is merely of the same subject is
            alike to the message and answers nothing, what shares a chance word with it is not alike to it.
        coverage: share of the message's topic words, by weight, that one passage holds.
        refers: share of its topic words that it speaks of as known already ("the baby", "my shop"), and that one message told of.
        of_self: the message speaks of the one who asks.
        of_assistant: it asks what the assistant said.
        asks: it ends with a question.
        in_chat: it goes on with a chat.
        expected: logarithm of one more than the number of passages that answer, as the ranking expects.
        rare: how rare the rarest of its topic words is that somebody told of, as a share of what a word of nobody's is.
        about: it names whom or what a fact is about.
        length: logarithm of one more than its words; the longer a message, the likelier it is alike to something by chance.
    """

    wording: float = 0.0
    sense: float | None = None
    guarded: float = 0.0
    named: float = 0.0
    likeness: float = 0.0
    third: float = 0.0
    answer: float = 0.0
    coverage: float = 0.0
    refers: float = 0.0
    of_self: float = 0.0
    of_assistant: float = 0.0
    asks: float = 0.0
    in_chat: float = 0.0
    expected: float = 0.0
    rare: float = 0.0
    about: float = 0.0
    length: float = 0.0


SIGNALS = tuple(field.name for field in fields(Signals))
#: Signals that tell more together: a long message is alike to something by chance, one that speaks of oneself less so.
_TOGETHER = (
    *("wording", "sense", "likeness", "answer", "coverage", "length", "of_self", "asks", "refers", "named"),
    *("expected", "rare"),
)
#: Those that are there or not: by themselves their squares say nothing new.
_FLAGS = frozenset({"of_self", "asks", "named"})
_PAIRS = tuple(
    pair for pair in combinations_with_replacement(_TOGETHER, 2) if pair[0] != pair[1] or pair[0] not in _FLAGS
)
#: What is weighed: the signals, and products of two of them.
WEIGHED = (*SIGNALS, *(f"{left} {right}" for left, right in _PAIRS))


def noise_of(likeness: Sequence[float]) -> tuple[float, float]:
    """Return mean and spread of the likeness that questions about nothing of the user's reach in a memory.

    Who once asked an assistant how far the moon is has a memory that answers one of them: its likeness is no noise.

    Args:
        likeness: the best cosine of each question; at least one.
    """
    best = np.asarray(likeness, dtype=np.float64)
    middle = float(np.median(best))
    spread = max(_DEVIATION * float(np.median(np.abs(best - middle))), LEAST_SPREAD)
    kept = best[best <= max(middle + OUTLYING * spread, ANSWERED)]
    return float(kept.mean()), max(float(kept.std()), LEAST_SPREAD)


def standing_out(deviations: float, rows: int) -> float:
    """Return how far a likeness stands out, as :class:`Signals` has it, 0..5.

    Args:
        deviations: standard deviations above what questions about nothing reach in a memory.
        rows: of that memory.
    """
    if deviations <= 0.0:
        return 0.0
    grown = GROWN * math.log(max(rows / TAUGHT_ROWS, 1.0))
    return min(deviations + min(grown, MOST_GROWN), MOST_DEVIATIONS)


def least_of(signals: Signals, *, sparing: bool) -> float:
    """Return the probability from which on a message gets memory.

    Args:
        signals: of the message.
        sparing: the model that reads the block takes what it reads for what it is asked.
    """
    if sparing and not signals.of_self:
        return SURE
    if signals.likeness and signals.sense is None and not (signals.asks and signals.named and not signals.guarded):
        return UNTAUGHT  # but who is known by name was told of
    return THRESHOLD


def weighed(signals: Signals) -> tuple[float, ...]:
    """Return the signals as they are weighed, in the order of :data:`WEIGHED`."""
    wording = min(max(signals.wording, -MOST_WORDING), MOST_WORDING)
    sense = min(max(signals.sense or 0.0, -MOST_SENSE), MOST_SENSE)
    bounded = replace(signals, wording=wording, sense=sense)
    return (*astuple(bounded), *(getattr(bounded, left) * getattr(bounded, right) for left, right in _PAIRS))


class Sense:
    """Tells by the vector of a message whether it asks for something remembered. Immutable, hence thread-safe.

    ``memdesk bench questions`` learns it together with how messages are read.

    Args:
        model: the space of the vectors that taught it.
        direction: shape (dim,).
    """

    def __init__(self, model: str, direction: Floats, bias: float) -> None:
        self._model = model
        self._direction = direction
        self._bias = bias

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Sense:
        """Read what :meth:`to_dict` returned."""
        return cls(str(data["model"]), np.array(data["direction"], dtype=np.float32), float(str(data["bias"])))

    def to_dict(self) -> dict[str, object]:
        direction = [round(float(value), 3) for value in self._direction]
        return {"model": self._model, "bias": round(self._bias, 3), "direction": direction}

    def of(self, vector: Floats | None, model: str) -> float | None:
        """Return log odds; None for a vector of another space, or none."""
        return None if vector is None or model != self._model else float(vector @ self._direction) + self._bias


class Opening:
    """The learned decision. Immutable, hence thread-safe.

    Args:
        data: each of :data:`MODES`, as :meth:`Weights.from_dict` reads it.
    """

    def __init__(self, data: Mapping[str, Mapping[str, object]]) -> None:
        self._weights = {mode: Weights.from_dict(data[mode], WEIGHED) for mode in MODES}

    def probability(self, signals: Signals, mode: str) -> float:
        """Return how likely it is that memory has the answer to a message, and that the message wants it.

        ``mode`` is ``hybrid`` where vectors were at hand, else ``fts``, or ``foreign`` where the message is not in English.
        """
        row = np.array([weighed(signals)], dtype=np.float32)
        known = "vectors" if mode == "hybrid" and signals.sense is None else mode
        return float(probabilities(row, self._weights[known])[0])
