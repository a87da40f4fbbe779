from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memdesk.domain.contradiction import claim_of, judge, overturns
from memdesk.domain.models import Fact

NOON = datetime(2024, 3, 13, 12, tzinfo=UTC)


def fact(content, ident="old"):
    return Fact(id=ident, agent_id="ana", content=content, created_at=NOON, updated_at=NOON)


@pytest.mark.parametrize(
    ("old", "new", "action"),
    [
        ("The user lives in Porto.", "The user moved to Oslo on 3 May 2024.", "UPDATE"),
        ("The user lives in Porto.", "The user moved from Porto to Oslo.", "UPDATE"),
        ("The user lives in Porto.", "The user now lives in Oslo.", "UPDATE"),
        ("The user lives in Porto.", "The user lives in Porto since 2019.", "NONE"),
        ("Dana works at Acme.", "Dana works at Globex now.", "UPDATE"),
        ("Dana works as a nurse.", "Dana works as a teacher.", "UPDATE"),
        ("Dana works as a nurse.", "Dana works at Globex.", "ADD"),
        ("Dana works at Acme.", "Irene works at Globex.", "ADD"),
        ("The user is vegetarian.", "The user is no longer vegetarian.", "DELETE"),
        ("The user is no longer vegetarian.", "The user is vegetarian.", "UPDATE"),
        ("The user is married.", "The user is divorced.", "UPDATE"),
        ("The user drinks coffee.", "The user quit drinking coffee.", "DELETE"),
        ("The user drinks coffee.", "The user no longer drinks coffee.", "DELETE"),
        ("The user drinks tea.", "The user no longer drinks coffee.", "ADD"),
        ("The user's favorite color is blue.", "The user's favourite color is green.", "UPDATE"),
        ("The user's favorite color is blue.", "The user's favorite food is rice.", "ADD"),
        ("The user uses vim.", "The user switched from vim to emacs.", "UPDATE"),
        ("The user plays the cello.", "The user plays tennis.", "ADD"),
        ("Dana is married to Kim.", "Dana is engaged to Lee.", "UPDATE"),
    ],
)
def test_updates_need_proof(old, new, action):
    verdict = judge(new, [fact(old)])
    assert verdict.action == action
    assert verdict.reason
    assert (verdict.target is None) == (action == "ADD")


def test_a_repetition_changes_nothing():
    verdict = judge(
        "The user adopted a grey cat named Miso.", [], same=[fact("The user adopted a grey cat called Miso.")]
    )
    assert verdict.action == "NONE"


def test_like_lines_that_differ_in_a_number_or_name_both_stay():
    for old, new in (
        ("Dana adopted a dog in 2022.", "Dana adopted a dog in 2023."),
        ("Dana met Irene in the park.", "Dana met Carlos in the park."),
    ):
        assert judge(new, [], same=[fact(old)]).action == "ADD"


def test_opposed_without_proof_asks_the_user():
    old = fact("The user likes green tea with honey.")
    verdict = judge("The user does not like green tea with honey.", [old], same=[old])
    assert (verdict.action, verdict.card, verdict.target) == ("ADD", True, old)


def test_no_claim_is_read_into_other_sentences():
    assert claim_of("The user lives in constant fear of heights.") is None
    assert claim_of("It rained.") is None


@pytest.mark.parametrize(
    ("old", "new", "action"),
    [
        ("The user works at Siemens.", "The user no longer works at Siemens.", "DELETE"),
        ("The user works at Infineon.", "The user no longer works at Siemens.", "ADD"),
        ("The user works at Siemens.", "The user quit their job at Siemens.", "DELETE"),
        ("The user lives in Porto.", "The user doesn't live in Porto anymore.", "DELETE"),
        ("The user plays the cello.", "The user gave up the cello.", "DELETE"),
        ("The user plays the piano.", "The user gave up the cello.", "ADD"),
        ("The user loves mushrooms.", "The user hates mushrooms now.", "UPDATE"),
        ("The user loves mushrooms.", "The user hates olives.", "ADD"),
        ("The user is 34 years old.", "The user turned 35 yesterday.", "UPDATE"),
        ("The user's boss is Sandra.", "The user's boss is Peter now.", "UPDATE"),
        ("The user's sister Johanna lives in Vienna.", "Johanna moved to Graz.", "UPDATE"),
        ("The user's sister lives in Vienna.", "Sister moved to Graz.", "ADD"),
        (
            "The user said: \u201cIch wohne in Graz.\u201d",
            "The user said: \u201cIch bin nach Wien gezogen.\u201d",
            "UPDATE",
        ),
        ("The user is a vegetarian.", "The user said: \u201cIch bin keine Vegetarierin mehr.\u201d", "DELETE"),
        ("The user loves tea.", "The user loves coffee.", "ADD"),
        ("The user lives in Porto.", "The user's sister lives in Oslo.", "ADD"),
    ],
)
def test_what_ends_what(old, new, action):
    assert judge(new, [fact(old)]).action == action
    assert overturns(new, old) == (action != "ADD")


def test_the_word_user_is_no_verb():
    assert claim_of("The user walks home.") is None
