"""Chooses the few lines that say most about a session, without repetition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from memdesk.domain.comparing.similarity import jaccard, word_set
from memdesk.domain.items.registry import KINDS
from memdesk.domain.reading.candidates import Candidate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: From this similarity on, by words and by vectors, lines are near-duplicates.
SAME_WORDS: Final = 0.6
SAME_VECTOR: Final = 0.9
#: How strongly similarity to chosen lines lowers a score.
REDUNDANCY: Final = 0.8
#: Candidates below it are never pinned.
DURABLE: Final = 0.6
#: The weight of a line's score beside its salience when lines are ranked for pinning.
SCORE_SHARE: Final = 0.3
MAX_PINNED: Final = 3
#: Salience from which a line is pinned whatever it says: the user asked to remember it.
ASKED: Final = 0.8
#: Longest pinned fact, in characters: one statement, not a story.
MAX_FACT_CHARS: Final = 180


def select(
    candidates: Sequence[Candidate],
    limit: int,
    vectors: NDArray[np.float32] | None = None,
    *,
    first: Sequence[int] = (),
) -> list[int]:
    """Choose up to ``limit`` lines greedily: score minus similarity to those chosen (maximal marginal relevance).

    Args:
        candidates: of one session.
        limit: most lines.
        vectors: unit vectors of the candidates' texts, shape ``(len(candidates), dim)``, if there is an embedder.
        first: indexes that are chosen in any case, before the others.

    Returns:
        indexes into ``candidates``, best first.
    """
    stems = [word_set(candidate.text) - _names(candidate) for candidate in candidates]
    likeness = [0.0] * len(candidates)
    open_ = {i for i, candidate in enumerate(candidates) if not candidate.order}
    chosen: list[int] = []
    given = list(first)
    while open_ and len(chosen) < limit:
        best = next((i for i in given if i in open_), None)
        if best is None:
            best = max(open_, key=lambda i: (candidates[i].score - REDUNDANCY * likeness[i], -i))
        chosen.append(best)
        open_.discard(best)
        taken = set(candidates[best].spans)
        for i in list(open_):
            if taken & set(candidates[i].spans):
                open_.discard(i)
                continue
            words = jaccard(stems[i], stems[best])
            cosine = float(vectors[i] @ vectors[best]) if vectors is not None else 0.0
            if words >= SAME_WORDS or cosine >= SAME_VECTOR:
                open_.discard(i)
            likeness[i] = max(likeness[i], cosine if vectors is not None else words)
    return chosen


def may_be_pinned(line: Candidate) -> bool:
    """Return whether a candidate is one durable statement of a person, clear without context."""
    if line.lasts and may_change_a_fact(line):
        return True
    durable_kind = not KINDS[line.kind].passing or line.salience >= ASKED
    return durable_kind and line.salience >= DURABLE and may_change_a_fact(line)


def may_change_a_fact(line: Candidate) -> bool:
    """Return whether a candidate is one statement of a person; an event may end what was true before."""
    return line.provenance == "user" and len(line.spans) <= 1 and len(line.text) <= MAX_FACT_CHARS and not line.order


def durable(candidates: Sequence[Candidate], most: int = MAX_PINNED) -> list[int]:
    """Return the indexes of the candidates most worth pinning, different ones, best first."""
    ranked = sorted(
        (i for i, candidate in enumerate(candidates) if may_be_pinned(candidate)),
        key=lambda i: -(candidates[i].salience * candidates[i].confidence + SCORE_SHARE * candidates[i].score),
    )
    chosen: list[int] = []
    sets: list[frozenset[str]] = []
    for i in ranked:
        mine = word_set(candidates[i].text) - _names(candidates[i])
        if len(chosen) < most and all(jaccard(mine, other) < SAME_WORDS for other in sets):
            chosen.append(i)
            sets.append(mine)
    return chosen


def _names(candidate: Candidate) -> frozenset[str]:
    """The speaker's own name is in every line and says nothing about similarity."""
    return word_set(candidate.speaker) | {"said"}
