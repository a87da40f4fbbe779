"""The present time, in the store's precision."""

from datetime import datetime, time

from memdesk.ports import Clock


def to_ms(moment: datetime) -> datetime:
    """Return ``moment`` truncated to the millisecond, so that it is the same before and after storing."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def now_ms(clock: Clock) -> datetime:
    """Return the present, truncated to the millisecond."""
    return to_ms(clock.now())


def day_start(clock: Clock, now: datetime) -> datetime:
    """Return the start of the user's day that contains ``now``.

    After a clock change that day, midnight is an hour off what the present offset implies.
    """
    today = clock.local(now).replace(hour=0, minute=0, second=0, microsecond=0)
    return datetime.combine(today.date(), time.min, clock.local(today).tzinfo)
