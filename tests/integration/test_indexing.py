from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from memdesk.engines.hnsw import HnswFactory, HnswIndex
from memdesk.errors import EngineCrashedError
from memdesk.ports import EngineState
from memdesk.services.events import AgentsChanged, LockChanged, RunChanged, SettingsChanged, TurnsRecorded
from memdesk.services.recalling.index.entry import Entry
from tests.helpers.recall_desk import NOW, Desk, WordEmbedder
from tests.helpers.rows import put_snapshot


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.setattr("memdesk.services.recalling.index.indexing.WAKE_SECONDS", 60.0)
    made = Desk(tmp_path)
    yield made
    made.close()


def wait_until_embedded(desk, act):
    done = threading.Event()
    stop = desk.events.subscribe(RunChanged, lambda event: done.set() if event.status == "done" else None)
    act()
    assert done.wait(60)
    stop()


def nearest(desk, text, kind="turn", k=1):
    return [seq for seq, _ in desk.indexing.search("a", kind, desk.embedder.embed([text])[0], k)]


def state(desk, *texts):
    desk.agent("a")
    return [desk.fact(text) for text in texts]


def test_new_rows_are_embedded_in_the_background(desk):
    turns = desk.talk("c", ("user", "The ferry leaves at dawn"), ("user", "The bakery opens late"))
    wait_until_embedded(desk, desk.indexing.start)
    with desk.store.read() as repos:
        seq = repos.turns.get(turns[0].id).seq
    assert nearest(desk, "ferry at dawn") == [seq]
    status = desk.indexing.status()
    assert (status["missing"], status["done"], status["progress"]) == (0, 2, 1.0)
    desk.talk("d", ("user", "The lighthouse is closed"))
    wait_until_embedded(desk, lambda: desk.events.publish(TurnsRecorded("a", "d", ())))
    assert desk.indexing.size("a", "turn") == 3


def test_figures_that_take_long_to_count_are_kept_for_a_while(desk, monkeypatch):
    desk.talk("c", ("user", "The ferry leaves at dawn"))
    assert desk.indexing.status()["missing"] == 1
    desk.talk("d", ("user", "The bakery opens late"))
    assert desk.indexing.status()["missing"] == 2
    monkeypatch.setattr("memdesk.services.recalling.index.indexing.SLOW_SECONDS", -1.0)
    monkeypatch.setattr("memdesk.services.recalling.index.indexing.COUNTING_SHARE", 1e9)
    assert desk.indexing.status()["missing"] == 2
    desk.talk("e", ("user", "Rain all day"))
    assert desk.indexing.status()["missing"] == 2
    desk.embedder = WordEmbedder("other@2")
    assert desk.indexing.status()["missing"] == 3


def test_known_texts_are_not_embedded_twice(desk):
    fact = desk.fact
    desk.agent("a")
    desk.agent("b")
    fact("The ferry leaves at dawn")
    desk.indexing.flush()
    calls = desk.embedder.calls
    fact("The ferry leaves at dawn", agent_id="b")
    assert desk.indexing.flush() == 1
    assert desk.embedder.calls == calls
    assert desk.indexing.cache_rates()["content_vectors"]["hits"] == 1


def test_queries_are_cached(desk):
    desk.indexing.embed_query("ferry")
    desk.indexing.embed_query("ferry")
    assert desk.embedder.calls == 1
    assert desk.indexing.cache_rates()["query_vectors"] == {"hits": 1, "misses": 1, "rate": 0.5}


def test_a_search_is_embedded_as_a_question_only(desk):
    searched = desk.recall.searcher.ask("a", "ferry", NOW, own=False)
    assert (searched.vector is None, searched.own) == (False, None)
    assert desk.embedder.calls == 1
    assert desk.recall.searcher.ask("a", "ferry", NOW).own is not None
    assert desk.embedder.calls == 2


def test_forgotten_rows_leave_index_and_vectors(desk):
    desk.talk("c", ("user", "The ferry leaves at dawn"), ("user", "The bakery opens late"))
    desk.indexing.flush()
    (seq,) = nearest(desk, "ferry")
    desk.indexing.forget("a", "turn", [seq])
    assert seq not in nearest(desk, "ferry", k=5)
    assert not desk.indexing.vectors("a", "turn", [seq]).any()


