"""Pairs of statements told over two chats: which the memory takes for the same, an update, a reversal, or two facts.

A row of a set (``tests/data/comparing/*.jsonl``) has a ``class`` and what was ``said``, with dates; chains are skipped.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from memdesk.bench.shared import rows_in
from memdesk.domain.comparing.comparison import compare
from memdesk.domain.comparing.relations import claim_of
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import FactStatus

#: Columns of :func:`spent`.
SPENT: Final = "  seconds  calls  tokens"


@dataclass(slots=True)
class Right:
    """How many pairs of each class came out as labeled, and what came out instead."""

    pairs: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)

    def add(self, label: str, outcome: str) -> None:
        self.pairs[label] += 1
        self.right[label] += label == outcome

    def report(self) -> dict[str, Any]:
        shares = {label: round(self.right[label] / count, 4) for label, count in self.pairs.items()}
        return shares | {"all": round(self.right.total() / max(1, self.pairs.total()), 4), "pairs": self.pairs.total()}


def load_pairs(path: Path) -> list[dict[str, Any]]:
    return [row for row in rows_in(path) if row["class"] != "chain"]


def outcome_of(facts: Sequence[MemoryItem], chats: tuple[str, str]) -> str:
    """Return the result of two chats: ``keep``, ``same``, ``update`` or ``reversal``; empty if one was not read."""
    old, new = ([fact for fact in facts if fact.run_id == chat] for chat in chats)
    over = [fact for fact in old if fact.status is FactStatus.SUPERSEDED]
    if over:
        return "update" if any(_is_replaced(fact, new) for fact in over) else "reversal"
    if old and any(_is_active(fact) for fact in new):
        return "keep"
    return "same" if any(fact.source_count > 1 or fact.confirmed_at is not None for fact in old) else ""


def _is_active(fact: MemoryItem) -> bool:
    return fact.status is FactStatus.ACTIVE


def _is_replaced(over: MemoryItem, new: Sequence[MemoryItem]) -> bool:
    """Whether another value took the place of what is over: by fields, as said to be so now, or as what odds ended it by."""
    told = [(fact, fact.statement) for fact in new if _is_active(fact) and fact.statement is not None]
    proven = [compare(one, over.statement).outcome if over.statement is not None else "" for _, one in told]
    if "update" in proven:
        return True
    others = [(fact, claim_of(one)) for (fact, one), found in zip(told, proven, strict=True) if found != "reversal"]
    by_odds = "reversal" not in proven
    return any(one.positive and (one.marked or (by_odds and fact.id == over.superseded_by)) for fact, one in others)


def table(
    sets: dict[str, dict[str, Any]], classes: Iterable[str] = ("keep", "same", "update", "reversal", "all")
) -> str:
    if not sets:
        return ""
    rows = [f"{'pairs right':28}" + "".join(f"{name:>10}" for name in classes) + SPENT]
    rows += [
        f"{name:28}" + "".join(f"{part.get(each, 0):10.3f}" for each in classes) + spent(part)
        for name, part in sets.items()
    ]
    return "\n".join(rows)


def spent(part: dict[str, Any]) -> str:
    """Return the cost of a session, in the columns of :data:`SPENT`."""
    seconds, calls, tokens = (part.get(f"{name}_per_session", 0) for name in ("seconds", "calls", "tokens"))
    return f"{seconds:9.2f}{calls:7.2f}{tokens:8.0f}"
