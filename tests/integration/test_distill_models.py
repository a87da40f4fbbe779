"""A good, a sloppy, a verbose, a refusing and a lying model produce the same truth, and nothing false.

The models are a small server that speaks the OpenAI protocol; each passes the self-test, as models do that lie later.
"""

from __future__ import annotations

import json

import pytest

from memdesk.bootstrap.throwaway import throwaway
from memdesk.ports import FactFilter
from memdesk.settings.prompts import distill_prompt, distill_prompts
from tests.helpers.distill_desk import digest
from tests.helpers.exchange import exchange
from tests.helpers.openai_server import openai_server

TEST_DIGEST = digest(
    episode={"summary": "The user moved to Lisbon and started a job as a nurse.", "decisions": ["The user decided to go with green walls."]},
    statements=[{"content": "The user is allergic to peanuts.", "salience": 0.9, "turns": [5]}],
    entities=[{"name": "Irene", "type": "person"}],
)  # fmt: skip
SAID = "Two hives so far, on the roof of my aunt's garage in Linz. I don't eat pork. Do I need a visa for Peru?"
TRUE = "The user has two hives on the roof of their aunt's garage in Linz."
PORK = "The user doesn't eat pork."
QUOTED = "The user said: \u201cTwo hives so far, on the roof of my aunt's garage in Linz.\u201d"


def stated(content, turns=(1,)):
    return {"content": content, "turns": list(turns), "salience": 0.7}


GOOD = stated(TRUE)
LIES = [
    stated("The user eats pork."),
    stated("The user needs a visa for Peru."),
    stated("The user owns a yacht in Linz."),
    stated("The user's aunt has two hives in Linz."),
    stated("The user likes honey and clover.", turns=(2,)),
    stated("The user has two hives in Peru.", turns=(7, -1)),
]
ANSWERS = {
    "good": digest(statements=[GOOD]),
    "sloppy": json.dumps({"statements": [{"content": TRUE, "turns": [1, "x"]}, "hm", {"turns": 3}], "episode": None}),
    "verbose": f"Sure! Here is what I found:\n```json\n{digest(statements=[GOOD])}\n```\nLet me know if you need more.",
    "refusing": "I'm sorry, but I can't help with personal information.",
    "lying": digest(episode={"summary": "The user won a lottery."}, statements=LIES),
}


@pytest.fixture
def kept(tmp_path):
    """Let a model of a kind distill the chat; return what is kept of it."""

    def by(kind):
        def answer(body):
            return TEST_DIGEST if "Lisbon" in body["messages"][-1]["content"] else ANSWERS[kind]

        with openai_server() as server, throwaway(tmp_path / kind, embedder=lambda: None) as app:
            server.answer = answer
            app.services.models.add_remote("lab", server.url)
            app.services.settings.update("memory", {"coreModel": "remote:lab/qwen3:4b"})
            exchange(
                app.services.ingest,
                agent_id="default",
                conversation_id="c",
                user=SAID,
                assistant="You like honey and clover.",
            )
            (outcome,) = app.services.distillation.distill("default", "c")
            assert outcome.model_calls == 1
            facts = app.services.memories.facts(FactFilter(agent_id="default")).items
            return sorted(fact.content for fact in facts), app.services.memories.episode(outcome.episode_id).content

    return by


@pytest.mark.parametrize("kind", ["good", "sloppy", "verbose"])
def test_the_truth_that_a_model_adds_is_kept(kept, kind):
    facts, _ = kept(kind)
    assert facts == sorted([PORK, TRUE])


@pytest.mark.parametrize("kind", ["refusing", "lying"])
def test_nothing_false_is_kept_of_a_model_that_refuses_or_lies(kept, kind):
    facts, summary = kept(kind)
    assert facts == [PORK, QUOTED]
    assert "lottery" not in summary


def test_a_model_is_told_what_the_user_wrote_in_the_place_of_the_text_that_ships(tmp_path):
    told = []

    def answer(body):
        told.append(body["messages"][0]["content"])
        return TEST_DIGEST if "Lisbon" in body["messages"][-1]["content"] else ANSWERS["good"]

    with openai_server() as server, throwaway(tmp_path, embedder=lambda: None) as app:
        server.answer = answer
        app.services.models.add_remote("lab", server.url)
        app.services.settings.update(
            "memory", {"coreModel": "remote:lab/qwen3:4b", "distillPrompt": "Hear {user} out."}
        )
        exchange(app.services.ingest, agent_id="default", conversation_id="c", user=SAID, assistant="I see.")
        app.services.distillation.distill("default", "c")
    assert told[0] == distill_prompt().shipped.replace("{user}", "the user")  # the self-test is of the model
    assert told[1] == "Hear the user out."


def test_a_prompt_leaves_small_models_room_for_the_session():
    # Two characters and a half a token is below what tokenizers make of English prose.
    parts = list(distill_prompts()["writes"].values())
    assert sum(map(len, parts)) / 2.5 < 700
