"""The only thread that writes."""

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeVar

from sqlcipher3 import dbapi2 as sqlcipher

from memdesk.errors import LockedError
from memdesk.messages import say
from memdesk.ports import Held, LaneName
from memdesk.storage.connection import BUSY_MS, Connection
from memdesk.storage.errors import translate
from memdesk.storage.repositories import SqlRepositories
from memdesk.storage.shared import Shared

log = logging.getLogger(__name__)
T = TypeVar("T")
_PRIORITY = {"interactive": 0, "background": 1, "stop": 2}
#: Pages in the log from which an idle writer, or a bulk writer, folds it into the file (4 MiB).
CHECKPOINT_PAGES = 1000
_IDLE_SECONDS = 0.2
#: Seconds of work after which no more joins a transaction.
_SHARED_SECONDS = 0.02
#: Milliseconds that emptying the log waits for readers, with all writers behind it.
_READERS_MS = 25


@dataclass(order=True, slots=True)
class _Job:
    priority: int
    number: int
    work: Callable[[SqlRepositories], Any] | None = field(default=None, compare=False)
    raw: Callable[[Connection], Any] | None = field(default=None, compare=False)
    held: Held | None = field(default=None, compare=False)
    result: Future[Any] = field(default_factory=Future, compare=False)

    @property
    def stops(self) -> bool:
        return self.work is None and self.raw is None


@dataclass(slots=True)
class WriterStats:
    """What the writer did since it started. Seconds are the time that transactions held the writer."""

    transactions: int = 0
    commits: int = 0
    rolled_back: int = 0
    checkpoints: int = 0
    seconds: float = 0.0
    longest_ms: float = 0.0


