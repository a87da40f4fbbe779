"""Ranks passages of a transcript for a question: a calibrated logistic mix of a few features.

Each candidate turn is described by full text (BM25 of it with two turns on either side, its share of the topic words),
by vectors (cosine of the turn and of the mean of its neighborhood; without them by the words of the next turn), by the
speaker, by whether it asks, by names and by its date. The
weights were trained on other conversations than those they are evaluated on (``memdesk bench recall --train``);
the result is a probability, so that a threshold on it means something.

BM25: Robertson & Zaragoza 2009, k1 = 1.2, b = 0.75, as in FTS5.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from memdesk.domain.caches import remembered
from memdesk.domain.language.text import CAPITALS, fold, stem, topic_stem, unaccented, words
from memdesk.domain.language.timex import MONTHS, WEEKDAYS
from memdesk.domain.recalling.query import Query

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Ints = NDArray[np.intp]

_K1 = 1.2
_B = 0.75
#: Weights of the turns two before to two after, in the mean vector of a neighborhood.
_CONTEXT = ((-2, 0.5), (-1, 1.0), (1, 1.0), (2, 0.5))
#: Days over which a session's nearness to a requested date fades.
_DATE_SCALE = 7.0
_SMALL = 1e-6
#: From this share of an assistant's turns on, the others are its user's, who tells the assistant something by asking.
_ANSWERED = 0.2
#: A cosine below this is noise of the embedding.
NOISE_COSINE = 0.25

FEATURES = (
    "turn_cosine",
    "near_cosine",
    "wide_text",
    "coverage",
    "after",
    "speaker",
    "asks",
    "names",
    "date",
    "assistant",
)

_CALENDAR = frozenset((*WEEKDAYS, *MONTHS))
_PROPER = re.compile(rf"(?<=[\w,] |\w['\u2019])[{CAPITALS}][^\W\d_{CAPITALS}]+")
_AT_END = re.compile(r"\?\W*(?:\[[^\]]*\]\s*)?$")


class Passage(NamedTuple):
    """A candidate turn. ``speaker`` is a name or a role; ``said`` the day it was said.

    ``answer`` distinguishes an assistant's turn from people's.
    """

    seq: int
    conversation: str
    position: int
    speaker: str
    text: str
    said: date
    answer: bool = False


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic model: ``probability = sigmoid(bias + sum(weight * (feature - mean) / scale))``."""

    mean: Floats
    scale: Floats
    weight: Floats
    bias: float

    @classmethod
    def from_dict(cls, data: Mapping[str, object], names: Sequence[str] = FEATURES) -> Weights:
        """Read ``{"bias": b, "features": {name: [mean, scale, weight]}}``; an unknown name is an error."""
        rows = data["features"]
        assert isinstance(rows, Mapping)
        unknown = set(rows) - set(names)
        if unknown:
            raise ValueError(f"unknown features: {sorted(unknown)}")
        table = np.array([rows.get(name, (0.0, 1.0, 0.0)) for name in names], dtype=np.float32)
        return cls(table[:, 0], table[:, 1], table[:, 2], float(str(data["bias"])))

    def to_dict(self, names: Sequence[str] = FEATURES) -> dict[str, object]:
        """Return the form that :meth:`from_dict` reads, rounded."""
        rows = {
            name: [round(float(value), 4) for value in (self.mean[i], self.scale[i], self.weight[i])]
            for i, name in enumerate(names)
        }
        return {"bias": round(self.bias, 4), "features": rows}


def probabilities(features: Floats, weights: Weights) -> Floats:
    """Return how likely each row of ``features`` (n, :data:`FEATURES`) is to hold evidence, 0..1."""
    logits = _dots((features - weights.mean) / weights.scale, weights.weight) + weights.bias
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logits, -30.0, 30.0))), dtype=np.float32)


def fitting(
    features: Floats,
    words: str,
    *,
    found: Sequence[bool],
    names: Sequence[str] = FEATURES,
    cosines: Floats | None = None,
    alike: float = NOISE_COSINE,
) -> list[bool]:
    """Return which rows match a question at all: by words, by similarity above the embedding's noise, or by their day.

    Args:
        features: shape (n, len(names)).
        words: the feature that is above 0 if a row, or one that lends it score, contains a word of the question.
        found: whether full text found the row.
        names: of the features.
        cosines: shape (n,), or None without an embedder.
        alike: the cosine from which a row without a word of the question matches.
    """
    fits = np.array(found, dtype=bool)
    fits |= features[:, names.index(words)] > 0
    fits |= features[:, names.index("date")] >= 1.0
    if cosines is not None:
        fits |= cosines >= alike
    return [bool(fit) for fit in fits]


