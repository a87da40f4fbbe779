"""How well typed text matches: whole words first, then letters in order with gaps."""

import unicodedata
from typing import Final

#: Scores of a query word that is a prefix of, equal to, or inside a text's word; letters in order score less.
_WHOLE: Final = 4.0
_BEGINS: Final = 3.0
_WITHIN: Final = 2.0
#: Maximum span of letters in order, per typed letter; farther apart they match by chance.
_SPREAD: Final = 2.5
_LEAST_LETTERS: Final = 3


def plain(text: str) -> str:
    """Return ``text`` in lower case without accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))


def score(query: str, text: str) -> float:
    """Return how well each word of ``query`` is found in ``text``: 0 when one is not, at most 4."""
    wanted, there = plain(query).split(), plain(text)
    if not wanted:
        return 1.0
    found = [_word(word, there) for word in wanted]
    if not all(found):
        return 0.0
    # Of two equal matches, the shorter one is more likely meant.
    return sum(found) / len(found) - min(len(there), 200) / 1000


def _word(word: str, text: str) -> float:
    words = text.split()
    if word in words:
        return _WHOLE
    if any(other.startswith(word) for other in words):
        return _BEGINS
    if word in text:
        return _WITHIN
    return _letters(word, text) if len(word) >= _LEAST_LETTERS else 0.0


def _letters(word: str, text: str) -> float:
    """Return 0 to 1 for letters in order, starting at a word's first; closer together scores more."""
    best = 0.0
    for start, letter in enumerate(text):
        if letter != word[0] or (start and text[start - 1].isalnum()):
            continue
        at = start
        for wanted in word[1:]:
            at = text.find(wanted, at + 1)
            if at < 0:
                return best
        best = max(best, len(word) / (at - start + 1))
    return best if best * _SPREAD >= 1 else 0.0
