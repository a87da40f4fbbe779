from __future__ import annotations

import itertools
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.statement import Statement
from memdesk.domain.language.names import EntityMatcher
from memdesk.domain.language.text import estimate_tokens
from memdesk.domain.recalling import planner as p
from memdesk.domain.recalling.gate import SECTIONS, Gate
from memdesk.domain.recalling.query import read_query
from memdesk.domain.recalling.ranking import FEATURES, Passage, Weights, passage_features, probabilities
from memdesk.services.events import MemoryChanged, TurnsRecorded
from memdesk.services.recalling.gate import language_rules
from memdesk.services.recalling.scored import Scored
from memdesk.services.recalling.search import turn_weights
from memdesk.services.recalling.unused import MOST_DAYS, PATIENCE, STEP, stepped_back
from tests.helpers import rows
from tests.helpers.recall_desk import NOW, Desk

TEXT = st.text(max_size=300)
LINES = st.lists(
    st.builds(
        lambda text, score, order: p.Line(
            kind="turn", id=str(order), text=p.safe(text), score=score, order=(order, "", 0)
        ),
        TEXT,
        st.floats(0, 1),
        st.floats(0, 1e6),
    ),
    max_size=40,
)
PARTS = st.lists(
    st.builds(
        lambda lines, share, dense, in_order, floor: p.Part(
            heading="Part:", lines=lines, share=share, dense=dense, in_order=in_order, floor=floor
        ),
        LINES,
        st.floats(0, 1),
        st.booleans(),
        st.booleans(),
        st.floats(0, 0.5),
    ),
    max_size=4,
)


@given(LINES, PARTS, st.integers(0, 1200))
def test_a_plan_never_exceeds_its_budget(always, parts, budget):
    done = p.plan(always, parts, budget)
    assert done.tokens == estimate_tokens(done.block) <= budget
    assert bool(done.items) == bool(done.block)
    for item in done.items:
        assert item.line in done.block


WORD = st.sampled_from(["harbor", "crane", "fjord", "kettle", "violin", "basil", "ladder", "meadow"])


@given(
    st.lists(WORD, min_size=1),
    st.lists(WORD, min_size=1),
    st.integers(0, 1000),
    st.floats(0, 1),
    st.booleans(),
    st.booleans(),
)
def test_a_line_that_is_asked_for_is_as_likely_as_if_it_had_been_of_use(said, asked, days, score, pinned, safe):
    fields = {
        "user_pinned": pinned,
        "origin": "distilled",
        "statement": Statement(subject="user", predicate="be", attribute="allergy") if safe else None,
    }
    item = MemoryItem(id="x", content=" ".join(said), created_at=NOW, updated_at=NOW, **fields)
    query = read_query(f"Where is the {' or the '.join(asked)}?", NOW.date())
    (back,) = stepped_back([Scored("fact", 1, score, item)], {"x": days}, query)
    if pinned or safe or set(said) & set(asked) or days <= PATIENCE:
        assert back.score == score
    else:
        assert score * STEP ** (MOST_DAYS - PATIENCE) <= back.score <= score * STEP


@given(LINES, PARTS, st.integers(0, 1200))
def test_a_plan_is_the_same_every_time(always, parts, budget):
    assert p.plan(always, parts, budget) == p.plan(list(always), list(parts), budget)


@given(TEXT, st.lists(st.sampled_from("abcdefgh"), max_size=3), st.integers(1, 400))
def test_excerpts_keep_their_length(text, stems, limit):
    assert len(p.excerpt(p.safe(text), stems, limit)) <= limit


@given(st.text(max_size=3000))
def test_the_gate_takes_any_text(text):
    gate = Gate(language_rules())
    decision = gate.decide(text, EntityMatcher(["Nora", "Project Heron", "京都"]))
    assert decision.section in SECTIONS
    assert decision.rule


@given(st.text(max_size=400), st.lists(st.text(min_size=2, max_size=12), max_size=8))
def test_names_found_stand_in_the_text(text, names):
    for match in EntityMatcher(names).find(text):
        assert 0 <= match.start < match.end <= len(text)
        assert match.name in names


@given(
    st.text(max_size=200),
    st.lists(st.tuples(st.sampled_from("ABC"), TEXT, st.integers(0, 6), st.sampled_from("xy")), max_size=12),
    st.booleans(),
)
def test_every_candidate_gets_a_probability(question, said, with_vectors):
    day = NOW.date()
    found = [Passage(i, c, place, who, text, day) for i, (who, text, place, c) in enumerate(said)]
    vectors = np.random.default_rng(1).standard_normal((len(found), 8)).astype(np.float32) if with_vectors else None
    query = read_query(question, day, speakers="ABC")
    features = passage_features(
        query,
        found,
        frequency=dict.fromkeys(query.terms, 1),
        rows=100,
        query_vector=np.ones(8, np.float32) if with_vectors else None,
        vectors=vectors,
    )
    scores = probabilities(features, turn_weights("hybrid" if with_vectors else "fts"))
    assert features.shape == (len(found), len(FEATURES))
    assert np.isfinite(features).all()
    assert ((scores >= 0) & (scores <= 1)).all()


@given(st.lists(st.floats(-5, 5), min_size=len(FEATURES), max_size=len(FEATURES)), st.floats(-10, 10))
def test_weights_survive_writing(values, bias):
    ones = np.ones(len(FEATURES), np.float32)
    weights = Weights(ones, ones, np.asarray(values, np.float32), bias)
    again = Weights.from_dict(weights.to_dict())
    assert np.allclose(again.weight, weights.weight, atol=1e-3)


