"""What every item store must do; see ``ports.ItemStore``."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from memdesk.domain.items.filters import of_metadata, parse
from memdesk.domain.items.statement import Statement
from memdesk.errors import BadRequestError, ConflictError, EnvironmentFault
from memdesk.ports.item_store import Listing, Scope, Search
from memdesk.stores import postgres
from tests.helpers.stores import QUICK, T0, THOROUGH, axis, between, item

ADA = Scope(user_id="ada")
NAME = "memories"


@pytest.fixture
def eight(store):
    """A store with a collection of eight-number vectors."""
    store.create(NAME, dimensions=8)
    return store


def names(hits):
    return [hit.item.id for hit in hits]


# ---------------------------------------------------------------------- collections


def test_a_collection_is_made_once_and_dropped_with_all_in_it(place, store):
    assert store.collections() == []
    store.create(NAME, dimensions=8)
    store.create(NAME, dimensions=8)
    store.create("others", dimensions=8 if place.one_width else 4)
    assert store.collections() == [NAME, "others"]
    store.insert(NAME, [item("a")], axis(0)[None])
    store.drop(NAME)
    store.drop(NAME)
    assert store.collections() == ["others"]
    store.create(NAME, dimensions=8)
    assert store.list(NAME, Listing(scope=ADA)) == []


def test_a_collection_of_another_width_is_refused(eight):
    with pytest.raises(BadRequestError, match="8 numbers"):
        eight.create(NAME, dimensions=16)


def test_an_unknown_collection_is_refused_by_name(store):
    for call in (lambda: store.get("nowhere", ["a"]), lambda: store.list("nowhere", Listing(scope=ADA))):
        with pytest.raises(BadRequestError, match="nowhere"):
            call()


@pytest.mark.parametrize("name", ["", "x", "Memories", "drop table", "a'b", "_hidden"])
def test_a_name_that_some_database_would_not_take_is_refused_by_all(store, name):
    with pytest.raises(BadRequestError, match="name a collection"):
        store.create(name, dimensions=8)


# ---------------------------------------------------------------------- rows


def test_an_item_comes_back_with_everything_it_had(eight):
    said = Statement(subject="user", predicate="live in", object="Porto", said_at=T0)
    full = item(
        "a",
        "The user lives in Porto: “água”, 'quotes', 100 %.",
        agent_id="helper",
        run_id="run-1",
        key="home",
        statement=said,
        metadata={"tag": "work", "n": 3, "x": 0.5, "on": True, "list": ["p", "q"], "deep": {"k": [1]}, "none": None},
        tags=("home", "city"),
        salience=0.75,
        valid_from=T0,
        expires_at=datetime(2100, 1, 1, tzinfo=UTC),
    )
    eight.insert(NAME, [full], axis(0)[None])
    assert eight.get(NAME, ["a"]) == [full]


def test_items_come_in_the_order_asked_for_and_unknown_ones_are_left_out(eight):
    eight.insert(NAME, [item("a"), item("b"), item("c")], np.stack([axis(n) for n in range(3)]))
    assert [one.id for one in eight.get(NAME, ["c", "x", "a"])] == ["c", "a"]
    assert eight.get(NAME, []) == []


def test_an_id_that_is_there_stores_none_of_the_new_ones(eight):
    eight.insert(NAME, [item("a", "first")], axis(0)[None])
    with pytest.raises(ConflictError):
        eight.insert(NAME, [item("b"), item("a", "second")], np.stack([axis(1), axis(2)]))
    with pytest.raises(ConflictError):
        eight.insert(NAME, [item("c"), item("c")], np.stack([axis(1), axis(2)]))
    assert [(one.id, one.content) for one in eight.list(NAME, Listing(scope=ADA))] == [("a", "first")]


@pytest.mark.parametrize("shape", [(1, 7), (2, 8), (8,)])
def test_vectors_of_another_shape_are_refused_and_nothing_is_stored(eight, shape):
    with pytest.raises(BadRequestError, match="Expected 1 vectors of 8"):
        eight.insert(NAME, [item("a")], np.zeros(shape, dtype=np.float32))
    assert eight.count(NAME, scope=ADA) == 0


def test_a_query_of_another_width_is_refused(eight):
    with pytest.raises(BadRequestError, match="8 numbers"):
        eight.search(NAME, Search(vector=axis(0, 7), scope=ADA))
    eight.insert(NAME, [item("a")], axis(0)[None])
    with pytest.raises(BadRequestError, match="8 numbers"):
        eight.update(NAME, item("a"), axis(0, 7))


def test_an_update_replaces_the_item_and_its_vector(eight):
    eight.insert(NAME, [item("a", "old words", metadata={"tag": "x", "gone": 1})], axis(0)[None])
    changed = item("a", "new text", metadata={"tag": "y"}, minute=5)
    assert eight.update(NAME, changed, axis(1))
    assert eight.get(NAME, ["a"]) == [changed]
    assert eight.search(NAME, Search(vector=axis(1), scope=ADA))[0].score == pytest.approx(1, abs=1e-4)
    assert eight.search(NAME, Search(text="old words", scope=ADA)) == []
    assert eight.list(NAME, Listing(scope=ADA, where=parse({"gone": 1}))) == []
    assert not eight.update(NAME, item("zz"), axis(1))


def test_an_update_without_a_vector_keeps_the_one_it_has(eight):
    eight.insert(NAME, [item("a")], axis(3)[None])
    assert eight.update(NAME, item("a", "other"), None)
    (hit,) = eight.search(NAME, Search(vector=axis(3), scope=ADA))
    assert hit.item.content == "other"
    assert hit.score == pytest.approx(1, abs=1e-4)


def test_deleting_returns_how_many_there_were(eight):
    eight.insert(NAME, [item("a"), item("b"), item("c")], np.stack([axis(n) for n in range(3)]))
    assert eight.delete(NAME, ["a", "b", "nobody"]) == 2
    assert eight.delete(NAME, ["a"]) == 0
    assert [one.id for one in eight.list(NAME, Listing(scope=ADA))] == ["c"]
    assert names(eight.search(NAME, Search(vector=axis(0), scope=ADA))) == ["c"]


# ---------------------------------------------------------------------- finding


@pytest.fixture
def found(eight):
    """Three of ada's, one of bob's and one without a vector."""
    eight.insert(
        NAME,
        [
            item("bees", "The user keeps bees in Lisbon.", minute=1),
            item("honey", "The user sells honey on Saturdays.", minute=2),
            item("tax", "The tax return is due in May.", minute=3),
            item("bob", "Bob keeps bees too.", user_id="bob", minute=4),
        ],
        np.stack([axis(0), between(0, 1, 0.8), axis(2), axis(0)]),
    )
    eight.insert(NAME, [item("bare", "Queen bees live for years.", minute=5)], None)
    return eight


def test_a_search_by_meaning_finds_the_nearest_first_with_their_cosines(found):
    hits = found.search(NAME, Search(vector=axis(0), scope=ADA))
    assert names(hits) == ["bees", "honey", "tax"]
    assert [hit.score for hit in hits] == pytest.approx([1, 0.8, 0], abs=1e-3)


def test_a_search_by_words_finds_what_has_one_of_them_and_nothing_else(found):
    assert set(names(found.search(NAME, Search(text="Who keeps a bee?", scope=ADA)))) == {"bees", "bare"}
    assert names(found.search(NAME, Search(text="zebra", scope=ADA))) == []
    assert names(found.search(NAME, Search(text="", scope=ADA))) == []


def test_a_search_by_both_unites_them_and_words_only_raise_a_score(found):
    hits = found.search(NAME, Search(vector=axis(0), text="tax return", scope=ADA))
    scores = {hit.item.id: hit.score for hit in hits}
    assert scores["bees"] == pytest.approx(1, abs=1e-3)
    assert 0.3 < scores["tax"] <= 1
    assert scores["honey"] == pytest.approx(0.8, abs=1e-3)
    assert all(0 <= score <= 1 for score in scores.values())


def test_a_limit_keeps_the_best(found):
    assert names(found.search(NAME, Search(vector=axis(0), scope=ADA, limit=2))) == ["bees", "honey"]
    assert names(found.search(NAME, Search(text="bees", scope=ADA, limit=1))) in (["bees"], ["bare"])


def test_every_scope_field_that_is_given_must_match(eight):
    owners = [("ada", "x", "1"), ("ada", "x", "2"), ("ada", "y", "1"), ("bob", "x", "1"), ("ada", None, None)]
    rows = [
        item(f"i{number}", user_id=user, agent_id=agent, run_id=run) for number, (user, agent, run) in enumerate(owners)
    ]
    eight.insert(NAME, rows, np.stack([axis(0)] * 5))

    def seen(**scope):
        hits = eight.search(NAME, Search(vector=axis(0), scope=Scope(**scope)))
        listed = {one.id for one in eight.list(NAME, Listing(scope=Scope(**scope)))}
        assert listed == set(names(hits))
        assert eight.count(NAME, scope=Scope(**scope)) == len(listed)
        return listed

    assert seen(user_id="ada") == {"i0", "i1", "i2", "i4"}
    assert seen(user_id="ada", agent_id="x") == {"i0", "i1"}
    assert seen(agent_id="x", run_id="1") == {"i0", "i3"}
    assert seen(user_id="ada", agent_id="x", run_id="1") == {"i0"}
    assert seen(run_id="9") == set()
    assert seen() == {"i0", "i1", "i2", "i3", "i4"}


def test_what_has_expired_is_neither_found_nor_listed_nor_counted(eight):
    now = datetime.now(UTC)
    rows = [item("old", expires_at=now - timedelta(hours=1)), item("new", expires_at=now + timedelta(hours=1))]
    eight.insert(NAME, rows, np.stack([axis(0), axis(0)]))
    assert names(eight.search(NAME, Search(vector=axis(0), scope=ADA))) == ["new"]
    assert [one.id for one in eight.list(NAME, Listing(scope=ADA))] == ["new"]
    assert eight.count(NAME, scope=ADA) == 1
    assert set(names(eight.search(NAME, Search(vector=axis(0), scope=ADA, expired=True)))) == {"old", "new"}
    assert [one.id for one in eight.list(NAME, Listing(scope=ADA, expired=True))] == ["new", "old"]


def test_a_list_has_an_order_a_limit_and_an_offset(eight):
    rows = [item(f"i{n}", minute=n) for n in range(6)]
    rows[0] = replace(rows[0], updated_at=T0 + timedelta(days=1))
    eight.insert(NAME, rows, np.stack([axis(0)] * 6))
    assert [one.id for one in eight.list(NAME, Listing(scope=ADA, limit=2, offset=1))] == ["i1", "i2"]
    assert [one.id for one in eight.list(NAME, Listing(scope=ADA, limit=2, descending=True))] == ["i5", "i4"]
    assert [one.id for one in eight.list(NAME, Listing(scope=ADA, order="updated", descending=True))][:1] == ["i0"]


# ---------------------------------------------------------------------- filters

#: id -> metadata; of every type, with lists, with keys that are missing or null.
FILTERED = {
    "a": {"tag": "work", "n": 1, "on": True, "text": "Deep Work", "list": ["x", "y"]},
    "b": {"tag": "home", "n": 2.5, "on": False, "text": "100% under_score", "list": ["y"]},
    "c": {"tag": "Work", "n": 3, "nums": [1, 9], "text": 'He said "no" \\ yes'},
    "d": {"tag": None, "n": -1, "list": []},
    "e": {"other key": "spaced", "on": 1, "n": "3", "a.b": "dotted"},
    "f": {},
}
EXPRESSIONS = [
    ({"tag": "work"}, "a"),
    ({"field": "tag", "operator": "eq", "value": "work"}, "a"),
    ({"tag": {"eq": None}}, "def"),
    ({"tag": {"ne": None}}, "abc"),
    ({"tag": {"ne": "work"}}, "bcdef"),
    ({"n": 3}, "c"),
    ({"n": 3.0}, "c"),
    ({"n": {"gt": 1}}, "bc"),
    ({"n": {"gte": 1}}, "abc"),
    ({"n": {"lt": 2.5}}, "ad"),
    ({"n": {"lte": 2.5}}, "abd"),
    ({"n": {"gt": 0, "lt": 3}}, "ab"),
    ({"NOT": {"n": {"gt": 1}}}, "adef"),
    ({"tag": {"gte": None}}, ""),
    ({"tag": {"lte": None}}, ""),
    ({"on": {"gte": True}}, ""),
    ({"on": {"lt": True}}, ""),
    ({"tag": {"gt": "a"}}, "ab"),
    ({"tag": {"lt": "a"}}, "c"),
    ({"on": True}, "a"),
    ({"on": 1}, "e"),
    ({"on": False}, "b"),
    ({"tag": {"in": ["work", "home"]}}, "ab"),
    ({"tag": ["work", "Work"]}, "ac"),
    ({"tag": {"in": []}}, ""),
    ({"tag": {"in": ["work", None]}}, "adef"),
    ({"tag": {"nin": ["work", "home"]}}, "cdef"),
    ({"n": {"in": [1, "3"]}}, "ae"),
    ({"list": "y"}, "ab"),
    ({"list": {"ne": "y"}}, "cdef"),
    ({"list": {"eq": None}}, "cdef"),
    ({"nums": {"gt": 5}}, "c"),
    ({"nums": {"lt": 1}}, ""),
    ({"text": {"contains": "Work"}}, "a"),
    ({"text": {"contains": "work"}}, ""),
    ({"text": {"icontains": "WORK"}}, "a"),
    ({"text": {"contains": "0% under_"}}, "b"),
    ({"text": {"contains": 'said "no" \\'}}, "c"),
    ({"tag": {"icontains": "WOR"}}, "ac"),
    ({"list": {"contains": "x"}}, "a"),
    ({"other key": "spaced"}, "e"),
    ({"a.b": "dotted"}, "e"),
    ({"AND": [{"tag": "work"}, {"n": 1}]}, "a"),
    ({"tag": "work", "n": 2}, ""),
    ({"OR": [{"tag": "work"}, {"n": 3}]}, "ac"),
    ({"OR": []}, ""),
    ({"AND": []}, "abcdef"),
    ({"NOT": {"tag": "work"}}, "bcdef"),
    ({"NOT": [{"tag": "work"}, {"n": 3}]}, "bdef"),
    ({"tag": "*"}, "abc"),
    ({"tag": {"eq": "*"}}, ""),
    ({"NOT": {"OR": [{"tag": "work"}, {"tag": "home"}]}}, "cdef"),
    ({"NOT": {"NOT": {"tag": "work"}}}, "a"),
    ({"AND": [{"OR": [{"tag": "work"}, {"tag": "home"}]}, {"NOT": {"text": {"contains": "Deep"}}}]}, "b"),
    ({"OR": [{"text": {"icontains": "deep"}}, {"tag": {"gt": "g"}}, {"n": {"lt": 0}}]}, "abd"),
    ({"memory": {"contains": "Text of a"}}, "a"),
    ({"memory": {"icontains": "TEXT OF B"}}, "b"),
    ({"NOT": {"memory": {"contains": "of a"}}}, "bcdef"),
    ({"id": {"in": ["a", "b"]}}, "ab"),
    ({"user_id": "ada", "run_id": {"eq": None}}, "abcdef"),
    ({"created_at": {"gt": "2026-03-01T09:01:00Z"}}, "cdef"),
    ({"created_at": {"lte": "2026-03-01T10:01:00+01:00"}}, "ab"),
    ({"NOT": {"created_at": {"gt": "2026-03-01T09:01:00"}}}, "ab"),
    ({"kind": "other", "tier": "pinned"}, "abcdef"),
    ({"salience": {"gte": 0.5}}, "abcdef"),
]


#: Keys of metadata that are also fields of an item, as the library means them.
SHADOWED = [
    ({"kind": "bill"}, "b"),
    ({"NOT": {"kind": ["bill", "note"]}}, "cdef"),
    ({"status": "*"}, "ab"),
    ({"type": {"icontains": "PDF"}, "key": 7}, "a"),
    ({"salience": {"gt": 1}}, "b"),
    ({"id": {"in": ["a", None]}}, "bcdef"),
    ({"OR": [{"id": "z"}, {"memory": {"contains": "of b"}}]}, "ab"),
]


def test_a_key_of_metadata_may_have_the_name_of_an_items_field(eight):
    given = {name: {} for name in FILTERED}
    given["a"] = {"id": "z", "type": "a pdf", "key": 7, "kind": "note", "status": "paid"}
    given["b"] = {"kind": "bill", "status": ["open"], "salience": 2}
    rows = [item(name, metadata=metadata) for name, metadata in given.items()]
    eight.insert(NAME, rows, np.stack([axis(0)] * len(rows)))
    for asked, expected in SHADOWED:
        where = of_metadata(parse(asked), {"memory"})
        assert "".join(sorted(one.id for one in eight.list(NAME, Listing(scope=ADA, where=where)))) == expected, asked
        hits = eight.search(NAME, Search(vector=axis(0), scope=ADA, where=where))
        assert "".join(sorted(names(hits))) == expected, asked
        assert eight.count(NAME, scope=ADA, where=where) == len(expected), asked


def test_every_operator_means_the_same_in_every_store(eight):
    rows = [item(name, metadata=given, minute=n) for n, (name, given) in enumerate(FILTERED.items())]
    eight.insert(NAME, rows, np.stack([between(0, 1, 0.9 - n / 10) for n in range(len(rows))]))
    wrong = []
    for given, expected in EXPRESSIONS:
        where = parse(given)
        listed = "".join(one.id for one in eight.list(NAME, Listing(scope=ADA, where=where)))
        hits = "".join(names(eight.search(NAME, Search(vector=axis(0), scope=ADA, where=where))))
        worded = "".join(sorted(names(eight.search(NAME, Search(text="text", scope=ADA, where=where)))))
        count = eight.count(NAME, scope=ADA, where=where)
        if (listed, hits, worded, count) != (expected, expected, expected, len(expected)):
            wrong.append((given, expected, listed, hits, worded, count))
    assert wrong == []


@pytest.mark.parametrize("given", [{"tag": {"like": "w"}}, {"tag": {"in": "work"}}, {"AND": {"tag": 1}}, "tag", 3])
def test_what_is_no_filter_is_refused(given):
    with pytest.raises(BadRequestError):
        parse(given)


def test_a_moment_that_cannot_be_read_is_refused(eight):
    with pytest.raises(BadRequestError, match="ISO 8601"):
        eight.list(NAME, Listing(scope=ADA, where=parse({"created_at": {"gt": "yesterday"}})))


# ---------------------------------------------------------------------- size, threads, life


def test_ten_thousand_rows_are_filtered_before_the_cut(place, eight, monkeypatch):
    if not (THOROUGH or place.name in QUICK):
        pytest.skip("takes long; poe stores")
    # Of PostgreSQL: more than that are looked for by its graph.
    monkeypatch.setattr(postgres, "EXACT_ROWS", 1000)
    count, wanted = 10_000, 37
    random = np.random.default_rng(5)
    vectors = random.normal(size=(count, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = [
        item(f"i{n:05}", f"Entry {n}.", metadata={"part": n % wanted}, user_id="ada" if n % 2 else "bob", minute=n)
        for n in range(count)
    ]
    for start in range(0, count, 2000):
        eight.insert(NAME, rows[start : start + 2000], vectors[start : start + 2000])
    assert eight.count(NAME, scope=ADA) == count // 2
    passing = [n for n in range(count) if n % 2 and n % wanted == 3]
    assert eight.count(NAME, scope=ADA, where=parse({"part": 3})) == len(passing)
    hits = eight.search(NAME, Search(vector=axis(0), scope=ADA, where=parse({"part": 3}), limit=10))
    best = sorted(passing, key=lambda n: -vectors[n][0])[:10]
    assert len(hits) == 10
    assert len(set(names(hits)) & {f"i{n:05}" for n in best}) >= 9
    for limit in (900, 3000):
        assert len(eight.search(NAME, Search(vector=axis(0), scope=ADA, limit=limit))) == limit
    assert names(eight.search(NAME, Search(text="entry 4321", scope=ADA, limit=1))) == ["i04321"]


def test_writers_side_by_side_lose_nothing(eight):
    failed = []

    def write(writer):
        try:
            for n in range(10):
                eight.insert(NAME, [item(f"w{writer}-{n}")], axis(writer)[None])
                eight.update(NAME, item(f"w{writer}-{n}", "changed"), None)
                eight.search(NAME, Search(vector=axis(writer), scope=ADA, limit=3))
        except Exception as error:  # noqa: BLE001  # shown below
            failed.append(error)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    kept = eight.list(NAME, Listing(scope=ADA))
    assert len(kept) == 40
    assert {one.content for one in kept} == {"changed"}


def test_what_was_stored_is_there_after_a_restart(place):
    if not place.restarts:
        pytest.skip("nothing of it outlives it")
    first = place.open()
    first.create(NAME, dimensions=8)
    first.insert(NAME, [item("a", "The user keeps bees.", metadata={"tag": "x"})], axis(2)[None])
    first.close()
    first.close()
    second = place.open()
    try:
        assert second.collections() == [NAME]
        assert names(second.search(NAME, Search(vector=axis(2), scope=ADA, where=parse({"tag": "x"})))) == ["a"]
        assert names(second.search(NAME, Search(text="bees", scope=ADA))) == ["a"]
    finally:
        second.close()
        place.clean()


def test_a_lost_connection_is_told_as_such_and_the_next_call_works(place, eight):
    if place.cut is None:
        pytest.skip("it has no connection to lose")
    eight.insert(NAME, [item("a")], axis(0)[None])

    def cut_in_the_middle():
        with eight.unit():
            eight.insert(NAME, [item("b")], axis(0)[None])
            place.cut()
            eight.insert(NAME, [item("c")], axis(0)[None])

    with pytest.raises(EnvironmentFault):
        cut_in_the_middle()
    assert [one.id for one in eight.list(NAME, Listing(scope=ADA))] == ["a"]
    place.cut()
    assert [one.id for one in eight.list(NAME, Listing(scope=ADA))] == ["a"]
