from __future__ import annotations

import pytest

from memdesk.domain.chatting.prompts import Prompt


def prompt(text):
    return Prompt(id="p", name="P", text=text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Explain {topic} to {a reader}, {topic}!", ("topic", "a reader")),
        ("Older tools write {{topic}}.", ("topic",)),
        ("Größe: {größe}", ("größe",)),
        ('Answer as {"topic": 1} or {} or {1} or { x }', ()),
        ("if (a) { return b; }", ()),
    ],
)
def test_places_are_names_in_braces_and_code_has_none(text, found):
    assert prompt(text).variables == found


def test_a_place_is_filled_as_it_is_given_and_one_without_a_value_stays():
    made = prompt("From {a} to {{b}} by {c}").filled({"a": "{b}", "b": r"\1", "c": ""})
    assert made == r"From {b} to \1 by {c}"
