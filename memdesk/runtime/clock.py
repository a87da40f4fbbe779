"""The only source of time."""

import sys
import time
from datetime import UTC, datetime, tzinfo

from memdesk.domain.language.zones import in_zone


class SystemClock:
    """The machine's clock and the user's timezone.

    Args:
        zone: timezone of text and dates shown to people; None follows the system.
    """

    def __init__(self, zone: tzinfo | None = None) -> None:
        self._zone = zone

    def now(self) -> datetime:
        return datetime.now(UTC)

    def local(self, when: datetime) -> datetime:
        try:
            return in_zone(when, self._zone)
        except OverflowError:
            # The first or last day of the calendar, out of range in the user's zone.
            return when


def ticks() -> float:
    """Return seconds of a monotonic clock that keeps running while the machine sleeps."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    if sys.platform == "darwin":
        return time.clock_gettime(time.CLOCK_MONOTONIC)
    return time.monotonic()
