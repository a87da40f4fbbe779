"""When the next pass is due, whatever happened to the clock and to earlier passes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memdesk.domain.models import Run
from memdesk.services.moments import day_start
from memdesk.services.upkeep.schedule import GRACE, RETRY, schedule

NOON = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def run(started_at, status="done"):
    return Run(id=str(started_at), status=status, started_at=started_at)


def ask(now, *runs, launched_at=NOON, since=NOON, blockers=()):
    return schedule(now=now, launched_at=launched_at, since=since, interval=DAY, runs=runs, blockers=blockers)


def test_the_first_pass_comes_though_the_app_is_closed_every_evening():
    for evening in range(1, 4):
        launched_at = NOON + evening * DAY
        assert ask(launched_at + timedelta(hours=1), launched_at=launched_at).overdue


def test_an_interval_after_the_last_that_was_made():
    assert ask(NOON + DAY, run(NOON)).overdue
    assert not ask(NOON + timedelta(hours=23), run(NOON)).overdue
    # One that was cancelled is none; one that was undone was made.
    assert ask(NOON + DAY, run(NOON + timedelta(hours=9), "cancelled"), run(NOON)).overdue
    assert not ask(NOON + DAY, run(NOON + timedelta(hours=9), "undone"), run(NOON)).overdue


def test_an_interrupted_one_is_due_at_once():
    for started_at in (NOON, NOON + 9 * DAY):
        assert ask(NOON + timedelta(hours=1), run(started_at, "running"), run(NOON - DAY)).overdue


@pytest.mark.parametrize("how", ["failed", "cancelled"])
def test_one_that_failed_or_was_stopped_is_tried_again_but_not_every_few_minutes(how):
    failed = run(NOON + DAY, how)
    assert not ask(NOON + DAY + RETRY / 2, failed, run(NOON)).overdue
    assert ask(NOON + DAY + RETRY, failed, run(NOON)).overdue


def test_a_clock_that_was_set_back_does_not_stop_the_passes():
    ahead = run(NOON + 400 * DAY)
    # What was made under the wrong date counts neither as the last pass nor as one of today.
    assert ask(NOON + DAY, ahead, run(NOON)).overdue
    assert not ask(NOON + DAY, ahead, run(NOON + DAY)).overdue
    assert ask(NOON + DAY, ahead, run(NOON), launched_at=NOON + 400 * DAY).waiting == ""


def test_not_right_after_the_start_and_not_while_something_says_so():
    late = NOON + 5 * DAY
    assert ask(late, run(NOON), launched_at=late - GRACE / 2).waiting == "memdesk has just started."
    assert ask(late, run(NOON), blockers=[lambda: "", lambda: "The battery is low."]).waiting == "The battery is low."
    leap = ask(late, run(NOON), launched_at=late - GRACE / 2, blockers=[lambda: "The clock leapt."])
    assert leap.waiting == "The clock leapt."


class OffsetClock:
    """Tells local times as the system does: with the offset of the moment and no rules of a zone."""

    def __init__(self, zone):
        self._zone = ZoneInfo(zone)

    def now(self):
        raise AssertionError("not asked")

    def local(self, when):
        return datetime.fromisoformat(when.astimezone(self._zone).isoformat())


@pytest.mark.parametrize(
    ("now", "began"),
    [
        # Clocks go forward at 2 and back at 3 in the morning.
        (datetime(2026, 3, 29, 10, tzinfo=UTC), datetime(2026, 3, 28, 23, tzinfo=UTC)),
        (datetime(2026, 10, 25, 11, tzinfo=UTC), datetime(2026, 10, 24, 22, tzinfo=UTC)),
        (datetime(2026, 7, 1, 22, 30, tzinfo=UTC), datetime(2026, 7, 1, 22, tzinfo=UTC)),
    ],
)
def test_a_day_begins_at_the_users_midnight(now, began):
    assert day_start(OffsetClock("Europe/Berlin"), now) == began
