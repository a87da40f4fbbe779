"""Repeating work."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from memdesk.errors import LockedError
from memdesk.runtime.clock import SystemClock
from memdesk.runtime.lanes import ThreadLanes
from memdesk.runtime.scheduler import Scheduler

SOON = timedelta(milliseconds=20)
HOUR = timedelta(hours=1)


@pytest.fixture
def lanes():
    lanes = ThreadLanes()
    yield lanes
    lanes.close()


@pytest.fixture
def scheduler(lanes):
    scheduler = Scheduler(lanes, SystemClock())
    yield scheduler
    scheduler.close()


def test_runs_again_and_again_on_a_lane(scheduler):
    names, often = [], threading.Event()

    def work():
        names.append(threading.current_thread().name)
        if len(names) == 3:
            often.set()

    scheduler.every(SOON, work, key="a")
    scheduler.start()
    scheduler.start()
    assert often.wait(60)
    assert all(name.startswith("memdesk-background") for name in names)


def test_jobs_may_come_before_and_after_the_start(scheduler):
    early, late = threading.Event(), threading.Event()
    scheduler.every(HOUR, early.set, key="early", first_after=SOON)
    scheduler.start()
    scheduler.every(HOUR, late.set, key="late", first_after=SOON, jitter=timedelta(seconds=1))
    assert early.wait(60)
    assert late.wait(60)


def test_what_was_missed_is_caught_up_once(scheduler):
    runs, done = [], threading.Event()
    scheduler.every(HOUR, lambda: (runs.append(1), done.set()), key="a", first_after=timedelta(hours=-5))
    scheduler.start()
    assert done.wait(60)
    done.clear()
    assert not done.wait(0.3)
    assert runs == [1]


def test_a_job_never_overlaps_itself(scheduler):
    release, running, started = threading.Event(), [], threading.Event()

    def work():
        running.append(1)
        started.set()
        release.wait(60)

    scheduler.every(SOON, work, key="a")
    scheduler.start()
    assert started.wait(60)
    other = threading.Event()
    scheduler.every(HOUR, other.set, key="b", first_after=timedelta(milliseconds=200))
    assert other.wait(60)
    assert running == [1]
    release.set()


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(ValueError("x"), marks=pytest.mark.expect_log),
        # A lock is nothing to complain of.
        LockedError("The memory is closed."),
    ],
    ids=["a fault", "a lock"],
)
def test_a_failing_job_goes_on(scheduler, error):
    runs, twice = [], threading.Event()

    def work():
        runs.append(1)
        if len(runs) == 2:
            twice.set()
        raise error

    scheduler.every(SOON, work, key="a")
    scheduler.start()
    assert twice.wait(60)


def test_close_is_idempotent(scheduler):
    scheduler.start()
    scheduler.close()
    scheduler.close()
