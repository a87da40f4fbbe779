"""Recall on chats as the app has them: a user who says "I", and an assistant that answers at length."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.bench.recall import main
from memdesk.bench.recall_measure import measure
from memdesk.bench.recall_rig import load, profile
from memdesk.domain.query import read_query
from memdesk.services.locomo import read_locomo

DATA = Path(__file__).resolve().parents[1] / "data" / "recall"
NAMES = ("assistant_en", "assistant_de")


@pytest.fixture(scope="module")
def chats(tmp_path_factory):
    conversations = {name: read_locomo(DATA / f"{name}.json") for name in NAMES}
    with profile(tmp_path_factory.mktemp("chats")) as services:
        load(services, list(conversations.values()), distil=False)
        yield services, conversations


def block_of(services, conversation, question, budget, section="transcript"):
    return services.recall.context(
        agent_id=conversation.name,
        query=question.question,
        budget_tokens=budget,
        section=section,
        session_now=conversation.last_date,
    ).block


@pytest.mark.model
@pytest.mark.parametrize("name", NAMES)
def test_first_person_questions_find_what_was_said_in_few_tokens(chats, name):
    services, conversations = chats
    found = measure(conversations[name], lambda talk, asked, budget: block_of(services, talk, asked, budget), 200)
    assert found.evidence >= 0.85
    assert found.answer_words >= 0.85
    assert found.mean_tokens < 200


@pytest.mark.model
@pytest.mark.parametrize("name", NAMES)
def test_the_gate_opens_for_first_person_questions(chats, name):
    services, conversations = chats
    talk = conversations[name]
    questions = [one for one in talk.questions if read_query(one.question, talk.last_date.date()).of_self]
    assert len(questions) > 5
    opened = [bool(block_of(services, conversations[name], one, 800, "auto")) for one in questions]
    assert sum(opened) >= 0.9 * len(questions)


@pytest.mark.model
def test_an_answer_is_shown_by_its_telling_sentences_unless_it_is_asked_for(chats):
    services, conversations = chats
    talk = conversations["assistant_en"]
    trails = next(one for one in talk.questions if one.question.startswith("Which trails did you suggest"))
    assert "Stubai" in block_of(services, talk, trails, 400)
    rent = next(one for one in talk.questions if one.question.startswith("How much did my landlord want"))
    lines = block_of(services, talk, rent, 400).split("\n")
    assert all(len(line) < 350 for line in lines)


@pytest.mark.model
def test_the_chats_can_be_benched(capsys):
    assert main([str(DATA / "assistant_de.json"), "--quick", "--budget", "400"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("evidence ")
