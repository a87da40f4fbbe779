"""The extractor's input and output types."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from memdesk.domain.items.statement import Statement
from memdesk.domain.models import FactKind, Provenance

#: The model's name in lines.
ASSISTANT: Final = "the assistant"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTurn:
    """One turn of a session, as input of the extractor.

    Attributes:
        id: the turn's id.
        speaker: the speaker's name in lines ("Dana", "the user").
        listener: the listener's name in lines.
        text: what was said.
        day: when, in the user's own time zone.
        provenance: ``assistant`` for a model's words; a person's are ``user``.
        own: whether the speaker is the memory's owner, named or not.
    """

    id: str
    speaker: str
    listener: str
    text: str
    day: date
    provenance: Provenance = "user"
    own: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One line that could be remembered.

    Attributes:
        text: self-contained, third person, absolute dates.
        kind: what it is about.
        speaker: who said it.
        provenance: whose words they are; only the owner's may become identity.
        turn_ids: turns it was taken from.
        quotes: the sentences as said, one per turn id.
        spans: ``(turn number, sentence number)`` of each sentence in it; lines that share one are redundant.
        score: how much it says about the session, for choosing; no fixed scale.
        salience: 0..1, how useful it stays.
        confidence: 0..1, how sure it is that the line says what was meant.
        day: first day of the period it speaks of, where one is named.
        until: last day of that period.
        entities: ``(name, type)`` of names in it.
        order: why it looks like orders to a model; empty if it does not.
        own: whether the memory's owner said it.
        tags: topic words.
    """

    text: str
    kind: FactKind
    speaker: str
    provenance: Provenance
    turn_ids: tuple[str, ...]
    quotes: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    score: float = 0.0
    salience: float = 0.5
    confidence: float = 0.8
    day: date | None = None
    until: date | None = None
    entities: tuple[tuple[str, str], ...] = ()
    order: str = ""
    own: bool = False
    tags: tuple[str, ...] = ()
    #: Whether it is a lasting statement of the user, and so becomes a fact of its own.
    lasts: bool = False
    #: What it says, in fields; None for lines that join several statements.
    statement: Statement | None = None
    #: Whether it is kept only if it changes or ends something remembered: "Sertraline is up to 100 mg".
    tentative: bool = False
    #: The sentence that contains its (first) clause, as said; empty if unknown.
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Passed:
    """A sentence of a person from which nothing was kept, as said, with the reason in two or three words."""

    turn_id: str
    quote: str
    reason: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """The result of reading a session.

    Attributes:
        candidates: in the order they were said.
        entities: ``(name, type)`` with the number of mentions, most often first.
        topics: words and short phrases that name what it is about, the most frequent first.
        left_out: how many sentences and clauses were left out, by reason.
        passed: the sentences of which at most tentative candidates are left, in the order they were said.
    """

    candidates: tuple[Candidate, ...]
    entities: tuple[tuple[str, str, int], ...]
    topics: tuple[str, ...]
    left_out: dict[str, int]
    passed: tuple[Passed, ...] = ()
