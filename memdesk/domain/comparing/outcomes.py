"""The outcome of comparing two statements, and why."""

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
        outcome: ``same``: it repeats the known one. ``update``: it gives a new value where only one can hold.
            ``reversal``: it says that the known one is not, or no longer, true. ``unclear``: they are about the same thing
            and may conflict; a person must decide. ``unrelated``: both hold.
        code: why, for a sentence in the user's language: one of :data:`REASONS`.
        args: values for that sentence: the attribute, the new value, the former one. Never stored.
        open: the statement does not say what it is about ("doubled my dose"); it counts only if a single thing fits.
    """

    outcome: Outcome
    code: str = "unrelated"
    args: tuple[str, ...] = ()
    open: bool = False

    def in_words(self) -> str:
        """Return the reason in English."""
        return REASONS[self.code]


#: Reasons by code, in English. They are stored with the change and contain none of its words: a forgotten statement
#: must not be readable in the history of another.
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
AGAIN: Final = Comparison("same", "said_again")
OPPOSED: Final = Comparison("unclear", "opposed")


def updated(new: Claim, known: Claim) -> Comparison:
    """Return an update: a claim gives a new value where only one can hold."""
    return Comparison("update", "new_value", (new.relation, said_of(new), said_of(known)))


def ended(known: Claim) -> Comparison:
    """Return a reversal: what a claim says is over."""
    return Comparison("reversal", "no_longer", (said_of(known),))


def said_of(claim: Claim) -> str:
    """Return the value of a claim as said, or if it has none, what it says about its topic."""
    return claim.value.said if claim.value is not None else claim.relation