def passage_features(
    query: Query,
    passages: Sequence[Passage],
    *,
    frequency: Mapping[str, int],
    rows: int,
    query_vector: Floats | None = None,
    vectors: Floats | None = None,
) -> Floats:
    """Describe candidates.

    Args:
        query: the question's reading.
        passages: candidates with as many of their neighbors as are available, in any order.
        frequency: rows of the store that contain each of the query's terms.
        rows: rows of the store.
        query_vector: shape (dim,), or None without an embedder.
        vectors: shape (n, dim), a zero row if a passage has no vector yet.

    Returns:
        float32 of shape (n, len(FEATURES)), every value about -1..6.
    """
    n = len(passages)
    out = np.zeros((n, len(FEATURES)), dtype=np.float32)
    if n == 0:
        return out
    column = {name: i for i, name in enumerate(FEATURES)}
    near = _neighbors(passages)
    weight, counts, lengths = _counts(query, [p.text for p in passages], frequency, rows)
    out[:, column["after"]] = _shift(_of_best(bm25(counts, lengths, weight)), near[1])
    wide_counts, wide_lengths = counts.copy(), lengths.copy()
    for step, _ in _CONTEXT:
        wide_counts += _shift(counts, near[step])
        wide_lengths += _shift(lengths, near[step])
    out[:, column["wide_text"]] = _of_best(bm25(wide_counts, wide_lengths, weight))
    out[:, column["coverage"]] = _coverage(counts, weight)
    if query_vector is not None and vectors is not None:
        cosine = _dots(vectors, query_vector)
        context = vectors.copy()
        for step, share in _CONTEXT:
            context += share * _shift(vectors, near[step])
        norm = np.linalg.norm(context, axis=1)
        out[:, column["turn_cosine"]] = _of_best(cosine, NOISE_COSINE)
        out[:, column["near_cosine"]] = _of_best(_dots(context, query_vector) / np.maximum(norm, _SMALL), NOISE_COSINE)
    answers = np.array([p.answer for p in passages], dtype=np.float32)
    if answers.mean() < _ANSWERED:
        out[:, column["asks"]] = [_analysed(p.text).asks for p in passages]
    out[:, column["speaker"]] = _speaker_match(query, passages)
    if query.wants_name:
        out[:, column["names"]] = [_names(p.text) for p in passages]
    if query.periods:
        out[:, column["date"]] = [date_nearness(query, p.said) for p in passages]
    out[:, column["assistant"]] = answers
    return out


#: Features of a statement (a fact, a digest, a detail), which has no neighbors.
STATEMENT_FEATURES = ("coverage", "text", "cosine", "best_cosine", "names", "date", "prior", "recency")
#: Days over which recency fades.
_RECENCY_SCALE = 30.0


def statement_features(
    query: Query,
    texts: Sequence[str],
    *,
    days: Sequence[date],
    today: date,
    prior: Sequence[float],
    frequency: Mapping[str, int],
    rows: int,
    cosines: Floats | None = None,
) -> Floats:
    """Describe statements.

    Args:
        query: the question's reading.
        texts: statements.
        days: the day of each.
        today: when the question is asked.
        prior: salience of each, 0..1.
        frequency: rows that contain each of the query's terms.
        rows: rows of the store.
        cosines: shape (n,), or None without an embedder.

    Returns:
        float32 of shape (n, len(STATEMENT_FEATURES)).
    """
    out = np.zeros((len(texts), len(STATEMENT_FEATURES)), dtype=np.float32)
    if not len(texts):
        return out
    column = {name: i for i, name in enumerate(STATEMENT_FEATURES)}
    weight, counts, lengths = _counts(query, texts, frequency, rows)
    out[:, column["coverage"]] = _coverage(counts, weight)
    out[:, column["text"]] = _of_best(bm25(counts, lengths, weight))
    if cosines is not None:
        out[:, column["cosine"]] = cosines
        out[:, column["best_cosine"]] = _of_best(cosines, NOISE_COSINE)
    proper = {fold(word) for word in _PROPER.findall(f"x {query.text}")} | query.names
    out[:, column["names"]] = [_share(proper, text) for text in texts]
    if query.periods:
        out[:, column["date"]] = [date_nearness(query, day) for day in days]
    out[:, column["prior"]] = prior
    out[:, column["recency"]] = [recency(day, today) for day in days]
    return out


def recency(day: date, today: date) -> float:
    """Return 1 for today, fading over :data:`_RECENCY_SCALE` days."""
    return math.exp(-max((today - day).days, 0) / _RECENCY_SCALE)


def statement_weights(data: Mapping[str, object]) -> Weights:
    """Read weights of :data:`STATEMENT_FEATURES`; see :meth:`Weights.from_dict`."""
    return Weights.from_dict(data, STATEMENT_FEATURES)


def _share(wanted: Collection[str], text: str) -> float:
    plain = unaccented(text) if wanted else ""
    # Most statements contain none of them.
    held = {word for word in wanted if word in plain}
    return len(held.intersection(words(plain))) / len(wanted) if held else 0.0


def date_nearness(query: Query, day: date) -> float:
    """Return 1 for a day that the question means, fading with the days between, 0 if it names none."""
    return max((math.exp(-period.distance(day) / _DATE_SCALE) for period in query.periods), default=0.0)


