"""The schedule: APScheduler checks frequently; the pass waits for its time, mains power and the end of the user's chat."""

from __future__ import annotations

import threading
from datetime import timedelta
from types import SimpleNamespace

import psutil
import pytest

from memdesk.runtime import power
from memdesk.runtime.clock import SystemClock
from memdesk.runtime.lanes import ThreadLanes
from memdesk.runtime.scheduler import Scheduler
from memdesk.services.upkeep.consolidation import ConsolidationService
from tests.helpers.memory_rows import NOON, Desk

SOON = timedelta(milliseconds=10)


class Night:
    """A desk whose consolidation is asked again and again by the real scheduler, under a clock that is set."""

    def __init__(self, folder) -> None:
        self.desk = Desk(folder)
        self.desk.fact("The user plays chess", created_at=NOON - timedelta(days=9))
        self.streaming = False
        self.service = ConsolidationService(
            store=self.desk.store,
            clock=self.desk.clock,
            events=self.desk.bus,
            settings=self.desk.settings,
            blockers=[power.blocker],
            busy=lambda: self.streaming,
        )
        self.lanes = ThreadLanes()
        self.scheduler = Scheduler(self.lanes, SystemClock())
        self.asked = threading.Semaphore(0)
        self.scheduler.every(SOON, self.ask, key="consolidation", first_after=SOON, jitter=timedelta(seconds=0))
        self.scheduler.start()

    def ask(self) -> None:
        try:
            self.service.run_if_due()
        finally:
            self.asked.release()

    def passes(self) -> list[str]:
        """Wait until the scheduler has asked anew, and return what started the passes so far, newest first."""
        while self.asked.acquire(blocking=False):
            pass
        # The first of these may have begun before whatever was changed just now.
        for _ in range(2):
            assert self.asked.acquire(timeout=60)
        return [run.trigger for run in self.service.runs().items]

    def close(self) -> None:
        self.scheduler.close()
        self.lanes.close()
        self.desk.close()


@pytest.fixture
def machine(monkeypatch):
    state = SimpleNamespace(battery=None)
    monkeypatch.setattr(psutil, "sensors_battery", lambda: state.battery, raising=False)
    monkeypatch.setattr(psutil, "cpu_percent", lambda interval=None: 0.0)
    return state


@pytest.fixture
def night(tmp_path, machine):
    night = Night(tmp_path)
    yield night
    night.close()


def test_a_pass_comes_once_an_interval(night):
    assert night.passes() == []
    night.desk.clock.move(hours=23, minutes=59)
    assert night.passes() == []
    night.desk.clock.move(minutes=2)
    assert night.passes() == ["schedule"]
    assert night.passes() == ["schedule"]
    night.desk.clock.move(hours=24)
    assert night.passes() == ["schedule", "schedule"]


def test_what_was_slept_through_is_caught_up_once(night):
    night.desk.clock.move(days=5)
    assert night.passes() == ["catch_up"]
    assert night.passes() == ["catch_up"]


def test_not_at_launch(night):
    night.desk.clock.move(hours=25)
    assert night.passes() == ["schedule"]
    night.desk.clock.move(days=3)
    # The app was closed meanwhile and has just been started: the pass is overdue, and waits.
    night.service = ConsolidationService(
        store=night.desk.store, clock=night.desk.clock, events=night.desk.bus, settings=night.desk.settings
    )
    assert night.passes() == ["schedule"]
    assert night.service.schedule().waiting == "memdesk has just started."
    night.desk.clock.move(minutes=11)
    assert night.passes() == ["catch_up", "schedule"]


def test_not_on_a_battery_that_is_nearly_empty(night, machine):
    machine.battery = SimpleNamespace(percent=19, power_plugged=False)
    night.desk.clock.move(hours=25)
    assert night.passes() == []
    assert night.service.schedule().waiting == "The battery is low."
    machine.battery.power_plugged = True
    assert night.passes() == ["schedule"]


def test_not_while_a_chat_streams(night):
    night.streaming = True
    night.desk.clock.move(hours=25)
    assert night.passes() == []
    assert night.service.next_run()["waiting"] == "A chat is being answered."
    night.streaming = False
    assert night.passes() == ["schedule"]
