"""A fact's past salience, reconstructed from its present value and its history."""

from collections.abc import Iterable
from datetime import datetime

from memdesk.domain.ageing.salience import curve, decay, elapsed_days
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import HistoryEntry

#: Points on the curve between two changes.
_POINTS = 16


def past_curve(fact: MemoryItem, history: Iterable[HistoryEntry], now: datetime) -> list[tuple[datetime, float]]:
    """Return ``(moment, salience)`` from the fact's creation to ``now``.

    Between two changes in the history (made, edited, promoted, merged) salience decays; a change is
    a jump. A fact that the user pinned or wrote does not decay.

    The last point is the present salience; ``history`` may be in any order.
    """
    jumps = sorted(_jumps(fact, history, now))
    points: list[tuple[datetime, float]] = []
    for number, (start, value) in enumerate(jumps):
        end = jumps[number + 1][0] if number + 1 < len(jumps) else now
        if fact.lasts:
            points += [(start, value), (end, value)]
        else:
            points += curve(value, start, end, points=_POINTS)
    held = fact.salience
    if not fact.lasts:
        held = decay(held, elapsed_days(fact.decayed_at or fact.created_at, now))
    return [*(point for point in points if point[0] < now), (now, held)]


def _jumps(fact: MemoryItem, history: Iterable[HistoryEntry], now: datetime) -> list[tuple[datetime, float]]:
    """Return when salience was set and to what; without history, one start that leads to the present value."""
    found = [
        (entry.at, float(entry.new["salience"]))
        for entry in history
        if entry.new and "salience" in entry.new and fact.created_at <= entry.at <= now
    ]
    if found:
        return found
    mark = fact.decayed_at or fact.created_at
    faded = decay(1.0, elapsed_days(fact.created_at, mark))
    return [(fact.created_at, min(1.0, fact.salience / faded) if not fact.lasts else fact.salience)]
