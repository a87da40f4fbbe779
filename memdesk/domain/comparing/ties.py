"""Who and what a statement names, of which sort, and what joins two of them; nothing where it does not say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memdesk.domain.comparing.claims import claim_of
from memdesk.domain.comparing.lexicon import lexicon_of
from memdesk.domain.items.statement import Statement
from memdesk.domain.language.data import language_data
from memdesk.domain.language.inflect import third_person
from memdesk.domain.language.text import words

#: A name: words with a capital, next to each other, "of" and its like inside.
_NAME: Final = re.compile(
    r"(?:Dr\.? |Mr\.? |Mrs\.? |Ms\.? )?[A-Z\u00c4\u00d6\u00dc][\w&-]*(?:(?: (?:of|de|van|von|the))* [A-Z\u00c4\u00d6\u00dc][\w&-]*)*"
)
_OWNER: Final = re.compile(r"^(?P<owner>.+?)(?:'s|\u2019s) (?P<noun>[^'\u2019]+)$")
#: What the value of an attribute is.
_SORTS: Final = {
    "employer": "organisation", "role": "organisation", "school": "organisation", "bank": "organisation", "home": "place", "birthplace": "place", "partner": "person",
    "boss": "person", "doctor": "person",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Named:
    """A named person, pet, place or organisation."""

    name: str
    sort: str


@dataclass(frozen=True, slots=True)
class Tie:
    """``subject`` is joined to ``object`` by ``predicate``: "works_at", "husband_of"."""

    subject: Named
    predicate: str
    object: Named


def named_in(statement: Statement) -> tuple[Named, ...]:
    """Return who and what a statement names, where its fields tell of which sort they are."""
    tie = tie_of(statement)
    found = [tie.subject, tie.object] if tie is not None else []
    beside = _in_role(statement.qualifiers.company, statement)
    found += [one for one in (_subject(statement), _object(statement), beside) if one is not None]
    found += _apposed(statement)
    return tuple({one.name: one for one in reversed(found)}.values())


def tie_of(statement: Statement) -> Tie | None:
    """Return what joins the two that a statement names; None unless both are named and it holds."""
    if not statement.holds or statement.ended or statement.modality != "fact":
        return None
    kin = _OWNER.match(statement.object)
    subject = _subject(statement) or _bare_person(statement)
    if kin is not None and statement.predicate == "be":
        owner, noun = _NAME.fullmatch(kin["owner"]), kin["noun"].strip().casefold()
        if owner is None or subject is None or not _is_person(noun, statement):
            return None
        return Tie(Named(subject.name, "person"), f"{noun.replace(' ', '_')}_of", Named(owner[0], "person"))
    thing = _object(statement)
    if subject is None or thing is None or subject.name == thing.name:
        return None
    verb, *rest = statement.predicate.split(" ")
    if verb == "be":
        return Tie(subject, "_".join(rest), thing)  # "married_to"
    at_work = claim_of(statement).relation == "role"
    return Tie(subject, "works_at" if at_work else "_".join([third_person(verb), *rest]), thing)


def _subject(statement: Statement) -> Named | None:
    """Return the person or pet that a subject names beside their role: "user's boss Helena"."""
    noun, name = _parts(statement.subject)
    if name and noun:
        return _in_role(statement.subject, statement)
    called = _NAME.fullmatch(statement.object)
    if (
        called is not None
        and noun
        and noun != statement.subject
        and statement.predicate in {"be", "be called", "be named"}
    ):
        sort = _sort_of(noun, statement)
        return Named(called[0], sort) if sort else None
    return _bare_person(statement)


def _parts(phrase: str) -> tuple[str, str]:
    """Return role and name of "user's boss Helena"."""
    last = re.split(r"'s |\u2019s ", re.sub(r"(?:'s|\u2019s) name$", "", phrase))[-1]
    name = _NAME.search(last)
    return " ".join(word for word in last.split(" ") if not word[:1].isupper()), name[0] if name is not None else ""


def _in_role(phrase: str, statement: Statement) -> Named | None:
    """Return whom a phrase names beside their role."""
    noun, name = _parts(phrase)
    sort = _sort_of(noun, statement) if noun and name else ""
    return Named(name, sort) if sort else None


def _apposed(statement: Statement) -> list[Named]:
    """Return whom an object names behind what they are: "two cats, Pixel and Waffle"."""
    noun, _, names = statement.object.partition(", ")
    sort = _sort_of(noun, statement) if names else ""
    return [Named(name[0], sort) for name in _NAME.finditer(names)] if sort else []


def _bare_person(statement: Statement) -> Named | None:
    """Return the subject of what only a person does: "Alice works at Google"."""
    name = _NAME.fullmatch(statement.subject)
    if name is None:
        return None
    if _OWNER.match(statement.object) and _is_person(statement.object.rpartition("'s ")[2], statement):
        return Named(name[0], "person")
    claim = claim_of(statement)
    return (
        Named(name[0], "person")
        if claim.relation in {"employer", "role", "partner", "home", "birthday", "boss"}
        else None
    )


def _object(statement: Statement) -> Named | None:
    """Return what an attribute's value names."""
    claim = claim_of(statement)
    place = claim.narrow.get("place") if claim.relation == "role" else None
    value, sort = place or claim.value, _SORTS.get(claim.relation, "")
    if not sort or value is None:
        return None
    if claim.relation == "role":  # "a nurse at Saint Mary"
        at = re.search(r"\bat (?P<name>.+)$", value.said)
        name = _NAME.fullmatch(at["name"]) if at is not None else None
        return Named(name[0], "organisation") if name is not None else None
    name = _NAME.fullmatch(value.said) or _NAME.fullmatch(re.sub(r"^(?:at|in|for|with) ", "", value.said))
    return Named(name[0], sort) if name is not None else None


def _sort_of(noun: str, statement: Statement) -> str:
    if _is_person(noun, statement):
        return "person"
    animals = language_data("en").words("people", "animals")
    return "pet" if any({word, word.removesuffix("s")} & animals for word in words(noun)) else ""


def _is_person(noun: str, statement: Statement) -> bool:
    """Whether a noun is one for somebody's people."""
    last = words(noun)[-1:]
    found = language_data("en").words("people", "she", "he", "either")
    return bool(last) and (last[0] in found or lexicon_of(statement.language).nouns.get(last[0], "") in found)
