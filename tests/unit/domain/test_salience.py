from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.domain.ageing.salience import curve, decay, elapsed_days, reaches
from tests.helpers.memory_rows import NOON

days = st.floats(0, 400)
saliences = st.floats(0, 1)


@given(saliences, days, days)
def test_decay_composes(salience, first, second):
    assert decay(decay(salience, first), second) == pytest.approx(decay(salience, first + second), abs=1e-12)


@given(saliences, days)
def test_decay_only_lowers_and_stays_within_bounds(salience, elapsed):
    assert 0.0 <= decay(salience, elapsed) <= salience


def test_a_month_leaves_a_third():
    assert decay(1.0, 30) == pytest.approx(0.3679, abs=1e-4)


def test_a_clock_that_goes_backwards_raises_nothing():
    assert elapsed_days(NOON, NOON - timedelta(days=3)) == 0.0
    assert decay(0.5, -3) == 0.5


@given(st.floats(0.21, 1.0), st.floats(0.01, 0.2))
def test_the_floor_is_reached_when_decay_says_so(salience, floor):
    when = reaches(salience, floor, NOON)
    assert decay(salience, elapsed_days(NOON, when)) == pytest.approx(floor, abs=1e-6)


def test_a_floor_of_zero_is_never_reached():
    assert reaches(0.5, 0.0, NOON) is None
    assert reaches(0.1, 0.2, NOON) == NOON
    assert reaches(1.0, 1e-300, NOON.replace(year=9990)) is None


def test_a_curve_starts_and_ends_where_asked():
    points = curve(0.8, NOON, NOON + timedelta(days=30), points=4)
    assert len(points) == 4
    assert points[0] == (NOON, 0.8)
    assert points[-1][0] == NOON + timedelta(days=30)
    assert points[-1][1] == pytest.approx(decay(0.8, 30))
    assert curve(0.8, NOON, NOON) == [(NOON, 0.8)]