def test_changed_rows_are_embedded_anew(desk):
    (fact,) = state(desk, "The ferry leaves at dawn")
    desk.indexing.flush()
    (seq,) = nearest(desk, "ferry", "fact")
    desk.store.write(lambda r: r.items.put(replace(fact, content="The tram stops at noon")))
    desk.indexing.note("a", "item", [seq])
    desk.indexing.flush()
    ((found, cosine),) = desk.indexing.search("a", "fact", desk.embedder.embed(["tram stops at noon"])[0], 1)
    assert found == seq
    assert cosine > 0.5


def test_indexes_come_back_from_the_store(tmp_path):
    desk = Desk(tmp_path)
    try:
        desk.talk("c", ("user", "The ferry leaves at dawn"))
        desk.indexing.flush()
        desk.events.publish(LockChanged(locked=False))
        desk.indexing._clear()
        calls = desk.embedder.calls
        assert len(nearest(desk, "ferry")) == 1
        assert desk.embedder.calls == calls + 1
    finally:
        desk.close()


def test_a_snapshot_is_written_and_restored(desk, monkeypatch):
    monkeypatch.setattr("memdesk.services.recalling.index.entry.SNAPSHOT_FROM", 2)
    desk.talk("c", ("user", "The ferry leaves at dawn"), ("user", "The bakery opens late"), ("user", "Rain all day"))
    desk.indexing.size("a", "turn")
    desk.indexing.flush()
    desk.indexing._entries.save()
    with desk.store.read() as repos:
        assert repos.embeddings.snapshot("a", "turn", desk.embedder.model_id)
    desk.indexing._clear()
    wait_until_loaded(desk)
    assert len(nearest(desk, "ferry", k=5)) == 3


def wait_until_loaded(desk, kind="turn"):
    assert desk.indexing._entries.get("a", kind).ready.wait(60)


def test_a_large_index_that_nobody_asks_leaves_memory_and_comes_back_with_the_next_question(desk, monkeypatch):
    monkeypatch.setattr("memdesk.services.recalling.index.entry.SNAPSHOT_FROM", 2)
    facts = state(desk, "The ferry leaves at dawn", "The bakery opens late")
    wait_until_loaded(desk, "item")
    desk.indexing.flush()
    desk.indexing._entries.rest()
    assert desk.indexing.status()["indexes"] == {"a/item": 2}
    desk.rest_seconds = 0.0
    desk.indexing._entries.rest()
    assert desk.indexing.status()["indexes"] == {}
    # What changes and what comes while it rests is found when it is back.
    with desk.store.read() as repos:
        changed = repos.items.get(facts[0].id).seq
    desk.store.write(lambda r: r.items.put(replace(facts[0], content="The harbour is frozen")))
    desk.indexing.note("a", "item", [changed])
    state(desk, "Rain all day")
    desk.indexing.flush()
    desk.rest_seconds = 600.0
    desk.recall.searcher.ask("a", "harbour", NOW)
    assert nearest(desk, "The harbour is frozen", "fact") == [changed]
    assert len(nearest(desk, "rain", "fact", k=5)) == 3


def test_a_question_waits_a_while_for_an_index_that_is_read(desk, monkeypatch):
    monkeypatch.setattr("memdesk.services.recalling.index.entry.SNAPSHOT_FROM", 2)
    desk.talk("c", ("user", "The ferry leaves at dawn"), ("user", "The bakery opens late"))
    desk.indexing.flush()
    desk.indexing._clear()
    entered, go_on = threading.Event(), threading.Event()
    load = Entry.load

    def slowly(entry, *args):
        entered.set()
        assert go_on.wait(60)
        load(entry, *args)

    monkeypatch.setattr(Entry, "load", slowly)
    asked = desk.lanes.submit("interactive", lambda: desk.recall.searcher.ask("a", "ferry", NOW))
    try:
        assert entered.wait(60)
        assert not asked.done()
    finally:
        go_on.set()
    vector = asked.result(60).vector
    assert len(desk.indexing.search("a", "turn", vector, 5)) == 2


