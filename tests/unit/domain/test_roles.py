"""Who does what to whom, in a line and in its source, with the real parser."""

from __future__ import annotations

import pytest

from memdesk.domain.reading.roles import Said, borne_out
from tests.helpers.parser import parsed

pytestmark = pytest.mark.model


def holds(line, *said):
    told, *turns = parsed([line, *said])
    return borne_out(told, [Said(turn, "the user", "the assistant") for turn in turns])


@pytest.mark.parametrize(
    ("said", "true", "lie"),
    [
        ("I sold Jonas my Vespa.", "The user sold Jonas a Vespa.", "Jonas sold the user a Vespa."),
        ("Karl hired me in May.", "Karl hired the user in May.", "The user hired Karl in May."),
        ("I was fired by Petra.", "Petra fired the user.", "The user fired Petra."),
        ("My wife keeps bees and I bake.", "The user's wife keeps bees.", "The user keeps bees."),
        ("My mum is diabetic but I'm not.", "The user's mum is diabetic.", "The user is diabetic."),
        ("I don't eat pork but I eat fish.", "The user eats fish.", "The user eats pork."),
        ("I used to smoke, now I run.", "The user runs.", "The user smokes."),
        ("I'd love to move to Cork, we live in Sligo.", "The user lives in Sligo.", "The user moves to Cork."),
        ("I drove from Graz to Linz.", "The user drove to Linz.", "The user drove from Linz to Graz."),
        ("Marta's brother cooks.", "Marta's brother cooks.", "The user's brother cooks."),
        ("Two hives so far, on my aunt's roof.", "The user has two hives on their aunt's roof.", "Their aunt has two hives."),
    ],
)  # fmt: skip
def test_the_same_words_in_other_roles_say_something_else(said, true, lie):
    assert holds(true, said)
    assert not holds(lie, said)


def test_who_is_named_once_is_known_by_either_word():
    said = ["My daughter Emma is eight.", "Emma plays the tuba, she hates chess."]
    assert holds("The user's daughter plays the tuba.", *said)
    assert holds("The user's daughter hates chess.", *said)
    assert not holds("The user hates chess.", *said)
