"""The present, as exact as the store keeps it."""

from datetime import datetime, time

from memdesk.ports import Clock


def to_ms(moment: datetime) -> datetime:
    """Return ``moment`` cut to the millisecond, so that it is the same before and after it was stored."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def now_ms(clock: Clock) -> datetime:
    """Return the present, cut to the millisecond."""
    return to_ms(clock.now())


def day_start(clock: Clock, now: datetime) -> datetime:
    """Return when the user's day began that holds ``now``.

    Where the clocks were changed meanwhile, midnight lies an hour off what the present offset would say.
    """
    today = clock.local(now).replace(hour=0, minute=0, second=0, microsecond=0)
    return datetime.combine(today.date(), time.min, clock.local(today).tzinfo)
