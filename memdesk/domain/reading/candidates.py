"""The extractor's words: what goes in and what comes out."""

from dataclasses import dataclass
from datetime import date
from typing import Final

from memdesk.domain.items.statement import Statement
from memdesk.domain.models import FactKind, Provenance

#: How the model is called in lines.
ASSISTANT: Final = "the assistant"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceTurn:
    """One turn of a session as the extractor reads it.

    Attributes:
        id: the turn's id.
        speaker: how the speaker is named in lines ("Dana", "the user").
        listener: how the one spoken to is named.
        text: what was said.
        day: when, in the user's own time zone.
        provenance: ``assistant`` for a model's words; a person's are ``user``.
        own: whether it is on the side of the memory's owner, named or not.
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
        kind: what it states.
        speaker: who said it.
        provenance: whose words they are; only the owner's may become identity.
        turn_ids: turns it was taken from.
        quotes: the sentences as said, one per turn id.
        spans: ``(turn number, sentence number)`` of each sentence in it; lines that share one say the same twice.
        score: how much it tells of the session, for choosing; no fixed scale.
        salience: 0..1, how useful it stays.
        confidence: 0..1, how sure it is that the line says what was meant.
        day: first day of the period it speaks of, where one is named.
        until: last day of that period.
        entities: ``(name, type)`` of names in it.
        order: why it reads like orders to a model; empty when it does not.
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
    #: Whether it is a statement of the user that lasts, and so becomes a fact of its own.
    lasts: bool = False
    #: What it says, in fields; None for lines that join several statements.
    statement: Statement | None = None
    #: Whether it is worth keeping only where it changes or ends what is remembered: "Sertraline is up to 100 mg".
    tentative: bool = False
    #: The sentence that its (first) clause stands in, as said; empty where that is not known.
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Passed:
    """A sentence of a person of which nothing was kept, as said, and why, in two or three words."""

    turn_id: str
    quote: str
    reason: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a session holds.

    Attributes:
        candidates: in the order they were said.
        entities: ``(name, type)`` with the number of mentions, most often first.
        topics: words and short phrases that name what it is about, the most frequent first.
        left_out: how many sentences and clauses were passed over, by reason.
        passed: the sentences of which no candidate is left but tentative ones, in the order they were said.
    """

    candidates: tuple[Candidate, ...]
    entities: tuple[tuple[str, str, int], ...]
    topics: tuple[str, ...]
    left_out: dict[str, int]
    passed: tuple[Passed, ...] = ()
