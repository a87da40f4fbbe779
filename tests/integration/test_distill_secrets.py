"""Secrets and what others assert never become memory; the user is told of a secret once."""

from __future__ import annotations

import pytest

from memdesk.services.events import DistillationFinished
from tests.helpers.distill_desk import DistillDesk
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
    opened = DistillDesk(tmp_path)
    opened.settings.set_memory(extraction_mode="rules")
    yield opened
    opened.distillation.close()
    opened.close()


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
    desk = DistillDesk(tmp_path, analyzer=parser())
    desk.settings.set_memory(extraction_mode="rules")
    told = []
    desk.bus.subscribe(DistillationFinished, told.append)
    try:
        desk.told("c", "My landlord is Mr Petrov and the door code is 4471#.", "Noted.")
        assert desk.fact_texts() == ["The user's landlord is Mr Petrov."]
        assert not any("4471" in line or "code" in line for line in stored(desk))
        (fact,) = desk.every_fact()
        assert [source.quote for source in fact.sources] == ["My landlord is Mr Petrov"]
        assert [kind for event in told for _, kind in event.secrets] == ["password"]
    finally:
        desk.distillation.close()
        desk.close()


def test_what_an_assistant_keeps_asserting_is_no_fact_of_the_user(desk):
    talk = [text for line in FALSE for text in ("Ok, go on.", line)]
    desk.told("c", *talk, "I have two cats.", "Nice.")
    assert [fact.content for fact in desk.every_fact()] == ["The user has two cats."]
    with desk.store.read() as repos:
        assert repos.items.lines() == []


def test_what_was_left_out_is_told_with_its_reason(desk):
    told = []
    desk.bus.subscribe(DistillationFinished, told.append)
    desk.told("c", "I live in Graz. Do I need a visa for Peru? Is it far?", "Yes.")
    assert [event.left_out for event in told] == [(("question", 2), ("said by the assistant", 1))]
