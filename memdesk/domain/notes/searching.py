"""How passages of notes are scored, aged and spread by what the user set for their folder."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Final

from memdesk.domain.comparing.similarity import jaccard, word_set
from memdesk.settings.schema import NoteSearch

_DAY: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


def day_of(file: str) -> datetime | None:
    """Return noon of the day in a file's name, as daily notes have it; None where there is none."""
    day = _DAY.search(PurePosixPath(file).stem)
    try:
        return datetime(*map(int, day.groups()), 12, tzinfo=UTC) if day else None  # type: ignore[misc, arg-type]  # three numbers
    except ValueError:
        return None


def fades(file: str) -> bool:
    """Whether a file tells of its day: ``MEMORY.md`` and what is in ``memory/`` without a day are kept up to date."""
    path = PurePosixPath(file)
    kept_current = path.name.casefold() == "memory.md" or path.parts[0] == "memory"
    return day_of(file) is not None or not kept_current


def scored(
    how: NoteSearch, learned: float, *, words: float | None, cosine: float | None, file: str, days: float
) -> float:
    """Return the score 0..1 of a passage.

    Args:
        how: what was set for its folder.
        learned: how likely it is to answer, by the ranking that all memory has.
        words: its BM25 as a share of the best; None where it was found letter by letter, which has no two legs.
        cosine: to the question; None without a vector, when words count alone.
        file: in which it stands.
        days: since then.
    """
    score = learned
    if how.vector_weight is not None and words is not None:
        share = 0.0 if cosine is None else how.vector_weight
        score = share * max(0.0, cosine or 0.0) + (1 - share) * words
    if how.half_life_days and fades(file):
        score *= 0.5 ** (max(0.0, days) / how.half_life_days)
    return min(1.0, score)


def spread(scores: Sequence[float], texts: Sequence[str], lambdas: Sequence[float], most: int) -> list[int]:
    """Return the places of the best, each chosen for its score and for saying what those before it do not.

    Carbonell and Goldstein 1998, "The Use of MMR": likeness is that of words (Jaccard), scores are scaled to 0..1.

    Args:
        scores: of what is chosen from, best first.
        texts: what likeness is told by.
        lambdas: what the score counts in each, from 0 (only new words) to 1 (only the score).
        most: how many are chosen; the others follow as they came.
    """
    left = list(range(len(scores)))
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    stems = [word_set(text) for text in texts]
    nearest = [0.0] * len(scores)
    chosen: list[int] = []

    def worth(at: int) -> float:
        relevance = (scores[at] - low) / (high - low) if high > low else 1.0
        return lambdas[at] * relevance - (1 - lambdas[at]) * nearest[at]

    while left and len(chosen) < most:
        best = max(left, key=lambda at: (worth(at), -at))
        left.remove(best)
        chosen.append(best)
        for at in left:
            nearest[at] = max(nearest[at], jaccard(stems[at], stems[best]))
    return [*chosen, *left]
