"""The gate with the core model's choice, over the real store."""

from __future__ import annotations

import threading

import pytest

from memdesk.errors import EngineCrashedError, LockedError
from tests.helpers.models import OneModelCatalogue, QueueModel
from tests.helpers.recall_desk import Desk


@pytest.fixture
def model():
    return QueueModel()


@pytest.fixture
def desk(tmp_path, model, monkeypatch):
    monkeypatch.setattr("memdesk.services.recalling.gate.MODEL_SECONDS", 60.0)
    made = Desk(
        tmp_path, embedder=None, catalogue=OneModelCatalogue(model), relevance_gate_mode="llm", core_model="fake:echo"
    )
    made.agent("a")
    yield made
    made.close()


def ask(desk, query="Write something nice"):
    receipt = desk.recall.context(agent_id="a", query=query)
    return receipt.section, receipt.rule


def test_the_model_chooses_within_its_schema(desk, model):
    model.queue('{"section": "episode"}')
    assert ask(desk) == ("episode", "llm")
    (request,) = model.requests
    assert request.json_schema["properties"]["section"]["enum"] == [
        "identity",
        "pinned",
        "episode",
        "transcript",
        "none",
    ]
    assert "Write something nice" in request.messages[0].content
    assert request.temperature == 0.0


@pytest.mark.parametrize("answer", ["no idea", '{"section": "moon"}', "[]"])
def test_an_unclear_vote_leaves_it_to_the_rules(desk, model, answer):
    model.queue(answer)
    assert ask(desk, "What is my name?") == ("identity", "unclear:who-am-i")


def test_a_late_vote_is_cancelled(desk, model, monkeypatch):
    monkeypatch.setattr("memdesk.services.recalling.gate.MODEL_SECONDS", 0.05)
    model.hold = threading.Event()
    model.queue('{"section": "episode" }')
    assert ask(desk, "What is my name?") == ("identity", "late:who-am-i")
    assert model.stopped.wait(60)


def test_a_failing_model_leaves_it_to_the_rules(desk, model):
    model.queue(EngineCrashedError("it ended"))
    assert ask(desk, "What is my name?") == ("identity", "engine_crashed:who-am-i")


def test_a_locked_memory_is_no_reason_to_answer(desk, model):
    model.queue(LockedError("locked"))
    with pytest.raises(LockedError):
        ask(desk)


def test_without_a_catalogue_the_rules_decide(tmp_path):
    desk = Desk(tmp_path, embedder=None, relevance_gate_mode="llm")
    desk.agent("a")
    assert ask(desk, "What is my name?") == ("identity", "who-am-i")
    desk.close()
