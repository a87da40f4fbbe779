"""Pairs that rules cannot decide are decided by a bigger model in the call that digests the session.

The big model is a small server that speaks the OpenAI protocol: it passes the self-test and answers pairs from a table.
"""

from __future__ import annotations

import re

import pytest

from memdesk.bootstrap.throwaway import throwaway
from memdesk.domain.models import FactStatus
from memdesk.ports import FactFilter
from tests.helpers.distill_desk import digest
from tests.helpers.exchange import exchange
from tests.helpers.openai_server import openai_server

TEST_DIGEST = digest(
    episode={"summary": "The user moved to Lisbon and started a job as a nurse.", "decisions": ["The user decided to go with green walls."]},
    statements=[{"content": "The user is allergic to peanuts.", "salience": 0.9, "turns": [5]}],
    entities=[{"name": "Irene", "type": "person"}],
)  # fmt: skip
PLAYS = "I play the violin in the city orchestra on Tuesdays."
THROWN = "I was thrown out of the city orchestra for good."
PAIR = re.compile(r"^(\d+)\. remembered: (.+?) \| new: (.+)$", re.MULTILINE)


class BigModel:
    """Passes the self-test; decides on each pair as ``decision`` says."""

    def __init__(self):
        self.decision = "DELETE"
        self.pairs = []

    def __call__(self, body):
        prompt = body["messages"][-1]["content"]
        if "Lisbon" in prompt:
            return TEST_DIGEST
        self.pairs = PAIR.findall(prompt)
        judged = [
            {"pair": int(number), "decision": self.decision, "reason": "the violin is sold"}
            for number, _, _ in self.pairs
        ]
        return digest(episode={"summary": "The user spoke of the violin."}, judgments=judged)


@pytest.fixture
def big():
    with openai_server() as server:
        server.answer = BigModel()
        yield server


@pytest.fixture
def app(tmp_path, big):
    with throwaway(tmp_path, embedder=lambda: None) as app:
        app.services.models.add_remote("lab", big.url)
        app.services.settings.update("memory", {"coreModel": "remote:lab/qwen3:4b"})
        yield app


def told(app, conversation_id, text):
    exchange(
        app.services.ingest, agent_id="default", conversation_id=conversation_id, user=text, assistant="All right."
    )
    (outcome,) = app.services.distillation.distill("default", conversation_id)
    assert outcome.outcome == "distilled", outcome
    return outcome


def facts(app):
    found = app.services.memories.facts(FactFilter(agent_id="default"))
    return {fact.content: fact for fact in found.items}


def remembered(app):
    told(app, "c", PLAYS)
    return facts(app)["The user plays the violin in the city orchestra on Tuesdays."]


def test_a_model_may_end_a_fact_in_the_call_that_digests(app, big):
    old = remembered(app)
    asked = len(big.bodies)
    outcome = told(app, "d", THROWN)
    assert outcome.model_calls == 1
    assert len(big.bodies) == asked + 1
    assert big.answer.pairs == [("1", old.content, "The user was thrown out of the city orchestra for good.")]
    assert "judgments" in big.bodies[-1]["response_format"]["json_schema"]["schema"]["properties"]
    stored = facts(app)
    ended, new = stored[old.content], stored["The user was thrown out of the city orchestra for good."]
    assert ended.status is FactStatus.SUPERSEDED
    assert ended.superseded_by == new.id
    assert ended.valid_until is not None
    history = app.services.history.page(ref_id=old.id).items
    assert any("judged by the model: the violin is sold" in entry.reason for entry in history)
    assert any("judged by the model" in entry.reason for entry in app.services.history.page(ref_id=new.id).items)


def test_both_stay_when_the_model_says_so(app, big):
    old = remembered(app)
    big.answer.decision = "ADD"
    told(app, "d", THROWN)
    assert big.answer.pairs
    assert {fact.status for fact in facts(app).values()} == {FactStatus.ACTIVE}
    assert old.content in facts(app)


def test_what_the_model_takes_for_known_raises_the_fact(app, big):
    old = remembered(app)
    big.answer.decision = "NONE"
    told(app, "d", "I practice the violin with the city orchestra.")
    assert facts(app)[old.content].source_count == 2
    assert len(facts(app)) == 1


def test_a_fact_the_user_pinned_is_not_ended_but_asked_about(app):
    old = remembered(app)
    app.services.memories.pin([old.id])
    told(app, "d", THROWN)
    assert facts(app)[old.content].status is FactStatus.ACTIVE
    (card,) = app.services.review.contradictions("default")
    assert card.old.id == old.id
    assert "you pinned it" in card.reason
