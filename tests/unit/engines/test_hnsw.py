"""The vector index: exact while small, complete and nearly exact beyond."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from memdesk.engines import hnsw, hnsw_axes
from memdesk.engines.hnsw import HnswIndex
from memdesk.errors import BadRequestError

DIM = 32


def unit(count, seed=0):
    """Unit vectors in numbers that the index, which keeps half precision, does not round."""
    vectors = np.random.default_rng(seed).normal(size=(count, DIM)).astype(np.float32)
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float16).astype(np.float32)


def exact(vectors, seqs, query, k):
    scores = vectors @ query
    order = sorted(range(len(seqs)), key=lambda i: (-scores[i], seqs[i]))[:k]
    return [seqs[i] for i in order]


def add(index, seqs, vectors):
    index.put(seqs, vectors)
    index.grow()


def restored(data, seqs, vectors):
    index = HnswIndex(vectors.shape[1])
    index.put(seqs, vectors)
    index.adopt(data)
    return index


@pytest.fixture
def small_graph(monkeypatch):
    monkeypatch.setattr(hnsw, "EXACT_BELOW", 100)
    monkeypatch.setattr(hnsw, "EXACT_ALLOWED", 50)


def test_small_index_is_exact():
    vectors, index = unit(500), HnswIndex(DIM)
    seqs = list(range(1000, 1500))
    add(index, seqs, vectors)
    for query in unit(20, seed=1):
        hits = index.search(query, 10)
        assert [seq for seq, _ in hits] == exact(vectors, seqs, query, 10)
        assert hits[0][1] == pytest.approx(float((vectors @ query).max()), abs=1e-3)


def test_empty_and_odd_questions():
    index = HnswIndex(DIM)
    query = unit(1)[0]
    assert index.search(query, 5) == []
    add(index, [7], unit(1))
    assert index.search(query, 0) == []
    assert index.search(query, 5, allowed=set()) == []
    assert index.search(query, 5, allowed={99}) == []
    assert [seq for seq, _ in index.search(query, 5)] == [7]
    with pytest.raises(BadRequestError):
        add(index, [1, 2], unit(3))


def test_a_known_seq_is_replaced():
    index, vectors = HnswIndex(DIM), unit(2)
    add(index, [1], vectors[:1])
    add(index, [1], vectors[1:])
    assert len(index) == 1
    assert index.search(vectors[1], 1)[0][1] == pytest.approx(1.0, abs=1e-3)


@pytest.mark.usefixtures("small_graph")
def test_graph_finds_nearly_what_exact_search_finds():
    vectors, index = unit(3000), HnswIndex(DIM)
    seqs = list(range(3000))
    add(index, seqs[:1200], vectors[:1200])
    add(index, seqs[1200:], vectors[1200:])
    assert len(index) == 3000
    queries = unit(50, seed=2)
    found = [len({s for s, _ in index.search(q, 10)} & set(exact(vectors, seqs, q, 10))) for q in queries]
    assert sum(found) / 500 >= 0.99


@pytest.mark.usefixtures("small_graph")
def test_removed_vectors_are_never_found_again():
    vectors, index = unit(600), HnswIndex(DIM)
    add(index, list(range(600)), vectors)
    gone = set(range(0, 600, 3))
    index.remove([*gone, 12345])
    assert len(index) == 400
    for query in vectors[:60]:
        assert not gone & {seq for seq, _ in index.search(query, 50)}
    add(index, [0], vectors[:1])
    assert index.search(vectors[0], 1)[0][0] == 0


@pytest.mark.usefixtures("small_graph")
def test_worn_graph_is_renewed():
    vectors, index = unit(600), HnswIndex(DIM)
    add(index, list(range(600)), vectors)
    index.remove(list(range(400)))
    add(index, [1000], unit(1, seed=9))
    assert len(index) == 201
    assert index._graph.get_current_count() == 201
    assert index.search(vectors[450], 1)[0][0] == 450


@pytest.mark.usefixtures("small_graph")
@pytest.mark.parametrize("share", [2, 20])
def test_only_allowed_rows(share):
    vectors, index = unit(1500), HnswIndex(DIM)
    seqs = list(range(1500))
    add(index, seqs, vectors)
    allowed = set(seqs[::share])
    for query in unit(20, seed=3):
        hits = [seq for seq, _ in index.search(query, 5, allowed=allowed | {99999})]
        assert set(hits) <= allowed
        assert len(set(hits) & set(exact(vectors[::share], seqs[::share], query, 5))) >= 4


@pytest.mark.usefixtures("small_graph")
def test_vectors_come_back():
    vectors, index = unit(300), HnswIndex(DIM)
    add(index, list(range(300)), vectors)
    add(index, [5000], vectors[:1])
    back = index.vectors([299, 5000, 77777])
    assert np.allclose(back[0], vectors[299], atol=1e-3)
    assert np.allclose(back[1], vectors[0], atol=1e-3)
    assert not back[2].any()


@pytest.mark.usefixtures("small_graph")
@pytest.mark.parametrize("count", [0, 50, 500])
def test_dump_and_restore(count):
    vectors, index = unit(count + 1), HnswIndex(DIM)
    add(index, list(range(count)), vectors[:count])
    gone = set(range(0, count, 7))
    index.remove(sorted(gone))
    left = np.array([seq for seq in range(count) if seq not in gone], dtype=np.int64)
    copy = HnswIndex(DIM)
    copy.put(left.tolist(), vectors[left])
    # Below the size of a graph there is nothing to restore.
    assert copy.adopt(index.dump()) == (len(left) if count == 500 else 0)
    copy.grow()
    assert len(copy) == len(index)
    for query in unit(10, seed=4):
        assert [seq for seq, _ in copy.search(query, 8)] == [seq for seq, _ in index.search(query, 8)]
    add(copy, [9999], vectors[-1:])
    assert copy.search(vectors[-1], 1)[0][0] == 9999


@pytest.mark.usefixtures("small_graph")
def test_a_snapshot_follows_the_rows_that_exist_when_it_is_read():
    vectors, index = unit(600), HnswIndex(DIM)
    add(index, list(range(500)), vectors[:500])
    index.remove([3])
    changed = vectors.copy()
    changed[4] = vectors[599]
    # Since then row 5 was deleted, row 4 changed, row 3 came back and row 550 is new.
    seqs = np.array([*range(5), *range(6, 500), 550], dtype=np.int64)
    copy = HnswIndex(DIM)
    copy.put(seqs.tolist(), changed[seqs])
    # Rows 3 and 550 it does not know.
    assert copy.adopt(index.dump()) == len(seqs) - 2
    assert 5 not in {seq for seq, _ in copy.search(vectors[5], 400)}
    assert copy.search(vectors[599], 1)[0][0] == 4
    assert not copy.vectors([5]).any()
    copy.grow()
    for seq in (3, 550):
        assert copy.search(vectors[seq], 1)[0][0] == seq
    found = [copy.search(query, 1)[0][0] for query in vectors[6:200]]
    assert found == list(range(6, 200))


@pytest.mark.usefixtures("small_graph")
def test_a_snapshot_holds_no_vectors():
    vectors, index = unit(300), HnswIndex(DIM)
    add(index, list(range(300)), vectors)
    index.remove([7])
    data = index.dump()
    assert not any(row[:2].tobytes() in data for row in vectors)


@pytest.mark.usefixtures("small_graph")
def test_damaged_snapshots_are_errors():
    index, seqs = HnswIndex(DIM), np.arange(300, dtype=np.int64)
    add(index, seqs.tolist(), unit(300))
    data = index.dump()
    flipped = bytearray(data)
    flipped[len(data) // 2] ^= 1
    for broken in (b"", data[:40], data[:-10], bytes(flipped), b"x" + data[1:]):
        with pytest.raises(BadRequestError):
            restored(broken, seqs.tolist(), unit(300))
    with pytest.raises(BadRequestError):
        restored(data, seqs.tolist(), np.zeros((300, DIM + 1), np.float32))


@pytest.mark.usefixtures("small_graph")
def test_searches_while_others_add_and_remove():
    index, vectors = HnswIndex(DIM), unit(2000)
    add(index, list(range(200)), vectors[:200])
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
        threading.Thread(target=lambda a=a: add(index, list(range(a, a + 600)), vectors[a : a + 600]))
        for a in (200, 800, 1400)
    ]
    for thread in adders:
        thread.start()
    index.remove(list(range(100, 150)))
    for thread in adders:
        thread.join(60)
    stop.set()
    for thread in watchers:
        thread.join(60)
    assert failures == []
    assert len(index) == 1950


def spread(count, seed, lead=0):
    """Unit vectors of 384 numbers whose variance falls over the axes as an embedding model's does, from ``lead`` on."""
    scale = (np.roll(np.arange(384), lead) + 4.0) ** -0.62
    vectors = (np.random.default_rng(seed).normal(size=(count, 384)) * scale).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def recall_at_10(index, vectors, queries):
    seqs = list(range(len(vectors)))
    hits = [{seq for seq, _ in index.search(query, 10)} & set(exact(vectors, seqs, query, 10)) for query in queries]
    return sum(map(len, hits)) / (10 * len(queries))