class SlowIndex(HnswIndex):
    """Makes whoever reads a snapshot wait until told to go on."""

    reading: threading.Event
    go_on: threading.Event

    def adopt(self, data):
        self.reading.set()
        assert self.go_on.wait(60)
        return super().adopt(data)


class SlowFactory(HnswFactory):
    def __init__(self):
        self.reading = threading.Event()
        self.go_on = threading.Event()

    def create(self, agent_id, kind, model, dim):
        index = SlowIndex(dim)
        index.reading, index.go_on = self.reading, self.go_on
        return index


def test_rows_are_searched_exactly_while_a_large_index_is_loaded(desk, monkeypatch):
    monkeypatch.setattr("memdesk.services.recalling.index.entry.SNAPSHOT_FROM", 2)
    monkeypatch.setattr("memdesk.services.recalling.index.entry.LOADED_AT_ONCE", 2)
    monkeypatch.setattr("memdesk.engines.hnsw.EXACT_BELOW", 2)
    said = ["The ferry leaves at dawn", "The bakery opens late", "Rain all day", "Trams are red", "Owls at night"]
    facts = state(desk, *said)
    desk.indexing.size("a", "fact")
    desk.indexing.flush()
    desk.indexing._entries.save()
    desk.indexing._clear()
    slow = desk.indexing._entries._factory = SlowFactory()
    try:
        desk.indexing.size("a", "fact")
        assert slow.reading.wait(60)
        seqs = [nearest(desk, text, "fact")[0] for text in said]
        with desk.store.read() as repos:
            assert [repos.items.get(fact.id).seq for fact in facts] == seqs
        # What goes meanwhile stays away, and what changes is found anew.
        desk.indexing.forget("a", "item", seqs[:1])
        desk.store.write(lambda r: r.items.put(replace(facts[1], content="The harbour is frozen")))
        desk.indexing.note("a", "item", seqs[1:2])
    finally:
        slow.go_on.set()
    wait_until_loaded(desk, "item")
    desk.indexing.flush()
    found = {seq for seq, _ in desk.indexing.search("a", "fact", desk.embedder.embed([said[0]])[0], 10)}
    assert found == set(seqs[1:])
    assert nearest(desk, "The harbour is frozen", "fact") == seqs[1:2]
    assert not desk.indexing.vectors("a", "item", seqs[:1]).any()


def test_a_damaged_snapshot_is_rebuilt(desk, caplog):
    desk.talk("c", ("user", "The ferry leaves at dawn"))
    desk.indexing.flush()
    desk.store.write(lambda r: put_snapshot(r, "a", "turn", desk.embedder.model_id, b"rubbish"))
    desk.indexing._clear()
    assert len(nearest(desk, "ferry")) == 1
    caplog.clear()


test_a_damaged_snapshot_is_rebuilt = pytest.mark.expect_log(test_a_damaged_snapshot_is_rebuilt)


def test_a_changed_model_embeds_everything_anew_and_drops_the_old(desk):
    desk.talk("c", ("user", "The ferry leaves at dawn"))
    desk.indexing.flush()
    desk.indexing.start()
    desk.embedder = WordEmbedder("other@2", dim=32)
    wait_until_embedded(desk, lambda: desk.events.publish(SettingsChanged(("memory.embedding_model",))))
    with desk.store.read() as repos:
        assert repos.embeddings.counts() == {"turn:other@2": 1}
    assert len(nearest(desk, "ferry")) == 1


class SlowEmbedder(WordEmbedder):
    """Waits before each text until it may go on."""

    def __init__(self, model_id):
        super().__init__(model_id)
        self.may = threading.Semaphore(0)
        self.waits = threading.Semaphore(0)

    def embed(self, texts, **options):
        if options.get("priority") == "background":
            self.waits.release()
            self.may.acquire()
        return super().embed(texts, **options)


@pytest.fixture
def changing(desk, monkeypatch):
    """A desk that changes its model one text at a time, and waits before the second one."""
    monkeypatch.setattr("memdesk.services.recalling.index.batches.BATCH", 1)
    desk.facts = state(desk, "The ferry leaves at dawn", "Olga feeds the cats", "Rain in June")
    desk.indexing.flush()
    desk.change.next = SlowEmbedder("new@1")
    desk.indexing.start()
    desk.change.next.waits.acquire()
    desk.change.next.may.release()
    desk.change.next.waits.acquire()
    yield desk
    if isinstance(desk.change.next, SlowEmbedder):
        desk.change.next.may.release(100)


