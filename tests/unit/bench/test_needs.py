"""Which messages need a fact in mind: learned from pairs, and measured by what a message is to the fact."""

from __future__ import annotations

import json

import numpy as np
import pytest

from memdesk.bench.needs import load, measure, teach
from memdesk.domain.recalling.needing import Needs

FOODS = ("a soup", "a cake", "a stew", "a pie", "a curry", "a salad", "a sauce", "a roast")
TOOLS = ("a saw", "a drill", "a plane", "a file", "a vise", "a clamp", "a chisel", "a rasp")


class Spread:
    """Vectors in which food and tools each have a direction of their own."""

    model = "spread"

    def of(self, texts):
        return np.stack([self._one(text) for text in texts])

    def _one(self, text):
        rng = np.random.default_rng(sum(map(ord, text)))
        row = rng.normal(size=384) * 0.005
        row[:2] += [any(food in text for food in ("nuts", *FOODS)), any(tool in text for tool in ("hand", *TOOLS))]
        return (row / np.linalg.norm(row)).astype(np.float32)


def written(path, foods, tools):
    rows = [
        {"fact": "Nuts, no: nuts close my throat", "class": "allergy", "need": foods, "near": tools, "far": []},
        {"fact": "One hand only since May", "class": "condition", "need": tools, "near": foods, "far": []},
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return load(path)


def test_a_message_gets_what_it_needs_by_what_was_learned(tmp_path):
    asked = [[f"How do I make {one}?" for one in some] for some in (FOODS, TOOLS)]
    taught = written(tmp_path / "taught.jsonl", *(some[:6] for some in asked))
    unseen = written(tmp_path / "unseen.jsonl", *(some[6:] for some in asked))
    needs = Needs("spread", teach(taught * 60, Spread()))
    figures = measure(unseen, needs, Spread())
    assert figures == {"need": 1.0, "near": 0.0, "allergy": 1.0, "condition": 1.0}
    line, message = Spread().of(["nuts", "a stew"])
    assert needs.odds(line[None], message, "another") is None


def test_a_file_of_another_form_is_refused(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"text": "x"}), encoding="utf-8")
    with pytest.raises(ValueError, match="no fact, class, or messages"):
        load(path)
