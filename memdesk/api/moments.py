"""Dates and times in requests."""

import re
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator

from memdesk.domain.language.zones import in_zone

_NUMBER = re.compile(r"\s*[-+]?\d+(?:\.\d*)?\s*")
_BARE_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def _of_the_user(moment: datetime) -> datetime:
    """Interpret a time without an offset as local: the server runs on the user's machine.

    Raises:
        ValueError: in UTC it is outside the calendar.
    """
    found = moment if moment.tzinfo else in_zone(moment)
    try:
        # Not astimezone: some systems support no time before 1970.
        _ = found.replace(tzinfo=None) - (found.utcoffset() or timedelta())
    except OverflowError as error:
        raise ValueError("the calendar ends before that") from error
    return found


def _written(value: Any) -> Any:
    """Reject numbers, even as text: 2024 is meant as a year, but would be read as seconds since 1970."""
    if not isinstance(value, str | datetime) or (isinstance(value, str) and _NUMBER.fullmatch(value)):
        raise ValueError("write it as 2024-05-01 or 2024-05-01T12:00:00+02:00")
    return value


def _end_of_day(value: Any) -> Any:
    if isinstance(value, str) and _BARE_DATE.fullmatch(value.strip()):
        return datetime.fromisoformat(value.strip()).replace(hour=23, minute=59, second=59, microsecond=999_000)
    return value


#: A time; without an offset it is local, and a bare date means its first moment.
Moment = Annotated[datetime, AfterValidator(_of_the_user), BeforeValidator(_written)]
#: The same, but a bare date means its last moment.
EndMoment = Annotated[datetime, BeforeValidator(_end_of_day), AfterValidator(_of_the_user), BeforeValidator(_written)]
