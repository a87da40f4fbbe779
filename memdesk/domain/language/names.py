"""Finds known names in a text, all at once.

The names form one Aho-Corasick automaton (Aho & Corasick 1975), so that a look-up costs as much for ten
thousand names as for ten.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import ahocorasick

from memdesk.domain.language.text import fold, is_stop_word, words

_SHORT = 3


@dataclass(frozen=True, slots=True)
class Match:
    """A name found: as it is known, and its position in the text."""

    name: str
    start: int
    end: int


class EntityMatcher:
    """Finds names, and the distinctive words of names of several words ("Falcon" of "Project Falcon").

    A text that uses capitals must write a name with one, since "biscuit" and "falcon" are words as well; a text
    entirely in lower case is matched without regard to case. Immutable, hence thread-safe.
    """

    def __init__(self, names: Iterable[str], *, generic: Collection[str] = ()) -> None:
        """Build the automaton.

        Args:
            names: entity names; those of one letter are ignored.
            generic: words that identify nothing by themselves ("project", "street"), folded.
        """
        table: dict[str, tuple[str, bool]] = {}
        partial: dict[str, str | None] = {}
        for name in names:
            flat = _flat(name.strip())
            if len(flat) < 2:
                continue
            table[flat] = (name, len(flat) <= _SHORT or is_stop_word(flat))
            parts = words(name)
            for part in parts if len(parts) > 1 else ():
                if len(part) > _SHORT and fold(part) not in generic and not is_stop_word(part):
                    # A word of two names identifies neither, yet one of the two is meant.
                    partial.setdefault(_flat(part), name)
        for part, owner in partial.items():
            if owner is not None:
                table.setdefault(part, (owner, False))
        self._size = len(table)
        self._automaton = ahocorasick.Automaton()
        for flat, (name, strict) in table.items():
            self._automaton.add_word(flat, (len(flat), name, strict))
        if table:
            self._automaton.make_automaton()

    def __len__(self) -> int:
        return self._size

    def find(self, text: str) -> list[Match]:
        """Return the names in ``text`` in order, the longest if they overlap."""
        if not self._size:
            return []
        flat = _flat(text)
        cased = any(char.isupper() for char in text)
        found: list[Match] = []
        for last, (length, name, strict) in self._automaton.iter(flat):
            start, end = last - length + 1, last + 1
            if _inside_word(flat, start, end):
                continue
            if (cased or strict) and not _capital(text, start, strict=strict):
                continue
            found.append(Match(name, start, end))
        found.sort(key=lambda match: (match.start, -match.end))
        kept: list[Match] = []
        for match in found:
            if not kept or match.start >= kept[-1].end:
                kept.append(match)
        return kept


def _flat(text: str) -> str:
    """Fold character by character, so that positions in the result are positions in the text."""
    if text.isascii():
        return text.lower()
    return "".join(folded if len(folded := fold(char)) == 1 else char for char in text)


def _inside_word(flat: str, start: int, end: int) -> bool:
    before = start > 0 and _joins(flat[start - 1]) and _joins(flat[start])
    if end - start > _SHORT and flat[end : end + 1] == "s":
        # "Claras Geburtstag", "claras birthday"
        end += 1
    after = end < len(flat) and _joins(flat[end]) and _joins(flat[end - 1])
    return before or after


def _joins(char: str) -> bool:
    """Whether a character forms one word with its neighbor; scripts without spaces do not."""
    return char.isalnum() and not "\u3040" <= char <= "\u9fff"


def _capital(text: str, start: int, *, strict: bool) -> bool:
    """Whether the name is capitalized. A short name, or a common word, must not only open the text."""
    char = text[start]
    if char.islower():
        return False
    return not (strict and start == 0 and char.isalpha())
