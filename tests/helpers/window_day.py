"""A day at the window in its own process, for tracing what it accesses: ``python -m tests.helpers.window_day HOME ENGINE``.

A chat with a model run by another local program, its distillation, and the next day's scheduled pass. All is as
shipped except time: repeating work runs continually, and a day passes at once.
"""

from __future__ import annotations

import sys
import time
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

from PySide6.QtTest import QTest

from memdesk.bootstrap import wiring
from memdesk.gui.app import make_application
from memdesk.runtime import power
from memdesk.runtime.clock import SystemClock, ticks
from memdesk.runtime.scheduler import Scheduler
from tests.helpers.person import Person
from tests.helpers.window import window

SAID = "My sister Philippa keeps bees in Lisbon."
SOON = timedelta(seconds=2)
#: Longest wait for anything, in ms; a traced process on a busy machine is slow.
PATIENCE_MS = 240_000


class Bot:
    """What a person at the window needs of pytest-qt's bot."""

    wait = staticmethod(QTest.qWait)

    def waitUntil(self, reached, timeout=0):  # noqa: N802 - as pytest-qt calls it
        end = time.monotonic() + max(timeout, PATIENCE_MS) / 1000
        while not reached():
            assert time.monotonic() < end, "it did not happen in time"
            QTest.qWait(20)

    def __getattr__(self, name):
        return getattr(QTest, name)


class Time:
    """Goes by the machine's clocks, until a day is skipped."""

    skipped = timedelta(0)

    @classmethod
    def take_over(cls):
        now, every = SystemClock.now, Scheduler.every

        def soon(scheduler, _interval, work, *, key, **_when):
            every(scheduler, SOON, work, key=key, first_after=SOON)

        patch.object(SystemClock, "now", lambda clock: now(clock) + cls.skipped).start()
        patch.object(wiring, "ticks", lambda: ticks() + cls.skipped.total_seconds()).start()
        patch.object(Scheduler, "every", soon).start()
        # A laptop that runs from its battery makes no pass by itself.
        patch.object(power, "blocker", str).start()


def day(desk, engine):
    """Chat, let it be learned, look at it, and sleep until the next day's pass is over."""
    services, person, bot = desk.real, Person(desk), desk.qtbot
    model = "remote:lab/qwen3:4b"
    services.settings.update("engine", {"remoteServers": [{"name": "lab", "base_url": engine}], "chatModel": model})
    services.settings.update("memory", {"coreModel": model})
    desk.app.start_server()
    desk.app.start_background()
    desk.page("chat")
    person.write("Message Assistant", SAID)
    person.key("Return")
    person.await_text("Hello there.")
    bot.waitUntil(lambda: services.distillation.status()["pending"])
    learned = services.lanes.submit("background", services.distillation.distill)
    bot.waitUntil(learned.done)
    assert [outcome.outcome for outcome in learned.result()] == ["distilled"]
    person.press("Memory")
    person.await_text("Philippa")
    Time.skipped = timedelta(hours=24, minutes=10)
    bot.waitUntil(lambda: [run for run in services.consolidation.runs().items if run.status == "done"])
    assert [run.trigger for run in services.consolidation.runs().items] == ["schedule"]


if __name__ == "__main__":
    Time.take_over()
    with window(Path(sys.argv[1]), Bot(), make_application([]), embedder="own") as desk:
        day(desk, sys.argv[2])
