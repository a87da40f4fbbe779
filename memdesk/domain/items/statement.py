"""A statement of a person about themselves, their people, things and plans, as one value.

A statement is read once, by an extractor, and carried through checking, comparing, storing and showing. Its text is
never parsed again: everything uses its fields.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time
from typing import Any, Final, Literal

#: The subject that stands for the memory's owner, and the possessor in "user's sister".
USER: Final = "user"

#: ``fact``: asserted. ``plan``: decided, not yet so. ``wish``: wanted. ``possible``: said with a doubt.
#: ``instruction``: how the assistant should answer from now on.
Modality = Literal["fact", "plan", "wish", "possible", "instruction"]
Tense = Literal["past", "present", "future"]


def noon(day: date) -> datetime:
    """Return the time given to something said on a day, in UTC: the hour is not kept."""
    return datetime.combine(day, time(12), UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Qualifiers:
    """What restricts a statement. Empty texts and None mean that nothing was said.

    Attributes:
        time: when, as said, relative dates made absolute: "on Tuesdays", "in 2011", "every other Friday".
        begins: first day of its period, in the user's zone.
        ends: last day of that period.
        place: where, as said.
        amount: how many or how much, a number in digits with its unit: "2", "40 km".
        company: with whom: "Ines".
        manner: anything else, as said: "by bike", "for the marathon".
    """

    time: str = ""
    begins: date | None = None
    ends: date | None = None
    place: str = ""
    amount: str = ""
    company: str = ""
    manner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing said.

    Attributes:
        subject: ``USER``, a name ("Ada"), or a thing by its owner ("user's sister", "user's sister Ada", "Ada's dog").
        predicate: lemma of the verb with the particle or preposition that belongs to it: "live in", "be", "give up".
        object: head phrase of the object, as said, without determiner: "quokkas", "Porto", "pediatric nurse", "4471".
        attribute: the subject's attribute that this gives, if it has a name: "home", "employer", "shoe
            size", "allergy"; else empty. It decides whether a newer value replaces this one.
        holds: False if the statement says that it is not so (any more).
        ended: True if it says that something has stopped: "no longer", "gave up", "sold".
        modality: how it is meant.
        tense: of the verb, as meant when it was said.
        qualifiers: what restricts it.
        speaker: who said it: ``USER`` or a name.
        said_at: when, in UTC.
        quote: the words it is based on, as said.
        language: ISO 639-1 code of the quote.
        replaces: what the speaker named as the old value: "Skoda" in "sold the Skoda and bought a Kia".
    """

    subject: str
    predicate: str
    object: str = ""
    attribute: str = ""
    holds: bool = True
    ended: bool = False
    modality: Modality = "fact"
    tense: Tense = "present"
    qualifiers: Qualifiers = field(default_factory=Qualifiers)
    speaker: str = USER
    said_at: datetime | None = None
    quote: str = ""
    language: str = "en"
    replaces: str = ""

    def about_user(self) -> bool:
        """Whether it is about the memory's owner, or about someone or something of theirs."""
        return self.subject == USER or self.subject.startswith(f"{USER}'s ")

    def plain(self) -> dict[str, Any]:
        """Return the fields as JSON values, without empty ones."""
        found = {name: getattr(self, name) for name in _TEXTS if getattr(self, name)}
        found |= {"holds": self.holds, "ended": self.ended, "modality": self.modality, "tense": self.tense}
        if self.said_at is not None:
            found["said_at"] = self.said_at.isoformat()
        narrowed = {name: getattr(self.qualifiers, name) for name in _NARROWING if getattr(self.qualifiers, name)}
        if narrowed:
            found["qualifiers"] = {k: v.isoformat() if isinstance(v, date) else v for k, v in narrowed.items()}
        return found

    @classmethod
    def from_plain(cls, found: dict[str, Any]) -> Statement:
        """Return the statement that :meth:`plain` described.

        Raises:
            KeyError: subject or predicate is missing.
            ValueError: a date is invalid.
        """
        narrowed = dict(found.get("qualifiers") or {})
        for name in ("begins", "ends"):
            if narrowed.get(name):
                narrowed[name] = date.fromisoformat(narrowed[name])
        said_at = found.get("said_at")
        rest = {name: found[name] for name in (*_TEXTS, "holds", "ended", "modality", "tense") if name in found}
        rest.setdefault("subject", found["subject"])
        rest.setdefault("predicate", found["predicate"])
        made = cls(**rest, qualifiers=Qualifiers(**narrowed))
        return replace(made, said_at=datetime.fromisoformat(said_at)) if said_at else made


_TEXTS: Final = ("subject", "predicate", "object", "attribute", "speaker", "quote", "language", "replaces")
_NARROWING: Final = ("time", "begins", "ends", "place", "amount", "company", "manner")
