"""The guard against endless repetition."""

from __future__ import annotations

import random

import pytest

from memdesk.engines.llama_worker import MOST_REPEATED_TOKENS, RepetitionGuard


def read_until_stuck(tokens):
    guard = RepetitionGuard()
    for count, token in enumerate(tokens, 1):
        if guard.stuck(token):
            return count
    return None


@pytest.mark.parametrize("period", [1, 2, 7, 40, 150])
def test_a_loop_of_any_period_is_noticed(period):
    lead = [1000 + n for n in range(90)]
    count = read_until_stuck(lead + list(range(period)) * 2000)
    assert count is not None
    assert len(lead) + MOST_REPEATED_TOKENS <= count <= len(lead) + 5 * period + MOST_REPEATED_TOKENS


def test_a_loop_whose_words_repeat_within_it_is_noticed():
    assert read_until_stuck([5, 6, 7, 8, 9, 5, 6, 7, 8, 1, 2] * 100) is not None


def test_ordinary_text_and_a_passage_said_twice_go_on():
    chance = random.Random(7)
    prose = [chance.randrange(400) for _ in range(4000)]
    passage = [chance.randrange(49_000) for _ in range(600)]
    assert read_until_stuck(prose) is None
    assert read_until_stuck(passage + passage + prose) is None


def test_a_table_with_rows_alike_goes_on():
    rows = [token for row in range(200) for token in (1, 2, 3, 4, 5, 10_000 + row, 6, 7)]
    assert read_until_stuck(rows) is None
