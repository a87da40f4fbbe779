"""Detects the language of a text by its closed-class words; a chat sentence is too short for letter statistics."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from memdesk.domain.language.data import LANGUAGES, language_data

#: The signs that open a Spanish sentence, and words; not the letter after an apostrophe, as in "emoji's", "don't".
_WORD: Final = re.compile(r"[\u00bf\u00a1]|(?<![^\W\d_]['\u2019])[^\W\d_]+|[^\W\d_]{2,}")
#: Capitalized words inside a sentence: names, which have no language ("a bar called Da Lina").
_NAMES: Final = re.compile(r"(?<=[\w,;] )[^\W\d_a-z\u00df-\u00ff]\w*[a-z\u00df-\u00ff]\w*")
#: English words of one letter; others follow an apostrophe: "don't".
_ALONE: Final = frozenset("ai")
#: Lists of ``[plain]`` whose words are closed classes.
_CLOSED: Final = (
    "function",
    "subjects",
    "owners",
    "objects",
    "listener",
    "question",
    "pointing",
    "deny",
    "always",
    "hypothetical",
    "thanks",
    "home",
    "address",
    "verbs",
)
#: How many words are read.
_LOOKED_AT: Final = 60


@cache
def _languages_of() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for code in LANGUAGES:
        data = language_data(code)
        for word in data.words("plain", *_CLOSED) | data.words("lemmas"):
            if code != "en" or len(word) > 1 or word in _ALONE:
                found.setdefault(word, []).append(code)
    return MappingProxyType({word: tuple(codes) for word, codes in found.items()})


def votes(text: str) -> dict[str, int]:
    """Count the closed-class words of each language among the first words of a text."""
    counts = dict.fromkeys(LANGUAGES, 0)
    known = _languages_of()
    for word in _WORD.findall(_NAMES.sub(" ", text).lower())[:_LOOKED_AT]:
        for code in known.get(word, ()):
            counts[code] += 1
    return counts


def leading(text: str) -> list[str]:
    """Return the languages with the most votes, several in a tie; none if no word votes."""
    counts = votes(text)
    most = max(counts.values())
    return [code for code in LANGUAGES if counts[code] == most] if most else []


def language_of(text: str, fallback: str = "en") -> str:
    """Return one of :data:`LANGUAGES`; ``fallback`` if none leads."""
    counts = votes(text)
    best = max(counts, key=lambda code: counts[code])
    return best if counts[best] > counts[fallback] else fallback
