"""The same thing said at once, in one process and at two servers, is remembered once."""

from __future__ import annotations

import threading

import pytest

from memdesk.services.library.adding import Turns
from memdesk.stores.memory import InMemoryStore


def said_at_once(services, text):
    """Return the events of all, the texts kept, and what failed."""
    events, failed, ready = [], [], threading.Barrier(len(services))

    def say(service):
        ready.wait(60)
        try:
            events.extend(one["event"] for one in service.add(text, user_id="ada")["results"])
        except Exception as error:  # noqa: BLE001  # shown below
            failed.append(error)

    threads = [threading.Thread(target=say, args=(service,)) for service in services]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    return sorted(events), [one["memory"] for one in services[0].get_all(user_id="ada")["results"]]


def test_in_one_process(engines):
    service = engines.service(InMemoryStore())
    events, kept = said_at_once([service] * 4, "I keep bees")
    assert (events, len(kept)) == (["ADD", "NONE", "NONE", "NONE"], 1)


def test_at_two_servers_on_one_postgresql(engines, stores, tmp_path):
    if not stores.postgres:
        pytest.skip("PostgreSQL is not among the stores of this run")
    place = stores.place("pgvector", tmp_path)
    opened = [place.open(), place.open()]
    servers = [engines.service(store, store, alone=store.alone) for store in opened]
    events, kept = said_at_once([*servers, *servers], "I keep bees and I live in Porto")
    assert len(kept) == len(set(kept)) == events.count("ADD")
    assert events.count("NONE") == 3 * len(kept)
    for store in opened:
        store.close()
    place.clean()


@pytest.mark.expect_log
def test_an_add_that_breaks_off_leaves_nothing_half_done_on_postgresql(engines, stores, tmp_path):
    if not stores.postgres:
        pytest.skip("PostgreSQL is not among the stores of this run")
    place = stores.place("pgvector", tmp_path)
    store = place.open()
    inserted = []

    class Breaking:
        def __getattr__(self, name):
            return getattr(store, name)

        def insert(self, *given, **more):
            if inserted:
                raise KeyboardInterrupt
            inserted.append(given)
            store.insert(*given, **more)

    service = engines.service(breaking := Breaking(), breaking, alone=store.alone)
    with pytest.raises(KeyboardInterrupt):
        service.add("I keep bees. I live in Porto.", user_id="ada")
    assert len(inserted) == 1
    assert service.get_all(user_id="ada") == {"results": []}
    store.close()
    place.clean()


def test_a_name_that_nobody_wants_is_forgotten():
    turns = Turns()
    with turns.alone("a"), turns.alone("b"):
        assert set(turns._turns) == {"a", "b"}
    assert turns._turns == {}
