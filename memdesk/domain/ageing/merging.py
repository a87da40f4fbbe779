"""Merges two near-duplicates: the older row stays and takes over what only the newer one had."""

import uuid
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from memdesk.domain.comparing.comparison import quote_carries
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.language.text import one_line
from memdesk.domain.models import FactSource, Provenance

#: An episode never has more details than this, however many it takes over.
MAX_DETAILS = 48

#: Whose words carry more weight, best first.
_WEIGHT: tuple[Provenance, ...] = ("user", "import", "document", "tool", "assistant")

S = TypeVar("S")


def merged_fact(older: MemoryItem, newer: MemoryItem, now: datetime) -> MemoryItem:
    """Return the older fact with the newer one's sources, tags and counts; words and id stay the older's."""
    held = {source.turn_id for source in older.sources}
    fresh = [source for source in newer.sources if source.turn_id not in held]
    sources = (*older.sources, *(source for source in fresh if _carries(source, older)))
    more = newer if newer.salience > older.salience else older
    return replace(
        older,
        sources=sources,
        source_count=_joined_count(older, newer, len(sources)),
        tags=_union(older.tags, newer.tags),
        salience=more.salience,
        decayed_at=more.decayed_at or more.created_at,
        use_count=older.use_count + newer.use_count,
        last_used=_later(older.last_used, newer.last_used),
        confirmed_at=_later(older.confirmed_at or older.created_at, newer.confirmed_at or newer.created_at),
        confidence=max(older.confidence, newer.confidence),
        provenance=min(older.provenance, newer.provenance, key=_WEIGHT.index),
        updated_at=now,
    )


def merged_episode(older: MemoryItem, newer: MemoryItem, now: datetime) -> MemoryItem:
    """Return the older episode with the newer one's details, topics and counts; summary and id stay the older's."""
    more = newer if newer.salience > older.salience else older
    mine, theirs = older.session, newer.session
    return replace(
        older,
        tags=_union(older.tags, newer.tags),
        digest=replace(
            mine,
            entities=_union(mine.entities, theirs.entities),
            decisions=_union(mine.decisions, theirs.decisions),
            action_items=_union(mine.action_items, theirs.action_items),
            details=_joined_details(older.id, mine.details, theirs.details),
            started_at=min(mine.started_at, theirs.started_at),
            ended_at=max(mine.ended_at, theirs.ended_at),
        ),
        salience=more.salience,
        decayed_at=more.decayed_at or more.created_at,
        source_count=older.source_count + newer.source_count,
        use_count=older.use_count + newer.use_count,
        last_used=_later(older.last_used, newer.last_used),
        updated_at=now,
    )


def _carries(source: FactSource, fact: MemoryItem) -> bool:
    """Whether a source states the fact's object; one without a quote is the row's own and says what the row says."""
    return not source.quote or quote_carries(source.quote, fact.statement)


def _joined_count(older: MemoryItem, newer: MemoryItem, distinct: int) -> int:
    """Add up counts, minus the turns that both facts cite."""
    shared = len(older.sources) + len(newer.sources) - distinct
    return max(1, distinct, older.source_count + newer.source_count - shared)


def _joined_details(
    keeper: str, older: tuple[MemoryItem, ...], newer: tuple[MemoryItem, ...]
) -> tuple[MemoryItem, ...]:
    """The newer episode keeps its own rows, so that a merge can be undone; the older one gets copies, named by both."""
    held = {one_line(detail.content).casefold() for detail in older}
    fresh = tuple(
        replace(detail, id=_taken_in_id(keeper, detail.id), seq=0)
        for detail in newer
        if one_line(detail.content).casefold() not in held
    )
    return (*older, *fresh)[: max(MAX_DETAILS, len(older))]


def _taken_in_id(keeper: str, detail_id: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{keeper}/{detail_id}"))


def _union(older: Iterable[S], newer: Iterable[S]) -> tuple[S, ...]:
    return tuple(dict.fromkeys((*older, *newer)))


def _later(left: datetime | None, right: datetime | None) -> datetime | None:
    return max((moment for moment in (left, right) if moment is not None), default=None)
