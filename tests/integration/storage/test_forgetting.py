"""What is deleted leaves every table, index, vector and page, and nothing stored is readable on disk."""

from __future__ import annotations

import threading
import time

import pytest

from memdesk.domain.models import FactStatus
from memdesk.storage.connection import connect
from memdesk.storage.database import Database
from memdesk.storage.pages import PAGE
from memdesk.storage.scan import plain_pages
from tests.helpers import rows

SECRET = "the walrus keeps its violin in the attic"
MODEL = "mini"
KINDS = ("turn", "item")


def _remember(store, agent_id="ana"):
    """Store the secret in every place that can hold it; return ids by kind."""
    turns = [rows.turn(f"{SECRET} {n}", n, agent_id=agent_id) for n in range(3)]
    detail = rows.detail(SECRET)
    episode = rows.episode(SECRET, agent_id=agent_id, topics=(SECRET,), details=(detail,))
    fact = rows.fact(SECRET, agent_id=agent_id, tags=("walrus",), sources=(rows.source(turns[0], SECRET),))
    receipt = rows.receipt(
        rows.receipt_item(fact.id, SECRET), agent_id=agent_id, conversation_id="c1", block=SECRET, query=SECRET
    )
    run = rows.run()

    def work(repos):
        seqs = repos.turns.add(turns)
        repos.signals.add([rows.signal(t) for t in turns])
        fact_seq = repos.items.put(fact)
        episode_seq = repos.items.put(episode)
        (stored,) = repos.items.episode(episode.id).session.details
        repos.receipts.put(receipt)
        repos.history.add([rows.history(fact.id, agent_id=agent_id, new={"content": SECRET})])
        repos.runs.put(run)
        repos.runs.add_changes(run.id, [rows.change(fact.id, agent_id=agent_id, before={"content": SECRET})])
        repos.runs.bin_add(run.id, [("fact", fact.id, agent_id, {"content": SECRET})], rows.T0)
        for kind, numbers in (
            ("turn", seqs),
            ("item", [fact_seq, episode_seq, stored.seq]),
        ):
            repos.embeddings.put(agent_id, kind, MODEL, [(n, f"{agent_id}{kind}{n}", b"\1\2") for n in numbers])
            rows.put_snapshot(repos, agent_id, kind, MODEL, b"snapshot")

    store.write(work)
    return turns, episode, fact, receipt


def _left(store):
    with store.read() as repos:
        vectors = repos.embeddings.counts()
        snapshots = {k for k in KINDS if repos.embeddings.snapshot("ana", k, MODEL) is not None}
        return repos.text.holding("walrus"), vectors, snapshots


def test_an_agent_goes_with_everything(store):
    _remember(store)
    _remember(store, "ben")
    assert store.pages_holding([SECRET.encode()])
    for agent_id in ("ana", "ben"):
        store.write(lambda repos, a=agent_id: repos.agents.delete(a))
    store.checkpoint()
    assert _left(store) == ([], {}, set())
    assert not store.pages_holding([SECRET.encode()])
    assert not store.pages_holding([b"walrus"])
    assert not store.pages_holding([b"walru"])
    assert store.verify() == []
    with store.read() as repos:
        # That something happened stays, and who it was; not what it said.
        assert repos.history.page(agent_id="ana").total == 1


def test_a_conversation_goes_with_turns_signals_receipts_and_vectors(store):
    turns, _episode, fact, receipt = _remember(store)
    store.write(lambda repos: rows.forget_thread(repos, "ana", "c1"))
    with store.read() as repos:
        assert repos.turns.count("ana") == 0
        assert repos.signals.counts()["pending"] == 0
        assert repos.receipts.get(receipt.id) is None
        assert repos.items.get(fact.id).sources == ()
        assert repos.embeddings.load("ana", "turn", MODEL) == ([], b"")
        assert repos.text.document_frequency("turn", ["walrus"]) == {"walrus": 0}
        assert repos.turns.many([t.id for t in turns]) == []


def test_facts_and_episodes_take_their_vectors_and_words_along(store):
    _turns, episode, fact, _receipt = _remember(store)

    def work(repos):
        repos.items.delete([fact.id])
        repos.items.delete([episode.id])

    store.write(work)
    with store.read() as repos:
        assert repos.embeddings.load("ana", "item", MODEL) == ([], b"")
        for kind in ("fact", "episode", "detail"):
            assert repos.text.document_frequency(kind, ["walrus"]) == {"walrus": 0}


