"""When the next pass is due, and what it waits for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from memdesk.domain.models import Run
from memdesk.messages import say

#: Says why background work should wait, in a sentence for the user; empty when it need not.
Blocker = Callable[[], str]

#: A pass right after the start would make the machine stall when its owner wants it.
GRACE: Final = timedelta(minutes=10)
#: After a pass that failed or was stopped on request, the next one comes no sooner than this.
RETRY: Final = timedelta(hours=1)
#: This much later than planned, a pass is catching up (the machine slept, the app was closed).
LATE: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The state of the schedule.

    Attributes:
        waiting: why an overdue pass has not begun; empty when it may begin now or is not due.
        last: the last pass that was made.
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
    """Return when the next pass is due and what it waits for.

    A pass is due an interval after the start of the last one, the first pass an interval after ``since``; one that a
    kill interrupted is due at once. One that failed or was stopped is tried again after :data:`RETRY`.

    Args:
        now: the present.
        launched_at: when the app was started.
        since: when the memory was begun. Not the start of the app: who closes it every evening would never see a pass.
        interval: between two passes.
        runs: the latest ones, newest first, without one that is going on. What they say of a time to come was written
            before the clock was set back, and is passed over.
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
    # What waits for a person is said before what passes by itself.
    waiting = next((why for blocker in blockers if (why := blocker())), "")
    if not waiting and launched_at <= now < launched_at + GRACE:
        waiting = say("memdesk has just started.")
    return Schedule(at=at, overdue=True, waiting=waiting, last=last)
