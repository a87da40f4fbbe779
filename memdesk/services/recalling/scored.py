"""A row of memory with its probability of being wanted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from memdesk.ports import Vectors

Mode = Literal["hybrid", "fts"]
#: If the gate chooses and no line is likelier than this to answer, none is shown: for three of 860 questions with evidence in
#: seven sets, the best turn is below; questions about what was never told mostly reach .005 to .007.
NOTHING_KNOWN = 0.0075


@dataclass(frozen=True, slots=True)
class Scored:
    """A row with its probability."""

    kind: Literal["turn", "fact", "episode", "detail"]
    seq: int
    score: float
    row: Any
    #: the episode of a detail
    parent: Any = None
    #: whether it fits the question by words, names, similarity or day, and is not merely the nearest
    fits: bool = True
    #: for a passage of a file: its position, as "house.md#L10-L15"
    cited: str = ""
    #: for a fact: weighted share of the question's topic words in it
    coverage: float = 0.0
    #: for a fact: its BM25 relative to the best; None without full text
    words: float | None = None
    #: for a fact or turn: similarity to the question; None if either has no vector
    cosine: float | None = None
    #: for a fact or detail: its features for ranking
    features: Vectors | None = field(default=None, compare=False, repr=False)


def ranked(found: list[Scored]) -> list[Scored]:
    """Return rows, most likely first."""
    return sorted(found, key=lambda hit: (-hit.score, hit.seq))