def test_the_old_space_answers_until_the_new_one_is_whole(changing):
    desk, new = changing, changing.change.next
    status = desk.indexing.status()
    assert (status["model"], status["coming"]) == (desk.embedder.model_id, "new@1")
    assert (status["done"], status["missing"]) == (1, 2)
    assert len(nearest(desk, "ferry", "fact")) == 1
    assert desk.indexing.embed_query("ferry")[0] == "words@1"
    wait_until_embedded(desk, lambda: new.may.release(100))
    assert desk.embedder is new
    assert desk.indexing.embed_query("ferry")[0] == "new@1"
    assert len(nearest(desk, "ferry", "fact")) == 1
    with desk.store.read() as repos:
        assert repos.embeddings.counts() == {"item:new@1": 3}


def test_what_is_said_or_edited_meanwhile_is_found_in_both_spaces(changing):
    desk, new = changing, changing.change.next
    old = desk.embedder
    desk.store.write(lambda r: r.items.put(replace(desk.facts[0], content="The tram leaves at noon")))
    with desk.store.read() as repos:
        edited = repos.items.get(desk.facts[0].id).seq
    desk.indexing.note("a", "item", [edited])
    desk.talk("d", ("user", "Swans fly south"))
    for _ in range(2):  # a text of each kind
        new.may.release()
        new.waits.acquire()
    assert nearest(desk, "tram", "fact") == [edited]
    assert len(nearest(desk, "swans")) == 1
    assert desk.embedder is old
    wait_until_embedded(desk, lambda: new.may.release(100))
    assert desk.embedder is new
    assert nearest(desk, "tram", "fact") == [edited]
    assert len(nearest(desk, "swans")) == 1


def test_a_change_that_was_interrupted_goes_on_where_it_was(changing):
    desk, new = changing, changing.change.next
    rested = threading.Event()
    desk.events.subscribe(RunChanged, lambda _: rested.set())
    desk.indexing.stop()
    new.may.release(100)
    assert rested.wait(60)
    made = new.calls
    assert 0 < made < 3
    desk.indexing = desk.new_indexing()
    again = desk.change.next = WordEmbedder("new@1")
    wait_until_embedded(desk, desk.indexing.start)
    assert desk.embedder is again
    assert again.calls == 3 - made


class FarEmbedder(WordEmbedder):
    """One on another machine; what it was given is kept."""

    def __init__(self):
        super().__init__("far@1")
        self.given = []

    def embed(self, texts, **options):
        self.given += texts
        return super().embed(texts, **options)

    def state(self):
        return EngineState(name="far", kind="embedder", state="ready", server="Far", on_this_machine=False)


def test_what_is_kept_for_models_here_is_never_sent_to_one_elsewhere(desk):
    desk.embedder = FarEmbedder()
    secret, free = state(desk, "The ferry leaves at dawn", "Olga feeds the cats")
    desk.store.write(lambda r: r.items.put(replace(secret, privacy="local_only")))
    desk.talk("c", ("user", "Swans fly south"))
    assert desk.indexing.flush() == 3
    assert not any("ferry" in text for text in desk.embedder.given)
    assert desk.indexing.status()["leaves"]
    assert desk.indexing.status()["missing"] == 0
    assert desk.indexing.size("a", "fact") == 1
    assert len(nearest(desk, "cats", "fact", k=5)) == 1
    # Once it may leave, it is found by meaning too.
    desk.store.write(lambda r: r.items.put(replace(secret, privacy="normal")))
    desk.indexing._look_again()
    desk.indexing.flush()
    assert any("ferry" in text for text in desk.embedder.given)
    assert desk.indexing.size("a", "fact") == 2
    assert free.content in " ".join(desk.embedder.given)


def test_a_question_that_must_stay_is_answered_by_words(desk):
    desk.talk("c", ("user", "The ferry leaves at dawn"))
    desk.indexing.flush()
    desk.embedder.embed = lambda texts, **_options: np.zeros((len(texts), 64), dtype=np.float32)
    assert desk.indexing.embed_query("What about my insulin?") is None


