"""Dates and times as requests write them."""

from __future__ import annotations

import re
import time as clock
from datetime import datetime, timedelta, timezone
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator

_BARE_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def _of_the_user(moment: datetime) -> datetime:
    """Take a time without an offset for the user's own: the server runs on the user's machine."""
    if moment.tzinfo:
        return moment
    try:
        return moment.astimezone()
    except OSError:
        # Windows knows its zone from 1970 to 3000 only; beyond these the present standard time has to do.
        return moment.replace(tzinfo=timezone(timedelta(seconds=-clock.timezone)))


def _end_of_day(value: Any) -> Any:
    if isinstance(value, str) and _BARE_DATE.fullmatch(value.strip()):
        return datetime.fromisoformat(value.strip()).replace(hour=23, minute=59, second=59, microsecond=999_000)
    return value


#: A time; one without an offset is the user's own, a bare date its first moment.
Moment = Annotated[datetime, AfterValidator(_of_the_user)]
#: The same, where a bare date stands for the whole day: its last moment.
EndMoment = Annotated[datetime, BeforeValidator(_end_of_day), AfterValidator(_of_the_user)]
