"""The encrypted file's item store beyond the contract: it stays fast and up to date."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from memdesk.ports.item_store import Scope, Search
from memdesk.storage.database import Database
from memdesk.storage.item_store import SqlItemStore
from memdesk.storage.repositories import scopes, text
from tests.helpers.stores import axis, between, item

ADA, NAME = Scope(user_id="ada"), "memories"


@pytest.fixture
def store(tmp_path):
    database = Database(tmp_path / "memory.db")
    database.open(bytes(range(32)))
    made = SqlItemStore(database)
    made.create(NAME, dimensions=8)
    yield made
    made.close()


@pytest.fixture
def reads(monkeypatch):
    """How many scopes were read from the file."""
    found = []
    monkeypatch.setattr(
        scopes.Rows, "of", classmethod(lambda cls, rows, of=scopes.Rows.of: found.append(1) or of(rows))
    )
    return found


def near(store, vector, scope=ADA, **wishes):
    return [hit.item.id for hit in store.search(NAME, Search(vector=vector, scope=scope, **wishes))]


def test_a_scope_is_read_once_until_something_is_written(store, reads):
    store.insert(NAME, [item("a"), item("b")], np.stack([axis(0), axis(1)]))
    assert near(store, axis(0)) == near(store, axis(0)) == ["a", "b"]
    assert near(store, axis(1)) == ["b", "a"]
    assert len(reads) == 1
    assert near(store, axis(0), Scope(user_id="bob")) == []
    store.insert(NAME, [item("c")], axis(0)[None])
    store.delete(NAME, ["a"])
    assert near(store, axis(0)) == ["c", "b"]
    store.update(NAME, item("b"), axis(1))
    store.update(NAME, item("c"), axis(3))
    assert near(store, axis(1)) == ["b", "c"]
    store.drop(NAME)
    store.create(NAME, dimensions=8)
    assert near(store, axis(0)) == []


def test_an_item_that_expires_leaves_a_scope_that_was_read_before(store):
    end = datetime.now(UTC) + timedelta(seconds=1)
    store.insert(NAME, [item("a"), replace(item("b"), expires_at=end)], np.stack([axis(0), axis(1)]))
    assert near(store, axis(0)) == ["a", "b"]
    while datetime.now(UTC) <= end:
        time.sleep(0.05)
    assert near(store, axis(0)) == ["a"]
    assert near(store, axis(0), expired=True) == ["a", "b"]


def test_scopes_that_are_too_many_for_memory_are_read_again(store, reads, monkeypatch):
    monkeypatch.setattr(scopes, "_MOST", 500)
    for user in "xyz":
        store.insert(NAME, [replace(item(user), user_id=user)], axis(0)[None])
    for user in "xyzzyx":
        assert near(store, axis(0), Scope(user_id=user)) == [user]
    assert len(reads) == 4


def test_hits_beyond_enough_are_brought_where_one_is_part_of_a_conversation(store):
    alone = [item(name) for name in "abcd"]
    store.insert(NAME, alone, np.stack([between(0, n, n / 5) for n in range(1, 5)]))
    assert len(near(store, axis(0), limit=4, enough=2)) == 2
    store.insert(NAME, [replace(item("e"), parent_id="talk", key="talk:0")], axis(5)[None])
    assert len(near(store, axis(0), limit=4, enough=2)) == 2
    assert len(near(store, axis(5), limit=4, enough=2)) == 4


def test_of_very_many_rows_those_with_a_rare_word_are_ranked(store, monkeypatch):
    monkeypatch.setattr(text, "MATCH_BUDGET", 20)
    items = [replace(item(f"r{n}"), content="common words all along") for n in range(100)]
    items[7] = replace(items[7], content="common words and a heron")
    store.insert(NAME, items, None)

    def found(words):
        return [hit.item.id for hit in store.search(NAME, Search(text=words, scope=ADA))]

    assert found("common heron") == ["r7"]
    assert set(found("common")) <= {f"r{n}" for n in range(79, 100)}
    few = [replace(item(f"f{n}"), user_id="bob", content="common sense") for n in range(3)]
    store.insert(NAME, few, None)
    hits = store.search(NAME, Search(text="common heron", scope=Scope(user_id="bob")))
    assert {hit.item.id for hit in hits} == {"f0", "f1", "f2"}
