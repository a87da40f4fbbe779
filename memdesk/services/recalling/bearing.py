"""What must never be missed: allergies, diets, conditions, medicines and standing instructions, shown with whatever they bear on.

No word of "What should I cook tonight?" is like "The user is allergic to hazelnuts". A message bears on an attribute when
it is about as alike to one of the situations in ``resources/ranking/bearing.toml`` as to any on which nothing bears, or more, and
more alike than those are.
"""

from __future__ import annotations

import threading
import tomllib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from memdesk.domain.reading.care import CARE
from memdesk.services.recalling.question import fact_passes
from memdesk.settings.resources import resource_text

if TYPE_CHECKING:
    from memdesk.domain.items.item import MemoryItem
    from memdesk.ports import Repositories, Vectors
    from memdesk.services.recalling.index.indexing import IndexingService
    from memdesk.services.recalling.question import Question

#: Bears on every reply.
INSTRUCTION: Final = "instruction"
#: Situations on which nothing bears.
NOTHING: Final = "nothing"
#: A message bears on an attribute from so many standard deviations above the likeness of those to its situations, and from so
#: much below its own likeness to them, in cosine: to show what did not bear costs a line, to miss what did may cost a life.
DEVIATIONS: Final = 0.5
MARGIN: Final = 0.03
#: Lines shown at most, the newest first.
MOST: Final = 8


def bears(item: MemoryItem, touched: frozenset[str] | None) -> bool:
    """Return whether an item that somebody must not miss, if it is one, bears on what :meth:`Bearing.touched` gave."""
    attribute = item.statement.attribute if item.statement is not None else ""
    return touched is None or attribute not in CARE or attribute in touched


@dataclass(frozen=True, slots=True)
class _Situations:
    """Vectors of an attribute's situations, shape (n, dim), and the cosine from which a message is one of them."""

    vectors: Vectors
    least: float


@cache
def situations() -> dict[str, tuple[str, ...]]:
    """Return the situations of each attribute, and those of :data:`NOTHING`."""
    table = tomllib.loads(resource_text("ranking", "bearing.toml"))
    return {attribute: tuple(texts) for attribute, texts in table.items()}


class Bearing:
    """Finds the statements that a message must not be answered without. Thread-safe.

    Args:
        indexing: embeds the situations, once for each model.
    """

    def __init__(self, indexing: IndexingService) -> None:
        self._indexing = indexing
        self._lock = threading.Lock()
        self._known: dict[str, dict[str, _Situations]] = {}

    def facts(self, repos: Repositories, asked: Question) -> list[MemoryItem]:
        """Return what bears on a question, newest first; all there is where nothing tells what the question is about."""
        found = repos.items.of_attributes(asked.agent_id, sorted(CARE))
        if not found:
            return []
        seqs = [fact.seq for fact in found]
        hidden = repos.items.withheld(seqs) | repos.items.lapsed(seqs, asked.now)
        touched = self.touched(asked)
        kept = [
            fact
            for fact in found
            if fact.seq not in hidden
            and fact_passes(fact, asked)
            and (asked.as_of is None or fact.created_at <= asked.as_of)
            and bears(fact, touched)
        ]
        return sorted(kept, key=lambda fact: fact.updated_at, reverse=True)[:MOST]

    def touched(self, asked: Question) -> frozenset[str] | None:
        """Return the attributes that bear on a question; None where nothing tells, so that any may."""
        known = None if asked.vector is None else self._situations(asked.model)
        if known is None or asked.vector is None:
            return None
        likeness = {name: float((one.vectors @ asked.vector).max()) for name, one in known.items()}
        other = likeness.pop(NOTHING) - MARGIN
        return frozenset(
            [INSTRUCTION, *(name for name, alike in likeness.items() if alike >= max(known[name].least, other))]
        )

    def _situations(self, model: str) -> dict[str, _Situations] | None:
        with self._lock:
            known = self._known.get(model)
        if known is not None:
            return known
        nothing = self._embedded(situations()[NOTHING], model)
        made = {}
        for attribute, texts in situations().items():
            vectors = self._embedded(texts, model)
            if nothing is None or vectors is None:
                return None
            best = (nothing @ vectors.T).max(axis=1)
            made[attribute] = _Situations(vectors, float(best.mean() + DEVIATIONS * best.std()))
        with self._lock:
            self._known[model] = made
        return made

    def _embedded(self, texts: tuple[str, ...], model: str) -> Vectors | None:
        embedded = self._indexing.embed_queries(texts)
        return embedded[1] if embedded is not None and embedded[0] == model else None
