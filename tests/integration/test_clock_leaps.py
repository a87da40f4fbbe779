"""Jumps of the clock: no scheduled pass removes anything until a person confirms the time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memdesk.services.upkeep.applying import UNDO_DAYS
from memdesk.services.upkeep.consolidation import ConsolidationService
from tests.helpers.memory_rows import NOON, Desk

YEARS = timedelta(days=730)


class Leaping:
    """A memory whose clock is set, beside one that only runs on."""

    def __init__(self, folder):
        self.desk = Desk(folder)
        self.elapsed = 0.0
        for number in range(5):
            self.desk.fact(f"The user keeps bee number {number}", created_at=NOON - timedelta(days=3))
        self.start()

    def start(self):
        self.service = ConsolidationService(
            store=self.desk.store,
            clock=self.desk.clock,
            events=self.desk.bus,
            settings=self.desk.settings,
            ticks=lambda: self.elapsed,
        )

    def sleep(self, passed):
        """Let both clocks run on."""
        self.elapsed += passed.total_seconds()
        self.desk.clock.move(seconds=(passed).total_seconds())

    def facts(self):
        with self.desk.store.read() as repos:
            return len(repos.items.active("ana"))


@pytest.fixture
def leaping(tmp_path):
    made = Leaping(tmp_path)
    made.service.run_if_due()
    yield made
    made.desk.close()


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("leap", [YEARS, -YEARS])
def test_a_pass_waits_when_the_clock_leapt_and_comes_once_a_person_asks(leaping, restarted, leap):
    leaping.desk.clock.move(seconds=(leap).total_seconds())
    if restarted:
        leaping.start()
    leaping.sleep(timedelta(hours=1))
    assert leaping.service.run_if_due() is None
    assert leaping.facts() == 5
    if leap > timedelta(0):
        assert "The clock went from" in leaping.service.schedule().waiting
    assert leaping.service.run(trigger="user").run.status == "done"
    leaping.sleep(timedelta(days=2))
    assert "clock" not in leaping.service.schedule().waiting


def test_a_clock_that_is_put_right_again_lets_passes_go_on(leaping):
    leaping.desk.clock.move(seconds=(YEARS).total_seconds())
    assert leaping.service.run_if_due() is None
    leaping.desk.clock.move(seconds=(-YEARS).total_seconds())
    leaping.sleep(timedelta(days=2))
    assert leaping.service.run_if_due() is not None


def test_no_pass_after_a_leap_empties_the_bin_until_the_days_of_undoing_went_by(leaping):
    faded = leaping.desk.fact("A faded remark about the weather", created_at=NOON - timedelta(days=400), salience=0.21)

    def there():
        return faded.id in {fact.id for fact in leaping.desk.every_fact()}

    leaping.service.run(trigger="user")
    assert leaping.service.bin("ana").total == 1
    leaping.desk.clock.move(seconds=YEARS.total_seconds())
    for _ in range(3):
        leaping.service.run(trigger="api")
        leaping.sleep(timedelta(days=5))
    assert there()
    leaping.sleep(timedelta(days=UNDO_DAYS))
    leaping.service.run(trigger="user")
    assert not there()


def test_a_long_sleep_of_the_machine_is_no_leap(leaping):
    leaping.sleep(timedelta(days=100))
    assert leaping.service.run_if_due() is not None


def test_a_month_with_the_app_closed_is_no_leap(leaping):
    leaping.desk.clock.move(days=30)
    leaping.start()
    leaping.sleep(timedelta(hours=1))
    assert leaping.service.run_if_due() is not None
