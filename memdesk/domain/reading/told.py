"""What a person was heard to state: tokens of a turn with the fields that they say."""

from __future__ import annotations

from dataclasses import dataclass, field

from memdesk.domain.items.statement import Statement
from memdesk.domain.reading.subjects import Mention


@dataclass(frozen=True, slots=True)
class Told:
    """A clause, or a few words, that are a statement of their speaker.

    Attributes:
        begin, end: its tokens.
        statement: what it says.
        lead: the subject's words where the clause itself has none.
        named: what stands in the line for some of its tokens: whom a pronoun means, a name with its capital.
        asked: whether the user asked to remember it.
        mentions: earlier turns that tell who is meant.
        before: what a line says last and its clause does not: when an order holds, "Whenever I paste code, ...", and what took the
            place of another, "it's coffee now".
        tentative: whether it counts only where it changes or ends what is remembered.
        verbatim: whether it is kept in its speaker's own words.
    """

    begin: int
    end: int
    statement: Statement
    lead: str = ""
    named: dict[int, str] = field(default_factory=dict)
    asked: bool = False
    mentions: tuple[Mention, ...] = ()
    before: tuple[int, int] | None = None
    tentative: bool = False
    verbatim: bool = False
