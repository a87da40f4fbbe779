"""Decisions by the fields of statements, over every store and over HTTP."""

from __future__ import annotations

import pytest

from memdesk.services.library import adding
from memdesk.services.library.deciding import decide
from memdesk.stores.memory import InMemoryStore


def texts(found):
    return [one["memory"] for one in found["results"]]


def events(done):
    return [one["event"] for one in done["results"]]


def test_15_a_newer_value_is_an_update_that_keeps_the_id(m):
    (first,) = m.add("I live in NYC", user_id="alice")["results"]
    (event,) = m.add("I live in San Francisco now", user_id="alice")["results"]
    assert (event["event"], event["id"]) == ("UPDATE", first["id"])
    assert "NYC" in event["old_memory"]
    assert "San Francisco" in event["new_memory"]
    assert len(texts(m.get_all(user_id="alice"))) == 1


def test_16_a_refinement_says_both(m):
    (first,) = m.add("I work in tech", user_id="alice")["results"]
    (event,) = m.add("I work at Google as a senior engineer", user_id="alice")["results"]
    assert (event["event"], event["id"]) == ("UPDATE", first["id"])
    assert "tech" in event["new_memory"]
    assert "Google" in event["new_memory"]


@pytest.mark.parametrize(
    ("first", "closer"),
    [
        ("I have a dog", "I have a dog and a cat"),
        ("I don't eat meat", "I don't eat meat or fish"),
        ("I am allergic to peanuts", "I am allergic to peanuts and shellfish"),
        ("I live in Porto", "I live in Porto with my sister Ada"),
    ],
)
def test_what_says_all_and_more_takes_its_place(m, first, closer):
    (added,) = m.add(first, user_id="alice")["results"]
    (event,) = m.add(closer, user_id="alice")["results"]
    assert (event["event"], event["id"]) == ("UPDATE", added["id"])
    (known,) = texts(m.get_all(user_id="alice"))
    assert closer.split()[-1] in known


@pytest.mark.parametrize(
    ("known", "less"),
    [
        ("I love sushi and ramen", "I love sushi"),
        ("I have a dog named Rufus", "I have a dog"),
        ("I don't eat meat or fish", "I don't eat meat"),
        ("I work at Google as an engineer", "I work at Google"),
    ],
)
def test_what_is_known_more_closely_is_not_remembered_again(m, known, less):
    (added,) = m.add(known, user_id="alice")["results"]
    (event,) = m.add(less, user_id="alice")["results"]
    assert (event["event"], event["id"]) == ("NONE", added["id"])
    assert len(texts(m.get_all(user_id="alice"))) == 1


@pytest.mark.parametrize(
    ("known", "left", "now"),
    [
        ("I'm a lawyer", "I quit law to become a baker", "baker"),
        ("I live in Graz", "I left Graz to live in Vienna", "Vienna"),
        ("I hate opera", "I have come to love opera", "love"),
    ],
)
def test_what_somebody_left_something_for_takes_its_place(m, known, left, now):
    (added,) = m.add(known, user_id="alice")["results"]
    (event,) = m.add(left, user_id="alice")["results"]
    assert (event["event"], event["id"]) == ("UPDATE", added["id"])
    (left_with,) = texts(m.get_all(user_id="alice"))
    assert now in left_with


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("I have been to Paris and Rome", "I have been to Oslo and Rome"),
        ("I went to Rome in May", "I went to Rome in May with Ada"),
        ("I have a dog", "My sister has a dog and a cat"),
        ("I am thankful for this community", "I am proud of how far Ada has come"),
        ("I am a transgender woman", "I am inspired by the LGBTQ+ community"),
    ],
)
def test_what_says_something_else_stands_beside_it(m, first, other):
    m.add(first, user_id="alice")
    assert events(m.add(other, user_id="alice")) == ["ADD"]


def test_who_says_one_thing_more_closely_loses_no_other(m):
    m.add("I work in tech. I work in a small team.", user_id="alice")
    assert events(m.add("I work at Google as a senior engineer", user_id="alice")) == ["UPDATE"]
    told = " ".join(texts(m.get_all(user_id="alice")))
    assert ("tech" in told, "small team" in told, "Google" in told) == (True, True, True)


def test_17_a_negation_takes_the_memory_away(m):
    m.add("I am a vegetarian", user_id="alice")
    done = m.add("I am not a vegetarian anymore, I eat meat again", user_id="alice")
    assert {"DELETE", "UPDATE"} & set(events(done))
    left = texts(m.get_all(user_id="alice"))
    assert not any(text.endswith("is a vegetarian.") for text in left)


def test_18_several_events_in_one_call(m):
    m.add("I live in NYC", user_id="alice")
    done = m.add("I live in Boston now. I have a cat called Miso. I am allergic to nuts.", user_id="alice")
    assert sorted(events(done)) == ["ADD", "ADD", "UPDATE"]


def test_34_a_relation_joins_them(m):
    m.add("My friend Alice works at Google", user_id="u")
    (relation,) = m.relations("Google", user_id="u")
    assert (relation["source"], relation["relation"], relation["target"]) == ("Alice", "works_at", "Google")


def test_relations_use_the_verb_as_said_and_statements_give_types(m):
    m.add("Alice is at Google. Alice and Bob founded Acme. Carol founded a company called Wexel.", user_id="u")
    joined = [
        (r["source"], r["relation"]) for name in ("Google", "Acme", "Wexel") for r in m.relations(name, user_id="u")
    ]
    assert joined == [("Alice", "is_at"), ("Alice", "founded"), ("Carol", "founded")]
    types = {one["name"]: one["type"] for one in m.entities(user_id="u")}
    assert (types["Bob"], types["Carol"], types["Acme"], types["Wexel"]) == ("person", "person", *["organisation"] * 2)


THINGS = (
    "bike",
    "boat",
    "car",
    "drum",
    "flute",
    "guitar",
    "kayak",
    "lathe",
    "loom",
    "piano",
    "sewing machine",
    "tandem",
    "tent",
    "violin",
)


def test_in_a_long_text_the_last_sentence_changes_the_first_and_is_compared_with_the_nearest_alone(
    engines, monkeypatch
):
    compared = []
    monkeypatch.setattr(adding, "decide", lambda told, known: compared.append(len(known)) or decide(told, known))
    said = " ".join(f"I have a {thing}." for thing in THINGS)
    done = engines.service(InMemoryStore()).add(
        f"I live in Porto. {said} I live in Lisbon now. I have a {THINGS[0]}.", user_id="alice"
    )["results"]
    assert [one["event"] for one in done] == ["ADD"] * (1 + len(THINGS)) + ["UPDATE", "NONE"]
    assert [one["id"] for one in done[-2:]] == [done[0]["id"], done[1]["id"]]
    assert max(compared) == adding.NEAREST


def test_without_vectors_a_long_text_is_compared_with_all_that_it_said(engines):
    said = " ".join(f"I have a {thing}." for thing in THINGS)
    done = engines.service(InMemoryStore(), embedder=None).add(
        f"I live in Porto. {said} I live in Lisbon now.", user_id="alice"
    )["results"]
    assert (done[-1]["event"], done[-1]["id"]) == ("UPDATE", done[0]["id"])
