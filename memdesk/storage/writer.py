"""The only thread that writes."""

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeVar

from sqlcipher3 import dbapi2 as sqlcipher

from memdesk.errors import LockedError
from memdesk.messages import say
from memdesk.ports import Held, LaneName
from memdesk.storage.connection import Connection
from memdesk.storage.errors import translate
from memdesk.storage.repositories import SqlRepositories
from memdesk.storage.shared import Shared

log = logging.getLogger(__name__)
T = TypeVar("T")
_PRIORITY = {"interactive": 0, "background": 1, "stop": 2}
#: Pages in the log from which an idle writer, or a bulk writer, folds it into the file (4 MiB).
CHECKPOINT_PAGES = 1000
_IDLE_SECONDS = 0.2


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
    rolled_back: int = 0
    checkpoints: int = 0
    seconds: float = 0.0
    longest_ms: float = 0.0


class Writer:
    """Runs work in transactions on the thread ``memdesk-db``, interactive work first.

    Takes over the connection that the caller opened; the thread closes it.
    """

    def __init__(self, conn: Connection, shared: Shared) -> None:
        self._conn = conn
        self._shared = shared
        self._jobs: queue.PriorityQueue[_Job] = queue.PriorityQueue()
        self._numbers = count()
        self._lock = threading.Lock()
        self._closed = False
        self._dirty = False
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
                self._dirty = False

    def _serve(self, job: _Job) -> None:
        started, worked = time.perf_counter(), time.thread_time()
        try:
            outcome = self._transaction(job.work) if job.work is not None else self._outside(job.raw)
        except BaseException as error:  # noqa: BLE001 - handed to the caller, whatever it is
            self.stats.rolled_back += 1
            job.result.set_exception(error)
        else:
            if job.held is not None:
                job.held(time.perf_counter() - started, time.thread_time() - worked)
            job.result.set_result(outcome)
        finally:
            elapsed = time.perf_counter() - started
            self.stats.seconds += elapsed
            self.stats.longest_ms = max(self.stats.longest_ms, elapsed * 1000)

    def _transaction(self, work: Callable[[SqlRepositories], Any]) -> Any:
        conn = self._conn
        try:
            conn.execute("BEGIN IMMEDIATE")
            outcome = work(SqlRepositories(conn, self._shared))
            conn.execute("COMMIT")
        except BaseException as error:
            if conn.in_transaction:
                conn.execute("ROLLBACK")
            if isinstance(error, sqlcipher.Error):
                raise translate(error, conn.path) from error
            raise
        self.stats.transactions += 1
        self._dirty = True
        return outcome

    def _outside(self, work: Callable[[Connection], Any] | None) -> Any:
        assert work is not None
        try:
            return work(self._conn)
        except sqlcipher.Error as error:
            raise translate(error, self._conn.path) from error

    def _checkpoint_if_large(self) -> None:
        """Fold the log in while the queue is empty; readers are not disturbed (PASSIVE)."""
        try:
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
