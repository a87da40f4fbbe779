"""Recognises what a service said, figures and names and all, so that it can be said in the user's language.

Services speak English, and much of what they say is stored: the reasons in a fact's history, why a session was
parked, how a run ended. ``resources/translations/sentences.json`` holds every such sentence with its places, gathered
from the sources by ``packaging/texts.py``: ``%n`` is a count, which chooses the plural, and ``{name}`` a word.
A text is matched against them, its figures are put into the user's form, and the translated sentence is filled again.
What no sentence fits is shown as the service said it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QLocale

from memdesk.settings.resources import resource_text

CONTEXT = "services"
#: Longer texts are a user's or a model's own words.
MOST_CHARS = 600
_PLACE = re.compile(r"%n|\{(\w+)\}")
_WHOLE = re.compile(r"-?\d{1,3}(?:,\d{3})+|-?\d+")
_DECIMAL = re.compile(r"-?\d+\.\d+")
_QUOTED = re.compile("“([^”]*)”")
_PERCENT = re.compile(r"(\d+)%")
#: Where one sentence of a text ends and the next begins.
_BORDER = re.compile(r"(?<=[.!?]) (?=[A-Z])")
#: What stands before a reason: a heading, or the step that distillation took.
_HEAD = re.compile(r"(?P<head>[^:]{2,60}): (?P<rest>.+)", re.DOTALL)
STEPS = frozenset({"ADD", "UPDATE", "DELETE", "NONE"})
#: Words that stand in the places of sentences: what a claim is about, what was changed.
WORDS = (
    QT_TRANSLATE_NOOP("services", "home"),
    QT_TRANSLATE_NOOP("services", "employer"),
    QT_TRANSLATE_NOOP("services", "job"),
    QT_TRANSLATE_NOOP("services", "name"),
    QT_TRANSLATE_NOOP("services", "birthday"),
    QT_TRANSLATE_NOOP("services", "partner"),
    QT_TRANSLATE_NOOP("services", "decay"),
    QT_TRANSLATE_NOOP("services", "merge"),
    QT_TRANSLATE_NOOP("services", "promote"),
    QT_TRANSLATE_NOOP("services", "evict"),
    QT_TRANSLATE_NOOP("services", "prune"),
    QT_TRANSLATE_NOOP("services", "identity"),
    QT_TRANSLATE_NOOP("services", "preference"),
    QT_TRANSLATE_NOOP("services", "decision"),
    QT_TRANSLATE_NOOP("services", "commitment"),
    QT_TRANSLATE_NOOP("services", "relationship"),
    QT_TRANSLATE_NOOP("services", "event"),
    QT_TRANSLATE_NOOP("services", "skill"),
    QT_TRANSLATE_NOOP("services", "correction"),
    QT_TRANSLATE_NOOP("services", "other"),
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with places: what it begins and ends with tells most of them apart without a pattern."""

    source: str
    head: str
    tail: str

    def places(self, text: str) -> dict[str, str] | None:
        """Return what stands in the places when ``text`` is this sentence, else None."""
        if not (text.startswith(self.head) and text.endswith(self.tail)):
            return None
        found = re.fullmatch(_pattern(self.source), text, re.DOTALL)
        return None if found is None else found.groupdict()


@cache
def known() -> tuple[Sentence, ...]:
    """Return the sentences with places; those with the most words of their own come first."""
    sources = json.loads(resource_text("translations", "sentences.json"))
    sources.sort(key=lambda source: len(_PLACE.sub("", source)), reverse=True)
    return tuple(Sentence(source, *_ends(source)) for source in sources)


def _ends(source: str) -> tuple[str, str]:
    places = list(_PLACE.finditer(source))
    head, tail = source[: places[0].start()], source[places[-1].end() :]
    # What is counted may be one, which has no "s".
    return head, tail if places[-1][1] else re.sub(r"^ \w+s\b", "", tail)


def translate(text: str) -> str:
    """Return what a service said in the user's language, or ``text`` itself where nobody knows it."""
    if not text or len(text) > MOST_CHARS:
        return text
    return _whole(text) or _headed(text) or _in_parts(text) or text


def _whole(text: str) -> str:
    """Translate one sentence; empty when it is not known, or has no translation."""
    exact = QCoreApplication.translate(CONTEXT, text)
    if exact != text:
        return exact
    found = _recognised(text)
    return _filled(*found) if found else ""


@lru_cache(maxsize=1024)
def _recognised(text: str) -> tuple[str, dict[str, str]] | None:
    """Return the sentence with places that fits, and what stands in them. Lists ask again for each row they paint."""
    for sentence in known():
        places = sentence.places(text)
        if places is not None:
            return sentence.source, places
    return None


def _filled(source: str, words: Mapping[str, str]) -> str:
    if QCoreApplication.translate(CONTEXT, source) == source:
        return ""  # English, in which the service has said it already.
    count = words.get("n")
    number = -1 if count is None else int(count.replace(",", ""))
    translated = QCoreApplication.translate(CONTEXT, source, None, number)
    for name, word in words.items():
        translated = translated.replace(f"{{{name}}}", _own(word))
    return translated


def _own(word: str) -> str:
    """Put a figure into the user's form, and a sentence in a sentence into the user's language."""
    locale = QLocale()
    if "," in word and _WHOLE.fullmatch(word):
        return locale.toString(int(word.replace(",", "")))
    if _DECIMAL.fullmatch(word):
        return locale.toString(float(word), "f", len(word.partition(".")[2]))
    if percent := _PERCENT.fullmatch(word):
        return QCoreApplication.translate("", "{n}%", "a percentage").format(n=percent[1])
    return _QUOTED.sub(_requoted, translate(word))


def _requoted(quotation: re.Match[str]) -> str:
    return QCoreApplication.translate("", "“{text}”", "a quotation").replace("{text}", quotation[1])


def _headed(text: str) -> str:
    """Translate ``Heading: sentence``; a step of distillation is left out, for the action says it already."""
    found = _HEAD.fullmatch(text)
    if found is None:
        return ""
    rest = found["rest"]
    if found["head"] in STEPS:
        return translate(rest)
    head = QCoreApplication.translate(CONTEXT, found["head"])
    return f"{head}: {translate(rest)}" if head != found["head"] else ""


def _in_parts(text: str) -> str:
    """Translate sentence by sentence; empty when there is one alone, or none is known."""
    parts = _BORDER.split(text)
    said = [_whole(part) or part for part in parts]
    return " ".join(said) if len(parts) > 1 and said != parts else ""


def _pattern(source: str) -> str:
    made, end = "", 0
    for place in _PLACE.finditer(source):
        made += re.escape(source[end : place.start()])
        made += f"(?P<{place[1]}>.*?)" if place[1] else r"(?P<n>-?[\d,]+)"
        end = place.end()
    # What is counted may be one: "1 message" is an instance of "%n messages".
    return re.sub(r"(\(\?P<n>-\?\[\\d,\]\+\)\\ \w+)s\b", r"\1s?", made + re.escape(source[end:]))
