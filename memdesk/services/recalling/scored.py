"""A row of memory with how likely it is wanted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from memdesk.ports import Vectors

Mode = Literal["hybrid", "fts"]


@dataclass(frozen=True, slots=True)
class Scored:
    """A row with its probability."""

    kind: Literal["turn", "fact", "episode", "detail"]
    seq: int
    score: float
    row: Any
    #: the episode of a detail
    parent: Any = None
    #: whether it fits the question at all, by words, names, likeness or its day, and is not merely the nearest there is
    fits: bool = True
    #: of a passage of a file: where it stands, as "house.md#L10-L15"
    cited: str = ""
    #: of a fact: share of the question's topic words that it holds, by weight
    coverage: float = 0.0
    #: of a fact: its BM25 as a share of the best; None where full text was not asked
    words: float | None = None
    #: of a fact or a turn: likeness to the question; None where it has no vector, or the question none
    cosine: float | None = None
    #: of a fact or a detail: all that the ranking sees of it
    features: Vectors | None = field(default=None, compare=False, repr=False)


def ranked(found: list[Scored]) -> list[Scored]:
    """Return rows, most likely first."""
    return sorted(found, key=lambda hit: (-hit.score, hit.seq))