def test_snapshots_outlive_rows_but_not_a_change_of_words(store):
    turns, episode, fact, _receipt = _remember(store)
    store.write(lambda repos: repos.items.delete([episode.id]))
    store.write(lambda repos: rows.forget_turns(repos, [turns[1].id]))
    assert _left(store)[2] == set(KINDS)
    store.write(lambda repos: repos.items.put(rows.fact("something else", id=fact.id)))
    assert _left(store)[2] == {"turn"}


def test_changed_words_drop_the_vectors_made_from_them(store):
    _turns, episode, fact, _receipt = _remember(store)

    def work(repos):
        repos.items.put(rows.fact("something else", id=fact.id))
        repos.items.put(rows.episode("something else", id=episode.id, details=(rows.detail("new"),)))

    store.write(work)
    with store.read() as repos:
        assert repos.embeddings.load("ana", "item", MODEL)[0] == []
        assert len(repos.embeddings.missing("item", MODEL)) == 3


def test_a_status_or_a_salience_is_no_changed_word(store):
    _turns, episode, fact, _receipt = _remember(store)

    def work(repos):
        stored = repos.items.get(fact.id)
        repos.items.put(rows.fact(SECRET, id=fact.id, tags=stored.tags, status=FactStatus.DISABLED))
        repos.items.put(repos.items.episode(episode.id))

    store.write(work)
    assert _left(store)[2] == set(KINDS)


