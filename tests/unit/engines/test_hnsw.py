"""The vector index: exact while small, complete and nearly exact beyond."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from memdesk.engines import hnsw
from memdesk.engines.hnsw import HnswFactory, HnswIndex
from memdesk.errors import BadRequestError

DIM = 32


def unit(count, seed=0):
    vectors = np.random.default_rng(seed).normal(size=(count, DIM)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def exact(vectors, seqs, query, k):
    scores = vectors @ query
    order = sorted(range(len(seqs)), key=lambda i: (-scores[i], seqs[i]))[:k]
    return [seqs[i] for i in order]


@pytest.fixture
def small_graph(monkeypatch):
    monkeypatch.setattr(hnsw, "EXACT_BELOW", 100)
    monkeypatch.setattr(hnsw, "EXACT_ALLOWED", 50)


def test_small_index_is_exact():
    vectors, index = unit(500), HnswIndex(DIM)
    seqs = list(range(1000, 1500))
    index.add(seqs, vectors)
    for query in unit(20, seed=1):
        hits = index.search(query, 10)
        assert [seq for seq, _ in hits] == exact(vectors, seqs, query, 10)
        assert hits[0][1] == pytest.approx(float((vectors @ query).max()), abs=1e-5)


def test_empty_and_odd_questions():
    index = HnswIndex(DIM)
    query = unit(1)[0]
    assert index.search(query, 5) == []
    index.add([7], unit(1))
    assert index.search(query, 0) == []
    assert index.search(query, 5, allowed=set()) == []
    assert index.search(query, 5, allowed={99}) == []
    assert [seq for seq, _ in index.search(query, 5)] == [7]
    with pytest.raises(BadRequestError):
        index.add([1, 2], unit(3))


def test_a_known_seq_is_replaced():
    index, vectors = HnswIndex(DIM), unit(2)
    index.add([1], vectors[:1])
    index.add([1], vectors[1:])
    assert len(index) == 1
    assert index.search(vectors[1], 1)[0][1] == pytest.approx(1.0, abs=1e-5)


@pytest.mark.usefixtures("small_graph")
def test_graph_finds_nearly_what_exact_search_finds():
    vectors, index = unit(3000), HnswIndex(DIM)
    seqs = list(range(3000))
    index.add(seqs[:1200], vectors[:1200])
    index.add(seqs[1200:], vectors[1200:])
    assert len(index) == 3000
    queries = unit(50, seed=2)
    found = [len({s for s, _ in index.search(q, 10)} & set(exact(vectors, seqs, q, 10))) for q in queries]
    assert sum(found) / 500 >= 0.99


@pytest.mark.usefixtures("small_graph")
def test_removed_vectors_are_never_found_again():
    vectors, index = unit(600), HnswIndex(DIM)
    index.add(list(range(600)), vectors)
    gone = set(range(0, 600, 3))
    index.remove([*gone, 12345])
    assert len(index) == 400
    for query in vectors[:60]:
        assert not gone & {seq for seq, _ in index.search(query, 50)}
    index.add([0], vectors[:1])
    assert index.search(vectors[0], 1)[0][0] == 0


@pytest.mark.usefixtures("small_graph")
def test_worn_graph_is_renewed():
    vectors, index = unit(600), HnswIndex(DIM)
    index.add(list(range(600)), vectors)
    index.remove(list(range(400)))
    index.add([1000], unit(1, seed=9))
    assert len(index) == 201
    assert index._graph.get_current_count() == 201
    assert index.search(vectors[450], 1)[0][0] == 450


@pytest.mark.usefixtures("small_graph")
@pytest.mark.parametrize("share", [2, 20])
def test_only_allowed_rows(share):
    vectors, index = unit(1500), HnswIndex(DIM)
    seqs = list(range(1500))
    index.add(seqs, vectors)
    allowed = set(seqs[::share])
    for query in unit(20, seed=3):
        hits = [seq for seq, _ in index.search(query, 5, allowed=allowed | {99999})]
        assert set(hits) <= allowed
        assert len(set(hits) & set(exact(vectors[::share], seqs[::share], query, 5))) >= 4


@pytest.mark.usefixtures("small_graph")
def test_vectors_come_back():
    vectors, index = unit(300), HnswIndex(DIM)
    index.add(list(range(300)), vectors)
    index.add([5000], vectors[:1])
    back = index.vectors([299, 5000, 77777])
    assert np.allclose(back[0], vectors[299], atol=1e-6)
    assert np.allclose(back[1], vectors[0], atol=1e-6)
    assert not back[2].any()


@pytest.mark.usefixtures("small_graph")
@pytest.mark.parametrize("count", [0, 50, 500])
def test_dump_and_restore(count):
    vectors, index = unit(count + 1), HnswIndex(DIM)
    index.add(list(range(count)), vectors[:count])
    index.remove(list(range(0, count, 7)))
    copy = HnswFactory().restore(index.dump(), DIM)
    assert len(copy) == len(index)
    for query in unit(10, seed=4):
        assert copy.search(query, 8) == index.search(query, 8)
    copy.add([9999], vectors[-1:])
    assert copy.search(vectors[-1], 1)[0][0] == 9999


@pytest.mark.usefixtures("small_graph")
def test_damaged_snapshots_are_errors():
    index = HnswIndex(DIM)
    index.add(list(range(300)), unit(300))
    data = index.dump()
    flipped = bytearray(data)
    flipped[len(data) // 2] ^= 1
    for broken in (b"", data[:40], data[:-10], bytes(flipped), b"x" + data[1:]):
        with pytest.raises(BadRequestError):
            HnswIndex.load(broken, DIM)
    with pytest.raises(BadRequestError):
        HnswIndex.load(data, DIM + 1)


@pytest.mark.usefixtures("small_graph")
def test_searches_while_others_add_and_remove():
    index, vectors = HnswIndex(DIM), unit(2000)
    index.add(list(range(200)), vectors[:200])
    failures = []
    stop = threading.Event()

    def look():
        while not stop.is_set():
            try:
                assert index.search(vectors[0], 3)[0][0] == 0
            except Exception as error:  # noqa: BLE001  # told by the main thread
                failures.append(error)
                return

    watchers = [threading.Thread(target=look) for _ in range(3)]
    for thread in watchers:
        thread.start()
    adders = [
        threading.Thread(target=lambda a=a: index.add(list(range(a, a + 600)), vectors[a : a + 600]))
        for a in (200, 800, 1400)
    ]
    for thread in adders:
        thread.start()
    index.remove(list(range(100, 150)))
    for thread in adders:
        thread.join(30)
    stop.set()
    for thread in watchers:
        thread.join(30)
    assert failures == []
    assert len(index) == 1950
