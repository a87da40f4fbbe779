"""How likely a new statement takes the place of a known one, or ends it, where their fields do not prove it.

"Otis has started at Fairfield Academy" ends "Otis goes to St Mark's primary", though no rule knows that one is at one school at a
time. A logistic regression over what two statements share, in what they differ and how the new one is worded, as labeled pairs
have taught it; ``memdesk bench succession FILE... --train`` learns the weights and names these (``resources/comparing/succession.json``).
It knows English alone.
"""

from __future__ import annotations

import calendar
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any, Final

from memdesk.domain.comparing.comparison import compare
from memdesk.domain.items.statement import USER, Statement
from memdesk.domain.language.text import stems, words
from memdesk.domain.regression import Regression
from memdesk.settings.resources import resource_text

LANGUAGE: Final = "en"
#: From which probability on a known statement is ended, and from which the user is asked.
ENDS: Final = 0.55
ASKS: Final = 0.35
#: What a feature of each group counts.
SCALES: Final[Mapping[str, float]] = {"field": 1.0, "like": 0.8, "word": 0.6, "next": 0.4}
#: Cosines that are told apart, and shares of the words in common.
_LIKE: Final = (0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85)
_SHARES: Final = (0.01, 0.2, 0.34, 0.5, 0.75)
_NUMBER: Final = re.compile(r"\d[\d.,:]*")
_WORD: Final = re.compile(r"[\w'\u2019-]+")
_DAYS: Final = frozenset(name.lower() for name in (*calendar.day_name, *calendar.month_name) if name)


class Succession:
    """Judges by learned weights. Immutable, hence thread-safe.

    Args:
        data: what :class:`Regression` reads, with a cosine (``vectors``) and without one (``words``).
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._vectors, self._words = (Regression(data[name], SCALES) for name in ("vectors", "words"))

    def probability(self, new: Statement, known: Statement, texts: tuple[str, str], cosine: float | None) -> float:
        """Return the probability that ``new`` takes the place of ``known`` or ends it; arguments as for :func:`features`."""
        judge = self._words if cosine is None else self._vectors
        return judge.probability(features(new, known, texts, cosine))


@cache
def succession() -> Succession:
    """Return the one that ships."""
    return Succession(json.loads(resource_text("comparing", "succession.json")))


def features(new: Statement, known: Statement, texts: tuple[str, str], cosine: float | None) -> frozenset[str]:
    """Return what a pair of statements is weighed by.

    Args:
        new: said later.
        known: said before.
        texts: the lines of both, in this order.
        cosine: of the lines; None without an embedder.
    """
    found = {*_of_fields(new, known), *_of_words(new, known, texts), *_of_wording(new)}
    if cosine is not None:
        steps = [f"like:{step}" for step in _LIKE if cosine > step]
        same = new.subject == known.subject
        found |= {*steps, *(f"{step} of one" for step in steps if same)}
    return frozenset(found)


def _of_fields(new: Statement, known: Statement) -> Iterator[str]:
    yield f"field:{compare(new, known).code}"
    yield f"field:of {_whose(known)} {_whose(new)}"
    yield f"field:tense {known.tense} {new.tense}"
    yield f"field:mode {known.modality} {new.modality}"
    same = {
        "subject": new.subject == known.subject,
        "predicate": new.predicate == known.predicate,
        "verb": new.predicate.split(" ")[0] == known.predicate.split(" ")[0],
        "attribute": bool(known.attribute) and new.attribute == known.attribute,
    }
    yield from (f"field:same {name}" for name, is_so in same.items() if is_so)
    if known.attribute and new.attribute and known.attribute != new.attribute:
        yield "field:other attribute"
    flags = {
        "new ended": new.ended,
        "new denied": not new.holds,
        "known ended": known.ended,
        "known denied": not known.holds,
        "replaces": bool(new.replaces),
    }
    yield from (f"field:{name}" for name, is_so in flags.items() if is_so)


def _whose(one: Statement) -> str:
    return "user" if one.subject == USER else "own" if one.about_user() else "other"


def _of_words(new: Statement, known: Statement, texts: tuple[str, str]) -> Iterator[str]:
    mine, theirs = (stems(text) - stems(USER) for text in texts)
    shared = mine & theirs
    yield f"field:shared {min(3, len(shared))}"
    share = len(shared) / max(1, min(len(mine), len(theirs)))
    yield from (f"field:share {step}" for step in _SHARES if share > step)
    if shared and (new.ended or not new.holds):
        yield "field:ends what is shared"
    value, other, whose = stems(new.object), stems(known.object), stems(known.subject) - stems(USER)
    parts = {
        "object same": bool(other) and value == other,
        "objects shared": bool(value & other),
        "known object": bool(other) and other <= mine,
        "known object in part": bool(other & mine),
        "known subject": bool(whose & mine),
        "new object": bool(value) and value <= theirs,
    }
    yield from (f"field:{name}" for name, is_so in parts.items() if is_so)
    for name, tell in (("names", _names), ("numbers", _numbers), ("days", _days)):
        ours, old = tell(texts[0]), tell(texts[1])
        told = {
            "both": bool(ours and old),
            "other": bool(ours and old) and not ours & old,
            "other beside what is shared": bool(ours and old) and not ours & old and bool(shared),
            "same": bool(ours & old),
            "new": bool(ours) and not old,
        }
        yield from (f"field:{name} {what}" for what, is_so in told.items() if is_so)


def _names(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)[1:] if word[:1].isupper() and word.lower() not in _DAYS}


def _numbers(text: str) -> set[str]:
    return {number.strip(".,:") for number in _NUMBER.findall(text)}


def _days(text: str) -> set[str]:
    return {day for word in words(text) if (day := word.lower().removesuffix("s")) in _DAYS}


def _of_wording(new: Statement) -> Iterator[str]:
    said = [word.lower() for word in _WORD.findall(new.quote)]
    yield from (f"word:{word}" for word in said)
    yield from (f"next:{left} {right}" for left, right in pairwise(said))
