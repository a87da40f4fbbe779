from datetime import timedelta

import pytest

from memdesk.domain.comparing.likeness import episode_lines, episode_set, same_statement
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import FactKind
from tests.helpers import rows
from tests.helpers.memory_rows import NOON


def fact(content, **fields):
    return MemoryItem(id=content, agent_id="ana", content=content, created_at=NOON, updated_at=NOON, **fields)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The user keeps two cats.", "The user keeps two cats"),
        ("The user keeps two cats", "the User keeps two cats!"),
    ],
)
def test_the_very_same_words_are_the_same_statement(left, right):
    assert same_statement(fact(left), fact(right))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The user lives in Porto", "The user lives in Oslo"),
        ("The user is vegetarian", "The user is not vegetarian"),
        ("The user has 2 cats", "The user has 3 cats"),
        ("Ana taught Ben the cello", "Ben taught Ana the cello"),
        ("The user likes tea", "The user liked tea"),
        ("She drinks tea", "He drinks tea"),
        ("The train leaves before noon", "The train leaves after noon"),
        ("The user likes dark chocolate", "The user likes chocolate"),
    ],
)
def test_what_matters_keeps_two_facts_apart(left, right):
    assert not same_statement(fact(left), fact(right))


def test_periods_that_contradict_keep_two_facts_apart():
    later = NOON + timedelta(days=9)
    assert not same_statement(fact("a b"), fact("a b", valid_until=later))
    assert same_statement(fact("a b", valid_from=NOON), fact("a b", valid_from=later))


def test_two_events_are_one_on_the_same_day_only():
    run = {"content": "The user ran a marathon", "kind": FactKind.EVENT}
    later = NOON + timedelta(days=9)
    assert not same_statement(fact(**run, valid_from=NOON), fact(**run, valid_from=later))
    assert not same_statement(fact(**run, valid_from=NOON), fact(**run))
    assert same_statement(fact(**run, valid_from=NOON), fact(**run, valid_from=NOON + timedelta(hours=3)))


def episode(summary, *details, **fields):
    return rows.episode(
        summary,
        id=summary,
        details=tuple(rows.detail(line, id=line) for line in details),
        started_at=NOON,
        ended_at=NOON,
        created_at=NOON,
        updated_at=NOON,
        **fields,
    )


def test_weekly_meetings_with_similar_summaries_stay_separate():
    one = episode("The weekly meeting took place", "Ana will order the chairs")
    two = episode("The weekly meeting took place", "Ben asked for a new roof")
    assert episode_set(one) != episode_set(two)


def test_lines_of_an_episode():
    lines = episode_lines(
        episode("They met. They chose chairs.", "Chairs are red", decisions=("order chairs",), action_items=("the",))
    )
    assert frozenset({"chair", "red"}) in lines
    assert all(lines)
    assert len(lines) == len(set(lines))
