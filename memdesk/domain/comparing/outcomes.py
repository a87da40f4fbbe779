"""What a comparison of two statements comes to, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from memdesk.domain.comparing.claims import Claim
from memdesk.messages import say

Outcome = Literal["same", "update", "reversal", "unclear", "unrelated"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a new statement does to a known one.

    Attributes:
        outcome: ``same``: it says the known one again. ``update``: it gives another value of what has one at a time.
            ``reversal``: it says that the known one is not so, or no longer. ``unclear``: they speak of the same thing and
            do not go together as they stand; a person must say. ``unrelated``: both hold.
        code: why, for a sentence in the user's language: one of :data:`REASONS`.
        args: what a sentence on it may name: the attribute, the new value, the former one. Never stored.
        open: the statement leaves out what it is about ("doubled my dose"): it says so only of the one thing that it can be of.
    """

    outcome: Outcome
    code: str = "unrelated"
    args: tuple[str, ...] = ()
    open: bool = False

    def in_words(self) -> str:
        """Return the reason in English."""
        return REASONS[self.code]


#: Reasons by code, in English. They are stored with what changed and hold none of its words: what is forgotten of one
#: statement must not be read in the history of another.
REASONS: Final[dict[str, str]] = {
    "unrelated": say("says something else"),
    "said_again": say("said before"),
    "new_value": say("a later statement gives another value"),
    "replaced": say("a later statement names another in its place"),
    "moved": say("it was moved or changed later"),
    "no_longer": say("said to have ended"),
    "not_so": say("said not to be so"),
    "so_again": say("said to be so after all"),
    "came": say("what was planned has happened"),
    "died": say("they have died"),
    "part": say("part of it has changed; both are kept"),
    "opposed": say("looks opposed to another fact, without proof; both are kept"),
    "likely": say("a later statement most likely takes its place"),
    "perhaps": say("a later statement may take its place; does it still hold?"),
    "follows": say("what it rests on has changed; does it still hold?"),
}
UNRELATED: Final = Comparison("unrelated")


def updated(new: Claim, known: Claim) -> Comparison:
    """Return that a claim gives another value of what has one at a time."""
    return Comparison("update", "new_value", (new.relation, said_of(new), said_of(known)))


def said_of(claim: Claim) -> str:
    """Return the value of a claim as it was said; where it has none, what it says of its topic."""
    return claim.value.said if claim.value is not None else claim.relation
