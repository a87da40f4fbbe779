"""The words of a sentence in a language that nothing parses here: as chats spell them, and as they would be written."""

import re
from functools import cache
from typing import Final

from memdesk.domain.language.data import LanguageData, language_data

WORD: Final = re.compile(r"[\w\u00c0-\u024f]+(?:-[\w\u00c0-\u024f]+)*")


class PlainWords:
    """Cuts sentences of one language into words.

    Args:
        code: one of :data:`memdesk.domain.language.data.LANGUAGES`, kept as an attribute.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        self._data: LanguageData = language_data(code)

    def _list(self, *names: str) -> frozenset[str]:
        return self._data.words("plain", *names)

    def _words(self, sentence: str) -> list[str]:
        return tokens(self._written(sentence))

    def _written(self, sentence: str) -> str:
        """Return a sentence as it would be written: "chuis né ici" is "je suis né ici", "hab nen Golf" is "ich habe einen Golf"."""
        for spoken, written in _spoken(self.code):
            sentence = spoken.sub(written, sentence)
        said = self._opened(tokens(sentence))
        if not said or sentence.rstrip().endswith("?") or not self._list("subjects", "listener").isdisjoint(said[1:2]):
            return sentence
        helping = self._data.forms("lemmas").get(said[0]) in self._data.words("cut", "helping")
        if not (helping or self._list("objects").isdisjoint(said[1:2])):
            return sentence  # "Spiele mir was vor", not "Habe mir ein Rad gekauft"
        verb = next((form for form in (said[0], f"{said[0]}e") if form in self._list("verbs")), "")
        for subject in self._list("dropped") if verb else ():
            opened = re.compile(rf"\b{re.escape(said[0])}\b", re.IGNORECASE)
            sentence = opened.sub(f"{subject} {verb}", sentence, count=1)
        return sentence

    def _opened(self, said: list[str]) -> list[str]:
        """Leave out what opens a sentence and says nothing."""
        start = 0
        while start < len(said) and said[start] in self._list("skip") | self._list("thanks"):
            start += 1
        # "No como carne" begins with the negation, which is also an interjection.
        if start and start < len(said) and said[start - 1] in self._list("deny"):
            start -= 1
        return said[start:]


@cache
def _spoken(code: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return how chats spell what is written otherwise, as patterns."""
    data = language_data(code)
    return tuple(
        (re.compile(rf"(?<!\w)(?:{'|'.join(sorted(data.words('spoken', written)))})(?!\w)", re.IGNORECASE), written)
        for written in data.names("spoken")
    )


def tokens(sentence: str) -> list[str]:
    """Return the words in lower case, elided ones apart: "J'ai" is "j" and "ai"."""
    low = sentence.lower().replace("\u2019", "'")
    return [part for word in low.split() for part in _parts(word)]


def _parts(word: str) -> list[str]:
    head, mark, rest = word.partition("'")
    if mark and len(head) <= 2 and rest:
        return [*WORD.findall(head), *WORD.findall(rest)]
    return WORD.findall(word)
