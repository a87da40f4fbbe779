"""The user's time zone, also for times that the system cannot convert."""

import time
from datetime import datetime, timedelta, timezone, tzinfo


def in_zone(moment: datetime, zone: tzinfo | None = None) -> datetime:
    """Return a time in a zone, by default the user's; one without an offset is taken as the user's own time.

    Raises:
        OverflowError: the calendar has no such day in that zone.
    """
    try:
        return moment.astimezone(zone)
    except OSError:
        # Windows knows its zone from 1970 to 3000 only; beyond these years the current standard time is used.
        standard = timezone(timedelta(seconds=-time.timezone))
        return moment.astimezone(standard) if moment.tzinfo else moment.replace(tzinfo=standard)
