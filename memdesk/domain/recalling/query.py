"""What a question asks for, read once: its terms, names, dates and the kind of answer it wants."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date

from memdesk.domain.language.text import content_words, fold, is_stop_word, one_line, sentences, stem, words
from memdesk.domain.language.timex import Period, find_periods

#: A longer question is read by its rarest words; more add nothing and cost time.
MAX_TERMS = 24
#: A question of fewer words is left with its opening.
_FEW = 3
#: Characters of a question that are looked at; a pasted document has said what it wants by then.
MAX_CHARS = 4000

_WHEN = re.compile(
    r"^(?:when|since when|how long)\b|\b(?:what|which) (?:year|date|day|month|time)\b|\bwann\b|\bquand\b|\bcu[aá]ndo\b",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\bhow (?:many|much|old|often|long)\b|\bwie ?viele?\b|\bcombien\b|\bcu[aá]nt[oa]s?\b", re.IGNORECASE
)
#: "In what order", "before or after", "What did we decide": asks how something came about, what was before included.
_COURSE = re.compile(
    r"\border\b.*\b(?:did|do|was|were|have|has|had)\b|\bin (?:chronological )?order\b|\btimelines?\b|\bchronolog\w+|\bover time\b"
    r"|\b(?:step|one) (?:by|after) (?:step|the other|another)\b|\b(?:came|comes?|happen(?:s|ed)?) first\b|\bbefore or after\b|\b(?:decide|settle|agree)d?\b"
    r"|\breihenfolge\b|\bnacheinander\b|\bzeitleiste\b|\bzuerst\b|\b(?:entschieden|beschlossen|geeinigt)\b"
    r"|\b(?:dans quel ordre|l'un après l'autre|décidé|convenu)\b|\b(?:en qué orden|uno tras otro|decidid[oa]|decidimos|decidí)\b",
    re.IGNORECASE,
)
#: "How many", "which ... so far", "all the": asks for things that are told in several places.
_SEVERAL = re.compile(
    r"\bhow many\b|\b(?:so|thus) far\b|\b(?:up to|until|till) now\b|\bto date\b|\ball (?:the|my|our|of|his|her|their)\b|\beverything\b"
    r"|\bwie ?viele\b|\bbisher\b|\bbis jetzt\b|\balle\b|\bwelche\b|\bcombien d\w*|\bjusqu'(?:ici|à présent)|\btou(?:s|tes) (?:les|mes|nos)\b"
    r"|\bquel(?:le)?s\b|\bcu[aá]nt[oa]s\b|\bhasta ahora\b|\btod[oa]s\b|\bcu[aá]les\b",
    re.IGNORECASE,
)
#: "Which books", "what new places": a plural right behind, or one word on; never a verb that is a function word.
_PLURAL = re.compile(r"\b(?:which|what)(?: (?!of\b)[\w'-]+)?? ([\w-]{3,}(?<![sui])s)\b", re.IGNORECASE)
_NAME = re.compile(
    r"^(?:who|where|wer|wo|qui|où|quién|dónde)\b|\b(?:what|which) "
    r"(?:book|song|movie|film|game|place|country|city|town|state|band|artist|name|company|restaurant|school)",
    re.IGNORECASE,
)
#: "Hey, can you tell me ...": asks for nothing by itself.
_OPENING = re.compile(
    r"^(?:(?:hey|hi|hello|ok(?:ay)?|so|well|please|hallo|bitte|salut|hola|oye|por favor)\b[ ,.!-]*)*"
    r"(?:(?:(?:can|could|would|will) you|kannst du|k[oö]nntest du|peux-tu|pourrais-tu|puedes|podr[ií]as) )?(?:please |bitte )?"
    r"(?:(?:(?:tell|remind) me|mir sagen|me dire|me rappeler|decirme|recordarme|dime|rec[uú]erdame|dis-moi|rappelle-moi)\b[ ,:]*)?"
    r"(?:again,? |once more,? )?",
    re.IGNORECASE,
)
#: "What did you recommend?": asks for what the assistant said.
_ASSISTANT = re.compile(
    r"\b(?:did|have|had) you\b|\byou(?:'ve|'d| had| have)? (?:\w+ )?(?:said|told|gave|suggested|recommended|mentioned|advised)\b"
    r"|\b(?:hast|hattest) du\b|\bas-tu\b|\btu (?:m')?(?:as|avais)\b"
    r"|\b(?:dijiste|recomendaste|sugeriste|aconsejaste|mencionaste|explicaste)\b",
    re.IGNORECASE,
)
_SELF = frozenset(
    words(
        """i me my mine myself we us our ours ich mich mir mein meine meinen meinem meiner meines wir uns unser unsere unseren
    unserem unserer je moi mon ma mes nous notre nos yo mi mis nosotros nosotras nuestro nuestra nuestros nuestras"""
    )
)


@dataclass(frozen=True, slots=True)
class Query:
    """A question, read.

    Attributes:
        text: the question on one line, without an opening such as "can you tell me".
        terms: words that carry its topic, names of speakers left out unless nothing else is left.
        names: speakers it names, folded.
        stems: stems of ``terms``.
        periods: days it means.
        wants_time, wants_number, wants_name: the kind of answer it asks for.
        of_self: it is about the person who asks.
        of_assistant: it is about what was answered to that person.
        wants_several: it asks for several things, told in different places, or for their order.
        wants_course: it asks how something came about: an order, or what was decided.
        tells: it tells something besides what it asks, as who goes on with what is going on does.
    """

    text: str
    terms: tuple[str, ...]
    names: frozenset[str]
    stems: tuple[str, ...]
    periods: tuple[Period, ...]
    wants_time: bool
    wants_number: bool
    wants_name: bool
    of_self: bool
    of_assistant: bool
    tells: bool = False
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
        language: whose stop words to leave out; None for English.
    """
    whole = one_line(text[:MAX_CHARS])
    line = _OPENING.sub("", whole)
    if len(words(line)) < _FEW:
        line = whole
    found = list(dict.fromkeys(content_words(line, language)))
    known = {part for name in speakers for part in words(fold(name)) if not is_stop_word(part)}
    named = {fold(word) for word in found} & known
    terms = [word for word in found if fold(word) not in named] or found
    if not terms:
        # Nothing but function words ("what was that about?"): better than nothing.
        terms = list(dict.fromkeys(words(line)))
    terms = sorted(terms, key=len, reverse=True)[:MAX_TERMS] if len(terms) > MAX_TERMS else terms
    course = _COURSE.search(line) is not None
    return Query(
        text=line,
        terms=tuple(terms),
        names=frozenset(named),
        stems=tuple(dict.fromkeys(stem(word) for word in terms)),
        periods=tuple(find_periods(line, today)),
        wants_time=_WHEN.search(line) is not None,
        wants_number=_COUNT.search(line) is not None,
        wants_name=_NAME.search(line) is not None,
        of_self=not _SELF.isdisjoint(words(line)),
        of_assistant=_ASSISTANT.search(line) is not None,
        tells=_tells(whole),
        wants_several=course or _SEVERAL.search(line) is not None or _asks_plural(line),
        wants_course=course,
    )


def _asks_plural(line: str) -> bool:
    return any(not is_stop_word(noun.casefold()) for noun in _PLURAL.findall(line))


def _tells(line: str) -> bool:
    return any(not one.rstrip().endswith("?") and len(words(one)) >= _FEW for one in sentences(line)) and "?" in line


def rarest(terms: Collection[str], frequency: Mapping[str, int], rows: int, budget: int) -> list[str]:
    """Return the terms to ask full text for, rarest first, so that at most about ``budget`` rows match.

    Ranking by BM25 costs as much as there are matching rows; on a large store a common word beside rare
    ones adds cost and hardly any order. The rarest term is always kept.

    Args:
        terms: the query's terms.
        frequency: rows that hold each term.
        rows: rows of the store; on a small one every term is asked for.
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
