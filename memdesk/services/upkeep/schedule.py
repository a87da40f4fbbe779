"""When the next pass is due, and why it waits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from memdesk.domain.models import Run
from memdesk.messages import say

#: Returns a sentence for the user why background work should wait; empty if it need not.
Blocker = Callable[[], str]

#: Delay after the start, when the user needs the machine.
GRACE: Final = timedelta(minutes=10)
#: Minimum delay after a pass that failed or was stopped.
RETRY: Final = timedelta(hours=1)
#: Delay from which a pass counts as catching up (the machine slept, the app was closed).
LATE: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The state of the schedule.

    Attributes:
        waiting: why an overdue pass has not started; empty if it may start now or is not due.
        last: the last pass.
    """

    at: datetime
    overdue: bool
    waiting: str
    last: Run | None


def schedule(
    *,
    now: datetime,
    launched_at: datetime,
    since: datetime,
    interval: timedelta,
    runs: Sequence[Run],
    blockers: Sequence[Blocker],
) -> Schedule:
    """Return when the next pass is due and why it waits.

    A pass is due an interval after the start of the last one, the first pass an interval after ``since``; one that a
    kill interrupted is due at once. One that failed or was stopped is retried after :data:`RETRY`.

    Args:
        now: the present.
        launched_at: when the app was started.
        since: when the memory was created. Not the app's start, or daily restarts would prevent every pass.
        interval: between two passes.
        runs: the latest ones, newest first, without one in progress. Runs in the future, from before the clock was set
            back, are ignored.
        blockers: reasons to wait.
    """
    past = [run for run in runs if run.started_at <= now]
    last = next((run for run in past if run.status in {"done", "undone"}), None)
    if any(run.status == "running" for run in runs):
        at = min(runs[0].started_at, now)
    else:
        at = (last.started_at if last else min(since, now)) + interval
        if past and past[0].status in {"failed", "cancelled"}:
            at = max(at, past[0].started_at + RETRY)
    if now < at:
        return Schedule(at=at, overdue=False, waiting="", last=last)
    # Reasons that need a person come before temporary ones.
    waiting = next((why for blocker in blockers if (why := blocker())), "")
    if not waiting and launched_at <= now < launched_at + GRACE:
        waiting = say("memdesk has just started.")
    return Schedule(at=at, overdue=True, waiting=waiting, last=last)
