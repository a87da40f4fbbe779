"""The behavioral cases of the library, by number and name, over every store and over HTTP."""

from __future__ import annotations

import hashlib

import pytest

import memdesk
from memdesk.services.library.modelling import ModelDecider, ModelExtractor
from memdesk.stores.memory import InMemoryStore
from tests.helpers.programs import Failing, QueueText


def texts(found):
    return [one["memory"] for one in found["results"]]


def events(done):
    return [one["event"] for one in done["results"]]


def verbatim(m, *lines, **wishes):
    """Store lines as they are; return their ids."""
    scope = {"user_id": "alice"} | wishes
    return [m.add(line, infer=False, **scope)["results"][0]["id"] for line in lines]


# ---------------------------------------------------------------------- CRUD


def test_01_one_statement_gives_one_add(m):
    (event,) = m.add("My name is Bob", user_id="alice")["results"]
    assert event["event"] == "ADD"
    assert "Bob" in event["new_memory"]
    assert event["old_memory"] is None


def test_02_a_conversation_gives_several(m):
    said = [
        {"role": "user", "content": "I live in Porto and I have a dog called Rex."},
        {"role": "assistant", "content": "How nice!"},
        {"role": "user", "content": "I am allergic to peanuts."},
    ]
    done = m.add(said, user_id="alice")
    assert events(done) == ["ADD"] * len(done["results"])
    assert len(done["results"]) >= 3
    assert {"Porto", "Rex", "peanuts"} <= {
        word.strip(".") for text in texts(m.get_all(user_id="alice")) for word in text.split()
    }


def test_03_hello_gives_nothing(m):
    assert m.add("hello", user_id="alice") == {"results": []}


def test_04_meaning_finds_what_has_none_of_the_words(m):
    m.add("I like Python", user_id="alice")
    m.add("I have two cats", user_id="alice")
    first, second = m.search("programming languages", user_id="alice")["results"]
    assert "Python" in first["memory"]
    assert first["score"] > 0.5 > second["score"]


def test_05_a_limit_is_kept(m):
    verbatim(m, *(f"Note number {n}." for n in range(5)))
    assert len(m.search("note", user_id="alice", limit=2)["results"]) == 2


def test_06_get_by_id(m):
    (name,) = verbatim(m, "A note.", metadata={"tag": "x"})
    found = m.get(name)
    assert (found["id"], found["memory"], found["metadata"], found["user_id"]) == (
        name,
        "A note.",
        {"tag": "x"},
        "alice",
    )
    assert found["hash"] == hashlib.md5(b"A note.").hexdigest()


def test_07_an_unknown_id_is_none(m):
    assert m.get("00000000-0000-7000-8000-000000000000") is None


def test_08_get_all_after_three(m):
    verbatim(m, "One.", "Two.", "Three.")
    assert texts(m.get_all(user_id="alice")) == ["One.", "Two.", "Three."]


def test_09_update_overwrites(m):
    (name,) = verbatim(m, "The office is in Porto.")
    before = m.get(name)
    m.update(name, "The office is in Lisbon.")
    after = m.get(name)
    assert after["memory"] == "The office is in Lisbon."
    assert after["updated_at"] > before["updated_at"]
    assert after["created_at"] == before["created_at"]


def test_10_the_hash_is_md5_of_the_new_text(m):
    (name,) = verbatim(m, "old")
    m.update(name, "new")
    assert m.get(name)["hash"] == hashlib.md5(b"new").hexdigest()


def test_11_delete(m):
    first, second = verbatim(m, "One.", "Two.")
    m.delete(first)
    assert m.get(first) is None
    assert m.get(second) is not None
    with pytest.raises(memdesk.NotFoundError, match="not found"):
        m.delete(first)


def test_12_delete_all_of_a_scope(m):
    verbatim(m, "One.", "Two.")
    verbatim(m, "Bob's.", user_id="bob")
    assert m.delete_all(user_id="alice") == 2
    assert texts(m.get_all(user_id="alice")) == []
    assert texts(m.get_all(user_id="bob")) == ["Bob's."]


