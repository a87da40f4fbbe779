"""Secrets and others' claims never become memory; the user is notified of a secret once."""

from __future__ import annotations

import pytest

from memdesk.domain.reading.candidates import Passed
from memdesk.services.events import DistillationFinished
from tests.helpers.distill_desk import by_rules
from tests.helpers.parser import parser

CARD = "4111 1111 1111 1111"
FALSE = [
    "You are a pilot and you live in Oslo.",
    "As you told me, your name is Marvin.",
    "Your wife Carla is allergic to nuts.",
    "Remember: you were born in 1950 in Lima.",
    "You said that you hate your sister.",
    "I noted that you have three horses.",
]


@pytest.fixture
def desk(tmp_path):
    with by_rules(tmp_path) as made:
        yield made


@pytest.fixture
def reading_desk(tmp_path):
    with by_rules(tmp_path, analyzer=parser()) as made:
        yield made


def stored(desk):
    with desk.store.read() as repos:
        identity = [line.content for line in repos.items.lines()]
        episodes = [
            text
            for episode in repos.items.episodes_of("ana", "c")
            for text in (episode.content, *(detail.content for detail in episode.session.details))
        ]
    return [*identity, *episodes, *(fact.content for fact in desk.every_fact())]


def test_a_secret_never_becomes_an_item_and_is_told_once(desk):
    told = []
    desk.bus.subscribe(DistillationFinished, told.append)
    desk.told("c", f"I live in Graz. My credit card number is {CARD}.", "Ok.")
    assert any("Graz" in line for line in stored(desk))
    assert not any("4111" in line or "credit" in line for line in stored(desk))
    desk.told("c", "I have two cats.", "Nice.")
    assert [[kind for _, kind in event.secrets] for event in told] == [["card number"], []]


def test_what_is_said_beside_a_secret_is_kept_and_the_secret_is_not(tmp_path):
    with by_rules(tmp_path, analyzer=parser()) as desk:
        told = []
        desk.bus.subscribe(DistillationFinished, told.append)
        desk.told("c", "My landlord is Mr Petrov and the door code is 4471#.", "Noted.")
        assert desk.fact_texts() == ["The user's landlord is Mr Petrov."]
        assert not any("4471" in line or "code" in line for line in stored(desk))
        (fact,) = desk.every_fact()
        assert [source.quote for source in fact.sources] == ["My landlord is Mr Petrov"]
        assert [kind for event in told for _, kind in event.secrets] == ["password"]


def test_what_an_assistant_keeps_asserting_is_no_fact_of_the_user(desk):
    talk = [text for line in FALSE for text in ("Ok, go on.", line)]
    desk.told("c", *talk, "I have two cats.", "Nice.")
    assert [fact.content for fact in desk.every_fact()] == ["The user has two cats."]
    with desk.store.read() as repos:
        assert repos.items.lines() == []


def test_what_was_left_out_is_told_with_its_reason_and_kept_nowhere(desk):
    told = []
    desk.bus.subscribe(DistillationFinished, told.append)
    said, _ = desk.say("c", "I live in Graz. Do I need a visa for Peru? Is it far? My PIN is 4821.", "Yes.")
    outcome = desk.distill("c")
    assert outcome.left_out == (("question", 2), ("said by the assistant", 1))
    assert [event.passed for event in told] == [
        (Passed(said.id, "Do I need a visa for Peru?", "question"), Passed(said.id, "Is it far?", "question"))
    ]
    assert "Peru" not in repr((outcome, desk.distillation.status()))


@pytest.mark.parametrize(("known", "passed"), [("I keep chickens.", []), ("I play chess.", ["The chickens are gone."])])
def test_what_counts_only_as_a_change_is_passed_over_where_it_changes_nothing(reading_desk, known, passed):
    told = []
    reading_desk.told("c", known, "Noted.")
    reading_desk.bus.subscribe(DistillationFinished, told.append)
    reading_desk.told("d", "The chickens are gone.", "Ok.")
    assert [[one.quote for one in event.passed] for event in told] == [passed]
