"""Scores, ages and diversifies passages of notes by the settings of their folder."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Final

from memdesk.domain.comparing.similarity import jaccard, word_set
from memdesk.settings.schema import NoteSearch

_DAY: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2})")


def day_of(file: str) -> datetime | None:
    """Return noon of the day in a file's name, as in daily notes; None if there is none."""
    day = _DAY.search(PurePosixPath(file).stem)
    try:
        return datetime(*map(int, day.groups()), 12, tzinfo=UTC) if day else None  # type: ignore[misc, arg-type]  # three numbers
    except ValueError:
        return None


def fades(file: str) -> bool:
    """Whether a file belongs to a day: ``MEMORY.md`` and files of ``memory/`` without a day are kept up to date."""
    path = PurePosixPath(file)
    kept_current = path.name.casefold() == "memory.md" or path.parts[0] == "memory"
    return day_of(file) is not None or not kept_current


def scored(
    how: NoteSearch, learned: float, *, words: float | None, cosine: float | None, file: str, days: float
) -> float:
    """Return the score 0..1 of a passage.

    Args:
        how: the settings of its folder.
        learned: how likely it is to answer, by the general ranking.
        words: its BM25 as a share of the best; None if it was found literally, which has no two parts.
        cosine: to the question; None without a vector, when only words count.
        file: the file it is in.
        days: its age.
    """
    score = learned
    if how.vector_weight is not None and words is not None:
        share = 0.0 if cosine is None else how.vector_weight
        score = share * max(0.0, cosine or 0.0) + (1 - share) * words
    if how.half_life_days and fades(file):
        score *= 0.5 ** (max(0.0, days) / how.half_life_days)
    return min(1.0, score)


def spread(scores: Sequence[float], texts: Sequence[str], lambdas: Sequence[float], most: int) -> list[int]:
    """Return the positions of the best, each chosen for its score and for adding to those before it.

    Carbonell and Goldstein 1998, "The Use of MMR": similarity is that of words (Jaccard), scores are scaled to 0..1.

    Args:
        scores: of the candidates, best first.
        texts: whose similarity is compared.
        lambdas: the weight of the score for each, from 0 (only new words) to 1 (only the score).
        most: how many are chosen; the others follow in their order.
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