def test_13_reset_leaves_nothing(m):
    (name,) = verbatim(m, "One.")
    m.reset()
    assert texts(m.get_all(user_id="alice")) == []
    assert m.history(name) == []


# ---------------------------------------------------------------------- decisions


def test_14_the_same_again_is_none(m):
    m.add("I live in NYC", user_id="alice")
    (event,) = m.add("I live in NYC.", user_id="alice")["results"]
    assert event["event"] == "NONE"
    assert len(m.get_all(user_id="alice")["results"]) == 1


# ---------------------------------------------------------------------- scopes


def test_19_alices_are_not_bobs(m):
    verbatim(m, "Alice keeps bees.")
    assert texts(m.get_all(user_id="bob")) == []
    assert texts(m.search("bees", user_id="bob")) == []


def test_20_two_scope_fields_need_both(m):
    verbatim(m, "Both.", agent_id="helper")
    verbatim(m, "One.")
    assert texts(m.get_all(user_id="alice", agent_id="helper")) == ["Both."]
    assert texts(m.get_all(user_id="alice", agent_id="other")) == []
    assert texts(m.get_all(agent_id="helper")) == ["Both."]


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.add("x"),
        lambda m: m.search("x"),
        lambda m: m.get_all(),
        lambda m: m.delete_all(),
        lambda m: m.entities(),
    ],
)
def test_21_no_scope_raises(m, call):
    with pytest.raises(memdesk.ScopeError, match="At least one of user_id, agent_id, or run_id must be provided"):
        call(m)


def test_22_runs_are_apart(m):
    verbatim(m, "In the first.", run_id="1")
    verbatim(m, "In the second.", run_id="2")
    assert texts(m.get_all(user_id="alice", run_id="1")) == ["In the first."]
    assert len(texts(m.get_all(user_id="alice"))) == 2


# ---------------------------------------------------------------------- history


def test_23_the_history_contains_an_add(m):
    (name,) = verbatim(m, "one")
    (record,) = m.history(name)
    assert (record["memory_id"], record["is_deleted"]) == (name, False)
    assert (record["event"], record["old_value"], record["new_value"]) == ("ADD", None, "one")


def test_24_an_update_is_appended(m):
    (name,) = verbatim(m, "one")
    (first,) = m.history(name)
    m.update(name, "two")
    added, changed = m.history(name)
    assert added == first
    assert (changed["event"], changed["old_value"], changed["new_value"]) == ("UPDATE", "one", "two")


def test_25_a_deletion_is_told_of_what_is_gone(m):
    (name,) = verbatim(m, "one")
    m.delete(name)
    gone = m.history(name)[-1]
    assert (gone["event"], gone["old_value"], gone["new_value"], gone["is_deleted"]) == ("DELETE", "one", None, True)


def test_26_records_are_in_the_order_of_time(m):
    (name,) = verbatim(m, "one")
    m.update(name, "two")
    m.delete(name)
    records = m.history(name)
    assert [r["event"] for r in records] == ["ADD", "UPDATE", "DELETE"]
    assert [r["timestamp"] for r in records] == sorted(r["timestamp"] for r in records)
    assert len({r["id"] for r in records}) == 3


# ---------------------------------------------------------------------- filters

FILTERS = {
    "27_eq": ({"field": "tag", "operator": "eq", "value": "work"}, ["a"]),
    "28_in": ({"tag": {"in": ["work", "home"]}}, ["a", "b"]),
    "29_and": ({"AND": [{"tag": "work"}, {"n": {"gte": 1}}]}, ["a"]),
    "30_or": ({"OR": [{"tag": "home"}, {"n": 3}]}, ["b", "c"]),
    "31_not": ({"NOT": {"tag": "work"}}, ["b", "c"]),
    "32_contains": ({"tag": {"contains": "or"}}, ["a"]),
}


@pytest.mark.parametrize(("given", "expected"), FILTERS.values(), ids=FILTERS)
def test_a_filter_narrows_lists_and_searches(m, given, expected):
    for text, metadata in (("a", {"tag": "work", "n": 1}), ("b", {"tag": "home", "n": 2}), ("c", {"n": 3})):
        verbatim(m, text, metadata=metadata)
    assert texts(m.get_all(user_id="alice", filters=given)) == expected
    assert sorted(texts(m.search("a", user_id="alice", filters=given))) == expected


