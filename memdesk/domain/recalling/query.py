"""Reads what a question asks for: its terms, names, dates and the kind of answer it wants."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import pairwise

from memdesk.domain.language.data import LANGUAGES, language_data, stop_words
from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import content_words, fold, is_stop_word, one_line, sentences, stem, topic_stem, words
from memdesk.domain.language.timex import Period, find_periods

#: Of a longer question only the rarest words are used; more add nothing and cost time.
MAX_TERMS = 24
#: A shorter question keeps its opening.
_FEW = 3
#: Characters of a question that are read; a pasted document has said what it wants by then.
MAX_CHARS = 4000

#: A plural noun, as far as its ending shows; never a verb that is a function word.
_PLURAL = rf"(?!(?:{'|'.join(word for word in stop_words('en') if word.endswith('s'))})\b)[\w'-]{{2,}}(?<![sui])s"
_NEXT = r"[\s-]+"
_OPTIONAL = rf"(?:[\w'\u2019]+{_NEXT})?"


@dataclass(frozen=True, slots=True)
class Query:
    """A question's reading.

    Attributes:
        text: the question on one line, without an opening such as "can you tell me".
        terms: words that carry its topic, without names of speakers unless nothing else is left.
        names: speakers it names, folded.
        stems: stems of ``terms``.
        periods: days it means.
        wants_time, wants_name: the kind of answer it asks for.
        of_self: it is about the person who asks.
        of_assistant: it is about what that person was answered.
        wants_several: it asks for several things, said in different places, or for their order.
        wants_course: it asks how something came about: an order, or what was decided.
        referred: stems of what it presents as known ("the baby", "my shop"; not "the capital of Chile").
    """

    text: str
    terms: tuple[str, ...]
    names: frozenset[str]
    stems: tuple[str, ...]
    periods: tuple[Period, ...]
    wants_time: bool
    wants_name: bool
    of_self: bool
    of_assistant: bool
    referred: frozenset[str] = frozenset()
    wants_several: bool = False
    wants_course: bool = False

    @property
    def search_terms(self) -> tuple[str, ...]:
        """Words for full-text search: the terms, then the names."""
        return (*self.terms, *sorted(self.names - set(self.terms)))


def read_query(text: str, today: date, *, speakers: Collection[str] = (), language: str | None = None) -> Query:
    """Read a question asked on ``today``.

    Args:
        text: any Unicode; only the first :data:`MAX_CHARS` characters are read.
        today: what "yesterday" counts from.
        speakers: names of those who speak in the memory searched.
        language: of the question; None if not yet known.
    """
    code = language or language_of(text)
    whole = one_line(text[:MAX_CHARS])
    line = _opening().sub("", whole)
    if len(words(line)) < _FEW:
        line = whole
    found = list(dict.fromkeys(content_words(line, code)))
    known = {part for name in speakers for part in words(fold(name)) if not is_stop_word(part)}
    named = {fold(word) for word in found} & known
    terms = [word for word in found if fold(word) not in named] or found
    if not terms:
        # Nothing but function words ("what was that about?"): better than nothing.
        terms = list(dict.fromkeys(words(line)))
    terms = sorted(terms, key=len, reverse=True)[:MAX_TERMS] if len(terms) > MAX_TERMS else terms
    asks = {name for name, pattern in asking(code).items() if pattern.search(line)}
    return Query(
        text=line,
        terms=tuple(terms),
        names=frozenset(named),
        stems=tuple(dict.fromkeys(stem(word) for word in terms)),
        periods=tuple(find_periods(line, today)),
        wants_time="time" in asks,
        wants_name="name" in asks,
        of_self="self" in asks or _speaks(line, code),
        of_assistant="assistant" in asks,
        referred=_referred(line),
        wants_several=not asks.isdisjoint({"several", "course"}),
        wants_course="course" in asks,
    )


@cache
def _opening() -> re.Pattern[str]:
    """Return a pattern for openings that ask for nothing by themselves: "Hey, can you tell me"."""
    return re.compile(rf"^(?:(?:{_any(_words('opening'))})(?!\w)[ ,.!:-]*)+", re.IGNORECASE)


@cache
def asking(code: str) -> dict[str, re.Pattern[str]]:
    """Return patterns for each thing that a question in a language may ask for."""

    def of(name: str) -> str:
        return _any(language_data(code).words("asking", name))

    which, head = rf"(?:{of('which')}){_NEXT}{_OPTIONAL}", r"(?:^|[.!?\u00bf]\s*)"
    shapes = {
        "time": rf"{head}(?:{of('when')})|{of('time')}|{which}(?:{of('dates')})",
        "name": rf"{head}(?:{of('who')})|{which}(?:{of('names')})\w{{0,2}}",
        **{name: of(name) for name in ("several", "course", "assistant", "self")},
    }
    return {name: re.compile(rf"(?<!\w)(?:{shape})(?!\w)", re.IGNORECASE) for name, shape in shapes.items()}


def _speaks(line: str, code: str) -> bool:
    """Whether a verb's form alone shows that the asker does it: "Con chi corro?", not "un lavoro"."""
    data = language_data(code)
    endings, nominal = tuple(data.words("plain", "verb_endings")), data.words("cut", "articles")
    found = words(line)
    # "which book" is followed by a verb.
    if endings and len(found) >= _FEW and found[-3] in data.words("asking", "which") and found[-1].endswith(endings):
        return True
    return bool(endings) and any(
        (word in data.words("plain", "verbs") or (word.endswith(endings) and word in data.forms("lemmas")))
        and before not in nominal
        for before, word in pairwise(["", *found])
    )


