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
    gone = set(range(0, count, 7))
    index.remove(sorted(gone))
    left = np.array([seq for seq in range(count) if seq not in gone], dtype=np.int64)
    copy = HnswFactory().restore(index.dump(), left, vectors[left])
    # Below the size of a graph there is nothing to restore: the rows are added as new ones.
    missing = left[~copy.holds(left.tolist())]
    assert len(missing) == (0 if count == 500 else len(left))
    copy.add(missing.tolist(), vectors[missing])
    assert len(copy) == len(index)
    for query in unit(10, seed=4):
        assert [seq for seq, _ in copy.search(query, 8)] == [seq for seq, _ in index.search(query, 8)]
    copy.add([9999], vectors[-1:])
    assert copy.search(vectors[-1], 1)[0][0] == 9999


@pytest.mark.usefixtures("small_graph")
def test_a_snapshot_follows_the_rows_that_exist_when_it_is_read():
    vectors, index = unit(600), HnswIndex(DIM)
    index.add(list(range(500)), vectors[:500])
    index.remove([3])
    changed = vectors.copy()
    changed[4] = vectors[599]
    # Since then row 5 was deleted, row 4 changed, row 3 came back and row 550 is new.
    seqs = np.array([*range(5), *range(6, 500), 550], dtype=np.int64)
    copy = HnswFactory().restore(index.dump(), seqs, changed[seqs])
    assert seqs[~copy.holds(seqs.tolist())].tolist() == [3, 550]
    assert 5 not in {seq for seq, _ in copy.search(vectors[5], 400)}
    assert copy.search(vectors[599], 1)[0][0] == 4
    assert not copy.vectors([5]).any()
    copy.add([3, 550], vectors[[3, 550]])
    for seq in (3, 550):
        assert copy.search(vectors[seq], 1)[0][0] == seq
    found = [copy.search(query, 1)[0][0] for query in vectors[6:200]]
    assert found == list(range(6, 200))


@pytest.mark.usefixtures("small_graph")
def test_a_snapshot_holds_no_vectors():
    vectors, index = unit(300), HnswIndex(DIM)
    index.add(list(range(300)), vectors)
    index.remove([7])
    data = index.dump()
    assert not any(row[:2].tobytes() in data for row in vectors)


@pytest.mark.usefixtures("small_graph")
def test_damaged_snapshots_are_errors():
    index, seqs = HnswIndex(DIM), np.arange(300, dtype=np.int64)
    index.add(seqs.tolist(), unit(300))
    data = index.dump()
    flipped = bytearray(data)
    flipped[len(data) // 2] ^= 1
    for broken in (b"", data[:40], data[:-10], bytes(flipped), b"x" + data[1:]):
        with pytest.raises(BadRequestError):
            HnswIndex.load(broken, seqs, unit(300))
    with pytest.raises(BadRequestError):
        HnswIndex.load(data, seqs, np.zeros((300, DIM + 1), np.float32))


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
