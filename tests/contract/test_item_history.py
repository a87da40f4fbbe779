"""What every history of items must do; see ``ports.library.ItemHistory``."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memdesk.domain.items.history import HistoryRecord
from memdesk.errors import MemdeskError
from tests.helpers.stores import STORES, T0, axis, item


def record(name, memory, event, old=None, new=None, minute=0):
    return HistoryRecord(
        id=name, memory_id=memory, event=event, old_value=old, new_value=new, at=T0 + timedelta(minutes=minute),
        is_deleted=event == "DELETE",
    )  # fmt: skip


@pytest.fixture(params=[name for name in ("sqlcipher", "memory", "pgvector") if name in STORES])
def history(request, stores, tmp_path):
    place = stores.place(request.param, tmp_path)
    store = place.open()
    opened = stores.history(request.param, store)
    yield opened
    opened.forget("memories")
    store.close()
    place.clean()


def test_records_come_back_in_order_and_apart(history):
    first = record("1", "a", "ADD", new="one")
    second = record("2", "a", "UPDATE", "one", "two", minute=1)
    third = record("3", "a", "DELETE", "two", minute=2)
    history.note("memories", [first, record("9", "b", "ADD", new="other")])
    history.note("memories", [second, third])
    assert history.noted("memories", "a") == [first, second, third]
    assert [one.id for one in history.noted("memories")] == ["1", "9", "2", "3"]
    assert history.noted("others", "a") == history.noted("others") == []
    assert history.noted("memories", "nobody") == []


def test_forgetting_a_collection_leaves_the_others(history):
    history.note("memories", [record("1", "a", "ADD", new="one")])
    history.note("others", [record("2", "a", "ADD", new="two")])
    history.forget("memories")
    assert history.noted("memories", "a") == []
    assert [one.id for one in history.noted("others", "a")] == ["2"]
    history.forget("others")


def test_a_change_and_its_record_are_kept_together_or_not_at_all(history):
    if not hasattr(history, "insert"):
        pytest.skip("a history by itself")
    history.create("memories", dimensions=8)
    history.insert("memories", [item("a")], axis(0)[None], records=[record("1", "a", "ADD", new="one")])
    with pytest.raises(MemdeskError):
        history.insert("memories", [item("b")], axis(1)[None], records=[record("1", "b", "ADD", new="two")])
    with pytest.raises(MemdeskError):
        history.delete("memories", ["a"], records=[record("1", "a", "DELETE", "one")])
    assert not history.update("memories", item("nobody"), None, records=[record("2", "nobody", "UPDATE")])
    assert [one.id for one in history.get("memories", ["a", "b"])] == ["a"]
    assert [one.event for one in history.noted("memories", "a")] == ["ADD"]
    assert history.noted("memories", "nobody") == []
    history.drop("memories")
