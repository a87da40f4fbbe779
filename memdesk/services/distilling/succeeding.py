"""Finds what a new statement most likely takes the place of, where fields do not prove it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

import numpy as np

from memdesk.domain.comparing.comparison import compare
from memdesk.domain.comparing.similarity import jaccard, word_set
from memdesk.domain.comparing.succession import LANGUAGE, Succession, succession
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.statement import USER, Statement
from memdesk.domain.reading.candidates import Candidate
from memdesk.domain.reading.judging import said_at_of
from memdesk.ports import Vectors

#: Known facts that are weighed for one line, the likeliest by words, attribute and subject.
WEIGHED: Final = 8
#: What one attribute and one subject count beside shared words.
_SAME_ATTRIBUTE, _SAME_SUBJECT = 0.5, 0.2


class Successor:
    """Weighs lines against known facts; each text is embedded once.

    Args:
        embed: gives unit vectors, or None where there is no embedder.
        judge: weighs a pair; as labeled pairs have taught by default.
    """

    def __init__(
        self, embed: Callable[[Sequence[str]], Vectors | None], judge: Callable[[], Succession] = succession
    ) -> None:
        self._embed = embed
        self._judge = judge
        self._known: dict[str, Vectors] = {}
        self._words: dict[str, frozenset[str]] = {}

    def likeliest(
        self, line: Candidate, facts: Sequence[MemoryItem], said_at: datetime
    ) -> tuple[float, MemoryItem] | None:
        """Return the fact that a line most likely takes the place of, and how likely; None where there is nothing to weigh.

        Args:
            line: a new statement.
            facts: what is known.
            said_at: when the line was said; what was said later is left alone.
        """
        new = line.statement
        if new is None or new.language != LANGUAGE:
            return None
        near = self._nominated(line, new, facts, said_at)
        vectors = self._vectors([line.text, *(fact.content for fact, _ in near)]) if near else None
        judge = self._judge()
        weighed = []
        for place, (fact, known) in enumerate(near, 1):
            cosine = None if vectors is None else float(vectors[0] @ vectors[place])
            weighed.append((judge.probability(new, known, (line.text, fact.content), cosine), fact))
        return max(weighed, key=lambda one: (one[0], one[1].id), default=None)

    def _nominated(
        self, line: Candidate, new: Statement, facts: Sequence[MemoryItem], said_at: datetime
    ) -> list[tuple[MemoryItem, Statement]]:
        mine, turns = word_set(line.text), set(line.turn_ids)
        found = []
        for fact in facts:
            known = fact.statement
            if known is None or known.language != LANGUAGE or said_at_of(fact) >= said_at:
                continue
            if {source.turn_id for source in fact.sources} & turns:
                continue
            theirs = self._words.get(fact.id)
            if theirs is None:  # each line of a session is put to the same facts
                theirs = self._words[fact.id] = word_set(fact.content)
            share = jaccard(mine, theirs)
            share += _SAME_ATTRIBUTE * (bool(known.attribute) and known.attribute == new.attribute)
            share += _SAME_SUBJECT * (known.subject == new.subject != USER)
            if share > 0:
                found.append((share, fact, known))
        found.sort(key=lambda one: (-one[0], one[1].id))
        return [(fact, known) for _, fact, known in found[:WEIGHED] if compare(new, known).outcome == "unrelated"]

    def _vectors(self, texts: Sequence[str]) -> Vectors | None:
        fresh = [text for text in dict.fromkeys(texts) if text not in self._known]
        if fresh:
            vectors = self._embed(fresh)
            if vectors is None:
                return None
            self._known |= dict(zip(fresh, vectors, strict=True))
        return np.stack([self._known[text] for text in texts])
