"""When the next pass is due, and what it waits for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from memdesk.domain.models import Run

#: Says why background work should wait, in a sentence for the user; empty when it need not.
HoldUp = Callable[[], str]

#: A pass right after the start would make the machine stall when its owner wants it.
GRACE: Final = timedelta(minutes=10)
#: This much later than planned, a pass is catching up (the machine slept, the app was closed).
LATE: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The state of the schedule.

    Attributes:
        at: when the next pass is, or was, due.
        overdue: whether that moment is past.
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
    interval: timedelta,
    last: Run | None,
    broken: Run | None,
    hold_ups: Sequence[HoldUp],
) -> Schedule:
    """Return when the next pass is due and what it waits for.

    The first pass of a new memory is due one interval after the start of the app; afterwards an interval after
    the start of the last one. A pass that a kill interrupted is due at once.
    """
    at = broken.started_at if broken else (last.started_at if last else launched_at) + interval
    if now < at:
        return Schedule(at=at, overdue=False, waiting="", last=last)
    if now < launched_at + GRACE:
        return Schedule(at=at, overdue=True, waiting="memdesk has just started.", last=last)
    reasons = (hold_up() for hold_up in hold_ups)
    return Schedule(at=at, overdue=True, waiting=next((why for why in reasons if why), ""), last=last)
