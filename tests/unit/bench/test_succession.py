"""What the bench takes from a chat in which a value changes."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from memdesk.bench.adapting import Example
from memdesk.bench.succession import NEGATIVES, balanced, cases
from tests.helpers.parser import parser

pytestmark = pytest.mark.model

CHAT = (
    {"text": "I drive a Corsa to the depot in Goole."},
    {"text": "My sister drives a Fabia."},
    {"text": "I drive a Leaf these days.", "over": [1], "was": "Corsa", "is": "Leaf"},
    {"text": "My car is a Leaf. Where do I charge it?", "again": [3]},
    {"text": "I drive a Yaris.", "over": [3, 4], "was": "Leaf", "is": "Yaris"},
)


def test_a_value_is_newer_than_all_that_were_over_before(tmp_path):
    path = tmp_path / "chat.jsonl"
    rows = ({"chat": "a", "n": n, "on": f"2025-0{n}-01"} | row for n, row in enumerate(CHAT, 1))
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    found = cases(SimpleNamespace(analyzer=parser()), path)
    assert [one.label for one in found] == ["keep", "keep", "update", "update", "update"]
    assert [sorted(one.over) for one in found] == [[], [], [0], [0], [0, 2, 3]]
    assert [sorted(one.again) for one in found] == [[], [], [], [2], []]
    assert all("Corsa" in one.text for one in found[4].known[0])
    assert found[3].telling() == ["My car is a Leaf."]


def test_negatives_are_a_few_for_each_other_example():
    over = [Example("a", "b", 2)] * 2
    every = [*over, *(Example("a", str(number), 0) for number in range(20))]
    kept = balanced(every)
    assert len(kept) == len(over) * (1 + NEGATIVES)
    assert kept[:2] == over
