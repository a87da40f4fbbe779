"""Measures of a candidate line, each a small number, and the weights that turn them into a score."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memdesk.domain.language import Token, lexicon
from memdesk.domain.text import content_words, stem

_FEELING: Final = lexicon("""love like enjoy prefer hate dislike favorite favourite feel felt happy proud grateful excited passionate passion
    inspire inspired inspiring motivate important mean means meant special joy therapeutic nervous stress stressed""")
_PLAN: Final = lexicon("plan want hope will would decide decided going need goal dream thinking consider looking try")
_VAGUE: Final = lexicon("it that this they these those there here")
_PRAISE: Final = lexicon("awesome amazing great cool wow nice sweet cute beautiful wonderful incredible stunning")
_MEDIA: Final = re.compile(
    r"\b(?:pic|pics|photo|photos|picture|pictures|look at|check (?:it|this|them) out|here's|here is)\b", re.IGNORECASE
)

NAMES: Final = (
    "words", "short", "long", "subject_i", "subject_we", "subject_you", "subject_vague", "first_person", "second_person",
    "entities", "numbers", "dates", "past", "feeling", "plan", "praise", "media", "answer", "opening", "closing",
    "topical", "content_share", "negated", "first_in_turn", "pair",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Context:
    """What a sentence stands in.

    Attributes:
        position: of its turn in the session, 0..1.
        first_in_turn: whether no statement of the turn precedes it.
        answers: whether the turn before asked something.
        frequencies: how many turns of the session hold each stem.
        turns: number of turns.
    """

    position: float
    first_in_turn: bool
    answers: bool
    frequencies: Mapping[str, int]
    turns: int


def measure(tokens: Sequence[Token], begin: int, end: int, line: str, dated: bool, context: Context) -> list[float]:
    """Return the features of a sentence in the order of :data:`NAMES`."""
    part = tokens[begin:end]
    lows = [token.lower for token in part]
    words = [low for low in lows if low[:1].isalnum()]
    count = len(words)
    subject = _subject(tokens, begin, end)
    content = content_words(line)
    topical = [context.frequencies.get(stem(word), 0) for word in set(content)]
    return [
        min(count, 40) / 20,
        float(count < 6),
        float(count > 25),
        float(subject == "i"),
        float(subject == "we"),
        float(subject == "you"),
        float(subject in _VAGUE),
        float(any(low in {"i", "me", "my", "we", "us", "our", "myself"} for low in lows)),
        float(any(low in {"you", "your"} for low in lows)),
        min(3, sum(1 for token in part if token.pos == "PROPN" or token.entity in _NAMED)) / 3,
        float(any(low[0].isdigit() for low in words)),
        float(dated),
        float(any(token.tag in {"VBD", "VBN"} for token in part)),
        min(2, sum(low in _FEELING for low in lows)) / 2,
        float(any(low in _PLAN for low in lows)),
        min(2, sum(low in _PRAISE for low in lows)) / 2,
        float(_MEDIA.search(line) is not None),
        float(context.answers),
        float(context.position < 0.08),
        float(context.position > 0.92),
        math.log1p(sum(topical) / max(1, len(topical))),
        len(content) / max(1, count),
        float(any(low in {"not", "n't", "never", "no"} for low in lows)),
        float(context.first_in_turn),
        0.0,
    ]


_NAMED: Final = frozenset({"person", "place", "organisation", "product", "work", "event", "group"})


def _subject(tokens: Sequence[Token], begin: int, end: int) -> str:
    """Return the main clause's subject in lower case; the first pronoun where no parse tells."""
    for index in range(begin, end):
        token = tokens[index]
        if token.dep in {"nsubj", "nsubjpass"} and tokens[token.head].dep in {"ROOT", ""}:
            return token.lower
    if tokens[begin].dep:
        return ""
    return next((t.lower for t in tokens[begin:end] if t.lower in {"i", "we", "you", "it", "that", "this", "they"}), "")


#: Fitted by ridge regression on whether a line matches an observation that annotators made of its session
#: (LoCoMo, three conversations; each judged with weights fitted on the other two, see resources/docs/distillation.md).
WEIGHTS: Mapping[str, float] = {
    "words": 0.329,
    "second_person": 0.259,
    "first_person": 0.197,
    "praise": -0.149,
    "subject_vague": -0.14,
    "subject_i": 0.124,
    "feeling": 0.122,
    "content_share": 0.113,
    "short": -0.105,
    "pair": 0.105,
    "closing": -0.099,
    "media": -0.091,
    "negated": -0.089,
    "topical": 0.089,
    "subject_we": -0.066,
    "first_in_turn": 0.059,
    "entities": 0.054,
    "dates": -0.045,
    "subject_you": 0.044,
    "answer": 0.039,
    "past": -0.035,
    "opening": -0.021,
    "numbers": -0.017,
}
BIAS: float = 0.0


def score(values: Sequence[float]) -> float:
    """Return the weighted sum of features."""
    return BIAS + sum(WEIGHTS.get(name, 0.0) * value for name, value in zip(NAMES, values, strict=True))
