"""Analysed text as plain data: a language analyzer's result for each token.

The tags are those of Universal Dependencies (``pos``), the Penn treebank (``tag``) and ClearNLP (``dep``), as in
spaCy's English pipelines. Without an analyzer :func:`plain` splits tokens and sentences by rules and leaves the tags
empty; callers must treat an empty tag as "unknown".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass


def lexicon(text: str) -> frozenset[str]:
    """Return the words of ``text``, which are separated by white space; for word lists in code."""
    return frozenset(text.split())


_TOKEN = re.compile(
    r"https?://\S*[^\s.,;:!?)]|\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|%)?|\b(?:do|does|did|is|are|was|were|ai|has|have|had|wo|ca|would|could|should|must|need)(?=n['\u2019]t)|n['\u2019]t|[^\W\d_]+(?:-[^\W\d_]+)*|['\u2019](?:s|m|re|ve|ll|d)\b|\S",
    re.IGNORECASE,
)
#: "3. Dezember", "4. semester", "Prof. Huber": full stops that do not end a sentence.
_ORDINAL = re.compile(
    r"\d{1,2}\. (?:Jänner|Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Klasse|Semester|Stock|Etage|Bezirk|Geburtstag|Jahrhundert|Lebensjahr|Schulstufe|Schwangerschaftswoche)\b|\d{1,2}\. [a-zäöü]|(?:[Dd]r|[Pp]rof|Mag|Ing|[Mm]r|[Mm]rs|Ms|M|[Mm]me|Mlle|[Ss]r|[Ss]ra|Sig|[Dd]ott|dhr|mevr)\. "
)
_ENDS = frozenset({".", "!", "?", "\u2026"})


@dataclass(frozen=True, slots=True)
class Token:
    """One token.

    Attributes:
        space: whether white space follows it.
        start: offset of its first character in the text analysed.
        lemma, pos, tag, dep: see the module; empty when unknown.
        entity: type of the name it belongs to (``person``, ``place``, ...), else empty.
        first: whether it opens a sentence.
    """

    text: str
    space: bool
    start: int
    lemma: str = ""
    pos: str = ""
    tag: str = ""
    dep: str = ""
    head: int = 0
    entity: str = ""
    first: bool = False

    @property
    def lower(self) -> str:
        """The text in lower case, with a straight apostrophe."""
        return self.text.lower().replace("\u2019", "'")


@dataclass(frozen=True, slots=True)
class Analysis:
    """The tokens of one text. ``parsed`` says whether tags and heads are known."""

    text: str
    tokens: tuple[Token, ...]
    parsed: bool = True

    def sentences(self) -> Iterator[tuple[int, int]]:
        """Yield ``(first, after last)`` token indexes of each sentence."""
        begin = 0
        for index, token in enumerate(self.tokens):
            if token.first and index > begin:
                yield begin, index
                begin = index
        if begin < len(self.tokens):
            yield begin, len(self.tokens)

    def piece(self, begin: int, end: int) -> str:
        """Return the text of tokens ``begin`` to ``end`` (exclusive) as written."""
        if begin >= end:
            return ""
        last = self.tokens[end - 1]
        return self.text[self.tokens[begin].start : last.start + len(last.text)]


def plain(text: str) -> Analysis:
    """Split ``text`` into tokens and sentences by rules alone, if no analyzer is available."""
    found: list[Token] = []
    fresh = True
    for match in _TOKEN.finditer(text):
        word, end = match[0], match.end()
        if found and "\n" in text[found[-1].start + len(found[-1].text) : match.start()]:
            fresh = True
        opens = fresh and word not in _ENDS
        found.append(Token(word, end < len(text) and text[end].isspace(), match.start(), head=len(found), first=opens))
        ends = word in _ENDS and not (len(found) > 1 and _ORDINAL.match(found[-2].text + text[match.start() :]))
        fresh = (ends and (end >= len(text) or text[end].isspace())) or (fresh and word in _ENDS)
    return Analysis(text, tuple(found), parsed=False)