@pytest.mark.usefixtures("small_graph")
def test_a_walk_in_a_few_directions_finds_what_whole_vectors_would():
    index, vectors = HnswIndex(384), spread(3000, 0)
    add(index, list(range(3000)), vectors)
    assert index._graph.dim == hnsw_axes.GRAPH_DIM
    assert recall_at_10(index, vectors, spread(40, 1)) >= 0.99
    seq, cosine = index.search(vectors[7], 1)[0]
    assert seq == 7
    assert cosine == pytest.approx(1.0, abs=1e-3)
    copy = restored(index.dump(), list(range(3000)), vectors)
    for query in spread(10, 2):
        assert copy.search(query, 10) == index.search(query, 10)


@pytest.mark.usefixtures("small_graph")
def test_directions_follow_when_what_is_remembered_changes():
    index, vectors = HnswIndex(384), np.concatenate([spread(200, 0), spread(2800, 1, lead=200)])
    add(index, list(range(200)), vectors[:200])
    first = index._axes
    add(index, list(range(200, 3000)), vectors[200:])
    assert index._axes is not first
    assert recall_at_10(index, vectors, spread(40, 2, lead=200)) >= 0.99


@pytest.mark.usefixtures("small_graph")
def test_rows_that_change_while_a_snapshot_is_read_are_as_they_are_now(monkeypatch):
    vectors, index = unit(600), HnswIndex(DIM)
    add(index, list(range(500)), vectors[:500])
    data, copy = index.dump(), HnswIndex(DIM)
    copy.put(list(range(500)), vectors[:500])
    inner = hnsw.rebuilt

    def interrupted(state, seqs, project):
        found = inner(state, seqs, project)
        copy.remove([3])
        copy.put([4], vectors[599:])
        return found

    monkeypatch.setattr(hnsw, "rebuilt", interrupted)
    assert copy.adopt(data) == 498
    assert 3 not in {seq for seq, _ in copy.search(vectors[3], 499)}
    assert copy.search(vectors[599], 1)[0][0] == 4
    copy.grow()
    assert copy.search(vectors[599], 1)[0][0] == 4
    assert len(copy) == 499


