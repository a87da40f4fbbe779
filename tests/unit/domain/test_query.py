"""What a message presupposes, and whether it states anything."""

from __future__ import annotations

from datetime import date

import pytest

from memdesk.domain.language.text import stem
from memdesk.domain.recalling.query import read_query, tells


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("How much was the loan?", {"loan"}),
        ("Suggest a dessert for the depot party.", {"depot", "party"}),
        ("What did my brother say about their cottage?", {"brother", "cottage"}),
        ("What is the capital of Chile?", set()),
        ("How do harpsichords make a sound?", set()),
        ("Wie heißt unsere Werkstatt?", {"werkstatt"}),
        ("Was ist die Hauptstadt von Chile?", set()),
        ("Combien coûte notre bateau ?", {"bateau"}),
        ("", set()),
    ],
)
def test_a_definite_noun_is_known_unless_it_is_explained_at_once(text, known):
    # A verb behind the noun is taken for part of it: no message tells of it as that.
    assert read_query(text, date(2024, 5, 1)).referred >= {stem(word) for word in known}
    assert bool(read_query(text, date(2024, 5, 1)).referred) == bool(known)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("We open on 14 June, what should the poster say?", False),
        ("We open on 14 June. What should the poster say?", True),
        ("How long does a drain last?", False),
        ("Thanks!", False),
    ],
)
def test_a_message_of_questions_only_states_nothing(text, told):
    assert tells(text) is told
