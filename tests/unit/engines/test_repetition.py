"""The guard against endless repetition."""

from __future__ import annotations

import random

import pytest

from memdesk.engines.repetition import LETTERS, MOST_REPEATED_TOKENS, RepetitionGuard


def read_until_stuck(tokens, scale=1):
    guard = RepetitionGuard(scale)
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


def test_a_table_with_similar_rows_goes_on():
    rows = [token for row in range(200) for token in (1, 2, 3, 4, 5, 10_000 + row, 6, 7)]
    assert read_until_stuck(rows) is None


@pytest.mark.parametrize("loop", ["the end of the ", "Sure! ", "-", "und dann und dann noch einmal ", "我不知道。"])
def test_letters_that_loop_are_noticed(loop):
    lead = "At the end of the day we went home, and then and then it rained. "
    count = read_until_stuck(lead + loop * 2000, LETTERS)
    assert count is not None
    assert count <= len(lead) + 2 * MOST_REPEATED_TOKENS * LETTERS


def test_prose_in_letters_goes_on():
    chance = random.Random(7)
    words = ["".join(chance.choices("etaoinshrdlu", k=chance.randrange(1, 9))) for _ in range(80)]
    assert read_until_stuck(" ".join(chance.choices(words, k=5000)), LETTERS) is None
