"""Combines words and meaning into one score, for stores that cannot do both in one query."""

import heapq
import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Final, TypeVar

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.scope import ItemHit
from memdesk.domain.language.text import content_words, stem

K = TypeVar("K", bound=Hashable)
#: Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond"; the usual values.
K1: Final = 1.2
B: Final = 0.75
#: How much of the score left open by meaning the best match by words adds.
WORDS_SHARE: Final = 0.5


def terms(text: str) -> list[str]:
    """Return the stems by which a text is found."""
    return [stem(word) for word in content_words(text)]


def bm25(query: str, texts: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Return the score of each text that shares a term with the query.

    ``texts``: the terms of every text that may be found, by id; their frequencies show which words are rare.
    """
    wanted = set(terms(query))
    if not wanted or not texts:
        return {}
    mean = sum(len(found) for found in texts.values()) / len(texts) or 1.0
    counts = {name: Counter(term for term in found if term in wanted) for name, found in texts.items()}
    held = Counter(term for found in counts.values() for term in found)
    rarity = {term: math.log(1 + (len(texts) - number + 0.5) / (number + 0.5)) for term, number in held.items()}
    scores: dict[str, float] = {}
    for name, found in counts.items():
        room = K1 * (1 - B + B * len(texts[name]) / mean)
        score = sum(rarity[term] * number * (K1 + 1) / (number + room) for term, number in found.items())
        if score > 0:
            scores[name] = score
    return scores


def fused(cosine: float | None, words: float, best_words: float) -> float:
    """Return the score 0..1 of one hit.

    A match by words can only raise the score, so that it stays on the cosine's scale and a
    threshold means the same with and without words.

    Args:
        cosine: to the query's vector; None if only words were searched, or the item has no vector.
        words: its score by words.
        best_words: the highest of this answer.
    """
    near = max(0.0, cosine or 0.0)
    share = words / best_words if best_words > 0 else 0.0
    return min(1.0, near + (1 - near) * WORDS_SHARE * share)


def best(cosines: Mapping[int, float | None], words: Mapping[int, float], limit: int) -> list[int]:
    """Return the numbers of the best matches by meaning or by words, whose cosines are given; of equals the latest."""
    most = max(words.values(), default=0.0)
    return heapq.nlargest(limit, cosines, key=lambda seq: (fused(cosines[seq], words.get(seq, 0.0), most), seq))


def ranked(
    items: Mapping[K, MemoryItem], cosines: Mapping[K, float], words: Mapping[K, float], limit: int
) -> list[ItemHit]:
    """Return the best matches by meaning or by words, equal scores newest first; all use the same names."""
    most = max(words.values(), default=0.0)
    hits = [
        ItemHit(item, fused(cosines.get(name), words.get(name, 0.0), most), cosines.get(name))
        for name, item in items.items()
    ]
    hits.sort(key=lambda hit: (hit.score, hit.item.created_at, hit.item.id), reverse=True)
    return hits[:limit]