def test_every_name_is_a_programs_own_but_for_the_fields_that_the_documentation_names(m):
    mine = dict.fromkeys(("id", "type", "kind", "key", "status", "form", "tier", "privacy", "salience"), "mine")
    verbatim(m, "a", metadata=mine)
    verbatim(m, "b")
    for name in mine:
        assert texts(m.get_all(user_id="alice", filters={name: "mine"})) == ["a"], name
        assert texts(m.search("a", user_id="alice", filters={"NOT": {name: "mine"}})) == ["b"], name


def test_an_unknown_operator_is_refused(m):
    with pytest.raises(memdesk.InvalidInputError, match="Unknown operator"):
        m.get_all(user_id="alice", filters={"tag": {"like": "w"}})


# ---------------------------------------------------------------------- graph


def test_33_entities_have_types(m):
    m.add("My friend Alice works at Google", user_id="u")
    found = {one["name"]: one["type"] for one in m.entities(user_id="u")}
    assert found == {"Alice": "person", "Google": "organisation"}


def test_35_a_search_by_an_entity_brings_what_is_connected(m):
    for text in ("My friend Alice works at Google", "My friend Alice is allergic to nuts", "My office is in Munich"):
        m.add(text, user_id="u")
    near, unconnected = m.search("Google", user_id="u", limit=2)["results"]
    assert ("Google" in near["memory"], "Munich" in unconnected["memory"]) == (True, True)
    first, second = m.search("Google", user_id="u", graph=True, limit=2)["results"]
    assert (first["memory"], "nuts" in second["memory"]) == (near["memory"], True)
    assert first["score"] > second["score"]
    above = second["score"] + 0.01
    assert m.search("Google", user_id="u", graph=True, threshold=above)["results"] == [first]


# ---------------------------------------------------------------------- errors


@pytest.mark.expect_log
def test_36_a_model_that_is_down_gives_nothing_and_no_exception(engines):
    m = engines.service(InMemoryStore(), extractor=ModelExtractor(Failing()))
    assert m.add("I live in Porto", user_id="alice") == {"results": []}


@pytest.mark.expect_log
def test_37_one_embedding_of_three_that_fails_leaves_two(engines):
    failing = Failing(word="peanuts", inner=engines.embedder)
    m = engines.service(InMemoryStore(), embedder=failing)
    done = m.add("I live in Porto. I am allergic to peanuts. I have two dogs.", user_id="alice")
    assert events(done) == ["ADD", "ADD"]
    assert not any("peanuts" in text for text in texts(m.get_all(user_id="alice")))


def test_38_a_blank_scope_raises_in_words(m):
    with pytest.raises(memdesk.ScopeError, match="user_id is empty"):
        m.add("x", user_id=" ")


# ---------------------------------------------------------------------- configuration


def test_39_a_custom_prompt_changes_what_is_extracted(engines):
    model = QueueText('{"facts": ["Likes tea."]}', '{"facts": ["Orders: 12."]}')
    m = engines.service(InMemoryStore(), extractor=ModelExtractor(model, "List all tastes."))
    assert m.add("I like tea", user_id="a")["results"][0]["new_memory"] == "Likes tea."
    m.add("I ordered 12", user_id="a", prompt="List all orders.")
    assert [system for system, _ in model.asked] == ["List all tastes.", "List all orders."]


def test_39_a_model_decides_by_its_own_prompt(engines):
    model = QueueText('```json\n{"memory": [{"id": "0", "event": "UPDATE", "text": "Drinks tea and coffee."}]}\n```')
    extractor = ModelExtractor(QueueText('{"facts": ["Drinks tea."]}', 'Sure! ["Drinks coffee."]'))
    m = engines.service(InMemoryStore(), extractor=extractor, decide=ModelDecider(model, "Decide."))
    m.add("tea", user_id="a")
    (event,) = m.add("coffee", user_id="a")["results"]
    assert (event["event"], event["new_memory"]) == ("UPDATE", "Drinks tea and coffee.")
    assert model.asked[0][0] == "Decide."
