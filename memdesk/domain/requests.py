"""What a person tells an assistant only for the task at hand, told apart from what they say of themselves.

A chat with an assistant is mostly requests, questions, material to work on ("Translate: ..."), stories to write and
remarks on the answer. None of it is memory. A fact inside a request is: "I'm allergic to peanuts, please plan a menu",
"Can you recommend a place in Graz? I'm vegetarian", "a card for my daughter Emma". The patterns are those of
:mod:`request_patterns`, by language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from memdesk.domain import noise
from memdesk.domain.injection import order_in
from memdesk.domain.kinds import RELATIVES
from memdesk.domain.request_patterns import ENGLISH, GERMAN, Patterns
from memdesk.domain.text import sentences, words

#: Least words of a clause that states something.
_MIN_WORDS = 3
#: Full stops that end no sentence.
_UNFINISHED = re.compile(r"(?:\b(?:Dr|Prof|Mr|Mrs|Ms|St|Nr|No|Mag|Ing|Fr|Hr|bzw|ca|vs|e\.g|i\.e|z\. ?B)|\b\d{1,2})\.$")
_MONTH = re.compile(r"(?:Jänner|Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b")
#: "Let me tell you about me: ...".
_ABOUT_ME = re.compile(
    r"^\W*(?:let me (?:tell you|introduce|say)\b[^:.!]{0,40}|(?:a (?:bit|little)|something|more)? ?about me)[:.!]\s*",
    re.IGNORECASE,
)
#: "im", "ive": spelled in haste.
_SPELLED = re.compile(r"\bi(m|ve)\b", re.IGNORECASE)


@dataclass(slots=True)
class Heard:
    """What is left of a turn.

    Attributes:
        text: its statements, one a line.
        left_out: sentences passed over, by reason.
        made: whether a text was asked for (a story, a translation), so that the answer is that text.
    """

    text: str = ""
    left_out: Counter[str] = field(default_factory=Counter)
    made: bool = False


def patterns_for(language: str) -> Patterns:
    """Return the patterns of a language; English ones where there are none."""
    return GERMAN if language == "de" else ENGLISH


def own_statements(text: str, language: str) -> Heard:
    """Return what a person says of themselves in a turn to an assistant.

    Args:
        text: the turn without code and quotations (:func:`noise.clean`).
        language: of the session, ``en`` or ``de``; others are read as English.
    """
    patterns = patterns_for(language)
    heard = Heard()
    kept: list[str] = []
    supposing = False
    text = _ABOUT_ME.sub("", text)
    body, heard.made = _without_material(
        _SPELLED.sub(lambda m: f"I'{m[1]}", text) if language == "en" else text, patterns
    )
    for sentence in _sentences(body):
        if order_in(sentence):
            kept.append(sentence)
            continue
        if patterns.fiction.search(sentence):
            heard.left_out["request"] += 1
            heard.made = True
            break  # what follows tells of the story
        if patterns.hypothetical.match(sentence) or (supposing and patterns.conditional.search(sentence)):
            supposing = True
            heard.left_out["hypothetical"] += 1
            continue
        supposing = False
        reason = _reason(sentence, patterns)
        if reason:
            heard.left_out[reason] += 1
            heard.made = heard.made or patterns.compose.match(sentence) is not None
            kept += _salvaged(sentence, patterns)
            continue
        kept.append(_without_tail(sentence, patterns))
    heard.text = "\n".join(kept)
    return heard


def remarks(text: str, language: str) -> Heard:
    """Return what an assistant says of itself and its user; what it says of the world is no memory."""
    patterns = patterns_for(language)
    heard = Heard()
    kept = []
    for sentence in sentences(text):
        if order_in(sentence) or (patterns.between_us.search(sentence) and not patterns.courtesy.match(sentence)):
            kept.append(sentence)
        else:
            heard.left_out["said by the assistant"] += 1
    heard.text = "\n".join(kept)
    return heard


def asked_to_remember(sentence: str, language: str) -> bool:
    """Return whether a sentence asks to keep something in mind."""
    return patterns_for(language).standing.match(sentence) is not None


def _sentences(text: str) -> list[str]:
    """Return the sentences of a text; one does not end at "Dr." or "am 3. Dezember"."""
    found: list[str] = []
    for sentence in sentences(text):
        if found and _UNFINISHED.search(found[-1]) and (not found[-1][-2].isdigit() or _MONTH.match(sentence)):
            found[-1] = f"{found[-1]} {sentence}"
        else:
            found.append(sentence)
    return found


def _without_material(text: str, patterns: Patterns) -> tuple[str, bool]:
    """Cut off what a request is to be carried out on; tell whether there was such."""
    starts = [match.end() for match in (patterns.material.search(text),) if match]
    starts += [match.start() for match in (patterns.letter.search(text),) if match]
    return (text[: min(starts)], True) if starts else (text, False)


def _reason(sentence: str, patterns: Patterns) -> str:
    """Return why a sentence is not a statement of its speaker; empty when it is one."""
    if noise.is_question(sentence) or patterns.question.match(sentence):
        return "question"
    if noise.is_small_talk(sentence) or patterns.small_talk.match(sentence):
        return "small talk"
    if patterns.standing.match(sentence):
        return ""
    if patterns.order.match(sentence) or patterns.wish.match(sentence):
        return "request"
    mine = patterns.first_person.search(sentence) is not None
    if patterns.about_answer.search(sentence) or (patterns.pointing.match(sentence) and not mine):
        return "remark on the answer"
    return "" if mine or patterns.named.search(sentence) else "of nobody"


def _salvaged(sentence: str, patterns: Patterns) -> Iterator[str]:
    """Yield the statements inside a question or a request."""
    found = False
    asks = patterns.asks.search(sentence)
    if asks and asks.start() > 0:
        head = sentence[: asks.start()].strip(" ,;-")
        if _states(head, patterns):
            found = True
            yield head + "."
    tail = patterns.tail.search(sentence)
    if tail and _states(tail["said"], patterns):
        found = True
        yield tail["said"].rstrip(" ?!.") + "."
    if not found and patterns.relative is not None:
        for relative in patterns.relative.finditer(sentence):
            yield relative[0] + "."


def _without_tail(sentence: str, patterns: Patterns) -> str:
    """Cut a request off the end of a statement."""
    asks = patterns.asks.search(sentence)
    head = sentence[: asks.start()].strip(" ,;-") if asks else ""
    return head + "." if head and _states(head, patterns) else sentence


def _states(clause: str, patterns: Patterns) -> bool:
    return (
        len(words(clause)) >= _MIN_WORDS
        and patterns.first_person.search(clause) is not None
        and not patterns.hypothetical.match(clause)
        and not _reason(clause, patterns)
    )


#: A relative and a name, as a whole line; see ``Patterns.relative``.
RELATIVE_LINE = re.compile(rf"^[Mm]y (?P<who>(?:\w+ )?(?:{RELATIVES})),? (?P<name>[A-Z]\w+)\.?$")