def _any(phrases: Collection[str]) -> str:
    """Return a pattern for phrases; it matches nothing if there are none."""
    return "|".join(map(_expression, sorted(phrases, key=lambda phrase: (-len(phrase), phrase)))) or "(?!)"


def _expression(phrase: str) -> str:
    *before, last = (
        _PLURAL if word == "#" else re.escape(word).replace(r"\*", r"\w*").replace("'", "['\u2019]")
        for word in phrase.split()
    )
    return "".join(_OPTIONAL if word == "_" else word + _NEXT for word in before) + last


def tells(text: str) -> bool:
    """Return whether one of the sentences of ``text`` is neither a question nor a mere "Thanks."."""
    return any(not one.rstrip().endswith("?") and len(words(one)) >= _FEW for one in sentences(text))


def nods(text: str) -> bool:
    """Return whether ``text`` is only thanks, praise or a greeting ("ok cool, thank you"); "no" is an answer."""
    said, thanks = set(words(text)), _thanks()
    return not said or (not said.isdisjoint(thanks) and all(word in thanks or is_stop_word(word) for word in said))


@cache
def _thanks() -> frozenset[str]:
    return frozenset().union(*(language_data(code).words("plain", "thanks") for code in LANGUAGES))


def _referred(line: str) -> frozenset[str]:
    definite, explained = _words("definite"), _words("explained")
    found: set[str] = set()
    noun: list[str] | None = None
    for word in (*words(line), ""):
        if word in explained:
            # "The capital of Chile" is known to everybody.
            noun = None
        elif word in definite:
            found.update(noun or ())
            noun = []
        elif noun is not None and len(noun) < _FEW and not is_stop_word(word) and (root := topic_stem(word)):
            noun.append(root)
        else:
            found.update(noun or ())
            noun = None
    return frozenset(found)


@cache
def _words(name: str) -> frozenset[str]:
    """Return a list of ``[asking]``, of every language: a few words do not show which it is."""
    return frozenset().union(*(language_data(code).words("asking", name) for code in LANGUAGES))


def rarest(terms: Collection[str], frequency: Mapping[str, int], rows: int, budget: int) -> list[str]:
    """Return the terms for full text, rarest first, so that at most about ``budget`` rows match.

    Ranking by BM25 costs as much as there are matching rows; in a large store a common word beside rare
    ones adds cost and hardly any information. The rarest term is always kept.

    Args:
        terms: the query's terms.
        frequency: rows that contain each term.
        rows: rows of the store; in a small one every term is used.
        budget: matching rows that may be ranked.
    """
    if rows <= budget:
        return list(terms)
    present = sorted((frequency.get(term, 0), term) for term in terms if frequency.get(term, 0) > 0)
    kept: list[str] = []
    spent = 0
    for count, term in present:
        if kept and spent + count > budget:
            break
        kept.append(term)
        spent += count
    return kept or list(terms)
