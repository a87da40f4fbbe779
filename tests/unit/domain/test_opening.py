"""When a message gets memory: how far what was found stands out, and from which probability on."""

from __future__ import annotations

import numpy as np
import pytest

from memdesk.domain.recalling.opening import (
    LEAST_SPREAD,
    MODES,
    MOST_DEVIATIONS,
    MOST_SENSE,
    MOST_WORDING,
    SIGNALS,
    SURE,
    THRESHOLD,
    UNTAUGHT,
    Opening,
    Sense,
    Signals,
    least_of,
    noise_of,
    standing_out,
    weighed,
)


def test_a_memory_that_answers_some_questions_about_nothing_of_the_users_is_not_noisier_for_it():
    noise = [0.20, 0.22, 0.25, 0.27, 0.30, 0.31, 0.33, 0.36, 0.38, 0.40] * 3
    mean, spread = noise_of(noise)
    assert (mean, spread) == (pytest.approx(0.302), pytest.approx(0.0631, abs=1e-3))
    assert noise_of([*noise, 0.85, 0.9, 0.88]) == (mean, spread)
    assert noise_of([0.3, 0.3]) == (pytest.approx(0.3), LEAST_SPREAD)


def test_in_a_large_memory_an_answer_need_not_stand_out_as_far():
    small, large, vast = (standing_out(2.0, rows) for rows in (1_000, 3_000, 50_000))
    assert small == 2.0
    assert small < large < vast
    assert standing_out(2.0, 10_000_000) == standing_out(2.0, 1_000_000) < 3.0


@pytest.mark.parametrize("rows", [0, 10, 500, 1_000_000])
def test_what_is_no_more_alike_than_noise_stands_out_in_no_memory(rows):
    assert standing_out(0.0, rows) == standing_out(-1.5, rows) == 0.0
    assert standing_out(20.0, rows) == MOST_DEVIATIONS


def test_the_vectors_of_a_model_that_taught_nothing_must_tell_more_unless_a_known_name_is_asked_about():
    assert least_of(Signals(asks=1.0, likeness=1.0), sparing=False) == UNTAUGHT
    assert least_of(Signals(named=1.0, asks=1.0, likeness=1.0, guarded=1.0), sparing=False) == UNTAUGHT
    for taught in (
        Signals(asks=1.0, likeness=1.0, sense=0.0),
        Signals(asks=1.0, likeness=1.0, named=1.0),
        Signals(asks=1.0),
        Signals(named=1.0),
    ):
        assert least_of(taught, sparing=False) == THRESHOLD < UNTAUGHT < SURE


def test_a_model_that_takes_what_it_reads_for_the_question_gets_memory_later_unless_the_user_speaks_of_themselves():
    assert least_of(Signals(named=1.0, asks=1.0), sparing=True) == SURE
    assert least_of(Signals(of_self=1.0), sparing=True) == THRESHOLD


def test_wording_counts_only_so_much():
    at = SIGNALS.index("wording")
    assert weighed(Signals(wording=9.0))[at] == MOST_WORDING
    assert weighed(Signals(wording=-9.0))[at] == -MOST_WORDING


def test_the_sense_of_a_message_is_told_by_vectors_of_the_model_that_taught_it_alone():
    sense = Sense("words@1", np.array([2.0, -1.0], dtype=np.float32), 0.5)
    again = Sense.from_dict(sense.to_dict())
    vector = np.array([0.5, 0.25], dtype=np.float32)
    assert again.of(vector, "words@1") == sense.of(vector, "words@1") == pytest.approx(1.25)
    assert sense.of(vector, "words@2") is None
    assert sense.of(None, "words@1") is None
    assert weighed(Signals(sense=40.0))[SIGNALS.index("sense")] == MOST_SENSE
    assert weighed(Signals())[SIGNALS.index("sense")] == 0.0


def test_vectors_of_a_model_that_taught_no_sense_are_weighed_by_weights_of_their_own():
    data = {mode: {"bias": bias, "features": {}} for mode, bias in zip(MODES, (2.0, 0.0, -2.0, -2.0), strict=True)}
    opening = Opening(data)
    known, strange = Signals(sense=0.0), Signals()
    assert opening.probability(known, "hybrid") > opening.probability(strange, "hybrid") == 0.5
    assert opening.probability(strange, "fts") < 0.5
