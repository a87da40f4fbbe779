"""Messages of a conversation are found by their neighbors; other memories are scored alone."""

from __future__ import annotations

import pytest

from memdesk.stores.memory import InMemoryStore

TALK = [
    {"role": "user", "content": "Which city did you move to in the end?"},
    {"role": "assistant", "content": "You told me that it would be the one by the river."},
    {"role": "user", "content": "Right, Porto it is."},
    {"role": "user", "content": "By the way, the printer is out of ink."},
    {"role": "user", "content": "My cat sleeps all day."},
]


@pytest.fixture
def memory(engines):
    service = engines.service(InMemoryStore())
    yield service
    service.close()


def test_an_answer_is_raised_by_the_question_before_it(memory):
    memory.add(TALK, user_id="ada", infer=False)
    for message in TALK:
        memory.add([message], user_id="bob", infer=False)

    def rank(user):
        found = memory.search("Which city did the user move to?", user_id=user, limit=4)["results"]
        return [one["memory"] for one in found].index("Right, Porto it is.")

    assert rank("ada") <= rank("bob")
    assert rank("ada") <= 2


def test_scores_fall_along_the_answer_and_a_limit_keeps_the_first_of_them(memory):
    memory.add(TALK, user_id="ada", infer=False)
    memory.add("I keep bees in Porto.", user_id="ada")
    found = memory.search("Where are the bees?", user_id="ada")["results"]
    scores = [one["score"] for one in found]
    assert scores == sorted(scores, reverse=True)
    assert "bees" in found[0]["memory"]
    first = memory.search("Where are the bees?", user_id="ada", limit=2)["results"]
    assert [one["id"] for one in first] == [one["id"] for one in found[:2]]
    assert memory.search("Where are the bees?", user_id="ada", threshold=1.0)["results"] == []
