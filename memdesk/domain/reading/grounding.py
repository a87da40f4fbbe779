"""Checks that a line says only what its source turns say.

Every content word of the line must be in the turns it cites, up to inflection, or follow from them: a resolved date,
the name of a speaker for "I" or "you", a number written out, the standard spelling of an informal one, a reporting
word ("said").
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final

from memdesk.domain.caches import remembered
from memdesk.domain.language.analysis import lexicon
from memdesk.domain.language.data import LANGUAGES, language_data
from memdesk.domain.language.dates import find_dates
from memdesk.domain.language.inflect import INFORMAL, with_apostrophes
from memdesk.domain.language.numbers import digits
from memdesk.domain.language.text import content_words, fold, stem, words

#: Words by which a line reports, joins or refers; they claim nothing.
_REPORTING: Final = frozenset(
    stem(word)
    for word in lexicon("""say said says tell told mention mentioned share shared express expressed explain explained report
    reported user assistant speaker person people other others someone themselves conversation session talk talked
    discuss discussed ask asked also currently recently week weekend month year day today spring summer autumn fall
    winter according both thing things something being having called anymore document pasted der die das mein meine""")
)
#: Marks of negation in the turns; a line may only negate if they do.
_NOT: Final = "\0not"
#: "Don't ever" is retold as "never".
_EVER, _NEVER = stem("ever"), stem("never")
_NEGATION: Final = re.compile(
    r"\b(?:not|no|never|none|nothing|nobody|neither|nor|without|cannot|no longer)\b|n['\u2019]t\b", re.IGNORECASE
)
#: What is left of "doesn't" and the like without the clitic.
_CUT: Final = lexicon(
    "doesn don didn isn aren wasn weren hasn haven hadn won wouldn can couldn shouldn mustn needn ain"
)


def negated(text: str) -> bool:
    """Return whether a text denies something; a line may only do so if its source does, and then must."""
    return _NEGATION.search(with_apostrophes(text)) is not None


@dataclass(frozen=True, slots=True)
class Grounding:
    """The result of a check: the share of content words that are grounded, and those that are not."""

    share: float
    missing: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is made up."""
        return not self.missing


@remembered(65536)
def lemma(word: str) -> str:
    """Return the common form of a word's inflections."""
    low = fold(word)
    low = language_data("en").forms("lemmas").get(low, low)
    number = digits(low)
    return number if number != low else stem(low)


@cache
def _leads() -> frozenset[str]:
    """Return the words that introduce quoted words in a line, in any language."""
    leads = (language_data(code).own_words(f"the {side}", "") for code in LANGUAGES for side in ("user", "assistant"))
    return frozenset(lemma(part) for lead in leads for word in words(lead) for part in re.split(r"['\u2019]", word))


def vocabulary(texts: Sequence[str], *, names: Iterable[str] = (), day: date | None = None) -> frozenset[str]:
    """Return the lemmas of turns, with those that can be derived from them.

    Args:
        texts: the turns cited.
        names: speakers and listeners; they stand for "I" and "you".
        day: when the turns were said; None leaves dates unresolved.
    """
    found: set[str] = set(_REPORTING | _leads())
    for name in names:
        found.update(lemma(word) for word in words(name))
    for text in (*texts, *map(with_apostrophes, texts)):  # the latter is for English only
        for word in words(text):
            found.add(lemma(word))
            found.update(lemma(part) for part in re.split(r"['\u2019-]", word) if part)
            spelled = INFORMAL.get(word.replace("\u2019", "'"))
            if spelled:
                found.update(lemma(part) for part in spelled.split())
        if day is not None:
            for span in find_dates(text, day):
                found.update(lemma(part) for part in words(span.words))
    if any(map(negated, texts)):
        found.add(_NOT)
        if _EVER in found:
            found.add(_NEVER)
    return frozenset(found)


def check(line: str, known: frozenset[str]) -> Grounding:
    """Check one line against the lemmas of :func:`vocabulary`."""
    wanted = list(dict.fromkeys(content_words(line)))
    wanted = [word for word in wanted if word not in _CUT]
    missing = tuple(word for word in wanted if not _known(word, known))
    if negated(line) and _NOT not in known:
        missing += ("not",)
    return Grounding(1.0 - len(missing) / (len(wanted) or 1) if missing else 1.0, missing)


def _known(word: str, known: frozenset[str]) -> bool:
    if lemma(word) in known:
        return True
    parts = [part for part in re.split(r"['\u2019-]", word) if part]
    return len(parts) > 1 and all(lemma(part) in known for part in parts)


def sources_of(line: str, turns: Sequence[tuple[str, str]], *, most: int = 3) -> list[str]:
    """Return the ids of the turns that support a line, best first; for lines that a model wrote without citing.

    Args:
        line: what is claimed.
        turns: ``(id, text)``.
        most: how many turns a line may cite.
    """
    open_ = {lemma(word) for word in content_words(line)}
    lemmas = {ident: {lemma(word) for word in words(text)} for ident, text in turns}
    chosen: list[str] = []
    while open_ and len(chosen) < most:
        best = max(lemmas, key=lambda ident: len(lemmas[ident] & open_), default=None)
        if best is None or not lemmas[best] & open_:
            break
        open_ -= lemmas.pop(best)
        chosen.append(best)
    return chosen
