"""Similarity of two texts by their words: Jaccard, containment."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Set as AbstractSet

from memdesk.domain.language.text import topic_stem, words


def jaccard(left: Collection[str], right: Collection[str]) -> float:
    """Return the share of common members, 0..1; 0 for two empty collections."""
    # The two built-in sets first: checking the abstract class costs more than the rest.
    a = left if isinstance(left, (frozenset, set, AbstractSet)) else set(left)
    b = right if isinstance(right, (frozenset, set, AbstractSet)) else set(right)
    if not a or not b:
        return 0.0
    common = len(a & b)
    return common / (len(a) + len(b) - common)


def word_set(text: str) -> frozenset[str]:
    """Return the stems of the content words of ``text``, for :func:`jaccard`."""
    return frozenset(filter(None, map(topic_stem, words(text))))


def containment(part: Collection[str], whole: Collection[str]) -> float:
    """Return the share of ``part``'s distinct members that ``whole`` has, 0..1 (0 for an empty part)."""
    wanted = set(part)
    return len(wanted & set(whole)) / len(wanted) if wanted else 0.0
