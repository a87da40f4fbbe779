"""What a person tells an assistant only for the task at hand, told apart from what they say of themselves.

A chat with an assistant is mostly requests, questions, material to work on ("Translate: ..."), stories to write and
remarks on the answer. None of it is memory. A fact inside a request is: "I'm allergic to peanuts, please plan a menu",
"Can you recommend a place in Graz? I'm vegetarian", "a card for my daughter Emma". The patterns are those of
:mod:`request_patterns`, by language. Where the speaker plays a part ("write a story in which I am a pirate"), nothing of
what follows is theirs until they leave it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from memdesk.domain import noise
from memdesk.domain.corrections import correction_in, retraction_in
from memdesk.domain.gate import tell_language
from memdesk.domain.injection import order_in
from memdesk.domain.kinds import RELATIVES
from memdesk.domain.request_patterns import ENGLISH, GERMAN, Patterns
from memdesk.domain.request_patterns_romance import FRENCH, SPANISH
from memdesk.domain.text import sentences, words

#: Languages that are told apart, with their patterns.
_PATTERNS: Final = MappingProxyType({"en": ENGLISH, "de": GERMAN, "fr": FRENCH, "es": SPANISH})
LANGUAGES: Final = tuple(_PATTERNS)
#: Least words of a clause that states something.
_MIN_WORDS = 3
#: Full stops that end no sentence.
_UNFINISHED = re.compile(r"(?:\b(?:Dr|Prof|Mr|Mrs|Ms|St|Nr|No|Mag|Ing|Fr|Hr|bzw|ca|vs|e\.g|i\.e|z\. ?B)|\b\d{1,2})\.$")
_MONTH = re.compile(
    r"(?:Jänner|Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Klasse|Semester|Stock|Etage|Bezirk|Geburtstag|Jahrhundert|Lebensjahr|Schulstufe|Schwangerschaftswoche)\b|[a-zäöü]{4,}"
)
#: "Let me tell you about me: ...".
_ABOUT_ME = re.compile(
    r"^\W*(?:let me (?:tell you|introduce|say)\b[^:.!]{0,40}|(?:a (?:bit|little)|something|more)? ?about me)[:.!]\s*",
    re.IGNORECASE,
)
#: "im", "ive": spelled in haste.
#: What ends a part that the speaker plays, and what ends one in a written text as well.
_OUT_OF_PART = re.compile(
    r"^\W*(?:stop\b|enough\b|that's (?:enough|it)|end (?:of )?(?:the )?(?:game|story|scene|role)|(?:by the way|btw)\b|in real life|ooc\b|out of character|"
    r"back to (?:reality|real|work|me)|thanks for|schluss|genug|ende\b|übrigens|im echten leben)",
    re.IGNORECASE,
)
_PLEASED = re.compile(
    r"^\W*(?:thanks|thank you|great|perfect|ok(?:ay)?|cool|nice|awesome|good|lovely|super|toll|perfekt|danke|gut|merci|gracias)\b(?! (?:now|jetzt))",
    re.IGNORECASE,
)
#: Two-part fiction, told and played in turns.
_PLAYED = re.compile(
    r"\brole-?play|\bplay\b|\bgame\b|\brollenspiel|\bspiel|\bjeu\b|\bjuego\b|\byou are\b|\bdu bist\b", re.IGNORECASE
)
_SPELLED = re.compile(r"\bi(m|ve)\b", re.IGNORECASE)


@dataclass(slots=True)
class Heard:
    """What is left of a turn.

    Attributes:
        text: its statements, one a line.
        left_out: sentences passed over, by reason.
        made: whether a text was asked for (a story, a translation), so that the answer is that text.
        part: the speaker plays a part: in a ``text`` that is being written, or in a ``game``; empty when not.
    """

    text: str = ""
    left_out: Counter[str] = field(default_factory=Counter)
    made: bool = False
    part: str = ""


def patterns_for(language: str) -> Patterns:
    """Return the patterns of a language; English ones where there are none."""
    return _PATTERNS.get(language, ENGLISH)


def patterns_of(sentence: str, language: str) -> Patterns:
    """Return the patterns for a sentence of a session; in one that is not English, people switch."""
    return patterns_for(language if language == "en" else tell_language(sentence, LANGUAGES, language))


def own_statements(text: str, language: str, part: str = "") -> Heard:
    """Return what a person says of themselves in a turn to an assistant.

    Args:
        text: the turn without code and quotations (:func:`noise.clean`).
        language: of the session; others than those known are read as English.
        part: what the speaker played in their turn before; see :class:`Heard`.
    """
    heard = Heard(part=_still(part, text, patterns_of(text, language)))
    if heard.part:
        heard.left_out["fiction"] += 1
        heard.made = True
        return heard
    kept: list[str] = []
    supposing = False
    text = _ABOUT_ME.sub("", text)
    body, heard.made = _without_material(_SPELLED.sub(lambda m: f"I'{m[1]}", text) if language == "en" else text)
    for sentence in _sentences(body):
        patterns = patterns_of(sentence, language)
        if order_in(sentence) or correction_in(sentence) or retraction_in(sentence):
            kept.append(sentence)
            continue
        if patterns.fiction.search(sentence):
            heard.left_out["fiction"] += 1
            heard.made = True
            heard.part = _part_in(body, patterns)
            break  # what follows tells of the story
        if patterns.hypothetical.match(sentence) or (supposing and patterns.conditional.search(sentence)):
            supposing = True
            heard.left_out["hypothetical"] += 1
            continue
        supposing = False
        reason = _reason(sentence, patterns)
        if reason == "of nobody" and kept and _FIGURE.match(sentence):
            reason = ""  # "We're moving on Saturday. The movers cost 640 pounds."
        if reason:
            heard.left_out[reason] += 1
            heard.made = heard.made or patterns.compose.match(sentence) is not None
            kept += _salvaged(sentence, patterns)
            continue
        kept.append(_without_tail(sentence, patterns))
    heard.text = "\n".join(kept)
    return heard


def _still(part: str, text: str, patterns: Patterns) -> str:
    """Return the part that goes on in a turn: until the speaker leaves the game, or speaks about the text written."""
    if not part or _OUT_OF_PART.match(text):
        return ""
    if part == "text" and (_PLEASED.match(text) or patterns.question.match(text)):
        return ""
    return part


def _part_in(request: str, patterns: Patterns) -> str:
    """Return what a request for fiction makes of its speaker."""
    if not patterns.role.search(request):
        return ""
    return "game" if _PLAYED.search(request) else "text"


def remarks(text: str, language: str) -> Heard:
    """Return what an assistant says of itself and its user; what it says of the world is no memory."""
    heard = Heard()
    kept = []
    for sentence in sentences(text):
        patterns = patterns_of(sentence, language)
        if order_in(sentence) or (patterns.between_us.search(sentence) and not patterns.courtesy.match(sentence)):
            kept.append(sentence)
        else:
            heard.left_out["said by the assistant"] += 1
    heard.text = "\n".join(kept)
    return heard


def asked_to_remember(sentence: str, language: str) -> bool:
    """Return whether a sentence asks to keep something in mind."""
    return patterns_for(language).standing.match(sentence) is not None


def in_full(quote: str) -> str:
    """Return a piece of a request as the statement that it makes: "As a diabetic." is "I am a diabetic."."""
    capacity = CAPACITY_LINE.match(quote)
    if capacity:
        return f"I am {capacity['what']}."
    relative = RELATIVE_LINE.match(quote)
    return f"My {relative['who']} is called {relative['name']}." if relative else quote


def _sentences(text: str) -> list[str]:
    """Return the sentences of a text; one does not end at "Dr." or "am 3. Dezember"."""
    found: list[str] = []
    for sentence in sentences(text):
        if found and _UNFINISHED.search(found[-1]) and (not found[-1][-2].isdigit() or _MONTH.match(sentence)):
            found[-1] = f"{found[-1]} {sentence}"
        else:
            found.append(sentence)
    return found


def _without_material(text: str) -> tuple[str, bool]:
    """Cut off what a request is to be carried out on; tell whether there was such.

    The request may be in another language than the material, and than the session.
    """
    found = [match for patterns in _PATTERNS.values() if (match := patterns.material.search(text))]
    letters = [match for patterns in _PATTERNS.values() if (match := patterns.letter.search(text))]
    starts = [match.end() for match in found] + [match.start() for match in letters]
    return (text[: min(starts)], True) if starts else (text, False)


def _reason(sentence: str, patterns: Patterns) -> str:
    """Return why a sentence is not a statement of its speaker; empty when it is one."""
    if noise.is_question(sentence) or patterns.question.match(sentence):
        return "question"
    if _QUOTES.search(sentence):
        return "says what another said"
    if sentence.endswith(":"):
        return "heading"
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
    capacity = patterns.capacity.match(sentence)
    if capacity:
        yield capacity[0].strip(" ,") + "."
    if not found:
        for relative in patterns.relative.finditer(sentence):
            yield relative[0] + "."


def _without_tail(sentence: str, patterns: Patterns) -> str:
    """Cut a request off the end of a statement."""
    asks = patterns.asks.search(sentence)
    if asks and _RELATIVE_CLAUSE.match(asks[0]):
        return sentence
    head = sentence[: asks.start()].strip(" ,;-") if asks else ""
    return head + "." if head and _states(head, patterns) else sentence


def _states(clause: str, patterns: Patterns) -> bool:
    return (
        len(words(clause)) >= _MIN_WORDS
        and patterns.first_person.search(clause) is not None
        and not patterns.hypothetical.match(clause)
        and not _reason(clause, patterns)
    )


#: What is left of "Jens says: (a quotation)".
_QUOTES = re.compile(
    r"\b(?:says|said|wrote|writes|asked|told (?:me|us)|sagte?|schrieb|meinte|fragte)\b[,:]? *\u2026[\s.,]*$",
    re.IGNORECASE,
)
#: A thing of the sentence before, with a figure.
_FIGURE = re.compile(r"^\W*(?:the|der|die|das|le|la|el)\b[^.!?]{2,60}\d", re.IGNORECASE)
#: ", who told me": no question where the sentence asks none.
_RELATIVE_CLAUSE = re.compile(r"\W*(?:who|which|where)\b", re.IGNORECASE)
#: What somebody is, as a whole line; see ``Patterns.capacity``.
CAPACITY_LINE = re.compile(r"^\W*(?:(?:so|and|but|hi|hello|hey)\b,?\s+)*[Aa]s (?P<what>an? [^.,]+)\.$")
#: A relative and a name, as a whole line; see ``Patterns.relative``.
RELATIVE_LINE = re.compile(rf"^[Mm]y (?P<who>(?:\w+ )?(?:{RELATIVES})),? (?P<name>[A-Z]\w+)\.?$")
