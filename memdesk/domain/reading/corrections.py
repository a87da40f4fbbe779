"""Immediate self-corrections: "I'm 31, no, 32", "Sorry, I meant Thursday", "Ich meinte am 15. April".

A word only replaces one of the same type: a weekday a weekday, a date a date, a number a number, a
name a name. Everything else is left as said.
"""

import re
from dataclasses import dataclass
from typing import Final

_DAYS: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|tomorrow|today|morgen|heute"
_MONTHS: Final = (
    r"january|february|march|april|may|june|july|august|september|october|november|december|"
    r"j\u00e4nner|januar|februar|m\u00e4rz|mai|juni|juli|oktober|dezember"
)
_SORTS: Final = (
    ("date", re.compile(rf"\b(?:(?:the )?\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?(?:{_MONTHS})|(?:{_MONTHS}) \d{{1,2}}(?:st|nd|rd|th)?)\b|\b(?:the )?\d{{1,2}}(?:st|nd|rd|th)\b", re.IGNORECASE)),
    ("day", re.compile(rf"\b(?:{_DAYS})\b", re.IGNORECASE)),
    ("month", re.compile(rf"\b(?:{_MONTHS})\b", re.IGNORECASE)),
    ("time", re.compile(r"\b\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|uhr|o'clock)\b|\b\d{1,2}:\d\d\b", re.IGNORECASE)),
    ("number", re.compile(r"\b\d[\d.,]*\b")),
    ("name", re.compile(r"(?:\b(?:Dr|Prof|Mr|Mrs|Ms)\. )?(?<![.!?] )\b[A-Z\u00c4\u00d6\u00dc][\w-]+(?: [A-Z][\w-]+)?")),
)  # fmt: skip
_VALUE: Final = r"(?:the \d{1,2}(?:st|nd|rd|th)(?: of \w+)?|(?:\d{1,2}\.? )?[\w\u00c0-\u00ff:.-]{1,30}?(?: \d{1,2}(?:st|nd|rd|th)?)?)"
#: Phrases by which a speaker takes back what they just said.
_TAKEN_BACK: Final = (
    r"(?:(?:no,|no(?=\s+(?:wait|sorry|i mean|actually|make))|sorry,?|wait,?|i meant?,?|make that|correction:?|oops,?|scratch that,?|"
    r"quatsch,?|nein,|nein(?=\s+(?:quatsch|sorry|ich))|ich meinte?,?|(?:er|uh|um|erm|\u00e4h),?)\s+)"
)
_SAME_SENTENCE: Final = re.compile(
    rf"(?<![\w.])(?P<wrong>{_VALUE})(?:,|\.\.\.|\u2026| -| \u2013| \u2014)\s+{_TAKEN_BACK}{{1,4}}(?P<right>{_VALUE})(?![\w])(?!\.\d)",
    re.IGNORECASE,
)
_SORRY: Final = r"(?:(?:and|but|oh|ah|oops|no|wait|sorry|actually|my bad|my mistake|correction|entschuldigung|ach|nein|quatsch|korrektur|und|moment)\b[,!.: ]*)"
_LATER: Final = re.compile(
    rf"^\W*{_SORRY}{{0,4}}(?:i meant?(?: to say)?|make (?:that|it)|ich meinte?|(?<=sorry, )(?:it's|it is)|(?<=correction: )(?:it's|it is)?)\s*"
    r"(?P<right>[^.!?,]{1,40}?(?:\. [^\W\d]\w*)?)(?:,? (?:and )?(?:not|nicht) (?P<wrong>[^!?,]{1,40}?))?[.!]*$",
    re.IGNORECASE,
)
_NOT_BUT: Final = re.compile(
    rf"^\W*{_SORRY}{{0,4}}(?:it's|it is|it was|es ist|es war) (?P<right>[^!?,]{{1,40}}?), (?:not|nicht) (?P<wrong>[^!?,]{{1,40}}?)[.!]*$",
    re.IGNORECASE,
)
#: Phrases that take back the whole previous statement.
_RETRACTED: Final = re.compile(
    r"^\W*(?:(?:actually|no|oh|wait|sorry|ok(?:ay)?|hm+|well|nein|ach|doch)\b[,!. ]*){0,4}(?:scratch that|strike that|never ?mind(?: that)?|forget (?:that|it|what i said)|"
    r"i(?:'ve| have)? changed my mind|we(?:'ve| have)? changed our minds?|(?:lieber )?doch nicht|vergiss (?:das|es)|ich habe es mir anders überlegt)\b(?! (?:about|the|to)\b)[,;:. -]*",
    re.IGNORECASE,
)
#: The date after a resolved weekday.
_RESOLVED: Final = re.compile(r" \([^)]{1,40}\)")


@dataclass(frozen=True, slots=True)
class Correction:
    """``right`` replaces ``wrong``, or a word of its type if ``wrong`` is empty."""

    right: str
    wrong: str = ""


def correction_in(sentence: str) -> Correction | None:
    """Return what a separate sentence corrects in an earlier one; None if nothing."""
    match = _LATER.match(sentence) or _NOT_BUT.match(sentence)
    if match is None:
        return None
    right, wrong = match["right"].strip(), (match["wrong"] or "").strip()
    return Correction(right, wrong) if wrong or _sort_in(right) else None


def retraction_in(sentence: str) -> int:
    """Return how many characters of a sentence take back the previous statement; 0 if none do."""
    match = _RETRACTED.match(sentence)
    return match.end() if match else 0


def mended(text: str) -> list[tuple[int, int, str]]:
    """Return ``(start, end, words)`` of each place where a sentence corrects itself, with the intended words."""
    found = []
    for match in _SAME_SENTENCE.finditer(text):
        sort = _sort_of(match["right"])
        ends = [
            m
            for name, p in _SORTS
            if name == sort
            for m in p.finditer(match["wrong"])
            if m.end() == len(match["wrong"])
        ]
        if ends:
            found.append((match.start("wrong") + ends[-1].start(), match.end("right"), match["right"]))
    return found


def corrected(line: str, correction: Correction) -> str:
    """Return a line with the intended words; empty if it contains nothing that the correction fits."""
    if correction.wrong:
        return line.replace(correction.wrong, correction.right) if correction.wrong in line else ""
    sort, right = _sort_in(correction.right) or ("", "")
    pattern = next((p for name, p in _SORTS if name == sort), None)
    places = list(pattern.finditer(line)) if pattern is not None else []
    if len(places) != 1 or places[0][0] == right:
        return ""  # several fit: unclear which is meant
    rest = line[places[0].end() :]
    resolved = _RESOLVED.match(rest)
    return line[: places[0].start()] + right + (rest[resolved.end() :] if resolved else rest)


def _sort_in(words: str) -> tuple[str, str] | None:
    """Return the type of value in a few words, with those words."""
    for sort, pattern in _SORTS:
        match = pattern.search(words)
        if match:
            return sort, match[0]
    return None


def _sort_of(words: str) -> str:
    """Return the type of a value; empty for a common word."""
    return next((sort for sort, pattern in _SORTS if pattern.fullmatch(words)), "")
