from __future__ import annotations

import itertools
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.domain.language.dates import find_dates, say_day

WEDNESDAY = date(2024, 3, 13)


@pytest.mark.parametrize(
    ("words", "said", "first", "last"),
    [
        ("yesterday", "12 March 2024", date(2024, 3, 12), date(2024, 3, 12)),
        ("tomorrow", "14 March 2024", date(2024, 3, 14), date(2024, 3, 14)),
        ("last night", "12 March 2024", date(2024, 3, 12), date(2024, 3, 12)),
        ("last Friday", "8 March 2024", date(2024, 3, 8), date(2024, 3, 8)),
        ("last Fri", "8 March 2024", date(2024, 3, 8), date(2024, 3, 8)),
        ("last Wednesday", "6 March 2024", date(2024, 3, 6), date(2024, 3, 6)),
        ("this Friday", "15 March 2024", date(2024, 3, 15), date(2024, 3, 15)),
        ("next Monday", "18 March 2024", date(2024, 3, 18), date(2024, 3, 18)),
        ("next Friday", "22 March 2024", date(2024, 3, 22), date(2024, 3, 22)),
        ("last week", "the week of 4 March 2024", date(2024, 3, 4), date(2024, 3, 10)),
        ("last weekend", "the weekend of 9 March 2024", date(2024, 3, 9), date(2024, 3, 10)),
        ("next month", "April 2024", date(2024, 4, 1), date(2024, 4, 30)),
        ("last year", "2023", date(2023, 1, 1), date(2023, 12, 31)),
        ("last summer", "the summer of 2023", date(2023, 6, 1), date(2023, 8, 31)),
        ("three days ago", "10 March 2024", date(2024, 3, 10), date(2024, 3, 10)),
        ("two weeks ago", "the week of 26 February 2024", date(2024, 2, 26), date(2024, 3, 3)),
        ("a couple of months ago", "January 2024", date(2024, 1, 1), date(2024, 1, 31)),
        ("10 years ago", "2014", date(2014, 1, 1), date(2014, 12, 31)),
        ("in two weeks", "the week of 25 March 2024", date(2024, 3, 25), date(2024, 3, 31)),
    ],
)
def test_relative_dates_become_absolute(words, said, first, last):
    (span,) = find_dates(f"We met {words}.", WEDNESDAY)
    assert span.words == f"{words} ({said})"
    assert (span.day, span.until) == (first, last)
    assert f"We met {words}."[span.start : span.end] == words


@pytest.mark.parametrize("text", ["the other day", "recently", "2019", "I may go", "a few weeks ago", "3 May 2021"])
def test_vague_and_absolute_dates_stay(text):
    assert find_dates(text, WEDNESDAY) == []


def test_spans_come_in_order_and_do_not_overlap():
    spans = find_dates("Last week I ran, yesterday I rested and next month I race.", WEDNESDAY)
    assert [span.day for span in spans] == [date(2024, 3, 4), date(2024, 3, 12), date(2024, 4, 1)]
    assert all(a.end <= b.start for a, b in itertools.pairwise(spans))


@given(st.dates(date(1950, 1, 1), date(2100, 1, 1)), st.sampled_from(["last", "next", "this"]), st.integers(0, 6))
def test_a_weekday_is_the_weekday_named_and_on_its_side(today, which, wanted):
    name = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][wanted]
    (span,) = find_dates(f"{which} {name}", today)
    assert span.day.weekday() == wanted
    assert (span.day < today) == (which == "last")
    assert abs(span.day - today) <= timedelta(days=14)


@given(st.text(max_size=200), st.dates(date(1900, 1, 1), date(2200, 1, 1)))
def test_any_text_is_read_without_failing(text, today):
    for span in find_dates(text, today):
        assert 0 <= span.start < span.end <= len(text)
        assert span.day <= span.until


def test_say_day():
    assert say_day(date(2024, 1, 5)) == "5 January 2024"


@pytest.mark.parametrize(
    "text",
    [
        "My dentist appointment is on Tuesday 3 March.",
        "The exam is on Friday, the 6th.",
        "We fly next Monday, March 9.",
        "The flight is on Sunday the 14th of June.",
    ],
)
def test_a_weekday_beside_its_date_is_given_no_other(text):
    assert find_dates(text, date(2026, 1, 10)) == []


def test_a_weekday_before_a_time_is_still_resolved():
    (span,) = find_dates("The exam is on Friday at 10.", date(2026, 1, 10))
    assert span.day == date(2026, 1, 16)