@pytest.mark.expect_log
def test_a_server_that_never_answered_leaves_search_to_words(desk):
    class Silent(WordEmbedder):
        @property
        def dim(self):
            raise EngineCrashedError("nobody there")

        @dim.setter
        def dim(self, _value):
            pass

    desk.talk("c", ("user", "The ferry leaves at dawn"))
    desk.embedder = Silent("silent@1")
    desk.indexing.wake("a")
    assert desk.indexing.size("a", "turn") == 0


@pytest.mark.expect_log
def test_an_old_model_that_fails_holds_up_nothing(desk):
    desk.talk("c", ("user", "The ferry leaves at dawn"))
    desk.indexing.flush()
    desk.talk("d", ("user", "Swans fly south"))
    desk.embedder.broken = True
    desk.change.next = WordEmbedder("new@1")
    wait_until_embedded(desk, desk.indexing.start)
    assert desk.embedder.model_id == "new@1"
    assert len(nearest(desk, "swans")) == 1


def test_where_nothing_was_embedded_yet_the_new_model_is_in_use_at_once(desk):
    new = desk.change.next = WordEmbedder("new@1")
    old = desk.embedder
    wait_until_embedded(desk, desk.indexing.start)
    assert desk.embedder is new
    desk.talk("c", ("user", "The ferry leaves at dawn"))
    desk.indexing.flush()
    assert (old.calls, new.calls) == (0, 1)


@pytest.mark.expect_log
def test_a_failing_embedder_is_reported_and_tried_again(desk, monkeypatch):
    monkeypatch.setattr("memdesk.services.recalling.index.indexing.RETRY_SECONDS", 0.05)
    desk.embedder.broken = True
    desk.talk("c", ("user", "The ferry leaves at dawn"))

    def mend():
        desk.indexing.start()
        while not desk.indexing.status()["error"]:
            pass
        desk.embedder.broken = False

    wait_until_embedded(desk, mend)
    assert desk.indexing.status()["error"] == ""
    assert desk.indexing.size("a", "turn") == 1


def test_indexes_of_deleted_agents_go(desk):
    desk.talk("c", ("user", "The ferry leaves at dawn"))
    desk.indexing.start()
    desk.indexing.flush()
    desk.store.write(lambda r: r.agents.delete("a"))
    desk.events.publish(AgentsChanged())
    assert not any(name.startswith("a/") for name in desk.indexing.status()["indexes"])


def test_vectors_of_texts_that_ship_outlive_a_restart_until_model_or_texts_are_others(desk):
    lines = ["The ferry leaves at dawn", "The bakery opens late"]
    first = desk.indexing.embed_shipped("harbor", lines)
    assert first is not None
    assert desk.embedder.calls == len(lines)
    again = desk.new_indexing().embed_shipped("harbor", lines)
    assert again is not None
    assert again[0] == first[0] == desk.embedder.model_id
    np.testing.assert_array_equal(again[1], first[1])
    np.testing.assert_allclose(first[1], desk.embedder.embed(lines), atol=1e-3)
    calls = desk.embedder.calls
    assert desk.indexing.embed_shipped("harbor", [*lines, "The lighthouse is closed"])[1].shape[0] == 3
    assert desk.embedder.calls > calls
    calls = desk.embedder.calls
    desk.embedder.model_id = "words@2"
    assert desk.indexing.embed_shipped("harbor", lines)[0] == "words@2"
    assert desk.embedder.calls > calls


def test_texts_that_ship_are_embedded_once_for_all_who_ask_at_once(desk, monkeypatch):
    lines, asking = ["The ferry leaves at dawn", "The bakery opens late"], threading.Barrier(4)
    embed = desk.embedder.embed

    def slow(texts, **how):
        time.sleep(0.2)
        return embed(texts, **how)

    def ask(_):
        asking.wait()
        return desk.indexing.embed_shipped("harbor", lines)[1]

    monkeypatch.setattr(desk.embedder, "embed", slow)
    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(ask, range(4))
    assert desk.embedder.calls == len(lines)
    assert all(np.array_equal(first, each) for each in others)
