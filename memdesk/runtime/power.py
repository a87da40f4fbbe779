"""Whether now is a good moment for heavy background work."""

import psutil

from memdesk.messages import say

#: On battery, background work waits below this charge, in percent.
LOW_BATTERY = 20
#: Above this share of busy processors, background work waits.
BUSY_PERCENT = 85.0


def on_low_battery() -> bool:
    """Whether the machine runs on a nearly empty battery. False without a battery."""
    sensors = getattr(psutil, "sensors_battery", None)
    battery = sensors() if sensors is not None else None
    return bool(battery is not None and not battery.power_plugged and battery.percent < LOW_BATTERY)


def machine_is_busy() -> bool:
    """Whether the processors were busy since the last call (or in the last moments, at the first)."""
    return float(psutil.cpu_percent(interval=None)) > BUSY_PERCENT


def blocker() -> str:
    """Return a sentence why background work should wait; empty if it need not."""
    if on_low_battery():
        return say("The battery is low.")
    if machine_is_busy():
        return say("The machine is busy.")
    return ""