def inverse_frequency(count: int, rows: int) -> float:
    """Return BM25's weight of a term that ``count`` of ``rows`` rows contain; never negative."""
    return math.log(1.0 + (max(rows, count) - count + 0.5) / (count + 0.5))


def bm25(counts: Floats, lengths: Floats, weights: Floats) -> Floats:
    """Return BM25 of documents.

    Args:
        counts: (documents, terms) occurrences.
        lengths: (documents,) words.
        weights: (terms,) inverse frequencies.
    """
    mean = max(float(lengths.mean()), 1.0)
    norm = _K1 * (1.0 - _B + _B * lengths / mean)
    return _dots(np.asarray(counts * (_K1 + 1.0) / (counts + norm[:, None]), dtype=np.float32), weights)


# --------------------------------------------------------------------------- pieces


@dataclass(frozen=True, slots=True)
class _Analysed:
    """A text's properties that do not depend on the question."""

    #: stems of the content words, in order, repeats kept
    stems: tuple[str, ...]
    asks: bool


@remembered(32_768)
def _analysed(text: str) -> _Analysed:
    return _Analysed(
        stems=tuple(filter(None, map(topic_stem, words(text)))), asks="?" in text and _AT_END.search(text) is not None
    )


def _names(text: str) -> int:
    return min(len(_PROPER.findall(text)), 3)


def proper_names(text: str) -> set[str]:
    """Return the capitalized words inside sentences, without days and months, as written."""
    return {word for word in _PROPER.findall(text) if word.casefold() not in _CALENDAR}


def stems_of(text: str) -> tuple[str, ...]:
    """Return the stems of the content words of a text, in order, cached."""
    return _analysed(text).stems


def _counts(
    query: Query, texts: Sequence[str], frequency: Mapping[str, int], rows: int
) -> tuple[Floats, Floats, Floats]:
    """Return the query's inverse frequencies (q,), their counts in the texts (n, q) and the texts' lengths (n,)."""
    stems = query.stems or ("",)
    held = dict.fromkeys(stems, 0)
    for term in query.terms:
        root = stem(term)
        held[root] = max(held.get(root, 0), frequency.get(term, 0))
    weight = np.array([inverse_frequency(held[root], rows) for root in stems], dtype=np.float32)
    told = [_analysed(text) for text in texts]
    counts = np.zeros((len(told), len(stems)), dtype=np.float32)
    place = {root: column for column, root in enumerate(stems)}
    for row, one in enumerate(told):
        # Most rows share at most one stem with the question.
        for root in place.keys() & one.stems:
            counts[row, place[root]] = one.stems.count(root)
    lengths = np.array([len(one.stems) for one in told], dtype=np.float32)
    return weight, counts, lengths


def _coverage(counts: Floats, weight: Floats) -> Floats:
    """Return the share of the terms, by weight, that each row contains at all."""
    return _dots((counts > 0).astype(np.float32), weight) / max(float(weight.sum()), _SMALL)


def _dots(rows: Floats, vector: Floats) -> Floats:
    """Return ``rows @ vector`` without BLAS.

    It would wake every core for a few hundred rows, and its kernels may flag an invalid value for what follows a
    short row.
    """
    return np.asarray(np.einsum("ij,j->i", rows, vector), dtype=np.float32)


def _of_best(values: Floats, least: float = _SMALL) -> Floats:
    """Scale by the best value, so that stores of every size and queries of every length are comparable.

    A best value below ``least`` is itself noise and must not be scaled up.
    """
    return np.asarray(values / max(float(values.max()), least), dtype=np.float32)


def _neighbors(passages: Sequence[Passage]) -> dict[int, Ints]:
    """Return, for each step, the index of the passage that many turns away, or -1."""
    place = {(p.conversation, p.position): i for i, p in enumerate(passages)}
    return {
        step: np.array([place.get((p.conversation, p.position + step), -1) for p in passages], dtype=np.intp)
        for step, _ in _CONTEXT
    }


def _shift(values: Floats, index: Ints) -> Floats:
    """Return ``values[index]`` with zeros where the index is -1."""
    moved = values[index].copy()
    moved[index < 0] = 0.0
    return moved


def _speaker_match(query: Query, passages: Sequence[Passage]) -> Floats:
    """1 for a turn by the one speaker named, -1 for another's, 0 if none or several are named."""
    wanted = set(query.names)
    if not wanted and query.of_assistant:
        wanted = {"assistant"}
    elif not wanted and query.of_self:
        wanted = {"user"}
    if not wanted:
        return np.zeros(len(passages), dtype=np.float32)
    parts = {speaker: frozenset(words(fold(speaker))) for speaker in {p.speaker for p in passages}}
    matching = {speaker for speaker, own in parts.items() if own & wanted}
    if len(matching) != 1:
        return np.zeros(len(passages), dtype=np.float32)
    return np.array([1.0 if p.speaker in matching else -1.0 for p in passages], dtype=np.float32)
