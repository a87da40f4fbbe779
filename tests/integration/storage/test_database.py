"""The writer, the readers, opening and closing."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from memdesk.errors import LockedError
from memdesk.storage.connection import Connection, tell_key
from memdesk.storage.database import Database
from memdesk.storage.errors import ConstraintError, DatabaseMissingError
from tests.helpers import rows


def test_a_write_is_there_for_the_next_read(store):
    turn = rows.turn("hello")
    assert store.write(lambda repos: repos.turns.add([turn])) == [1]
    with store.read() as repos:
        assert repos.turns.get(turn.id).content == "hello"


def test_memory_is_given_back_while_others_read(store):
    store.write(lambda repos: repos.turns.add([rows.turn("hello")]))
    with store.read() as repos, store.read():
        store.release_memory()
        assert repos.turns.count() == 1
    opened = store.stats()["readers"]["opened"]
    store.release_memory()
    with store.read() as repos:
        assert repos.turns.count() == 1
    assert store.stats()["readers"]["opened"] == opened + 1
    for much, again in ((1, 1), (10, 2)):
        store.release_memory(unless_read=much)
        with store.read() as repos:
            assert repos.turns.count() == 1
        assert store.stats()["readers"]["opened"] == opened + again


def test_a_write_that_raises_leaves_nothing(store):
    class Oops(Exception):
        pass

    def work(repos):
        repos.turns.add([rows.turn("half done")])
        raise Oops

    with pytest.raises(Oops):
        store.write(work)
    with store.read() as repos:
        assert repos.turns.count() == 0
    assert store.stats()["writer"]["rolled_back"] == 1


@contextmanager
def queued(store, pool, works):
    """Queue work while the writer is held; yields its futures, which the writer then meets together."""
    busy, go = threading.Event(), threading.Event()

    def hold(_conn):
        busy.set()
        assert go.wait(60)

    held = pool.submit(store._session.writer.run_raw, hold)
    assert busy.wait(60)
    futures = [store._session.writer.submit(work, "interactive") for work in works]
    yield futures
    go.set()
    held.result(60)


def adds(text):
    return lambda repos: repos.turns.add([rows.turn(text)])


def fails(repos):
    repos.turns.add([rows.turn("half done")])
    raise KeyError("oops")


def kept(store):
    with store.read() as repos:
        return [turn.content for turn in repos.turns.of_conversation("ana", "c1")]


def test_writes_that_wait_together_share_a_commit_and_fail_alone(store):
    before = store.stats()["writer"]
    with ThreadPoolExecutor(1) as pool, queued(store, pool, [adds("a"), fails, adds("b"), adds("c")]) as futures:
        pass
    assert [future.exception(60) is None for future in futures] == [True, False, True, True]
    assert isinstance(futures[1].exception(), KeyError)
    assert kept(store) == ["a", "b", "c"]
    after = store.stats()["writer"]
    assert (after["transactions"] - before["transactions"], after["commits"] - before["commits"]) == (3, 1)
    assert after["rolled_back"] == 1


def test_all_that_shared_a_commit_hear_that_the_disk_failed(store):
    def lost(repos):
        # As SQLite does by itself where it cannot write.
        repos._conn.execute("ROLLBACK")
        raise OSError("the disk")

    works = [adds("a"), adds("b"), lost, adds("c")]
    with ThreadPoolExecutor(1) as pool, queued(store, pool, works) as futures:
        pass
    assert [type(future.exception(60)) for future in futures] == [OSError, OSError, OSError, type(None)]
    assert kept(store) == ["c"]


def test_emptying_the_log_waits_for_readers_and_delays_no_writer(store, path):
    store.write(adds("a"))
    with ThreadPoolExecutor(1) as pool:
        with store.read() as repos:
            assert repos.turns.count() == 1
            store.write(adds("b"))
            emptied = pool.submit(store.checkpoint)
            for number in range(20):
                store.write(adds(str(number)))
            assert not emptied.done()
        emptied.result(60)
    assert path.with_name("memory.db-wal").stat().st_size == 0
    assert len(kept(store)) == 22


def test_the_log_is_emptied_when_nobody_writes(store, path):
    log = path.with_name("memory.db-wal")
    store.write(adds("a"))
    assert log.stat().st_size
    with store.read():
        store.checkpoint_soon()
    deadline = time.monotonic() + 60
    while log.stat().st_size and time.monotonic() < deadline:
        time.sleep(0.02)
    assert log.stat().st_size == 0


def test_a_broken_rule_is_a_typed_error(store):
    with pytest.raises(ConstraintError):
        store.write(lambda repos: repos.turns.add([rows.turn("x", conversation_id="nowhere")]))


def test_a_read_keeps_its_snapshot_while_others_write(store):
    with store.read() as before:
        store.write(lambda repos: repos.turns.add([rows.turn("later")]))
        assert before.turns.count() == 0
    with store.read() as after:
        assert after.turns.count() == 1


def test_reads_nest_and_surplus_connections_are_closed(store):
    contexts = [store.read() for _ in range(8)]
    counts = [context.__enter__().agents.all() for context in contexts]
    for context in contexts:
        context.__exit__(None, None, None)
    assert all(len(found) == 2 for found in counts)
    assert store.stats()["readers"]["open"] <= 5


def agents(store):
    with store.read() as repos:
        return repos.agents.all()


def test_a_connection_that_closes_delays_no_reader(store, monkeypatch):
    closing, go = threading.Event(), threading.Event()

    def close(conn):
        closing.set()
        assert go.wait(60)
        super(Connection, conn).close()

    contexts = [store.read() for _ in range(5)]
    for context in contexts:
        context.__enter__()
    for context in contexts[1:]:
        context.__exit__(None, None, None)
    monkeypatch.setattr(Connection, "close", close)
    with ThreadPoolExecutor(2) as pool:
        surplus = pool.submit(contexts[0].__exit__, None, None, None)
        assert closing.wait(60)
        assert len(pool.submit(agents, store).result(60)) == 2
        assert not surplus.done()
        go.set()
        surplus.result(60)


def test_connections_that_nobody_needed_for_long_are_closed(store, monkeypatch):
    from memdesk.storage import readers

    contexts = [store.read() for _ in range(4)]
    for context in contexts:
        context.__enter__()
    for context in contexts:
        context.__exit__(None, None, None)
    assert store.stats()["readers"]["open"] == 4
    monkeypatch.setattr(readers, "_IDLE_SECONDS", -1.0)
    with store.read() as repos:
        assert len(repos.agents.all()) == 2
    monkeypatch.undo()
    assert store.stats()["readers"]["open"] == 1


def test_reading_connections_refuse_to_write(store):
    with store.read() as repos, pytest.raises(RuntimeError, match="only reads"):
        repos.turns.add([rows.turn("x")])


def test_a_write_inside_a_write_is_refused_instead_of_waiting_for_itself(store):
    with pytest.raises(RuntimeError, match="inside a transaction"):
        store.write(lambda _repos: store.write(lambda repos: repos.turns.count()))


def wait_for(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def waiting(store):
    """Return how many pieces of work the writer has not taken up yet."""
    return store._session.writer._jobs.qsize()


def test_interactive_work_overtakes_background_work(store):
    order = []
    taken, gate = threading.Event(), threading.Event()
    threads = [threading.Thread(target=store.write, args=(lambda _repos: (taken.set(), gate.wait(60)),))]
    threads[0].start()
    assert taken.wait(60)
    for n, priority in enumerate(["background", "background", "interactive"]):
        work = lambda _repos, n=n: order.append(n)  # noqa: E731 - one line says it
        threads.append(threading.Thread(target=store.write, args=(work,), kwargs={"priority": priority}))
        threads[-1].start()
        wait_for(lambda n=n: waiting(store) == n + 1)
    gate.set()
    for thread in threads:
        thread.join()
    assert order == [2, 0, 1]


def test_many_threads_write_and_read_at_once(store):
    def add(n):
        for k in range(10):
            turn = rows.turn(f"t{n}-{k}", position=10 * n + k)
            store.write(lambda repos, turn=turn: repos.turns.add([turn]))
            with store.read() as repos:
                assert repos.turns.count() > 0

    threads = [threading.Thread(target=add, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read() as repos:
        assert repos.turns.count() == 80
        assert sorted(t.seq for t in repos.turns.page(agent_id="ana", limit=100).items) == list(range(1, 81))


def test_closed_means_locked_until_it_is_opened_again(store, path):
    store.close()
    store.close()
    assert not store.is_open
    for call in (
        lambda: store.write(lambda repos: repos.turns.count()),
        lambda: store.read().__enter__(),
        store.stats,
        store.checkpoint,
        lambda: store.pages_holding([b"x"]),
        lambda: store.backup(str(path) + ".copy", rows.KEY),
        store.verify,
    ):
        with pytest.raises(LockedError):
            call()
    store.open(rows.KEY)
    store.open(rows.KEY)
    with store.read() as repos:
        assert len(repos.agents.all()) == 2


def test_what_one_thread_opened_another_may_close_for_a_third(path):
    database = Database(path)
    for work in (lambda: database.open(rows.KEY), database.close, lambda: database.open(rows.KEY)):
        with ThreadPoolExecutor(1) as pool:
            pool.submit(work).result(60)
    database.close()


def test_closing_waits_for_readers_and_finishes_what_was_asked_for(store):
    reading, seen = threading.Event(), []

    def read():
        with store.read() as repos:
            reading.set()
            time.sleep(0.3)
            seen.append(len(repos.agents.all()))

    thread = threading.Thread(target=read)
    thread.start()
    assert reading.wait(60)
    store.close()
    thread.join()
    assert seen == [2]


def test_closing_waits_for_a_reader_that_is_being_opened(store, path, monkeypatch):
    opening, gate, outcome = threading.Event(), threading.Event(), []
    connect = store._session.readers._connect

    def slowly():
        conn = connect()
        opening.set()
        assert gate.wait(60)
        return conn

    monkeypatch.setattr(store._session.readers, "_connect", slowly)

    def read():
        try:
            store.read().__enter__()
        except LockedError:
            outcome.append("locked")

    reader, closing = threading.Thread(target=read), threading.Thread(target=store.close)
    reader.start()
    assert opening.wait(60)
    closing.start()
    wait_for(lambda: not store.is_open)
    gate.set()
    for thread in (reader, closing):
        thread.join()
    assert outcome == ["locked"]
    store.open(rows.KEY)
    assert not store.log_gone


def test_background_work_that_still_waits_is_refused_at_closing(store):
    taken, gate, outcome = threading.Event(), threading.Event(), []
    first = threading.Thread(target=store.write, args=(lambda _repos: (taken.set(), gate.wait(60)),))
    first.start()
    assert taken.wait(60)

    def later():
        try:
            store.write(lambda _repos: outcome.append("ran"), priority="background")
        except LockedError:
            outcome.append("refused")

    second = threading.Thread(target=later)
    second.start()
    wait_for(lambda: waiting(store) == 1)
    writer = store._session.writer
    closing = threading.Thread(target=store.close)
    closing.start()
    wait_for(lambda: writer._jobs.qsize() == 2)
    gate.set()
    for thread in (first, second, closing):
        thread.join()
    assert outcome == ["refused"]


def test_closing_folds_the_log_into_the_file(store, path):
    store.write(lambda repos: repos.turns.add([rows.turn("hello")]))
    store.close()
    assert not path.with_name("memory.db-wal").exists()


def test_a_missing_file_is_created_only_when_asked(path):
    database = Database(path)
    with pytest.raises(DatabaseMissingError):
        database.open(rows.KEY, create=False)
    assert not path.exists()
    database.open(rows.KEY)
    database.close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_that_was_there_does_not_come_back_empty(path):
    database = Database(path)
    database.open(rows.KEY)
    database.close()
    away = path.rename(path.with_name("elsewhere.db"))
    with pytest.raises(DatabaseMissingError, match="was here"):
        database.open(rows.KEY)
    assert not path.exists()
    away.rename(path)
    database.open(rows.KEY)
    database.close()


def test_the_key_shows_nowhere(store):
    text = repr(store) + repr(store._session) + repr(vars(store))
    assert rows.KEY.hex() not in text
    assert repr(rows.KEY) not in text


def test_figures(store):
    store.write(lambda repos: repos.turns.add([rows.turn("hello")]))
    with store.read() as repos:
        repos.turns.count()
    figures = store.stats()
    assert figures["rows"]["turns"] == 1
    assert figures["file_bytes"] > 0
    assert 0 <= figures["statement_hit_rate"] <= 1


@pytest.mark.parametrize("round_", range(3))
def test_what_was_acknowledged_survives_a_kill(path, round_):
    script = textwrap.dedent(f"""
        import itertools, pathlib
        from memdesk.storage.database import Database
        from tests.helpers import rows
        store = Database(pathlib.Path({str(path)!r}))
        store.open(rows.KEY)
        def begin(repos):
            repos.agents.put(rows.agent("ana"))
            repos.conversations.put(rows.conversation("c1", "ana"))
        store.write(begin)
        for n in itertools.count():
            store.write(lambda repos: repos.turns.add([rows.turn(f"turn number {{n}}", position=n)]))
            print(n, flush=True)
    """)
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(rows.__file__).parents[2],
    )
    acknowledged = -1
    for line in process.stdout:
        acknowledged = int(line)
        if acknowledged >= 20 + 7 * round_:
            process.send_signal(signal.SIGKILL)
            break
    acknowledged = max([acknowledged, *(int(line) for line in process.stdout if line.strip())])
    process.stdout.close()
    process.wait()
    store = Database(path)
    store.open(rows.KEY)
    with store.read() as repos:
        found = {t.content for t in repos.turns.of_conversation("ana", "c1")}
    assert found >= {f"turn number {n}" for n in range(acknowledged + 1)}
    assert store.verify() == []
    store.close()


def test_what_told_the_library_its_key_is_overwritten():
    told = []

    class Library:
        def executescript(self, sql):
            told.append(sql)
            assert rows.KEY.hex() in sql

    tell_key(Library(), rows.KEY)
    assert told[0].isspace()
