"""Ranks what a store found, with probabilities as scores.

A message stored as it is, with the rest of its conversation, is scored as recall scores a turn: together with its
neighbors, by recall's trained weights. Everything else is scored alone.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Final

import numpy as np

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.language.text import stem
from memdesk.domain.recalling.query import read_query
from memdesk.domain.recalling.ranking import Passage, Weights, passage_features, probabilities, stems_of
from memdesk.ports.item_store import ItemHit
from memdesk.settings.resources import resource_text

#: Minimum number of hits to rank, so that a message's neighbors are likely among them.
POOL: Final = 40
#: A turn's log odds at probability .5, and the slope: a logistic regression on the 5,060 pairs of a question and a message
#: in tests/data/recall/assistant_en.json and taught_people.json, with equal weight for matching and other pairs.
_MIDPOINT, _STEEPNESS = -5.86, 3.17


def place(conversation: str, position: int) -> str:
    return f"{conversation}:{position}"


def in_talk(item: MemoryItem) -> bool:
    """Return whether an item is a message stored with its conversation."""
    return item.parent_id is not None and item.key.startswith(f"{item.parent_id}:")


def ordered(query: str, hits: Sequence[ItemHit], now: datetime, calibrate: Callable[[float], float]) -> list[ItemHit]:
    """Return the hits, best first, each with its probability of being wanted.

    ``now`` is what "yesterday" in the query counts from; ``calibrate`` turns a store's score into a probability for
    what is scored alone.
    """
    said = [hit for hit in hits if in_talk(hit.item)]
    odds = dict(zip((hit.item.id for hit in said), _turns(query, said, now), strict=True))
    found = [ItemHit(hit.item, odds.get(hit.item.id, calibrate(hit.score)), hit.cosine) for hit in hits]
    return sorted(found, key=lambda hit: hit.score, reverse=True)


def _turns(text: str, hits: Sequence[ItemHit], now: datetime) -> list[float]:
    if not hits:
        return []
    query = read_query(text, now.date())
    passages = [_passage(hit.item) for hit in hits]
    held = Counter(root for one in passages for root in set(stems_of(one.text)))
    cosines = np.array([hit.cosine or 0.0 for hit in hits], dtype=np.float32).clip(-1, 1)
    known = any(hit.cosine is not None for hit in hits)
    features = passage_features(
        query,
        passages,
        frequency={term: held[stem(term)] for term in query.terms},
        rows=len(passages),
        # Stores return cosines, not vectors: only the component along the query is known, the rest is assumed to be equal.
        query_vector=np.array([1, 0], dtype=np.float32) if known else None,
        vectors=np.stack([cosines, np.sqrt(1 - cosines**2)], axis=1) if known else None,
    )
    chances = probabilities(features, _weights("hybrid" if known else "fts")).tolist()
    return [1 / (1 + math.exp(-_STEEPNESS * (_logit(one) - _MIDPOINT))) for one in chances]


def _passage(item: MemoryItem) -> Passage:
    said = (item.confirmed_at or item.created_at).date()
    answer = item.provenance == "assistant"
    position = int(item.key.rpartition(":")[2])
    return Passage(0, item.parent_id or "", position, "", item.content, said, answer)


def _logit(chance: float) -> float:
    kept = min(max(chance, 1e-12), 1 - 1e-6)
    return math.log(kept / (1 - kept))


@cache
def _weights(name: str) -> Weights:
    return Weights.from_dict(json.loads(resource_text("ranking", "transcript.json"))[name])
