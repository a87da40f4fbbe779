"""Dates as people write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from memdesk.errors import BadRequestError
from memdesk.runtime.clock import SystemClock
from memdesk.services.importing.dates import parse_date

OSLO = SystemClock(ZoneInfo("Europe/Oslo"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2023-05-08T13:56:00+02:00", "2023-05-08T11:56:00+00:00"),
        ("2023-05-08T13:56:00Z", "2023-05-08T13:56:00+00:00"),
        ("2023-05-08T13:56:00", "2023-05-08T11:56:00+00:00"),
        ("2023-01-08", "2023-01-07T23:00:00+00:00"),
        ("1:56 pm on 8 May, 2023", "2023-05-08T11:56:00+00:00"),
        ("12:09 am on 13 September, 2023", "2023-09-12T22:09:00+00:00"),
        ("12:30 pm on 1st Jan, 2024", "2024-01-01T11:30:00+00:00"),
        ("8 May 2023", "2023-05-07T22:00:00+00:00"),
        ("May 8, 2023 1:56 PM", "2023-05-08T11:56:00+00:00"),
    ],
)
def test_dates_are_read_in_the_users_zone(text, expected):
    assert parse_date(text, OSLO).isoformat() == expected


def test_nothing_is_no_date():
    assert parse_date(None, OSLO) is None
    assert parse_date("  ", OSLO) is None


def test_datetimes_pass():
    when = datetime(2023, 5, 8, tzinfo=timezone(timedelta(hours=-3)))
    assert parse_date(when, OSLO) == when
    assert parse_date(when, OSLO).tzinfo is UTC


@pytest.mark.parametrize("text", ["yesterday", "the day of the fair", "31 February, 2023", "8 Ma, 2023 x"])
def test_what_is_no_date_is_refused(text):
    with pytest.raises(BadRequestError):
        parse_date(text, OSLO)
