"""Values, in a form that is the same for different wordings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

from memdesk.domain.caches import remembered
from memdesk.domain.comparing.lexicon import Lexicon
from memdesk.domain.language.numbers import CARDINALS, GERMAN, ORDINALS
from memdesk.domain.language.text import fold, stem, words

Likeness = Literal["same", "part", "other"]

#: Number words to digits; "ein" is left alone, being an article more often.
_NUMBERS: Final = {
    fold(word): str(number)
    for group in (CARDINALS, GERMAN, ORDINALS)
    for number, word in enumerate(group)
    if word not in {"ein", "zero", "zeroth", "null"}
}
#: "48,000" and "48k" are one number.
_GROUPED: Final = re.compile(r"(?<=\d)[.,](?=\d{3}(?!\d))")
_THOUSANDS: Final = re.compile(r"(?<=\d)k\b", re.IGNORECASE)
_ORDINAL: Final = re.compile(r"\d+(?:st|nd|rd|th)")
#: Values that count as a whole, not by words: addresses and URLs; phone numbers; times; versions and decimals.
_CODE: Final = re.compile(
    r"""(?P<address>[\w.+%-]+@[\w-]+(?:\.[\w-]+)+
        |(?:https?://|www\.)[^\s,;]*[^\s,;.!?)]
        |(?<![\w.-])[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}(?:/[^\s,;]*[^\s,;.!?)])?(?!\w))
    |(?P<dialed>(?<![\w.,])(?!\d{1,4}(?P<by>[./-])\d\d?(?P=by)\d{1,4}\b(?!(?P=by)\d))(?:[+(0](?:[ ./()-]{0,2}\d){6,}|\d(?:[ ./()-]{0,2}\d){8,})(?!\w))
    |(?P<time>(?<![\w.:,])(?P<hour>\d{1,2})(?:[:.h](?P<minute>[0-5]\d))?\s?(?P<half>[ap])\.?m\b\.?)
    |(?P<dotted>(?<![\w.:,])\d+(?:[.:,h]\d\d?)+(?!\w|[.:,]\d))""",
    re.IGNORECASE | re.VERBOSE,
)
_SCHEME: Final = re.compile(r"^(?:https?://)?(?:www\.)?|/$")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)*")
#: Kinds of values that are not names, even if capitalized.
_PLAIN: Final = frozenset({"", "day", "number"})
_DIGITS: Final = re.compile(r"(\d+)(?:st|nd|rd|th)?$")


@dataclass(frozen=True, slots=True)
class Value:
    """A value as sets of words.

    Attributes:
        tokens: stems of its content words, numbers in digits, synonyms as one word.
        head: of a noun phrase: the last token before "of", "with" and the like.
        numbers: those of ``tokens`` that are numbers.
        labels: those of ``numbers`` that follow a word and identify it: "room 4", not "four rooms".
        names: the capitalized ones.
        kind: of value: "number", "month", "weekday", "color", "role", ... or "name"; empty for any other, as for "I'll take
            the Hydor filter".
        said: the original words.
        joined: whether it names two things at once: "vegetarian and allergic to peanuts".
    """

    tokens: frozenset[str]
    head: str
    numbers: frozenset[str]
    names: frozenset[str]
    kind: str
    said: str
    joined: bool = False
    labels: frozenset[str] = frozenset()

    def like(self, other: Value) -> Likeness:
        """Return whether both are the same, one a part of the other ("nurse", "pediatric nurse"), or different."""
        if self.tokens == other.tokens:
            return "same"
        if self.numbers != other.numbers:
            return "other"
        if self.kind == other.kind == "number" and self.numbers in {self.tokens, other.tokens}:
            return "same"  # "640", "640 euros"
        if self.tokens < other.tokens or other.tokens < self.tokens:
            short, long = sorted((self, other), key=lambda value: len(value.tokens))
            if long.names == long.tokens and long.names > short.names == short.tokens:
                return "same"  # "Okafor", "Dr. Okafor": one name, shorter
            return "part"
        return "other"

    def without(self, tokens: Iterable[str]) -> Value:
        """Return the value without some of its words."""
        left = self.tokens - frozenset(tokens)
        return replace(self, tokens=left, numbers=self.numbers & left, names=self.names & left)

    def comparable(self, other: Value) -> bool:
        """Whether both are of one kind, so that one can replace the other."""
        if self.kind == "number":
            units, others = self.tokens - self.numbers, other.tokens - other.numbers
            return other.kind == "number" and (units <= others or others <= units)  # "940 euros", "890 euros a month"
        if self.kind != other.kind and "name" in {self.kind, other.kind}:
            # "Bear" and "Joplin", only one of which is in a known class
            return (
                bool(self.names)
                and self.tokens == self.names
                and other.tokens == other.names
                and self.kind not in _PLAIN
            )
        return self.kind == other.kind


@remembered(4096)
def value_of(text: str, lexicon: Lexicon) -> Value | None:
    """Return the value that a phrase names; None without a content word."""
    found: list[str] = []
    names: set[str] = set()
    plain: list[str] = []
    written = {word.casefold() for word in re.findall(r"(?<![\w.@])[A-ZÄÖÜ][\w'-]*", text)}
    codes, said = _cut(text)
    titled = False
    for place, word in enumerate(said):
        base = word.removesuffix("'s").removesuffix("\u2019s")
        if base in lexicon.weak and (place == 0 or base not in written):
            continue
        token = base if base in codes else _token(base, lexicon)
        found.append(token)
        plain.append(base)
        titled = titled or (len(found) == 1 and base in lexicon.honorifics and _is_content(said[place + 1 :], lexicon))
        named = base in codes and not _NUMBER.fullmatch(base)
        if titled or named or (base in written and lexicon.capitals_tell and not _is_speaker(base)):
            names.add(token)
    if not found:
        return None
    link = next((place for place, word in enumerate(said) if word in lexicon.links and place > 0), len(said))
    before = [word for word in said[:link] if word not in lexicon.weak]
    head = _token(before[-1].removesuffix("'s"), lexicon) if before else found[-1]
    numbers = frozenset(token for token in found if _NUMBER.fullmatch(token))
    kind = "name" if titled else _kind(plain, before[-1] if before else plain[-1], frozenset(names), numbers, lexicon)
    return Value(
        frozenset(found),
        head if head in found else found[-1],
        numbers,
        frozenset(names),
        "" if _is_speaker(said[0]) else kind,
        text,
        not lexicon.joins.isdisjoint(said),
        _labels(said, lexicon),
    )


def _is_speaker(word: str) -> bool:
    """Whether a word is "I" with its verb, written with a capital without being a name."""
    return word.partition("'")[0] == "i"


def _labels(said: list[str], lexicon: Lexicon) -> frozenset[str]:
    """Return the numbers right after a content word, unless they count what follows them."""
    ends = lexicon.weak | lexicon.links | lexicon.joins
    triples = zip(said, said[1:], [*said[2:], ""], strict=False)
    return frozenset(
        _token(word, lexicon)
        for before, word, after in triples
        if word.isdecimal() and not before[:1].isdigit() and before not in ends and (not after or after in ends)
    )


def code_around(part: str, text: str) -> str:
    """Return the address or number in a text of which a part is only the beginning; else ""."""
    found = (code[0] for code in _CODE.finditer(text) if part and code[0].startswith(part))
    return next((code for code in found if code != part), "")


def _is_content(following: list[str], lexicon: Lexicon) -> bool:
    """Whether the next word belongs to the same name: "Frau Lang", but not "Frau und Kinder"."""
    return bool(following) and following[0] not in lexicon.weak | lexicon.joins | lexicon.links


def _cut(text: str) -> tuple[frozenset[str], list[str]]:
    """Return the values that count as a whole, in one spelling, and all words including them."""
    codes: list[str] = []
    said: list[str] = []
    end = 0
    text = _GROUPED.sub("", text)
    for code in _CODE.finditer(text):
        said += _plain_words(text[end : code.start()])
        codes.append(_spelled(code))
        said.append(codes[-1])
        end = code.end()
    return frozenset(codes), said + _plain_words(text[end:])


def _plain_words(text: str) -> list[str]:
    return words(_THOUSANDS.sub("000", text))


def _spelled(code: re.Match[str]) -> str:
    """Return the normalized spelling of an address, phone number, time or version."""
    if code["address"]:
        return _SCHEME.sub("", code[0].casefold())
    if code["dialed"]:
        return re.sub(r"\D", "", code[0]).lstrip("0")
    if code["hour"]:
        hour = int(code["hour"]) % 12 + 12 * (code["half"] in "pP")
        return f"{hour}.{code['minute']}" if code["minute"] else str(hour)
    return re.sub(r"[:,h]", ".", re.sub("[:h]00$", "", code[0])).lstrip("0")  # "14:00" is "2 pm"


def _token(word: str, lexicon: Lexicon) -> str:
    low = fold(word)
    digits = _DIGITS.match(low)
    if digits:
        return digits[1].lstrip("0") or "0"
    low = _NUMBERS.get(low, low)
    known = lexicon.nouns.get(word) or lexicon.nouns.get(word.removesuffix("s")) or low
    return known if known.isdigit() else stem(known)


def _kind(plain: list[str], head: str, names: frozenset[str], numbers: frozenset[str], lexicon: Lexicon) -> str:
    classes = [found for word in plain if (found := _class_of(word, lexicon))]
    if "month" in classes or "weekday" in classes or (len(plain) == 1 and _ORDINAL.fullmatch(plain[0])):
        return "day"
    if numbers and not names:
        return "number"
    named = _class_of(plain[-1], lexicon) or _class_of(head, lexicon)
    if named:
        return named  # "teacher", "porter at Saint Mary"
    if names:
        return "name"
    # "head of department": the class of any word, if the last has none.
    return classes[0] if classes else ""


def _class_of(word: str, lexicon: Lexicon) -> str:
    return lexicon.classes.get(word) or lexicon.classes.get(word.removesuffix("s")) or ""


def contains(whole: Iterable[str], part: Iterable[str]) -> bool:
    """Whether all of ``part`` (not empty) is in ``whole``."""
    wanted = set(part)
    return bool(wanted) and wanted <= set(whole)