class Writer:
    """Runs work in transactions on the thread ``memdesk-db``, interactive work first.

    Each commit waits for the disk; interactive work that queued meanwhile shares the next one, each piece in a savepoint.
    Takes over the connection that the caller opened; the thread closes it.
    """

    def __init__(self, conn: Connection, shared: Shared) -> None:
        self._conn = conn
        self._shared = shared
        self._jobs: queue.PriorityQueue[_Job] = queue.PriorityQueue()
        self._numbers = count()
        self._lock = threading.Lock()
        self._closed = False
        self._dirty = self._to_empty = False
        self.stats = WriterStats()
        self._thread = threading.Thread(target=self._run, name="memdesk-db", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[SqlRepositories], T], priority: LaneName, held: Held | None = None) -> Future[T]:
        """Queue one transaction; ``held`` gets the time it held the writer before the result is set.

        Raises:
            LockedError: the writer was closed.
            RuntimeError: called from a transaction, which would deadlock.
        """
        return self._put(_Job(_PRIORITY[priority], next(self._numbers), work, held=held))

    def run_raw(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` on the writing connection outside any transaction (checkpoint, pragmas)."""
        outcome: T = self._put(_Job(_PRIORITY["interactive"], next(self._numbers), raw=work)).result()
        return outcome

    def empty_log(self) -> bool:
        """Fold the log into the file and truncate it; return whether readers left it."""
        return self.run_raw(_emptied)

    def empty_log_soon(self) -> None:
        """Empty the log once nobody writes or reads; does not wait for it."""

        def note(_conn: Connection) -> None:
            self._dirty = self._to_empty = True

        self._put(_Job(_PRIORITY["interactive"], next(self._numbers), raw=note))

    def _put(self, job: _Job) -> Future[Any]:
        if threading.current_thread() is self._thread:
            raise RuntimeError("Store.write inside a transaction; use the repositories it lent")
        with self._lock:
            if self._closed:
                raise LockedError(say("The memory is closed."))
            self._jobs.put(job)
        return job.result

    def close(self) -> None:
        """Finish queued interactive work, refuse the rest, fold the log in, end the thread. Idempotent."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._jobs.put(_Job(_PRIORITY["stop"], next(self._numbers)))
        self._thread.join()

    def _run(self) -> None:
        try:
            while True:
                job = self._next()
                if job.stops:
                    return
                if self._closed and job.priority == _PRIORITY["background"]:
                    job.result.set_exception(LockedError(say("memdesk was locked before this could be saved.")))
                    continue
                self._serve(job)
        finally:
            self._finish()

    def _next(self) -> _Job:
        while True:
            try:
                return self._jobs.get(timeout=_IDLE_SECONDS if self._dirty else None)
            except queue.Empty:
                self._checkpoint_if_large()
                self._dirty = self._to_empty

    def _serve(self, job: _Job) -> None:
        started = time.perf_counter()
        if job.work is not None:
            self._transaction(job)
        else:
            try:
                job.result.set_result(job.raw(self._conn))  # type: ignore[misc]  # it has one of both
            except BaseException as error:  # noqa: BLE001 - handed to the caller, whatever it is
                self._refuse(job, error)
        elapsed = time.perf_counter() - started
        self.stats.seconds += elapsed
        self.stats.longest_ms = max(self.stats.longest_ms, elapsed * 1000)

    def _transaction(self, first: _Job) -> None:
        """Commit a piece of work with those that wait beside it; each caller hears of its own, once all are durable."""
        conn, began, done = self._conn, list[_Job](), list[tuple[_Job, Any]]()
        started, worked = time.perf_counter(), time.thread_time()
        try:
            conn.execute("BEGIN IMMEDIATE")
            for job in self._beside(first):
                began.append(job)
                if done:
                    conn.execute("SAVEPOINT piece")
                try:
                    outcome = job.work(SqlRepositories(conn, self._shared))  # type: ignore[misc]  # not raw
                except BaseException as error:
                    # SQLite itself rolls back all of it where the disk fails.
                    if not done or not conn.in_transaction:
                        raise
                    conn.execute("ROLLBACK TO piece")
                    self._refuse(began.pop(), error)
                else:
                    done.append((job, outcome))
            conn.execute("COMMIT")
        except BaseException as error:  # noqa: BLE001 - handed to the callers, whatever it is
            if conn.in_transaction:
                conn.execute("ROLLBACK")
            for job in began or [first]:
                self._refuse(job, error)
            return
        self._dirty = True
        self.stats.commits += 1
        self.stats.transactions += len(done)
        for job, outcome in done:
            if job.held is not None:
                job.held(time.perf_counter() - started, time.thread_time() - worked)
            job.result.set_result(outcome)

    def _beside(self, first: _Job) -> Iterator[_Job]:
        """Yield a piece of work, then interactive work that waits, until it has taken long enough."""
        until = time.perf_counter() + _SHARED_SECONDS
        yield first
        while first.priority == _PRIORITY["interactive"] and time.perf_counter() < until:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                return
            if job.work is None or job.priority != first.priority:
                self._jobs.put(job)
                return
            yield job

    def _refuse(self, job: _Job, error: BaseException) -> None:
        self.stats.rolled_back += 1
        if isinstance(error, sqlcipher.Error):
            translated = translate(error, self._conn.path)
            translated.__cause__ = error
            error = translated
        job.result.set_exception(error)

    def _checkpoint_if_large(self) -> None:
        """Fold the log in while the queue is empty; readers are not disturbed (PASSIVE)."""
        try:
            wanted, self._to_empty = self._to_empty, False
            if wanted:
                self._to_empty = not _emptied(self._conn)
                return
            (_busy, pages, _done) = self._conn.execute("PRAGMA wal_checkpoint(NOOP)").fetchone()
            if pages >= CHECKPOINT_PAGES:
                self._conn.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
                self.stats.checkpoints += 1
        except sqlcipher.Error as error:
            # A full disk shows here first. Nothing is lost: the log keeps what is committed, and the next
            # transaction reports the fault to somebody who can act on it.
            log.warning("the write-ahead log could not be folded in: %s", translate(error, self._conn.path).message)

    def _finish(self) -> None:
        while True:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                break
            job.result.set_exception(LockedError(say("memdesk was locked before this could be saved.")))
        self._conn.close()


def _emptied(conn: Connection) -> bool:
    """Fold the log into the file and truncate it; return whether readers left it."""
    conn.execute(f"PRAGMA busy_timeout = {_READERS_MS}").fetchall()
    try:
        (busy, _pages, _done) = conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        conn.execute(f"PRAGMA busy_timeout = {BUSY_MS}").fetchall()
    return not busy
