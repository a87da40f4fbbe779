"""Notices a clock that leapt, before what it says makes memories fade by years.

The time last seen is kept in the store. While the app runs, the clock is compared with one that nobody can set;
across a restart only a long gap, or a way back, tells. What removes anything waits until a person says that the time is right.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from memdesk.messages import say
from memdesk.ports import Clock, Store

_SEEN: Final = "clock.last_seen"
#: Between two looks of one run the clocks may differ by this much: a summer time set by hand, a wrong zone.
WHILE_RUNNING: Final = timedelta(days=1)
#: Longer than this nobody leaves the app closed without noticing; what fades fastest fades in about a month.
WHILE_CLOSED: Final = timedelta(days=60)
#: The time last seen is written no more often than this.
NOTE_EVERY: Final = timedelta(hours=1)


class ClockWatch:
    """Compares the clock with when it was last looked at.

    Args:
        ticks: seconds of a clock that only runs on, also while the machine sleeps.
    """

    def __init__(self, store: Store, clock: Clock, ticks: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._ticks = ticks
        #: Both clocks at the last look of this run that found nothing wrong.
        self._base: tuple[datetime, float] | None = None

    def blocker(self) -> str:
        """Say that the clock leapt, in a sentence for the user; empty when it did not."""
        now, seen = self._clock.now(), self._seen()
        if seen is None or not self._leapt(now, seen):
            return ""
        return say(
            "The clock went from {seen:%Y-%m-%d} to {now:%Y-%m-%d}. If that is right, start a pass yourself.",
            seen=seen,
            now=now,
        )

    def look(self) -> None:
        """Take the present for the time last seen, unless the clock leapt."""
        now, seen = self._clock.now(), self._seen()
        if seen is not None and self._leapt(now, seen):
            return
        self._base = now, self._ticks()
        if seen is None or abs(now - seen) >= NOTE_EVERY:
            self._note(now)

    def confirm(self) -> None:
        """Take the present for right: a person asked for work by this time."""
        now = self._clock.now()
        self._base = now, self._ticks()
        self._note(now)

    def _leapt(self, now: datetime, seen: datetime) -> bool:
        if self._base is None:
            return not -WHILE_RUNNING <= now - seen <= WHILE_CLOSED
        wall, ticks = self._base
        return abs((now - wall) - timedelta(seconds=self._ticks() - ticks)) > WHILE_RUNNING

    def _seen(self) -> datetime | None:
        with self._store.read() as repos:
            kept = repos.meta.get(_SEEN)
        return datetime.fromisoformat(kept) if isinstance(kept, str) else None

    def _note(self, now: datetime) -> None:
        self._store.write(lambda repos: repos.meta.put(_SEEN, now.isoformat()))
