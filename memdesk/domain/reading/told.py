"""A statement heard from a person: tokens of a turn with their fields."""

from __future__ import annotations

from dataclasses import dataclass, field

from memdesk.domain.items.statement import Statement
from memdesk.domain.reading.discourse import Mention


@dataclass(frozen=True, slots=True)
class Told:
    """A clause, or a few words, that state something by their speaker.

    Attributes:
        begin, end: its tokens.
        statement: what it says.
        lead: the subject's words if the clause has none.
        named: replacements in the line for some tokens: a pronoun's referent, a name with its capital.
        asked: whether the user asked to remember it.
        mentions: earlier turns that show who is meant.
        before: what a line adds at its end: an order's condition, "Whenever I paste code, ...", or a replacement, "it's
            coffee now".
        tentative: whether it counts only if it changes or ends something remembered.
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
