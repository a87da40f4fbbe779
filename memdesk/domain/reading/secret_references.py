"""Finds secrets told apart from their names: "It asks for the password. Type in ...", "I forgot my PIN, so it's ... now".

What is told must have a secret's form, and nothing else may be named for it: its clause has only words that point to the
secret, and words for telling, setting and entering one (``[secrets]`` of ``resources/language``).
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import Final

from memdesk.domain.language.data import language_data, parting, stop_words
from memdesk.domain.language.tell import language_of
from memdesk.domain.reading.secret_forms import Secret
from memdesk.domain.reading.secret_words import BESIDE_REACH, CLAUSE, NUMBERED, any_of, is_clear, is_mixed, words_for

#: Sentences after the one with the name in which a secret may be told.
REACH: Final = 2
#: Other words, adverbs mostly, beside one for setting or entering: "Yesterday I quickly changed it to ...".
OTHERS: Final = 2
_TOKEN: Final = re.compile(r"(?<![\w/@#.,-])(?=[^\s,]{0,39}\d)[^\W_][^\s,;:/@()]{3,39}(?![/@])")
_SIGN: Final = re.compile(r"(?<=\w)[!#$%&*=?~^_](?=\w)")
_PIN: Final = re.compile(r"(?!(?:19|20)\d\d$)\d{4,8}")
_QUOTES: Final = " \"'\u201c\u201d\u201e.!?"
_WORD: Final = re.compile(r"[^\W\d_]+")


@cache
def _names() -> re.Pattern[str]:
    return re.compile(rf"\b(?P<name>{any_of(words_for('names'))})\b(?=(?P<rest>.{{0,{BESIDE_REACH}}}))", re.IGNORECASE)


def referred(text: str) -> Iterator[Secret]:
    """Yield secrets that are told without their names, in the sentence of the name or one of the next."""
    since, numbered, began, asked = REACH + 1, False, 0, False
    for clause in CLAUSE.finditer(text):
        said = clause[0]
        if not said.strip():
            continue
        # Only English puts one noun before another.
        names = list(_names().finditer(said))
        english = bool(names) and language_of(said) == "en"
        named = [name for name in names if not english or is_clear(name["rest"])]
        ends = [name.end() for name in named]
        for match in _TOKEN.finditer(said):
            value = match[0].rstrip(".!?'\"\u201c\u201d")
            place = bisect_right(ends, match.start())
            begin = ends[place - 1] if place else 0
            number = NUMBERED.search(named[place - 1]["name"]) is not None if place else numbered
            if not (place or since <= REACH) or not (_is_password(value) or (number and _PIN.fullmatch(value))):
                continue
            rest = said[match.end() : match.end() + BESIDE_REACH]
            language = language_of(text[clause.start() if place else began : clause.end()][-BESIDE_REACH:])
            before = said[max(begin, match.start() - BESIDE_REACH) : match.start()]
            if _is_told(before, rest, language, answers=asked and not place):
                yield Secret("password", clause.start() + match.start(), clause.start() + match.start() + len(value))
        since = 1 if named else since + 1
        asked = bool(named) and text[clause.end() : clause.end() + 1] == "?"
        if named:
            began = clause.start()
            numbered = NUMBERED.search(named[-1]["name"]) is not None


def _is_told(before: str, after: str, language: str, *, answers: bool) -> bool:
    """Whether the words around a value name nothing else for it.

    ``answers``: they follow the question for it.
    """
    segment = re.split(rf"{parting(language)}|:", before, flags=re.IGNORECASE)[-1]
    said = _WORD.findall(segment)
    if not said:
        # "Password? Sure, ...": nothing but the value is an answer.
        return not (after if answers else before + after).strip(_QUOTES)
    data, words = language_data(language), [word.lower() for word in said]
    nouns_follow = (
        data.words("asking", "definite") | data.words("cut", "articles") | data.words("secrets", "determiners")
    )
    sets, known = _single("sets"), stop_words(language) | _single("sets", "links", "concluding", "renewed")
    rest = re.split(parting(language), after, flags=re.IGNORECASE)[0]
    behind = [word.lower() for word in _WORD.findall(rest)]
    if _is_only(words, language) and not rest.strip(_QUOTES):
        return True
    if words[-1] in nouns_follow or not (is_clear(after) or behind[0] in known):
        return False
    if data.words("asking", "self").isdisjoint(words):
        # "Use blueFrog42", not "I use Windows11".
        sets |= _single("types")
    others = [place for place, word in enumerate(words) if word not in known | sets and len(word) > 1]
    named = any(place and (said[place][0].isupper() or words[place - 1] in nouns_follow) for place in others)
    if sets.isdisjoint([*words, *behind]):
        return not others and not _linking().isdisjoint(words)
    return len(others) <= OTHERS and not named


def _is_only(words: list[str], language: str) -> bool:
    """Whether words say only that it is so, and when: "as of today it is", "ab heute ist es die"."""
    data = language_data(language)
    stands = data.words("plain", "pointing", "she", "he")
    links = frozenset(_WORD.findall(" ".join(data.words("secrets", "links"))))
    for said in (words, words[:-1] if words[-1] in data.words("cut", "articles") else []):
        *when, last = said or [""]
        # A pronoun is the subject, before or behind its verb.
        if when and ((last in links and when[-1] in stands) or (last in stands and when[-1] in links)):
            return True
        # Where a verb needs none, nothing before it may be one.
        if when and last in links and data.words("plain", "verb_endings"):
            opens = when[0] in data.words("plain", "openers", "prepositions")
            return opens and data.words("asking", "definite").isdisjoint([when[0], *when[2:]])
    return False


@cache
def _single(*lists: str) -> frozenset[str]:
    """Return the words of the phrases of lists, in all languages."""
    return frozenset(word for phrase in words_for(*lists) for word in _WORD.findall(phrase))


@cache
def _linking() -> frozenset[str]:
    """Return verbs between a secret and its name, in all languages, without the rest of their phrases: not "to" of "set to"."""
    links = " ".join(phrase for phrase in words_for("links") if " " not in phrase)
    return _single("concluding") | frozenset(_WORD.findall(links))


def _is_password(value: str) -> bool:
    """Whether letters are mixed with digits, or with a digit and a sign that no name has."""
    return is_mixed(value) or (any(map(str.isalpha, value)) and _SIGN.search(value) is not None)
