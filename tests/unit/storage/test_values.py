"""How values are stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.storage import fts, values


@given(st.integers(-(2**45), 2**45))
def test_milliseconds_are_exact(ms):
    assert values.to_ms(values.from_ms(ms)) == ms


def test_any_zone_is_the_same_moment():
    east = datetime(2026, 1, 1, 5, 30, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    assert values.from_ms(values.to_ms(east)) == datetime(2026, 1, 1, tzinfo=UTC)


def test_the_day_in_words():
    assert values.dated(datetime(2023, 5, 8, tzinfo=UTC)) == "Monday 8 May 2023"


@pytest.mark.parametrize(
    ("written", "folded"), [("José  ", "jose"), ("STRASSE", "strasse"), ("Straße", "strasse"), (" a\tB ", "a b")]
)
def test_names_are_folded(written, folded):
    assert values.fold(written) == folded


def test_json_holds_times_and_keeps_letters():
    text = values.to_json({"at": datetime(2026, 1, 1, tzinfo=UTC), "word": "grün", "list": ("a",)})
    assert text == '{"at":"2026-01-01T00:00:00+00:00","word":"grün","list":["a"]}'
    with pytest.raises(TypeError, match="object"):
        values.to_json(object())


@given(st.lists(st.text(st.characters()), max_size=100))
def test_terms_are_bounded_distinct_and_quoted(terms):
    kept = fts.normalize(terms)
    assert len(kept) <= fts.MAX_TERMS
    assert len({t.casefold() for t in kept}) == len(kept)
    for term in kept:
        quoted = fts.quote(term)
        assert quoted.startswith('"')
        assert quoted.endswith('"')
        assert '"' not in quoted[1:-1].replace('""', "")


def test_of_too_many_terms_the_longest_stay_in_their_order():
    terms = [f"{'x' * (n % 9)}{n}" for n in range(200)]
    kept = fts.normalize(terms)
    assert kept == [t for t in terms if t in set(kept)]
    assert min(len(t) for t in kept) >= 8
