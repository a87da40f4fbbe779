"""The user's time."""

import time
from datetime import UTC, datetime, timedelta, timezone, tzinfo

from memdesk.runtime.clock import SystemClock


class NothingBefore1970(tzinfo):
    """A zone that fails as Windows' own does."""

    def fromutc(self, when):
        if when.year < 1970:
            raise OSError(22, "Invalid argument")
        return when + timedelta(hours=9)

    def utcoffset(self, _when):
        return timedelta(hours=9)

    def dst(self, _when):
        return None


def test_a_moment_that_the_system_cannot_convert_has_the_standard_time(monkeypatch):
    monkeypatch.setattr(time, "timezone", -9 * 3600)
    clock = SystemClock(NothingBefore1970())
    assert clock.local(datetime(2024, 5, 6, 20, tzinfo=UTC)).isoformat() == "2024-05-07T05:00:00+09:00"
    assert clock.local(datetime(1958, 5, 6, 20, tzinfo=UTC)).isoformat() == "1958-05-07T05:00:00+09:00"


def test_the_ends_of_the_calendar_stay_where_no_zone_has_them():
    clock = SystemClock(timezone(timedelta(hours=-5)))
    first = datetime(1, 1, 1, tzinfo=UTC)
    assert clock.local(first) == first
