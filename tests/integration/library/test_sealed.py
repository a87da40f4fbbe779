"""An external database that sees no text."""

from __future__ import annotations

import json
from datetime import date

import numpy as np
import pytest

from memdesk import Memory
from memdesk.domain.items.filters import parse
from memdesk.domain.items.plain import to_plain
from memdesk.errors import BadRequestError, EnvironmentFault
from memdesk.ports.item_store import Listing, Scope, Search
from memdesk.stores.memory import InMemoryStore
from memdesk.stores.sealed import SealedStore
from tests.helpers.stores import axis, item

ADA = Scope(user_id="ada")


@pytest.fixture
def inner():
    store = InMemoryStore()
    store.create("memories", dimensions=8)
    return store


@pytest.fixture
def sealed(inner):
    store = SealedStore(inner, b"k" * 32)
    rows = [
        item("a", "The user keeps bees.", metadata={"tag": "work", "n": 3, "list": ["x", "y"]}),
        item("b", "The user keeps hens.", metadata={"tag": "home", "on": True}, minute=1),
    ]
    store.insert("memories", rows, np.stack([axis(0), axis(1)]))
    return store


def listed(store, given):
    return [one.id for one in store.list("memories", Listing(scope=ADA, where=parse(given)))]


def test_the_database_sees_neither_texts_nor_values(inner, sealed):
    seen = json.dumps([to_plain(one) for one in inner.list("memories", Listing(scope=ADA))])
    assert not any(word in seen for word in ("bees", "hens", "work", "home"))
    assert [one.content for one in sealed.list("memories", Listing(scope=ADA))] == [
        "The user keeps bees.",
        "The user keeps hens.",
    ]
    (hit, _) = sealed.search("memories", Search(vector=axis(0), scope=ADA))
    assert (hit.item.content, hit.item.metadata["tag"]) == ("The user keeps bees.", "work")


def test_equality_can_be_asked_for(sealed):
    assert listed(sealed, {"tag": "work"}) == ["a"]
    assert listed(sealed, {"tag": {"in": ["home", "garden"]}}) == ["b"]
    assert listed(sealed, {"NOT": {"tag": "work"}}) == ["b"]
    assert listed(sealed, {"OR": [{"n": 3.0}, {"on": True}]}) == ["a", "b"]
    assert listed(sealed, {"on": 1}) == []
    assert listed(sealed, {"list": "y"}) == ["a"]
    assert listed(sealed, {"on": None}) == ["a"]
    assert listed(sealed, {"tag": {"in": [date(2026, 3, 1), "work"]}}) == ["a"]
    assert listed(sealed, {"created_at": {"gt": "2026-03-01T09:00:30Z"}}) == ["b"]


@pytest.mark.parametrize("given", [{"n": {"gt": 1}}, {"tag": {"contains": "o"}}, {"memory": "x"}])
def test_what_a_hash_cannot_answer_is_refused_by_name(sealed, given):
    with pytest.raises(BadRequestError, match="cannot be asked"):
        listed(sealed, given)


def test_another_key_and_an_exchanged_item_are_noticed(inner, sealed):
    with pytest.raises(EnvironmentFault, match="another key"):
        SealedStore(inner, b"x" * 32).list("memories", Listing(scope=ADA))
    first, second = inner.list("memories", Listing(scope=ADA))
    inner.update("memories", item("a", first.content, metadata=second.metadata), None)
    with pytest.raises(EnvironmentFault, match="altered"):
        sealed.get("memories", ["a"])


def test_a_configuration_asks_for_it(tmp_path):
    config = {
        "vector_store": {"provider": "qdrant", "config": {"path": str(tmp_path / "q")}, "encrypt_payload": True},
        "embedder": {"provider": "none"},
    }
    with Memory(tmp_path / "mine", passphrase="a long secret", config=config) as m:
        m.add("The user keeps bees.", user_id="a", infer=False, metadata={"tag": "hive"})
    with Memory(tmp_path / "mine", passphrase="a long secret", config=config) as m:
        assert [one["memory"] for one in m.get_all(user_id="a", filters={"tag": "hive"})["results"]] == [
            "The user keeps bees."
        ]
    kept = b"".join(path.read_bytes() for path in (tmp_path / "q").rglob("*") if path.is_file())
    assert b"bees" not in kept
    assert b"hive" not in kept
