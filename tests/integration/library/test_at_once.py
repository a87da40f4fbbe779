"""The same thing said at once, in one process and at two servers, is remembered once."""

from __future__ import annotations

import json
import threading

import pytest

from memdesk.services.library.adding import SIDE_BY_SIDE, Turns
from memdesk.services.library.modelling import ModelDecider, ModelExtractor
from memdesk.stores.memory import InMemoryStore
from tests.helpers.programs import QueueText
from tests.helpers.stores import STORES


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


@pytest.mark.parametrize("name", [name for name in ("memory", "pgvector") if name in STORES])
def test_a_model_decides_side_by_side_while_others_add_and_again_on_what_they_changed(engines, stores, tmp_path, name):
    place = stores.place(name, tmp_path)
    store = place.open()
    parts = {"history": stores.history(name, store), "alone": getattr(store, "alone", None)}
    other = engines.service(store, **parts)
    together = threading.Barrier(SIDE_BY_SIDE, lambda: other.add("I keep bees", user_id="ada"), timeout=30)
    shown = []

    class Asking(QueueText):
        def complete(self, _system, user):
            shown.append("bees" in user)
            if not shown[-1]:
                together.wait()
            return '{"memory": [{"event": "ADD"}]}'

    facts = [f"Fact number {number}." for number in range(SIDE_BY_SIDE)]
    reader = ModelExtractor(QueueText(json.dumps({"facts": facts})))
    service = engines.service(store, extractor=reader, decide=ModelDecider(Asking()), **parts)
    other.add("First.", user_id="ada", infer=False)
    assert [one["new_memory"] for one in service.add("x", user_id="ada")["results"]] == facts
    assert shown == [False] * SIDE_BY_SIDE + [True] * SIDE_BY_SIDE
    assert len(other.get_all(user_id="ada")["results"]) == len(facts) + 2
    service.reset()
    store.close()
    place.clean()


def test_a_name_that_nobody_wants_is_forgotten():
    turns = Turns()
    with turns.alone("a"), turns.alone("b"):
        assert set(turns._turns) == {"a", "b"}
    assert turns._turns == {}
