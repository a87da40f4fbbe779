"""Dates as people and other programs write them, read into aware times."""

import re
from datetime import UTC, datetime
from typing import Final

from memdesk.domain.caches import remembered
from memdesk.errors import BadRequestError
from memdesk.messages import say
from memdesk.ports import Clock

_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
#: Languages of month names to try; all two hundred of the library would take seconds per date.
LANGUAGES: Final = ["en", "de", "fr", "es", "it", "pt", "nl"]
#: "1:56 pm on 8 May, 2023", with or without the time.
_SPOKEN: Final = re.compile(
    r"(?:(?P<hour>\d{1,2}):(?P<minute>\d{2})\s*(?P<half>[ap]\.?m\.?)?\s*(?:on|,)?\s*)?"
    r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\s+(?P<month>[a-z]{3,9})\.?,?\s+(?P<year>\d{4})",
    re.IGNORECASE,
)
#: "3.11.2026", optionally followed by a time.
_DOTTED: Final = re.compile(r"\A(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)")


def parse_date(value: str | datetime | None, clock: Clock) -> datetime | None:
    """Read a date as an aware time in UTC; None for None or an empty text.

    ISO 8601 and "1:56 pm on 8 May, 2023" are read directly; anything else goes to dateparser. A time
    without an offset is taken as the user's own, so that the day they meant is the day they see.

    Raises:
        BadRequestError: no date can be read from it.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    parsed = value if isinstance(value, datetime) else read_date(value.strip())
    if parsed is None:
        raise BadRequestError(
            say("A date could not be read."),
            hint=say("Write it as 2023-05-08T13:56:00+02:00, or as “1:56 pm on 8 May, 2023”."),
        )
    try:
        return _in_utc(parsed, clock)
    except (OverflowError, OSError) as error:
        raise BadRequestError(say("A date lies beyond the calendar.")) from error


def _in_utc(moment: datetime, clock: Clock) -> datetime:
    if moment.tzinfo is None:
        as_utc = moment.replace(tzinfo=UTC)
        offset = clock.local(as_utc).utcoffset()
        moment = as_utc - offset if offset is not None else as_utc
    return moment.astimezone(UTC)


@remembered(512)
def read_date(text: str) -> datetime | None:
    """Read a date as :func:`parse_date` does, naive if it has no timezone; None if it is not a date."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        # With dots the day comes first everywhere.
        text = _DOTTED.sub(r"\3-\2-\1", text)
        spoken = _read_spoken(text)
    return spoken or _read_freely(text)


def _read_spoken(text: str) -> datetime | None:
    match = _SPOKEN.fullmatch(text)
    if match is None:
        return None
    months = [number for number, name in enumerate(_MONTHS, 1) if name.startswith(match["month"].casefold())]
    if len(months) != 1:
        return None
    hour = int(match["hour"] or 0)
    half = (match["half"] or "").casefold()
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    try:
        return datetime(  # noqa: DTZ001 - the caller gives it the user's own zone
            int(match["year"]), months[0], int(match["day"]), hour, int(match["minute"] or 0)
        )
    except ValueError:
        return None


def _read_freely(text: str) -> datetime | None:
    import dateparser

    # Relative words ("yesterday") would depend on the day of the import; only absolute dates count.
    found = dateparser.parse(
        text, languages=LANGUAGES, settings={"PARSERS": ["timestamp", "custom-formats", "absolute-time"]}
    )
    return found if isinstance(found, datetime) else None
