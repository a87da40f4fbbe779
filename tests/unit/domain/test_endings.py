"""What a new line ends though it states no attribute."""

from __future__ import annotations

import pytest

from memdesk.domain.contradiction import change_by, judge
from tests.helpers import rows


@pytest.mark.parametrize(
    ("new", "old", "action"),
    [
        ("The user eats meat again.", "The user is vegetarian.", "DELETE"),
        ("The user said: \u201cIch esse wieder Fleisch.\u201d", "The user is vegan.", "DELETE"),
        ("The user said: \u201cIch esse wieder Fleisch.\u201d", "The user is vegetarian.", "DELETE"),
        ("The user eats fish.", "The user is vegetarian.", None),
        ("Rufus died on Sunday.", "The user's dog Rufus loves the beach.", "DELETE"),
        ("The user's brother Max died.", "The user's boss Max lives in Hamburg.", None),
        ("The user switched to Linux.", "The user uses Windows 11.", "UPDATE"),
        ("The user uses Linux.", "The user uses Windows.", None),
        ("The user switched to Linux.", "The user uses an iPhone 12.", None),
        ("The user sold the Panda.", "The user drives a Fiat Panda.", "DELETE"),
        ("The user sold their violin.", "The user plays the violin in the city orchestra.", None),
        ("The user had to cancel their trip to Boston.", "The user is flying to Boston on 20 March.", "DELETE"),
        ("The user had to cancel their trip to Boston.", "The user is flying to Rome on 20 March.", None),
        ("The user said: \u201cIch habe mit dem Rauchen aufgeh\u00f6rt.\u201d", "The user said: \u201cIch bin Raucherin.\u201d", "DELETE"),
        ("The user's girlfriend Bea likes tea.", "The user's wife Ana likes tea.", None),
    ],
)  # fmt: skip
def test_what_a_line_ends(new, old, action):
    change = change_by(new, old)
    assert (change[0] if change else None) == action


def test_the_dead_have_no_present_even_where_a_line_says_two_things_of_it():
    old = rows.fact("The user's dog Rufus is 14 years old and loves the beach.")
    assert judge("Rufus died on Sunday.", [old]).action == "DELETE"


def test_a_separation_ends_no_line_that_says_more_than_who_the_partner_is():
    home = rows.fact("The user's girlfriend Nadia and the user live in Bristol.")
    partner = rows.fact("The user's girlfriend Nadia.")
    verdict = judge("Nadia and the user broke up last month.", [home])
    assert (verdict.action, verdict.card) == ("ADD", True)
    assert judge("Nadia and the user broke up last month.", [partner]).action == "DELETE"
