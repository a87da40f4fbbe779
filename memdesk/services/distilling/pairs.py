"""Finds the few pairs of a new line and a remembered fact that rules cannot settle, for a model to judge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from memdesk.domain.comparing.similarity import jaccard, word_set
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.statement import Statement
from memdesk.domain.reading.candidates import Candidate
from memdesk.domain.reading.judging import MAX_PAIRS, UNCLEAR_WORDS, Pair, judge, unclear
from memdesk.domain.reading.selection import may_change_a_fact
from memdesk.ports import Vectors

#: Facts that are looked at for one line, the likeliest by words.
LOOKED_AT: Final = 6


def unclear_pairs(
    lines: Sequence[Candidate],
    neighbors: Callable[[str, Statement | None], Sequence[MemoryItem]],
    embed: Callable[[Sequence[str]], Vectors | None],
    said_at: datetime,
) -> list[Pair]:
    """Return at most :data:`MAX_PAIRS` pairs, each line and each fact once, those that look opposed first.

    Args:
        lines: of the session, best first; only single statements of a person are asked about.
        neighbors: gives the active facts that a line may concern.
        embed: gives unit vectors, or None where there is no embedder.
        said_at: when the session ended.
    """
    opposed: list[Pair] = []
    middling: list[Pair] = []
    for line in filter(may_change_a_fact, lines):
        near = _nearest(line, neighbors(line.text, line.statement))
        verdict = judge(line.statement, line.text, [fact for _, fact in near], said_at)
        if verdict.card and verdict.target is not None:
            opposed.append(Pair(line, verdict.target))
        elif verdict.action == "ADD" and (fact := _middling(line, near, embed)) is not None:
            middling.append(Pair(line, fact))
    found: list[Pair] = []
    for pair in (*opposed, *middling):
        if all(pair.fact.id != other.fact.id for other in found):
            found.append(pair)
    return found[:MAX_PAIRS]


def _nearest(line: Candidate, facts: Sequence[MemoryItem]) -> list[tuple[float, MemoryItem]]:
    mine = word_set(line.text)
    likeness = [(jaccard(mine, word_set(fact.content)), fact) for fact in facts]
    near = [pair for pair in likeness if pair[0] >= UNCLEAR_WORDS[0] and not _same_turns(line, pair[1])]
    return sorted(near, key=lambda pair: (-pair[0], pair[1].id))[:LOOKED_AT]


def _same_turns(line: Candidate, fact: MemoryItem) -> bool:
    """What rests on the very same turns is the same statement, read again."""
    return {source.turn_id for source in fact.sources} >= set(line.turn_ids)


def _middling(
    line: Candidate, near: Sequence[tuple[float, MemoryItem]], embed: Callable[[Sequence[str]], Vectors | None]
) -> MemoryItem | None:
    if not near:
        return None
    vectors = embed([line.text, *(fact.content for _, fact in near)])
    cosines = [float(value) for value in vectors[1:] @ vectors[0]] if vectors is not None else [None] * len(near)
    both = zip(near, cosines, strict=True)
    return next((fact for (words, fact), cosine in both if unclear(words, cosine)), None)