@pytest.mark.usefixtures("small_graph")
@pytest.mark.parametrize("seed", range(8))
def test_it_always_holds_what_was_put_last(seed):
    """Any order of putting, replacing, removing, growing and restoring, against a plain dict."""
    random, vectors, known = np.random.default_rng(seed), unit(4000, seed), {}
    index, at = HnswIndex(DIM), 0
    for _ in range(40):
        doing = random.integers(5)
        if doing <= 1:
            seqs = random.integers(0, 900, size=random.integers(1, 120)).tolist()
            index.put(seqs, vectors[at : at + len(seqs)])
            known.update(zip(seqs, vectors[at : at + len(seqs)], strict=True))
            at += len(seqs)
        elif doing == 2:
            gone = random.integers(0, 900, size=random.integers(1, 200)).tolist()
            index.remove(gone)
            known = {seq: vector for seq, vector in known.items() if seq not in gone}
        elif doing == 3:
            index.grow()
        elif known:
            data = index.dump()
            index = HnswIndex(DIM)
            index.put(list(known), np.stack(list(known.values())))
            index.adopt(data)
        assert len(index) == len(known)
        if known:
            seq = list(known)[random.integers(len(known))]
            assert index.search(known[seq], 1)[0][1] == pytest.approx(1.0, abs=1e-3)
            assert {hit for hit, _ in index.search(known[seq], 20)} <= set(known)
            assert np.array_equal(index.vectors([seq])[0], known[seq])
