"""A new line is compared with what was said before and later, in the language of the model's training."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from memdesk.domain.comparing.succession import ASKS, ENDS
from memdesk.domain.comparing.tagging import Tags
from memdesk.domain.items.statement import USER, Statement
from memdesk.domain.models import FactKind
from memdesk.domain.reading.candidates import Candidate
from memdesk.services.distilling.succeeding import LOOKED_AT, WEIGHED, Successor
from tests.helpers.rows import fact

NOW = datetime(2026, 5, 1, tzinfo=UTC)
SENTENCE = "The engineer was here, so we're on fibre with Hyperoptic now."


def said(text, *, days=0, language="en"):
    return Statement(
        subject=USER, predicate="say", object=text, said_at=NOW - timedelta(days=days), quote=text, language=language
    )


def known(text, **more):
    return fact(text, statement=said(text, days=30), **more)


@pytest.fixture
def line():
    return Candidate(
        text="The user is on fibre with Hyperoptic.",
        kind=FactKind.OTHER,
        speaker="the user",
        provenance="user",
        turn_ids=("t9",),
        quotes=("we're on fibre with Hyperoptic now",),
        spans=(),
        statement=said("on fibre with Hyperoptic"),
        sentence=SENTENCE,
    )


class Scale:
    """Says of one line that it is over, and notes what was weighed."""

    def __init__(self, over: str) -> None:
        self.over, self.weighed = over, []

    def __call__(self, pairs):
        self.weighed += pairs
        return [(0.0, 0.0, 1.0) if first == self.over else (0.9, 0.05, 0.05) for first, _ in pairs]


def test_the_likeliest_is_told_by_the_sentence_and_what_is_known(line):
    facts = [known("The user has a cat."), known("The user's internet is with Sky.")]
    scale = Scale("The user's internet is with Sky.")
    odds, ended = Successor(lambda _: None, scale).likeliest(line, facts, NOW)
    assert (odds > ENDS, ended) == (True, facts[1])
    assert {second for _, second in scale.weighed} == {SENTENCE}


def test_what_was_said_later_at_once_or_in_another_language_is_left_alone(line):
    facts = [
        fact("Later.", statement=said("Later", days=-1)),
        fact("Same turn.", statement=said("Same turn")),
        fact("Anders.", statement=said("Anders", days=30, language="nl")),
        fact("Unread."),
    ]
    scale = Scale("")
    assert Successor(lambda _: None, scale).likeliest(line, facts, NOW) is None
    assert scale.weighed == []
    german = replace(line, statement=said("Glasfaser", language="de"))
    assert Successor(lambda _: None, scale).likeliest(german, [known("The user has a cat.")], NOW) is None


def test_of_many_facts_the_likest_are_weighed(line):
    facts = [known(f"Number {n}.") for n in range(3 * LOOKED_AT)]

    def embed(texts):
        return np.array([[1.0, 0.0] if text in {line.text, "Number 30."} else [0.0, 1.0] for text in texts], np.float32)

    scale = Scale("Number 30.")
    assert Successor(embed, scale).likeliest(line, facts, NOW)[1].content == "Number 30."
    assert len(scale.weighed) == WEIGHED


@pytest.mark.parametrize(("predicate", "weighed"), [("give", 0), ("take", 0), ("retire from", 1), ("move to", 1)])
def test_what_somebody_did_once_is_weighed_only_where_it_changes_how_things_are(line, predicate, weighed):
    deed = replace(said("us"), subject="Bruno", predicate=predicate, tense="past")
    scale = Scale("The user plays chess with Bruno.")
    Successor(lambda _: None, scale).likeliest(replace(line, statement=deed), [known(scale.over)], NOW)
    assert len(scale.weighed) == weighed


@pytest.mark.parametrize(
    ("said_first", "weighed"),
    [
        (replace(said("gyms"), predicate="switch", tense="past"), ["The user trains at Flex."]),
        (
            replace(said("hair"), predicate="dye", tense="past"),
            ["The user banks with Lloyds.", "The user trains at Flex."],
        ),
    ],
)
def test_a_change_of_one_thing_is_weighed_against_no_other_attribute(line, said_first, weighed):
    bank = fact("The user banks with Lloyds.", statement=replace(said("Lloyds", days=30), predicate="bank with"))
    first = replace(line, statement=said_first)
    scale = Scale("")
    Successor(lambda _: None, scale, [first, line]).likeliest(line, [bank, known("The user trains at Flex.")], NOW)
    assert sorted(one for one, _ in scale.weighed) == weighed


@pytest.mark.parametrize(
    ("content", "ends"), [("The user wears a Garmin.", False), ("The user's gym bag is red.", True)]
)
def test_what_does_not_name_the_changed_thing_is_at_most_asked_about(line, content, ends):
    first = replace(line, statement=replace(said("gyms"), predicate="switch", tense="past"))
    told = Successor(lambda _: None, Scale(content), [first, line]).likeliest(line, [known(content)], NOW)
    assert (told[0] > ENDS) is ends


def test_a_change_of_nobody_knows_what_is_weighed_against_nothing(line):
    scale = Scale("The user has a cat.")
    bare = replace(line, statement=replace(said(""), predicate="switch", tense="past"))
    assert Successor(lambda _: None, scale).likeliest(bare, [known("The user has a cat.")], NOW) is None
    assert scale.weighed == []


def test_without_the_model_nothing_is_likely(line):
    assert Successor(lambda _: None, lambda _: None).likeliest(line, [known("The user has a cat.")], NOW)[0] < ASKS


def tags(value, *, attribute=1, odds=0.9):
    return Tags(odds={attribute: odds}, several={}, care={}, value=value, topic="")


def tagged(*, attribute=1, **values):
    """Read one attribute, and the first of some values, in every text that has one."""
    return lambda texts: [
        tags(next((value for value in values["values"] if value in text), ""), attribute=attribute) for text in texts
    ]


def doubtful(pairs):
    return [(0.7, 0.05, 0.25)] * len(pairs)


def test_another_value_of_one_attribute_ends_what_is_doubtful_else(line):
    sky = known("The user's internet is with Sky.")
    facts = [known("The user has a cat."), sky]
    assert Successor(lambda _: None, doubtful).likeliest(line, facts, NOW)[0] < ASKS
    told = Successor(lambda _: None, doubtful, tag=tagged(values=("Sky", "Hyperoptic")))
    odds, ended = told.likeliest(line, facts, NOW)
    assert (ended, odds > 0.8) == (sky, True)
    late = replace(sky, statement=said("Sky", days=-1))
    assert told.heir(line, [late], NOW)[1] == late


@pytest.mark.parametrize(("odds", "over", "read"), [(0.0, 0.4, 0), (0.02, 0.01, 0), (0.5, 0.2, 1), (0.99, 0.01, 1)])
def test_what_is_known_is_tagged_only_where_that_may_decide(line, odds, over, read):
    fact, told = known("The user's internet is with Sky."), []

    def tag(texts):
        told.extend(texts)
        return [tags("Hyperoptic", odds=odds) for _ in texts]

    Successor(lambda _: None, lambda pairs: [(1 - over, 0.0, over)] * len(pairs), tag=tag).likeliest(line, [fact], NOW)
    assert told.count(fact.content) == read
    assert SENTENCE in told


def test_every_earlier_fact_with_another_value_is_outdated(line):
    sky = [known("The user's internet is with Sky."), known("Sky supplies the user's internet.")]
    others = [known("The user has a cat."), fact("Sky again.", statement=said("Sky", days=-1))]
    told = Successor(lambda _: None, doubtful, tag=tagged(values=("Sky", "Hyperoptic")))
    assert {one.content for one in told.outdated(line, [*sky, *others], NOW)} == {one.content for one in sky}


def test_the_same_value_ends_nothing(line):
    same = known("Hyperoptic supplies the user's internet.")
    told = Successor(lambda _: None, doubtful, tag=tagged(values=("Hyperoptic",)))
    assert told.likeliest(line, [same], NOW)[0] < ASKS


def test_a_question_ends_less(line):
    fact = known("The user has a cat.")
    asks = replace(fact, statement=replace(fact.statement, quote="What does a cat eat?"))
    odds = [Successor(lambda _: None, doubtful).likeliest(line, [one], NOW)[0] for one in (fact, asks)]
    assert odds[0] > odds[1]


def test_what_is_told_late_is_weighed_against_what_was_said_after_it(line):
    sentence = "We had Hyperoptic put in."
    later = fact("The user has fibre.", statement=replace(said("fibre"), quote=sentence))
    before = known("The user has a cat.")
    scale = Scale(line.text)
    told = Successor(lambda _: None, scale).heir(line, [before, later], NOW - timedelta(days=9))
    assert (told[0] > ENDS, told[1]) == (True, later)
    assert scale.weighed == [(line.text, sentence)]
