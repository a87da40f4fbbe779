"""The app's engine computes the same from the adapter file as the training did."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from memdesk.bench import adapting
from memdesk.bench.adapting import Asked, Example, Marked, teach, teach_questions, teach_sense, teach_tags, write
from memdesk.engines.bundled import MINILM, locate
from memdesk.engines.minilm_session import LOW, MiniLm, MiniLmPairs, MiniLmTagger
from memdesk.settings.resources import resources_root

pytestmark = pytest.mark.model
ANIMALS = ("a cat", "two dogs", "my parrot", "the old mare", "a goldfish", "three hens")
IDLE = (
    "Add two and two.",
    "Translate hello.",
    "Sort a list in Rust.",
    "Halve ninety.",
    "Spell rhythm.",
    "Rhyme on moon.",
)
TOOLS = ("a hammer", "two saws", "my drill", "the old plane", "a chisel", "three files")


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """One thread: beside other tests two wait for one another at every matrix, three times the work of one."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)


def test_an_adapter_tells_what_it_was_taught(tmp_path, monkeypatch):
    graph = resources_root() / "models" / "minilm_pairs.onnx"
    pairs = [(thing, f"I keep {thing} in the shed.") for thing in (*ANIMALS, *TOOLS)]
    labels = [0] * len(ANIMALS) + [2] * len(TOOLS)
    tensors = teach([Example(*pair, label) for pair, label in zip(pairs, labels, strict=True)] * 8, epochs=4)
    (tmp_path / "models").mkdir()
    monkeypatch.setattr(adapting, "resources_root", lambda: tmp_path)
    taught_by = tmp_path / "things.txt"
    taught_by.write_text("cats and saws", encoding="utf-8")
    write("things", "things", [taught_by], tensors)
    adapter = tmp_path / "models" / "things.safetensors"
    model = MiniLmPairs(graph, locate(MINILM), adapter)
    unseen = [("a rabbit", "I keep a rabbit in the shed."), ("a spanner", "I keep a spanner in the shed.")]
    found = np.zeros((len(unseen), 3), dtype=np.float32)
    for positions, odds in model.probabilities(unseen):
        found[positions] = odds
    assert found.argmax(axis=1).tolist() == [0, 2]
    assert np.allclose(found.sum(axis=1), 1.0, atol=1e-5)
    with safe_open(adapter, framework="np") as file:
        assert json.loads(file.metadata()["learned_from"])[0]["file"] == "things.txt"
    more = teach([Example("a cat", "I keep a cat in the shed.", 0)] * 8, epochs=1, start=adapter)
    lows = [name for name in more if name.endswith(LOW)]
    assert all(np.allclose(more[name], tensors[name], atol=0.01) for name in lows)


def test_questions_are_read_as_they_were_taught_and_lines_as_published(tmp_path):
    graph = resources_root() / "models" / "minilm.onnx"
    published = MiniLm(graph, locate(MINILM))
    lines = published.embed(published.tokenize(["We open at nine.", "The train leaves from platform two."]))
    places = [(thing, 0) for thing in ANIMALS] + [(thing, 1) for thing in TOOLS]
    asked = [Asked(f"What of {thing}?", lines, [place], [1 - place]) for thing, place in places]
    idle = [Asked(text, lines) for text in IDLE]
    stays = Asked("Wann fährt der Zug?", lines[:0], stays=True)
    tensors = teach_questions([*asked, *idle, stays] * 8, epochs=6)
    adapter = tmp_path / "asked.safetensors"
    save_file(tensors, adapter)
    taught = MiniLm(graph, locate(MINILM), adapter=adapter)

    def vectors(model, *texts):
        return model.embed(model.tokenize(texts))

    unseen = vectors(taught, "What of a rabbit?", "What of a spanner?")
    assert (unseen @ lines.T).argmax(axis=1).tolist() == [0, 1]
    messages = vectors(taught, *(one.text for one in [*asked, *idle]))
    direction, bias = teach_sense(messages, np.array([1.0] * len(asked) + [0.0] * len(idle)))
    assert (unseen @ direction + bias).min() > float((vectors(taught, "Divide nine by three.") @ direction)[0]) + bias
    assert float(vectors(taught, stays.text)[0] @ vectors(published, stays.text)[0]) > 0.95


def test_sentences_are_tagged_as_they_were_taught(tmp_path, monkeypatch):
    pets = [Marked(f"I keep {thing} in the shed.", "pet", value=thing, care="diet") for thing in ANIMALS]
    tools = [Marked(f"I keep {thing} in the shed.", "tool", value=thing, topic="shed", care="") for thing in TOOLS]
    idle = [Marked(text, "") for text in IDLE]
    unlabeled = [Marked(text, None, care="") for text in IDLE]
    every = [*pets, *tools, *idle, *unlabeled]
    tensors = teach_tags(every * 8, ["", "pet", "tool"], ["", "diet"], epochs=8)
    (tmp_path / "models").mkdir()
    monkeypatch.setattr(adapting, "resources_root", lambda: tmp_path)
    kinds = [("", "odds"), ("pet", "odds"), ("tool", "several")]
    write("tags", "tags", [], tensors, attributes=kinds, cares=["", "diet"])
    graph = resources_root() / "models" / "minilm_tokens.onnx"
    model = MiniLmTagger(graph, locate(MINILM), tmp_path / "models" / "tags.safetensors")
    found = {}
    for positions, tags in model.tags(
        [
            "I keep a rabbit in the shed.",
            "I keep a spanner in the shed.",
            "Add ten and one.",
            "i keep a rabbit in the shed",
        ]
    ):
        found |= zip(positions, tags, strict=True)
    assert max(found[0]["odds"], key=found[0]["odds"].get) == 1
    assert found[0]["odds"][1] > 0.7
    assert found[1]["several"][2] > 0.7
    assert (found[0]["value"], found[1]["topic"]) == ("a rabbit", "shed.")
    assert found[3]["odds"][1] > 0.7  # as others would type it
    assert [found[place]["care"].get("diet", 0.0) > 0.7 for place in range(4)] == [True, False, False, True]
    assert sum([*found[2]["odds"].values(), *found[2]["several"].values()]) < 0.3


@pytest.mark.parametrize(
    ("task", "folder", "least"),
    [
        ("durability", "reading", 15),
        ("succession", "comparing", 15),
        ("questions", "recall", 15),
        ("attributes", "comparing", 2),
        ("needs", "recall", 1),
    ],
)
def test_what_ships_was_taught_by_the_files_it_names_and_no_blind_one(task, folder, least):
    with safe_open(resources_root() / "models" / f"{task}.safetensors", framework="np") as file:
        named = json.loads(file.metadata()["learned_from"])
    assert len(named) >= least
    for one in named:
        data = (Path(__file__).parents[2] / "data" / folder / one["file"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == one["sha256"], one["file"]
        assert "blind" not in one["file"]
