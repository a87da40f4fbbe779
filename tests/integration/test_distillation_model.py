"""Distillation through the whole app with the bundled models."""

from __future__ import annotations

import pytest

from memdesk.bootstrap.throwaway import throwaway
from memdesk.domain.reading import grounding
from tests.helpers.exchange import exchange

pytestmark = pytest.mark.model

TOLD = [
    ("Hi! I'm Dana, I work as a nurse in Porto.", "Nice to meet you, Dana!"),
    ("My sister Irene plays the cello in an orchestra. We went to her concert last Friday.", "How lovely."),
    ("I decided to learn Japanese, because I'm moving to Kyoto in October.", "Great plan. I recommend flash cards."),
    ("I'm allergic to peanuts.", "Noted."),
]


def test_a_chat_is_distilled_by_the_bundled_model_in_one_call(tmp_path):
    with throwaway(tmp_path) as app:
        services = app.services
        for user, assistant in TOLD:
            exchange(services.ingest, agent_id="default", conversation_id="c", user=user, assistant=assistant)
        (outcome,) = services.distillation.distill("default", "c")
        assert outcome.outcome == "distilled", outcome
        assert outcome.model_calls == 1
        assert outcome.model_tokens > 0
        assert outcome.message == ""
        episode = services.memories.episode(outcome.episode_id)
        facts = [services.memories.fact(fact_id) for fact_id in outcome.facts]
        identity = [line.content for line in services.memories.identity(False)]
        turns = services.memories.transcript("default", "c", limit=50).items
    details = [detail.content for detail in episode.session.details]
    assert "The user's sister Irene plays the cello in an orchestra." in details
    assert "The user is allergic to peanuts." in identity
    assert episode.session.decisions
    assert len(facts) >= 3
    assert {"Irene", "Kyoto"} <= set(episode.session.entities)
    known = grounding.vocabulary(
        [turn.content for turn in turns], names=["the user", "the assistant"], day=turns[0].said_at.date()
    )
    for text in (*details, *(fact.content for fact in facts), episode.content):
        assert grounding.check(text, known).ok, text