WORDS = st.lists(
    st.sampled_from(["canoe", "kayak", "basil", "Petra", "Bergen", "crane", "ferry", "secret", "tram", "oak"]),
    min_size=1,
    max_size=6,
)


@pytest.fixture(scope="module")
def desk():
    with tempfile.TemporaryDirectory() as folder:
        made = Desk(Path(folder))
        for agent_id in ("a", "b"):
            made.agent(agent_id)
            for i in range(6):
                made.talk(
                    f"s{i}",
                    ("user", f"agent {agent_id} canoe kayak number {i}"),
                    ("assistant", f"agent {agent_id} basil Petra Bergen crane {i}"),
                    agent_id=agent_id,
                    when=datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=i),
                )
            made.fact(f"agent {agent_id} owns a canoe in Bergen", agent_id=agent_id)
            made.fact(f"agent {agent_id} hid a secret ferry", agent_id=agent_id, status="disabled")
            made.episode(f"agent {agent_id} took the tram", agent_id=agent_id, details=[f"agent {agent_id} saw an oak"])
        made.indexing.flush()
        yield made
        made.close()


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=WORDS, scope=st.sampled_from(["pinned", "episodes", "transcript", "all"]), agent_id=st.sampled_from("ab"))
def test_searches_stay_with_their_agent_and_with_what_lives(desk, words, scope, agent_id):
    other = "b" if agent_id == "a" else "a"
    for item in desk.recall.search(agent_id=agent_id, query=" ".join(words), scope=scope, limit=50).items:
        assert f"agent {other}" not in item.text
        assert "secret" not in item.text


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    words=WORDS,
    section=st.sampled_from([None, "pinned", "episode", "transcript", "identity"]),
    budget=st.integers(0, 400),
    agent_id=st.sampled_from("ab"),
)
def test_contexts_stay_with_their_agent_and_in_budget(desk, words, section, budget, agent_id):
    other = "b" if agent_id == "a" else "a"
    receipt = desk.recall.context(agent_id=agent_id, query=" ".join(words), section=section, budget_tokens=budget)
    assert f"agent {other}" not in receipt.block
    assert "secret" not in receipt.block
    assert receipt.tokens == estimate_tokens(receipt.block) <= budget
    desk.recall.invalidate(agent_id)
    again = desk.recall.context(agent_id=agent_id, query=" ".join(words), section=section, budget_tokens=budget)
    assert again.block == receipt.block


PLACES = ["Bergen", "Lisbon", "Oslo", "Turin"]
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.sampled_from("ab"), st.sampled_from(PLACES)),
        st.tuples(st.just("edit"), st.integers(0, 20), st.sampled_from(PLACES)),
        st.tuples(st.just("delete"), st.integers(0, 20), st.none()),
        st.tuples(st.just("embed"), st.none(), st.none()),
        st.tuples(st.just("ask"), st.sampled_from("ab"), st.sampled_from(PLACES)),
    ),
    min_size=3,
    max_size=14,
)


class Talk:
    """Two agents' turns in a real store beside what they ought to hold."""

    numbers = itertools.count()

    def __init__(self, desk):
        self.desk = desk
        self.run = next(self.numbers)
        self.said = {}

    def step(self, what, which, place):
        if what == "say":
            agent_id = f"{self.run}-{which}"
            text = f"Number {next(self.numbers)}: the boat of {which} sails to {place}"
            (turn,) = self.desk.talk(f"c{next(self.numbers)}", ("user", text), agent_id=agent_id)
            self.said[turn.id] = (agent_id, text)
            self.desk.events.publish(TurnsRecorded(agent_id, turn.conversation_id, (turn.id,)))
        elif what == "embed":
            self.desk.indexing.flush()
        elif what == "ask":
            self.ask(f"{self.run}-{which}", place)
        elif self.said:
            turn_id = sorted(self.said)[which % len(self.said)]
            agent_id, _ = self.said[turn_id]
            # Asked before, so that there is something stale to be shown.
            self.ask(agent_id, "Bergen")
            self.change(what, turn_id, place)
            self.ask(agent_id, "Bergen")

    def change(self, what, turn_id, place):
        agent_id, _ = self.said.pop(turn_id)
        with self.desk.store.read() as repos:
            seq = repos.turns.get(turn_id).seq
        self.desk.store.write(lambda repos: rows.forget_turns(repos, [turn_id]))
        self.desk.indexing.forget(agent_id, "turn", [seq])
        self.desk.events.publish(MemoryChanged(agent_id))
        if what == "edit":
            self.step("say", agent_id.partition("-")[2], place)

    def ask(self, agent_id, place):
        """Ask twice, so that what is kept of the first answer is used; all of it must be so now."""
        alive = {text for owner, text in self.said.values() if owner == agent_id}
        for _ in range(2):
            query = f"Where does the boat sail, {place}?"
            found = self.desk.recall.search(agent_id=agent_id, query=query, scope="transcript", limit=50)
            assert {item.text for item in found.items} <= alive
            block = self.desk.recall.context(agent_id=agent_id, query=query, section="transcript").block
            assert {line.partition("User: ")[2] for line in block.splitlines() if "Number" in line} <= alive
            named = {text for text in alive if place in text}
            assert named <= {item.text for item in found.items}


@pytest.fixture
def own_desk(tmp_path, monkeypatch):
    monkeypatch.setattr("memdesk.engines.hnsw.EXACT_BELOW", 3)
    made = Desk(tmp_path)
    yield made
    made.close()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_nothing_kept_in_memory_shows_what_is_gone_or_was_changed(own_desk, steps):
    talk = Talk(own_desk)
    for step in steps:
        talk.step(*step)
    for agent_id in (f"{talk.run}-a", f"{talk.run}-b"):
        talk.ask(agent_id, "Bergen")
