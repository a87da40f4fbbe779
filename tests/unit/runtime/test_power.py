"""When background work waits for the machine."""

from __future__ import annotations

from types import SimpleNamespace

import psutil
import pytest

from memdesk.runtime import power


@pytest.fixture
def machine(monkeypatch):
    """A machine with a battery and processors to be set."""
    state = SimpleNamespace(battery=None, busy=0.0)
    monkeypatch.setattr(psutil, "sensors_battery", lambda: state.battery, raising=False)
    monkeypatch.setattr(psutil, "cpu_percent", lambda interval=None: state.busy)
    return state


@pytest.mark.parametrize(
    ("percent", "plugged", "waits"), [(19.9, False, True), (20, False, False), (80, False, False), (5, True, False)]
)
def test_a_battery_below_a_fifth_holds_up_unless_it_is_charged(machine, percent, plugged, waits):
    machine.battery = SimpleNamespace(percent=percent, power_plugged=plugged)
    assert power.blocker() == ("The battery is low." if waits else "")


def test_a_machine_without_a_battery_is_not_held_up(machine, monkeypatch):
    assert power.blocker() == ""
    monkeypatch.delattr(psutil, "sensors_battery")
    assert power.blocker() == ""


def test_busy_processors_hold_up(machine):
    machine.busy = 95.0
    assert power.blocker() == "The machine is busy."
