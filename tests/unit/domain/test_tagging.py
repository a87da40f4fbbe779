"""One attribute of one owner, and of one thing where one has several; values are compared by their words."""

from __future__ import annotations

import pytest

from memdesk.domain.comparing.tagging import Reading, Tags, another_value
from memdesk.domain.items.statement import USER, Statement

NONE = {"odds": {}, "several": {}, "care": {}}
PLAIN, OF_WHAT = NONE | {"odds": {1: 0.9}}, NONE | {"several": {2: 0.9}}


def reading(subject, value, topic="", kinds=PLAIN, told=""):
    statement = Statement(subject=subject, predicate="be", object=told or value)
    return Reading(statement, Tags(**kinds, value=value, topic=topic))


def alike(mine, theirs):
    """Return whether both likely give one attribute, with different values."""
    return another_value(mine, theirs) > 0.5


@pytest.mark.parametrize(
    ("mine", "theirs", "same"),
    [
        ((USER, "Sky"), (USER, "Hyperoptic"), True),
        ((USER, "Ecotricity"), ("Octopus", "Octopus"), True),  # "Octopus supplies our power"
        (("user's landlord", "Mr Sato"), (USER, "Ms Ott"), True),
        (("user's dad", "Hull"), ("user's mum", "Whitby"), False),
        (("user's dad", "Hull"), (USER, "Whitby"), False),
        (("user's mum's sertraline", "50 mg"), (USER, "25 mg"), False),
        (("Ada", "Hull"), ("Ada", "Whitby"), True),
        (("Ada", "Hull"), ("Bea", "Whitby"), False),
    ],
)
def test_an_attribute_is_of_one_owner(mine, theirs, same):
    assert alike(reading(*mine), reading(*theirs)) is same


def test_whose_it_is_may_stand_in_the_object():
    hers = reading("They", "30 mg", told="the user's wife's citalopram up to 30 mg")
    assert alike(hers, reading(USER, "20 mg")) is False


@pytest.mark.parametrize(
    ("topics", "same"), [(("piano", "the piano"), True), (("piano", "driving"), False), (("piano", ""), False)]
)
def test_what_one_has_of_several_things_is_compared_of_one_of_them(topics, same):
    mine, theirs = (reading(USER, name, topic, OF_WHAT) for name, topic in zip(("Bo", "Kim"), topics, strict=True))
    assert alike(mine, theirs) is same


def test_a_part_of_a_value_is_no_other_one():
    assert alike(reading(USER, "Skoda"), reading(USER, "an old Skoda")) is False
    assert alike(reading(USER, "100 mcg"), reading(USER, "75 mcg")) is True


def test_a_value_is_read_only_of_a_text_that_has_it():
    assert reading(USER, "Hyperoptic").is_in("Hyperoptic supplies the user's internet.")
    assert not reading(USER, "Hyperoptic").is_in("The engineer was here.")
    assert not reading(USER, "").is_in("The engineer was here.")


@pytest.mark.parametrize(
    ("new", "replaces"),
    [
        ({"quote": "I'm learning Korean"}, True),
        ({"quote": "I'm learning Korean, too"}, False),
        ({"quote": "I'd love to learn Korean", "modality": "wish"}, False),
        ({"quote": "I don't learn Korean", "holds": False}, False),
    ],
)
def test_only_what_is_so_and_not_so_beside_it_takes_a_place(new, replaces):
    known = reading(USER, "Italian")
    mine = Reading(Statement(subject=USER, predicate="learn", object="Korean", **new), reading(USER, "Korean").tags)
    assert alike(mine, known) is replaces
