"""In a scope with very many rows, PostgreSQL ranks only those with a rare word of the question."""

from __future__ import annotations

import pytest

from memdesk.ports.item_store import Scope, Search
from memdesk.stores import postgres
from memdesk.stores.tenancy import Tenancy
from tests.helpers.stores import axis, item

NAME = "words"


@pytest.fixture(params=["", "acme"])
def wide(request, stores, tmp_path, monkeypatch):
    """A scope whose rows all hold one word, as its owner and as a tenant sees it, and what it was asked by."""
    if not stores.postgres:
        pytest.skip("PostgreSQL is not among the stores of this run")
    monkeypatch.setattr(postgres, "EXACT_ROWS", 50)
    place = stores.place("pgvector", tmp_path)
    owner = place.open()
    Tenancy(owner).prepare(NAME, 8)
    store = owner.of(request.param) if request.param else owner
    rows = [item(f"i{n}", f"Bees in hive {n}." if n else "Bees and zebras.") for n in range(200)]
    with store.unit():
        store.insert(NAME, rows, None)
        store.update(NAME, rows[0], axis(1))
    with owner.connection() as connection:
        connection.execute(f"ANALYZE memdesk_items_{NAME}")
    yield store
    owner.close()
    place.clean()


def test_usual_words_are_left_out_where_there_is_a_vector_or_a_rarer_word(wide):
    scope = Scope(user_id="ada")
    (hit, *others) = wide.search(NAME, Search(text="zebras or bees", vector=axis(1), scope=scope, limit=3))
    assert (hit.item.id, others) == ("i0", [])
    assert [one.item.id for one in wide.search(NAME, Search(text="zebras or bees", scope=scope, limit=3))] == ["i0"]
    assert len(wide.search(NAME, Search(text="bees", scope=scope, limit=3))) == 3
