"""Measures of a candidate line, each a small number, and the weights that combine them into a score."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memdesk.domain.language.analysis import Token, lexicon
from memdesk.domain.language.text import content_words, stem

_FEELING: Final = lexicon(
    """love like enjoy prefer hate dislike favorite favourite feel felt happy proud grateful excited passionate passion
    inspire inspired inspiring motivate important mean means meant special joy therapeutic nervous stress stressed"""
)
_VAGUE: Final = lexicon("it that this they these those there here")
_PRAISE: Final = lexicon("awesome amazing great cool wow nice sweet cute beautiful wonderful incredible stunning")
#: Nouns that occur in any conversation.
_GENERIC: Final = lexicon(
    """life journey support love strength difference way thing things balance growth power time lot people world
    community passion moment moments dream dreams goal goals hard work other others self positivity kindness hope"""
)
_POINTING: Final = lexicon("it this that they them these those")
_FIRST: Final = lexicon("i me my we us our myself ich mir mich mein meine meinen meiner meinem wir uns unser unsere")
_NEGATIVE: Final = lexicon("not n't never no")
_MEDIA: Final = re.compile(
    r"\b(?:pic|pics|photo|photos|picture|pictures|look at|check (?:it|this|them) out|here's|here is)\b", re.IGNORECASE
)
_NAMED: Final = frozenset({"person", "place", "organisation", "product", "work", "event", "group"})

#: Fitted by ridge regression on how many of the annotators' observations of a session a line matches (LoCoMo, three
#: conversations; each evaluated with weights fitted on the other two, see resources/docs/distillation.md).
WEIGHTS: Final[Mapping[str, float]] = {
    "subject_i": 0.125,
    "subject_you": 0.067,
    "subject_vague": -0.026,
    "first_person": 0.118,
    "second_person": 0.132,
    "named": 0.092,
    "dated": -0.015,
    "feeling": 0.098,
    "praise": -0.125,
    "media": -0.094,
    "answer": 0.014,
    "closing": -0.063,
    "topical": 0.09,
    "content_share": 0.059,
    "negated": -0.06,
    "words_over_0": 0.057,
    "words_over_10": 0.043,
    "words_over_18": 0.029,
    "words_over_28": 0.017,
    "words_over_40": 0.017,
    "nouns": 0.131,
    "names": 0.058,
    "verbs": 0.055,
    "adverbs": 0.019,
    "pointing": -0.108,
    "generic": 0.037,
    "noun_share": 0.408,
    "generic_share": -0.027,
    "joined": 0.042,
}
BIAS: Final = -0.031


@dataclass(frozen=True, slots=True)
class Context:
    """The context of a sentence.

    Attributes:
        position: of its turn in the session, 0..1.
        answers: whether the previous turn asked something.
        frequencies: how many turns of the session contain each stem.
    """

    position: float
    answers: bool
    frequencies: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of one statement.

    Attributes:
        counts: numbers that are added when statements are joined.
        flags: properties that are averaged.
    """

    counts: Mapping[str, int]
    flags: Mapping[str, float]


def measure(tokens: Sequence[Token], line: str, context: Context, *, subject: str, dated: bool) -> Measures:
    """Measure a statement.

    Args:
        tokens: of its sentence as said.
        line: as it would be remembered.
        context: of the sentence.
        subject: the main clause's subject in lower case.
        dated: whether it names a date.
    """
    lows = [token.lower for token in tokens]
    words = sum(low[:1].isalnum() for low in lows)
    content = content_words(line)
    topical = [context.frequencies.get(stem(word), 0) for word in set(content)]
    counts = {
        "words": words,
        "nouns": sum(token.pos == "NOUN" for token in tokens),
        "names": sum(token.pos == "PROPN" for token in tokens),
        "verbs": sum(token.pos == "VERB" for token in tokens),
        "adjectives": sum(token.pos == "ADJ" for token in tokens),
        "adverbs": sum(token.pos == "ADV" for token in tokens),
        "pointing": sum(low in _POINTING for low in lows),
        "generic": sum(low in _GENERIC for low in lows),
    }
    flags = {
        "subject_i": float(subject == "i"),
        "subject_you": float(subject == "you"),
        "subject_vague": float(subject in _VAGUE),
        "first_person": float(any(low in _FIRST for low in lows)),
        "second_person": float("you" in lows or "your" in lows),
        "named": min(3, sum(t.pos == "PROPN" or t.entity in _NAMED for t in tokens)) / 3,
        "dated": float(dated),
        "past": float(any(token.tag in {"VBD", "VBN"} for token in tokens)),
        "feeling": min(2, sum(low in _FEELING for low in lows)) / 2,
        "praise": min(2, sum(low in _PRAISE for low in lows)) / 2,
        "media": float(_MEDIA.search(line) is not None),
        "answer": float(context.answers),
        "opening": float(context.position < 0.08),
        "closing": float(context.position > 0.92),
        "topical": math.log1p(sum(topical) / max(1, len(topical))),
        "content_share": len(content) / max(1, words),
        "negated": float(any(low in _NEGATIVE for low in lows)),
    }
    return Measures(counts, flags)


def features(parts: Sequence[Measures]) -> dict[str, float]:
    """Return the features of a line made of one or more statements, by name."""
    total = {name: sum(part.counts[name] for part in parts) for name in parts[0].counts}
    words = max(1, total["words"])
    values = {name: sum(part.flags[name] for part in parts) / len(parts) for name in parts[0].flags}
    for start in (0, 10, 18, 28, 40):
        values[f"words_over_{start}"] = max(0, words - start) / 10
    values |= {
        "nouns": min(total["nouns"], 8) / 4,
        "names": min(total["names"], 4) / 2,
        "verbs": min(total["verbs"], 6) / 3,
        "adjectives": min(total["adjectives"], 5) / 3,
        "adverbs": min(total["adverbs"], 5) / 3,
        "pointing": min(total["pointing"], 4) / 2,
        "generic": min(total["generic"], 4) / 2,
        "noun_share": total["nouns"] / words,
        "generic_share": total["generic"] / max(1, total["nouns"]),
        "joined": float(len(parts) > 1),
    }
    return values


def score(values: Mapping[str, float]) -> float:
    """Return the weighted sum of features."""
    return BIAS + sum(weight * values.get(name, 0.0) for name, weight in WEIGHTS.items())


def subject_of(tokens: Sequence[Token], begin: int, end: int) -> str:
    """Return the main clause's subject in lower case; the first pronoun if there is no parse."""
    for index in range(begin, end):
        token = tokens[index]
        if token.dep in {"nsubj", "nsubjpass"} and tokens[token.head].dep in {"ROOT", ""}:
            return token.lower
    if tokens[begin].dep:
        return ""
    return next((t.lower for t in tokens[begin:end] if t.lower in {"i", "we", "you", "it", "that", "this", "they"}), "")
