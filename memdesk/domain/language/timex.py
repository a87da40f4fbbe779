"""Finds the days a question means: "last May", "on 7 May 2023", "yesterday", "2023-05-07", "in 2022"."""

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta

from memdesk.domain.language.dates import find_dates

# Not from ``calendar``, whose names follow the process's locale.
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_FIRST_HALF = ("january", "february", "march", "april", "may", "june")
MONTHS = (*_FIRST_HALF, "july", "august", "september", "october", "november", "december")
_MONTHS = ("", *MONTHS)
_MONTH = "|".join(_MONTHS[1:])
_ISO = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b")
_DAY_MONTH = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})\b(?:,? (\d{{4}}))?", re.IGNORECASE)
_MONTH_DAY = re.compile(rf"\b({_MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)(?:,? (\d{{4}}))?", re.IGNORECASE)
_MONTH_YEAR = re.compile(rf"\b({_MONTH})(?: of)?,? (\d{{4}})\b", re.IGNORECASE)
_BARE_MONTH = re.compile(rf"\b(?:in|of|during|since|last|this|early|late|mid) ({_MONTH})\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:in|of|during|since) ((?:19|20)\d{2})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Period:
    """Days from ``start`` to ``end``, both included."""

    start: date
    end: date

    def distance(self, day: date) -> int:
        """Return the days between ``day`` and the period; 0 inside it."""
        if day < self.start:
            return (self.start - day).days
        return max(0, (day - self.end).days)


def find_periods(text: str, today: date, *, ahead: bool = False) -> list[Period]:
    """Return the periods that ``text``, said on ``today``, names.

    ``ahead``: whether a month without a year is the next one; else it is the latest past one.
    """
    found: list[Period] = []
    rest = text
    for pattern in (_ISO, _DAY_MONTH, _MONTH_DAY, _MONTH_YEAR, _BARE_MONTH, _YEAR):
        for match in pattern.finditer(rest):
            period = _read(pattern, match, today, ahead)
            if period is not None:
                found.append(period)
        rest = pattern.sub(lambda match: " " * len(match[0]), rest)
    found.extend(Period(span.day, span.until) for span in find_dates(rest, today))
    return list(dict.fromkeys(found))


def _read(pattern: re.Pattern[str], match: re.Match[str], today: date, ahead: bool) -> Period | None:
    try:
        if pattern is _ISO:
            day = date(int(match[1]), int(match[2]), int(match[3]))
            return Period(day, day)
        if pattern is _DAY_MONTH:
            return _day(int(match[1]), match[2], match[3], today, ahead)
        if pattern is _MONTH_DAY:
            return _day(int(match[2]), match[1], match[3], today, ahead)
        if pattern is _MONTH_YEAR:
            return _month(_MONTHS.index(match[1].casefold()), int(match[2]))
        if pattern is _BARE_MONTH:
            number = _MONTHS.index(match[1].casefold())
            past, to_come = number > today.month and not ahead, number < today.month and ahead
            return _month(number, today.year - past + to_come)
        year = int(match[1])
        return Period(date(year, 1, 1), date(year, 12, 31))
    except ValueError:
        # "31 February" is not a day.
        return None


def _day(number: int, month: str, year: str | None, today: date, ahead: bool) -> Period:
    when = date(int(year) if year else today.year, _MONTHS.index(month.casefold()), number)
    if not year and ahead and when < today:
        when = when.replace(year=today.year + 1)
    elif not year and not ahead and when > today + timedelta(days=1):
        when = when.replace(year=today.year - 1)
    return Period(when, when)


def _month(number: int, year: int) -> Period:
    return Period(date(year, number, 1), date(year, number, calendar.monthrange(year, number)[1]))
