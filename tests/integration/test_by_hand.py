"""Handwritten memory: recognized by meaning, and not ended without asking."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memdesk.bench.recall_rig import load, profile
from memdesk.bench.recall_talks import read_talks
from memdesk.domain.items.statement import Statement
from memdesk.services.recording import IngestTurn
from tests.helpers.parser import read_here
from tests.helpers.recall_desk import NOW, Desk

LINES = {
    "Severe walnut allergy.": "allergy",
    "Type 1 diabetic": "condition",
    "Vegetarian since 2011": "diet",
    "Metformin twice a day": "medication",
    "Brief replies please": "instruction",
    "Whenever I mention rowing, remind me to warm up": "instruction",
    "Nut allergies: the neighbor's boy, not us": "allergy",
    "Plays the cello": "",
    "Call the plumber on Friday": "",
}


DATA = Path(__file__).parent.parent / "data" / "recall"


@pytest.fixture
def services(tmp_path, monkeypatch):
    read_here(monkeypatch)
    with profile(tmp_path / "hand") as made:
        yield made


def tell(services, agent, *said):
    turns = [IngestTurn(user=text, assistant="All right.", date=datetime.now(UTC)) for text in said]
    services.ingest.ingest(agent_id=agent, conversation_id="c", turns=turns)
    services.distillation.distill(agent, "c")
    services.indexing.flush()


@pytest.mark.model
def test_short_handwritten_notes_are_recognized_by_meaning_and_shown_with_messages_they_concern(services):
    services.agents.ensure("few")
    facts = [services.memories.add_fact(agent_id="few", content=line) for line in LINES]
    told = [fact.statement.attribute if fact.statement is not None else "" for fact in facts]
    assert told == list(LINES.values())
    services.indexing.flush()
    cake = services.recall.context(agent_id="few", query="What should I bake on Sunday?").block
    war = services.recall.context(agent_id="few", query="When was the war of the roses?").block
    assert [line in cake for line in LINES][:3:2] == [True, True]
    assert [line in war for line in LINES][:4] == [False] * 4
    assert "Brief replies" in cake
    assert "Brief replies" in war


@pytest.mark.model
def test_what_no_chat_told_is_as_good_a_sign_that_memory_has_the_answer(services):
    services.agents.ensure("house")
    key, boat = "The attic key hangs behind the pantry door.", "The boat is moored at Blackwater marina, pontoon C."
    for line in (key, boat):
        services.memories.add_fact(agent_id="house", content=line)
    services.indexing.flush()
    asked = {
        "Where is the attic key?": key,
        "where is the boat?": boat,
        "Where is the Eiffel Tower?": "",
        "who wrote dracula": "",
    }
    for query, line in asked.items():
        receipt = services.recall.context(agent_id="house", query=query)
        assert (receipt.section == "none", line in receipt.block) == (not line, True), query


@pytest.mark.model
def test_notes_by_hand_answer_what_they_tell_and_not_what_is_asked_of_their_topics_in_general(services):
    talks = read_talks(DATA / "notes_2.jsonl")
    load(services, talks, distill=False)
    texts = {(talk.name, fact.id): fact.text for talk in talks for fact in talk.written}
    told = [
        texts[talk.name, ask.evidence[0]] in services.recall.context(agent_id=talk.agent, query=ask.text).block
        for talk in talks
        for ask in talk.questions
    ]
    opened = [
        idle.text
        for talk in talks
        for idle in talk.idle
        if services.recall.context(agent_id=talk.agent, query=idle.text).section != "none"
    ]
    assert sum(told) >= 0.75 * len(told)
    assert len(opened) <= 0.05 * sum(len(talk.idle) for talk in talks), opened


@pytest.mark.model
def test_who_a_note_is_about_is_a_name_and_where_they_are_is_none(services):
    services.agents.ensure("shop")
    services.memories.add_fact(agent_id="shop", content="Lorna mends accordions in Whitby.")
    services.indexing.flush()
    receipt = services.recall.context(agent_id="shop", query="what does Lorna do")
    assert (receipt.section, receipt.rule, "accordions" in receipt.block) == ("pinned", "entity", True)
    assert services.recall.context(agent_id="shop", query="Where is Whitby?").section == "none"


@pytest.mark.model
def test_what_was_learned_of_a_chat_that_is_deleted_opens_the_gate_by_its_words(services):
    services.agents.ensure("gone")
    tell(services, "gone", "Our boat is moored at Blackwater marina.", "I play the viola in a quartet.")
    services.conversations.delete("gone", "c", learned=False)
    services.indexing.flush()
    receipt = services.recall.context(agent_id="gone", query="where is the boat?")
    assert receipt.section != "none"
    assert "Blackwater marina" in receipt.block


@pytest.mark.model
def test_a_chat_that_says_otherwise_asks_and_the_block_says_what_was_said_later(services):
    services.agents.ensure("home")
    fact = services.memories.add_fact(agent_id="home", content="I live in Tartu.")
    tell(services, "home", "I live in Narva.")
    (card,) = services.review.contradictions("home")
    assert (card.old.id, card.new.content) == (fact.id, "The user lives in Narva.")
    block = services.recall.context(agent_id="home", query="Where do I live?", section="pinned").block
    assert "I live in Tartu. [said later: The user lives in Narva.]" in block
    services.review.resolve_contradiction(card.id, "new")
    assert "Tartu" not in services.recall.context(agent_id="home", query="Where do I live?", section="pinned").block


@pytest.mark.model
def test_a_message_of_health_does_not_fill_the_block_of_another_matter(services):
    services.agents.ensure("fill")
    said = IngestTurn(user="My slipped disc is killing me again.", assistant="I am sorry about your disc.", date=NOW)
    services.ingest.ingest(agent_id="fill", conversation_id="back", turns=[said], wait=False)
    services.indexing.flush()

    def block(query):
        return services.recall.context(agent_id="fill", query=query, section="transcript").block

    assert "disc" not in block("Draft an email to my boss that asks for a raise.")
    assert "disc" in block("Which exercises are good for my back?")


@pytest.mark.model
@pytest.mark.parametrize(
    ("said", "query", "answer"),
    [
        (
            "I pulled a muscle on Friday, and the physio, Mr. Okafor, says ten days off.",
            "What is my physio called?",
            "Okafor",
        ),
        (
            "My youngest, Ola, has no allergies but he stutters and sees the speech therapist on Mondays at four.",
            "The barber offers Monday at four or Tuesday for Ola, which one?",
            "therapist",
        ),
    ],
)
def test_a_message_of_health_that_answers_another_matter_is_shown(services, said, query, answer):
    services.agents.ensure(answer)
    turn = IngestTurn(user=said, assistant="Thanks for telling me.", date=NOW)
    services.ingest.ingest(agent_id=answer, conversation_id=answer, turns=[turn], wait=False)
    services.indexing.flush()
    assert answer in services.recall.context(agent_id=answer, query=query, section="transcript").block


def test_an_instruction_and_what_endangers_somebody_fit_first_into_the_block_of_another_agent(tmp_path):
    desk = Desk(tmp_path, embedder=None)
    for agent in ("ana", "ben"):
        desk.agent(agent)
    told = {
        "The user asks the assistant to keep its answers short.": "instruction",
        "The user has asthma.": "condition",
    }
    for at, name in enumerate(("Ida Holm", "a potter", "from Bergen", "married to Per")):
        line = {"origin": "distiller", "source_agent_id": "ana", "created_at": NOW + timedelta(at + 1)}
        desk.identity(f"The user is {name}.", id=f"line{at}", **line)
    for at, (content, attribute) in enumerate(told.items()):
        said = Statement(subject="user", predicate="be", object=content, attribute=attribute)
        desk.identity(content, id=f"care{at}", origin="distiller", source_agent_id="ana", statement=said)
    block = desk.recall.context(agent_id="ben", query="Explain how tides work.", budget_tokens=60).block
    desk.close()
    assert [line for line in told if line in block] == list(told)
