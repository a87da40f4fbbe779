"""Behavior of the library beyond the numbered cases."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

import memdesk
from memdesk.errors import EnvironmentFault, RateLimitedError
from memdesk.library import Memory, RemoteMemory
from memdesk.services.library.modelling import ModelDecider, ModelExtractor, facts_in
from memdesk.services.library.retrying import RetryingEmbedder, RetryingModel
from memdesk.stores.memory import InMemoryStore
from tests.helpers.programs import Failing, QueueText


def texts(found):
    return [one["memory"] for one in found["results"]]


def test_infer_false_stores_each_message_but_the_system_s(local):
    said = [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": "hi"},
    ]
    done = local.add(said, user_id="a", infer=False, metadata={"tag": 1})
    assert [(one["event"], one["new_memory"], one["metadata"]) for one in done["results"]] == [
        ("ADD", "hello", {"tag": 1}),
        ("ADD", "hi", {"tag": 1}),
    ]


def test_texts_and_parts_of_a_message_are_one_text(local):
    content = ["I keep bees.", {"type": "text", "text": "In Porto."}, {"type": "image_url", "image_url": {"url": "x"}}]
    done = local.add([{"role": "user", "content": content}], user_id="a", infer=False)
    assert [one["new_memory"] for one in done["results"]] == ["I keep bees.\nIn Porto."]
    with pytest.raises(memdesk.InvalidInputError, match="text"):
        local.add([{"role": "user", "content": b"I keep bees."}], user_id="a", infer=False)


def test_what_has_expired_is_gone_from_lists_and_searches(local):
    soon = datetime.now(UTC) + timedelta(days=1)
    local.add("past", user_id="a", infer=False, expires_at=datetime.now(UTC) - timedelta(days=1))
    local.add("future", user_id="a", infer=False, expires_at=soon.isoformat())
    assert texts(local.get_all(user_id="a")) == ["future"]
    assert texts(local.search("past", user_id="a")) == ["future"]
    assert local.delete_all(user_id="a") == 2


def test_a_threshold_leaves_out_what_is_less_likely(local):
    local.add("The user likes Python.", user_id="a", infer=False)
    local.add("The user has two cats.", user_id="a", infer=False)
    assert texts(local.search("programming languages", user_id="a", threshold=0.5)) == ["The user likes Python."]
    for wrong in (2, "0.5", float("nan")):
        with pytest.raises(memdesk.InvalidInputError, match="threshold"):
            local.search("x", user_id="a", threshold=wrong)


def test_an_update_of_metadata_leaves_the_text(local):
    (event,) = local.add("x", user_id="a", infer=False, metadata={"old": 1})["results"]
    assert local.update(event["id"], metadata={"new": 2})["metadata"] == {"new": 2}
    assert local.get(event["id"])["memory"] == "x"
    with pytest.raises(memdesk.InvalidInputError):
        local.update(event["id"])
    with pytest.raises(memdesk.InvalidInputError, match="empty"):
        local.update(event["id"], "  ")


@pytest.mark.parametrize("given", [5, [{"role": "robot", "content": "x"}], [{"content": "x"}], None])
def test_what_are_no_messages_is_refused(local, given):
    with pytest.raises(memdesk.InvalidInputError):
        local.add(given, user_id="a")


def test_metadata_is_what_json_can_say_and_a_copy(m):
    deep: dict = {}
    for _ in range(200):
        deep = {"x": deep}
    tags = ["a"]
    given = {"tags": tags, "day": date(2026, 3, 1), "cut": "half \ud83d of a letter"}
    (event,) = m.add("x", user_id="a", infer=False, metadata=given)["results"]
    tags.append("b")
    kept = {"tags": ["a"], "day": "2026-03-01", "cut": "half \ufffd of a letter"}
    assert event["metadata"] == m.get(event["id"])["metadata"] == kept
    for wrong in ({"x": object()}, {"x": {1}}, {"x": b"x"}, {"x": float("nan")}, {("a", 1): 2}, deep):
        with pytest.raises(memdesk.InvalidInputError, match=r"metadata|JSON|deep"):
            m.add("y", user_id="a", infer=False, metadata=wrong)
        with pytest.raises(memdesk.InvalidInputError, match=r"metadata|JSON|deep"):
            m.update(event["id"], metadata=wrong)
    assert len(texts(m.get_all(user_id="a"))) == 1


def test_a_moment_in_a_filter_is_what_it_is_in_metadata(m):
    for name, day in (("a", 1), ("b", 2)):
        m.add(
            name,
            user_id="u",
            infer=False,
            metadata={"due": datetime(2024, 5, day, tzinfo=UTC), "on": date(2024, 5, day)},
        )
    for asked, expected in (
        ({"due": datetime(2024, 5, 1, tzinfo=UTC)}, ["a"]),
        ({"due": {"gt": datetime(2024, 5, 1, tzinfo=UTC)}}, ["b"]),
        ({"on": {"in": [date(2024, 5, 2), None]}}, ["b"]),
    ):
        assert texts(m.get_all(user_id="u", filters=asked)) == expected


def test_what_no_database_holds_is_left_out_of_texts_and_ids(m):
    (event,) = m.add("cut \ud83d off\0here", user_id="a\0b", infer=False)["results"]
    assert event["new_memory"] == m.get(event["id"])["memory"] == "cut \ufffd off here"
    assert texts(m.search("cut \ud83d off", user_id="a\0b")) == ["cut \ufffd off here"]
    assert m.update(event["id"], "half \udc00")["memory"] == m.get(event["id"])["memory"] == "half \ufffd"


def test_a_text_too_long_for_one_memory_is_refused_and_nothing_is_stored(local):
    with pytest.raises(memdesk.InvalidInputError, match="50,000"):
        local.add(["short", "x" * 50_001], user_id="a", infer=False)
    assert texts(local.get_all(user_id="a")) == []


@pytest.mark.parametrize("face", [lambda m: m, lambda _m: Memory(RemoteMemory("token"))])
def test_a_closed_memory_refuses_every_call_in_words(local, face):
    m = face(local)
    m.close()
    m.close()
    for call in (
        lambda: m.add("x", user_id="a"),
        lambda: m.search("x", user_id="a"),
        lambda: m.get("x"),
        lambda: m.get_all(user_id="a"),
        lambda: m.update("x", "y"),
        lambda: m.delete("x"),
        lambda: m.delete_all(user_id="a"),
        lambda: m.history("x"),
        lambda: m.entities(user_id="a"),
        lambda: m.relations("x", user_id="a"),
        m.reset,
    ):
        with pytest.raises(memdesk.VaultError, match="closed"):
            call()


def test_the_same_conversation_is_read_once(engines):
    model = QueueText('{"facts": ["Keeps bees."]}', '{"facts": ["Keeps hens."]}')
    m = engines.service(InMemoryStore(), extractor=ModelExtractor(model))
    moment = "2026-03-01T10:00:00Z"
    assert [one["event"] for one in m.add("bees", user_id="a", timestamp=moment)["results"]] == ["ADD"]
    assert [one["event"] for one in m.add("bees", user_id="a", timestamp=moment)["results"]] == ["NONE"]
    m.add("hens", user_id="a", timestamp=moment)
    assert len(model.asked) == 2


@pytest.mark.expect_log
def test_an_answer_that_could_not_be_read_is_asked_for_again(engines):
    model = QueueText("Sorry?", '{"facts": ["Keeps bees."]}', '{"facts": []}')
    m = engines.service(InMemoryStore(), extractor=ModelExtractor(model))
    assert m.add("bees", user_id="a") == {"results": []}
    assert [one["event"] for one in m.add("bees", user_id="a")["results"]] == ["ADD"]
    assert [m.add("hello", user_id="a")["results"] for _ in range(2)] == [[], []]
    assert len(model.asked) == 3


@pytest.mark.expect_log
def test_an_embedder_that_is_down_leaves_a_search_by_words(engines):
    store = InMemoryStore()
    engines.service(store).add("The user keeps bees.", user_id="a", infer=False)
    down = engines.service(store, embedder=Failing(inner=engines.embedder))
    assert texts(down.search("bees", user_id="a")) == ["The user keeps bees."]
    (event,) = down.get_all(user_id="a")["results"]
    with pytest.raises(memdesk.EmbeddingError):
        down.update(event["id"], "Something else.")
    assert texts(down.get_all(user_id="a")) == ["The user keeps bees."]


@pytest.mark.expect_log
def test_a_history_that_is_down_costs_no_memory(engines):
    m = engines.service(InMemoryStore(), history=Failing(EnvironmentFault("It is full.")))
    m.add("kept", user_id="a", infer=False)
    assert texts(m.get_all(user_id="a")) == ["kept"]


@pytest.mark.expect_log
def test_a_model_that_cannot_decide_leaves_it_to_the_fields(engines):
    extractor = ModelExtractor(QueueText('{"facts": ["Keeps bees."]}', '{"facts": ["Keeps bees!"]}'))
    m = engines.service(InMemoryStore(), extractor=extractor, decide=ModelDecider(Failing()))
    m.add("one", user_id="a")
    m.add("two", user_id="a")
    assert texts(m.get_all(user_id="a")) == ["Keeps bees."]


def test_rate_limits_are_waited_out_three_times_and_other_errors_not_at_all(engines):
    pauses = []
    limited = QueueText(RateLimitedError("slow"), RateLimitedError("slow"), '{"facts": ["x"]}')
    assert RetryingModel(limited, pauses.append).complete("", "") == '{"facts": ["x"]}'
    assert pauses == [1, 2]
    always = Failing(RateLimitedError("slow"), inner=engines.embedder)
    with pytest.raises(RateLimitedError):
        RetryingEmbedder(always, pauses.append).embed(["x"])
    assert (always.calls, pauses[2:]) == (4, [1, 2, 4])
    broken = Failing()
    with pytest.raises(type(broken.error)):
        RetryingModel(broken, pauses.append).complete("", "")
    assert broken.calls == 1


@pytest.mark.parametrize(
    ("answer", "facts"),
    [
        ('{"facts": ["a", "b", "a"]}', ["a", "b"]),
        ('```json\n{"facts": ["a"]}\n```', ["a"]),
        ('Here you are: {"facts": [{"text": "a"}]} - done', ["a"]),
        ('["a", 3, ""]', ["a"]),
        ('{"facts": []}', []),
    ],
)
def test_answers_are_read_tolerantly(answer, facts):
    assert facts_in(answer) == facts


@pytest.mark.parametrize("answer", ["no facts at all", '{"facts": "a"}', '{"facts": [{"fakt": "a"}]}', ""])
def test_an_answer_without_a_list_of_texts_is_none(answer):
    with pytest.raises(memdesk.LLMError):
        facts_in(answer)


def test_names_and_fields_follow_a_text_that_is_put_in_place_of_another(m):
    (event,) = m.add("My sister Noor lives in Leiden", user_id="a")["results"]
    m.update(event["id"], "The user's sister Noor lives in Utrecht.")
    named = {one["name"] for one in m.entities(user_id="a")}
    assert "Noor" in named
    assert "Utrecht" in named
    assert "Leiden" not in named
    assert m.relations("Leiden", user_id="a") == []
    assert [one["target"] for one in m.relations("Noor", user_id="a") if one["relation"] == "lives_in"] == ["Utrecht"]
    (again,) = m.add("My sister Noor lives in Delft now", user_id="a")["results"]
    assert (again["event"], again["id"]) == ("UPDATE", event["id"])


def test_what_a_model_writes_is_read_for_names(engines):
    model = QueueText(
        '{"facts": ["Alice works at Google."]}',
        '{"facts": ["Alice moved to Netflix."]}',
        '{"memory": [{"id": "0", "event": "UPDATE", "text": "Alice works at Netflix."}]}',
    )
    m = engines.service(InMemoryStore(), extractor=ModelExtractor(model), decide=ModelDecider(model))
    m.add("Alice is at Google", user_id="a")
    assert [(one["source"], one["target"]) for one in m.relations("Alice", user_id="a")] == [("Alice", "Google")]
    m.add("Alice is at Netflix now", user_id="a")
    assert [(one["source"], one["target"]) for one in m.relations("Alice", user_id="a")] == [("Alice", "Netflix")]
    assert {one["name"] for one in m.entities(user_id="a")} == {"Alice", "Netflix"}


def test_a_scope_is_listed_page_by_page(m):
    m.add([f"Line {number}." for number in range(5)], user_id="a", infer=False)
    pages = [texts(m.get_all(user_id="a", limit=2, offset=start)) for start in (0, 2, 4, 6)]
    assert pages == [["Line 0.", "Line 1."], ["Line 2.", "Line 3."], ["Line 4."], []]
    for wrong in (-1, 10**30):
        with pytest.raises(memdesk.InvalidInputError):
            m.get_all(user_id="a", offset=wrong)
