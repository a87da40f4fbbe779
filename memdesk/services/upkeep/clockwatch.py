"""Detects a jump of the clock, before it makes memories fade by years.

The last seen time is stored. While the app runs, the clock is compared with a monotonic one; across restarts only a
long gap, or a step back, counts. Anything that deletes waits until a person confirms the time.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from memdesk.messages import say
from memdesk.ports import Clock, Store

_SEEN: Final = "clock.last_seen"
_LEAPT: Final = "clock.leapt"
#: Tolerated difference of the clocks between two checks: daylight saving set by hand, a wrong timezone.
WHILE_RUNNING: Final = timedelta(days=1)
#: Longest plausible time with the app closed; the fastest fading takes about a month.
WHILE_CLOSED: Final = timedelta(days=60)
#: Minimum interval of storing the last seen time.
NOTE_EVERY: Final = timedelta(hours=1)


class ClockWatch:
    """Compares the clock with the last check.

    Args:
        ticks: seconds of a monotonic clock that also runs while the machine sleeps.
    """

    def __init__(self, store: Store, clock: Clock, ticks: Callable[[], float]) -> None:
        self._store = store
        self._clock = clock
        self._ticks = ticks
        #: Both clocks at the last good check of this run.
        self._base: tuple[datetime, float] | None = None

    def blocker(self) -> str:
        """Return a sentence for the user that the clock jumped; empty if it did not."""
        now, seen = self._clock.now(), self._seen()
        if seen is None or not self._leapt(now, seen):
            return ""
        return say(
            "The clock went from {seen:%Y-%m-%d} to {now:%Y-%m-%d}. If that is right, start a pass yourself.",
            seen=seen,
            now=now,
        )

    def look(self) -> None:
        """Store the present as last seen, unless the clock jumped."""
        now, seen = self._clock.now(), self._seen()
        if seen is not None and self._leapt(now, seen):
            return
        self._base = now, self._ticks()
        if seen is None or abs(now - seen) >= NOTE_EVERY:
            self._note(now)

    def confirm(self) -> None:
        """Accept the present time: a person or program requested work."""
        now, seen = self._clock.now(), self._seen()
        if seen is not None and self._leapt(now, seen):
            self._store.write(lambda repos: repos.meta.put(_LEAPT, now.isoformat()))
        self._base = now, self._ticks()
        self._note(now)

    def settled(self, days: int) -> bool:
        """Whether the clock has run on for so many days since an accepted jump: only then is what is old by it really old."""
        leapt = self._read(_LEAPT)
        return leapt is None or self._clock.now() - leapt >= timedelta(days=days)

    def _leapt(self, now: datetime, seen: datetime) -> bool:
        if self._base is None:
            return not -WHILE_RUNNING <= now - seen <= WHILE_CLOSED
        wall, ticks = self._base
        return abs((now - wall) - timedelta(seconds=self._ticks() - ticks)) > WHILE_RUNNING

    def _seen(self) -> datetime | None:
        return self._read(_SEEN)

    def _read(self, key: str) -> datetime | None:
        with self._store.read() as repos:
            kept = repos.meta.get(key)
        return datetime.fromisoformat(kept) if isinstance(kept, str) else None

    def _note(self, now: datetime) -> None:
        self._store.write(lambda repos: repos.meta.put(_SEEN, now.isoformat()))
