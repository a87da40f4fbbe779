from datetime import timedelta

import pytest

from memdesk.domain.ageing.salience import decay
from memdesk.domain.ageing.timeline import past_curve
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import HistoryEntry
from tests.helpers.memory_rows import NOON

DAY = timedelta(days=1)


def fact(**fields):
    return MemoryItem(
        **{
            "id": "f",
            "agent_id": "ana",
            "content": "x",
            "origin": "distiller",
            "created_at": NOON,
            "updated_at": NOON,
            **fields,
        }
    )


def entry(day, salience):
    return HistoryEntry(
        id=str(day),
        agent_id="ana",
        kind="fact",
        ref_id="f",
        action="edit",
        actor="user",
        new={"salience": salience},
        at=NOON + day * DAY,
    )


def test_without_history_it_decayed_from_a_start_that_leads_to_now():
    faded = fact(salience=decay(0.8, 10), decayed_at=NOON + 10 * DAY)
    points = past_curve(faded, [], NOON + 12 * DAY)
    assert points[0] == (NOON, pytest.approx(0.8))
    assert points[-1] == (NOON + 12 * DAY, pytest.approx(decay(0.8, 12)))


def test_changes_are_jumps():
    lifted = fact(salience=0.9, decayed_at=NOON + 5 * DAY)
    points = past_curve(lifted, [entry(5, 0.9), entry(0, 0.5)], NOON + 6 * DAY)
    assert points[0] == (NOON, 0.5)
    before = [value for moment, value in points if moment < NOON + 5 * DAY]
    assert before == sorted(before, reverse=True)
    assert (NOON + 5 * DAY, 0.9) in points
    assert [moment for moment, _ in points] == sorted(moment for moment, _ in points)


def test_a_pinned_fact_stays_level():
    points = past_curve(fact(salience=0.7, user_pinned=True), [], NOON + 50 * DAY)
    assert {value for _, value in points} == {0.7}