@pytest.mark.parametrize("size", [50, 3_000, 4_000, 9_000, 70_000])
def test_a_phrase_is_found_in_long_texts_wherever_it_stands(store, size):
    padding = "lorem ipsum dolor " * (size // 18)
    for place in (0, len(padding) // 3, len(padding)):
        text = padding[:place] + f"zebra crossing number {place} " + padding[place:]
        store.write(lambda repos, text=text: repos.turns.add([rows.turn(text)]))
        assert store.pages_holding([f"zebra crossing number {place} ".encode()])
    store.checkpoint()
    assert store.pages_holding([b"zebra crossing number 0 "])
    assert not store.pages_holding([b"zebra crossing number nine"])


def test_a_phrase_is_found_where_it_crosses_from_page_to_page(store):
    """Every cut through a phrase that lies across an overflow boundary is seen."""
    phrase = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    store.write(lambda repos: repos.turns.add([rows.turn("x")]))
    for start in range(PAGE - 200, PAGE + 4100, 53):
        text = "." * start + phrase.decode() + "." * 9000
        turn = rows.turn(text)
        store.write(lambda repos, turn=turn: repos.turns.add([turn]))
        assert store.pages_holding([phrase]), start
        store.write(lambda repos, turn=turn: rows.forget_turns(repos, [turn.id]))
        store.checkpoint()
        assert not store.pages_holding([phrase]), start


def test_a_forgotten_phrase_lingers_in_the_log_until_it_is_folded_in(store):
    turn = rows.turn(SECRET)
    store.write(lambda repos: repos.turns.add([turn]))
    store.write(lambda repos: rows.forget_turns(repos, [turn.id]))
    assert store.pages_holding([SECRET.encode()])
    store.checkpoint()
    assert not store.pages_holding([SECRET.encode()])


def test_many_phrases_are_looked_for_in_one_pass(store):
    long = "lorem ipsum " * 1500
    texts = [f"{long[: 300 * n]}phrase number {n:02} of them{long}" for n in range(20)]
    store.write(lambda repos: repos.turns.add([rows.turn(text, n) for n, text in enumerate(texts)]))
    wanted = {f"phrase number {n:02} of them".encode() for n in range(20)}
    absent = {f"phrase number {n:02} of them".encode() for n in range(20, 30)}
    assert store.pages_holding([*wanted, *absent]) == wanted
    assert store.pages_holding([]) == set()


def test_nothing_to_look_for_is_refused(store):
    with pytest.raises(ValueError, match="nothing"):
        store.pages_holding([b""])


def test_pages_can_be_searched_while_others_write(store):
    stop = threading.Event()

    def busy():
        n = 0
        while not stop.is_set():
            n += 1
            store.write(lambda repos, n=n: repos.turns.add([rows.turn("chatter " * 200, n)]))
            stop.wait(0.005)  # at full speed the file grows faster than it is searched

    thread = threading.Thread(target=busy)
    thread.start()
    try:
        until = time.monotonic() + 2
        while time.monotonic() < until:
            assert not store.pages_holding([SECRET.encode()])
    finally:
        stop.set()
        thread.join()


def test_a_page_that_is_in_the_log_alone_is_no_damage(path):
    """A reader holds back part of the log; what is folded in leaves a hole in the file."""
    conns = [connect(path, rows.KEY, writable=True)]
    conns[0].execute("PRAGMA wal_autocheckpoint = 0").fetchall()
    conns[0].execute("CREATE TABLE a (x)")
    conns[0].execute("CREATE TABLE b (x)")
    conns[0].execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    # Page 4 belongs to no table yet when page 5 is written for the reader's snapshot.
    conns[0].execute("INSERT INTO b VALUES (zeroblob(9000))")
    conns.append(connect(path, rows.KEY, writable=False))
    conns[1].execute("BEGIN")
    conns[1].rows("SELECT count(*) FROM a")
    conns[0].execute("UPDATE b SET x = ?", ("walrus " * 2000,))
    conns[0].execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    pages = dict(plain_pages(path, rows.KEY))
    assert any(b"walrus" in page for page in pages.values())
    with path.open("r+b") as file:
        file.seek(-PAGE, 2)
        file.write(bytes(PAGE))
    assert len(dict(plain_pages(path, rows.KEY))) == len(pages)
    for conn in reversed(conns):
        conn.close()


def test_no_file_shows_a_word_of_it(store, path, tmp_path):
    _remember(store)
    store.backup(str(tmp_path / "copy.db"), rows.OTHER_KEY)
    files = [p for p in tmp_path.rglob("*") if p.is_file()]
    assert {"memory.db", "memory.db-wal", "copy.db"} <= {p.name for p in files}
    needles = [SECRET.encode(), b"walrus", b"violin", b"SQLite format 3", b"CREATE TABLE", b"turns_fts", rows.KEY]
    for file in files:
        data = file.read_bytes()
        for needle in needles:
            assert needle not in data, (file.name, needle)
            assert needle.decode("latin-1").encode("utf-16-le") not in data


def test_a_backup_is_complete_consistent_and_under_its_own_key(store, tmp_path):
    _remember(store)
    target = tmp_path / "copy.db"
    target.write_bytes(b"an older backup")
    store.backup(str(target), rows.OTHER_KEY)
    assert target.stat().st_mode & 0o777 == 0o600
    assert not list(tmp_path.glob("*.partial*"))
    copy = Database(target)
    copy.open(rows.OTHER_KEY, create=False)
    assert copy.verify() == []
    with copy.read() as theirs, store.read() as ours:
        assert theirs.turns.of_conversation("ana", "c1") == ours.turns.of_conversation("ana", "c1")
        assert theirs.text.document_frequency("turn", ["walrus"]) == {"walrus": 3}
        assert theirs.embeddings.counts() == ours.embeddings.counts()
    # A restored copy goes on numbering where the original stopped.
    copy.write(lambda repos: repos.turns.add([rows.turn("more")]))
    copy.close()


def test_vectors_by_model_and_content(store):
    turns = [rows.turn(f"t{n}", n) for n in range(4)]
    seqs = store.write(lambda repos: repos.turns.add(turns))

    def work(repos):
        repos.embeddings.put("ana", "turn", "a", [(seqs[0], "h0", b"00"), (seqs[2], "h2", b"22")])
        repos.embeddings.put("ana", "turn", "b", [(seqs[0], "h0", b"bb")])
        repos.embeddings.put("ana", "turn", "a", [(seqs[0], "h0'", b"0'")])

    store.write(work)
    with store.read() as repos:
        embeddings = repos.embeddings
        assert embeddings.load("ana", "turn", "a") == ([seqs[0], seqs[2]], b"0'22")
        assert embeddings.load("ana", "turn", "a", after_seq=seqs[0]) == ([seqs[2]], b"22")
        assert embeddings.load("ben", "turn", "a") == ([], b"")
        assert embeddings.load("ana", "turn", "unknown") == ([], b"")
        assert embeddings.cached("a", ["h0'", "h2", "nope"]) == {"h0'": b"0'", "h2": b"22"}
        assert embeddings.missing("turn", "a") == [("ana", seqs[1]), ("ana", seqs[3])]
        assert embeddings.missing("turn", "a", agent_id="ben") == []
        assert embeddings.missing("turn", "a", limit=1) == [("ana", seqs[1])]
        assert len(embeddings.missing("turn", "b")) == embeddings.count_missing("turn", "b") == 3
        assert embeddings.count_missing("turn", "a") == 2
        assert embeddings.counts() == {"turn:a": 2, "turn:b": 1}
    assert store.write(lambda repos: repos.embeddings.drop_other_models("a")) == 1
    with store.read() as repos:
        assert repos.embeddings.counts() == {"turn:a": 2}


def test_missing_vectors_are_found_whatever_order_they_come_in(store):
    """The remembered floor never hides a row that lost its vector, or came later."""

    def missing():
        with store.read() as repos:
            return [seq for _, seq in repos.embeddings.missing("item", "m", limit=100)]

    def put(*numbers):
        store.write(lambda repos: repos.embeddings.put("ana", "item", "m", [(n, str(n), b"x") for n in numbers]))

    def state(fact):
        store.write(lambda repos: repos.items.put(fact))
        with store.read() as repos:
            return repos.items.get(fact.id).seq

    facts = [rows.fact(f"t{n}") for n in range(6)]
    seqs = [state(fact) for fact in facts]

    assert missing() == seqs
    put(*seqs[3:])
    assert missing() == seqs[:3]
    put(*seqs[:3])
    assert missing() == []
    state(rows.fact("edited", id=facts[1].id))
    assert missing() == [seqs[1]]
    late = state(rows.fact("late"))
    assert missing() == [seqs[1], late]
    put(late, seqs[1])
    assert missing() == []


def test_snapshots_are_kept_in_parts(store, monkeypatch):
    from memdesk.storage.repositories import embeddings

    monkeypatch.setattr(embeddings, "SNAPSHOT_PART", 10)
    data = bytes(range(95))

    def work(repos):
        rows.put_snapshot(repos, "ana", "turn", "m", b"old" * 50)
        rows.put_snapshot(repos, "ana", "turn", "m", data)
        rows.put_snapshot(repos, "ana", "item", "m", b"")

    store.write(work)
    with store.read() as repos:
        assert repos.embeddings.snapshot("ana", "turn", "m") == data
        assert repos.embeddings.snapshot("ana", "item", "m") == b""
        assert repos.embeddings.snapshot("ana", "turn", "other") is None


def test_a_snapshot_put_part_by_part_counts_when_it_is_whole(store, monkeypatch):
    from memdesk.storage.repositories import embeddings

    monkeypatch.setattr(embeddings, "SNAPSHOT_PART", 10)
    fact = rows.fact("x")
    store.write(lambda repos: repos.items.put(fact))
    store.write(lambda repos: rows.put_snapshot(repos, "ana", "item", "m", b"o" * 45))

    def found():
        with store.read() as repos:
            return repos.embeddings.snapshot("ana", "item", "m")

    def put(data, start, edition):
        return store.write(
            lambda repos: repos.embeddings.put_snapshot_part("ana", "item", "m", data, start=start, edition=edition)
        )

    data, start = bytes(range(25)), 0
    while start < len(data):
        start = put(data, start, "first")
        assert (found() is None) == (start < len(data))
    assert found() == data
    # A fact that changes while a snapshot is written takes its first parts along; the rest alone is worth nothing.
    put(data, 0, "second")
    store.write(lambda repos: repos.items.put(rows.fact("y", id=fact.id)))
    assert put(data, put(data, 10, "second"), "second") == len(data)
    assert found() is None


def test_deleting_very_much_is_as_thorough(store, monkeypatch):
    from memdesk.storage.repositories import base

    monkeypatch.setattr(base, "BULK_TURNS", 3)
    turns, _episode, _fact, _receipt = _remember(store)
    _remember(store, "ben")
    store.write(lambda repos: rows.forget_turns(repos, [t.id for t in turns]))
    with store.read() as repos:
        assert repos.text.document_frequency("turn", ["walrus"]) == {"walrus": 3}
    _remember(store)
    store.write(lambda repos: rows.forget_thread(repos, "ana", "c1"))
    for agent_id in ("ana", "ben"):
        store.write(lambda repos, a=agent_id: repos.agents.delete(a))
    store.checkpoint()
    assert store.verify() == []
    assert _left(store) == ([], {}, set())
    for word in (SECRET.encode(), b"walru", b"violin"):
        assert not store.pages_holding([word])
    # Words are taken out one by one again afterwards.
    monkeypatch.undo()
    store.write(lambda repos: [repos.agents.put(rows.agent("ana")), repos.conversations.put(rows.conversation("c1"))])
    single = rows.turn("the octopus juggles")
    store.write(lambda repos: repos.turns.add([single, rows.turn("an octopus naps", 1)]))
    store.write(lambda repos: rows.forget_turns(repos, [single.id]))
    store.checkpoint()
    assert not store.pages_holding([b"juggl"])
