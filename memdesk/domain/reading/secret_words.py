"""Words around secrets in all languages, and what the parts of a secret look like."""

import re
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from typing import Final

from memdesk.domain.language.data import LANGUAGES, language_data
from memdesk.domain.language.text import is_stop_word

#: Names of secrets that are numbers.
NUMBERED: Final = re.compile(
    r"\b(?:pin|tan|cv[vc]|ssn|combination)\b|code\b|number\b|nummer\b|zahl\b|c\u00f3digo|codice", re.IGNORECASE
)
#: Ends where a space follows: signs stand in passwords.
CLAUSE: Final = re.compile(r"(?:[^.!?\n;]|[.!?;](?=\S))+")
_NEXT_WORD: Final = re.compile(r"[ \t]+([^\W\d_][\w-]*)")
#: How far around a value its context is read, in characters, so that one endless sentence takes no longer than others.
BESIDE_REACH: Final = 200
#: From this length one digit among letters is enough.
LONG_CHARS: Final = 16


@cache
def words_for(*lists: str) -> frozenset[str]:
    """Return the words of lists of ``[secrets]`` in all languages."""
    return frozenset().union(*(language_data(code).words("secrets", *lists) for code in LANGUAGES))


def any_of(words: Iterable[str]) -> str:
    """Return a pattern of words, the longest first; in phrases each word may be plural: "codes de secours"."""
    firsts = groupby(sorted(words, key=lambda word: (word[0], -len(word), word)), key=lambda word: word[0])
    rests = {first: "|".join(re.escape(word[1:]).replace("\\ ", "s?\\ ") for word in found) for first, found in firsts}
    # By their first letters: many times faster than one list.
    return "|".join(f"{re.escape(first)}(?:{rest})" for first, rest in rests.items())


def is_clear(beside: str) -> bool:
    """Whether the next word is not a noun that gives the name another meaning: "password manager", "1200 points"."""
    word = _NEXT_WORD.match(beside)
    return word is None or is_stop_word(word[1].lower())


def is_mixed(value: str) -> bool:
    """Whether letters and digits are mixed as in no name of a program."""
    digits = sum(map(str.isdigit, value))
    return any(map(str.isalpha, value)) and (digits > 1 or (digits == 1 and len(value) >= LONG_CHARS))
