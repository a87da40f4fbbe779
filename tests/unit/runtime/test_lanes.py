"""Lanes, delayed calls and the clock."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime, timedelta, timezone

import pytest

from memdesk.errors import CancelledError
from memdesk.runtime.clock import SystemClock
from memdesk.runtime.lanes import ThreadLanes


@pytest.fixture
def lanes():
    lanes = ThreadLanes()
    yield lanes
    lanes.close()


def test_returns_results_and_errors(lanes):
    assert lanes.submit("interactive", lambda: 42).result(60) == 42
    with pytest.raises(ZeroDivisionError):
        lanes.submit("background", lambda: 1 / 0).result(60)


def test_background_work_never_holds_up_interactive_work(lanes):
    release = threading.Event()
    for _ in range(20):
        lanes.submit("background", lambda: release.wait(60))
    assert lanes.submit("interactive", lambda: "now").result(60) == "now"
    release.set()


def test_later_runs_once_after_its_time(lanes):
    ran = []
    done = threading.Event()
    started = time.monotonic()
    lanes.later(0.1, "background", lambda: (ran.append(time.monotonic() - started), done.set()), key="a")
    assert done.wait(60)
    assert ran[0] >= 0.1
    assert len(ran) == 1


def test_later_is_rearmed_by_its_key(lanes):
    ran = []
    done = threading.Event()
    lanes.later(0.5, "background", lambda: ran.append("first"), key="a")
    lanes.later(0.7, "background", lambda: (ran.append("second"), done.set()), key="a")
    assert done.wait(60)
    assert ran == ["second"]


def test_rearming_may_shorten(lanes):
    done = threading.Event()
    lanes.later(60, "background", lambda: None, key="a")
    lanes.later(0.01, "background", done.set, key="a")
    assert done.wait(60)


def test_forget_drops_a_delayed_call(lanes):
    ran = []
    done = threading.Event()
    lanes.later(0.5, "background", lambda: ran.append(1), key="a")
    lanes.forget("a")
    lanes.forget("unknown")
    lanes.later(0.7, "background", done.set, key="b")
    assert done.wait(60)
    assert ran == []


def fail_in_words():
    raise CancelledError("stopped")


@pytest.mark.expect_log
def test_an_error_in_delayed_work_is_told_and_does_not_stop_the_timer(lanes, caplog):
    done = threading.Event()
    lanes.later(0.01, "background", lambda: 1 / 0, key="a")
    lanes.later(0.02, "background", fail_in_words, key="b")
    lanes.later(0.2, "background", done.set, key="c")
    assert done.wait(60)
    lanes.close()
    assert [record.exc_info[0] for record in caplog.records if record.levelname == "ERROR"] == [ZeroDivisionError]


def test_close_waits_for_running_work_and_refuses_more():
    lanes = ThreadLanes()
    started, finished = threading.Event(), []
    lanes.submit("background", lambda: (started.set(), time.sleep(0.1), finished.append(1)))
    assert started.wait(60)
    lanes.later(60, "background", lambda: None, key="a")
    lanes.close()
    lanes.close()
    assert finished == [1]
    with pytest.raises(CancelledError):
        lanes.submit("interactive", lambda: None)
    lanes.later(0, "background", lambda: None, key="late")


def test_clock_is_aware_and_local():
    clock = SystemClock(timezone(timedelta(hours=5)))
    assert clock.now().tzinfo is UTC
    assert clock.local(datetime(2024, 1, 1, tzinfo=UTC)).hour == 5
