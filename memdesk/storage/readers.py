"""The pool of read connections."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlcipher3 import dbapi2 as sqlcipher

from memdesk.domain.forgetting.hiding import NOTHING, Hidden
from memdesk.errors import LockedError
from memdesk.messages import say
from memdesk.storage.connection import Connection
from memdesk.storage.errors import translate
from memdesk.storage.veil import veil

_KEPT = 4
#: A connection idle for this long releases its page cache (up to 96 MiB); the last one stays.
_IDLE_SECONDS = 60.0
_CLOSE_SECONDS = 5.0


class Readers:
    """Lends read-only connections, most recently used first, to keep its page cache warm.

    More than :data:`_KEPT` may be lent at a time (a nested read must not deadlock); the surplus is closed when
    returned.
    """

    def __init__(self, connect: Callable[[], Connection], hidden: Callable[[], Hidden] = lambda: NOTHING) -> None:
        self._connect = connect
        self._hidden = hidden
        self._state = threading.Condition()
        #: with the time each was returned; the last one is lent first
        self._idle: list[tuple[Connection, float]] = []
        self._lent: set[Connection] = set()
        #: how many are being opened or closed
        self._moving = 0
        self._closed = False
        self.opened = 0
        self.lends = 0

    @contextmanager
    def lend(self, *, unveiled: bool = False) -> Iterator[Connection]:
        """Lend a connection in a transaction that sees the database as it is now.

        Raises:
            LockedError: the pool was closed, or closes while the block runs.
        """
        conn = self._take()
        try:
            veil(conn, NOTHING if unveiled else self._hidden())
            # The first read takes the snapshot, not BEGIN, so read at once.
            conn.execute("BEGIN")
            conn.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()
            yield conn
        except sqlcipher.Error as error:
            raise translate(error, conn.path) from error
        finally:
            self._give_back(conn)

    @contextmanager
    def apart(self) -> Iterator[Connection]:
        """Open a connection for one use, for readers that must not see another's cached state.

        Raises:
            LockedError: the pool was closed.
        """
        conn = self._open()
        try:
            yield conn
        finally:
            with self._state:
                self._lent.discard(conn)
                conn.close()
                self._state.notify_all()

    def each(self) -> list[Connection]:
        """Return all open connections, for counting only."""
        with self._state:
            return [*(conn for conn, _ in self._idle), *self._lent]

    def close_idle(self) -> None:
        """Close idle connections, with their page caches."""
        with self._state:
            while self._idle:
                self._idle.pop()[0].close()

    def close(self) -> None:
        """Close all connections; lent ones are interrupted after a while. Idempotent.

        Waits for those being opened or closed: one would close after the writer, and delete the log after it was recorded
        that the log is still there.
        """
        deadline = time.monotonic() + _CLOSE_SECONDS
        with self._state:
            self._closed = True
            while self._idle:
                self._idle.pop()[0].close()
            while (self._lent or self._moving) and (left := deadline - time.monotonic()) > 0:
                self._state.wait(left)
            for conn in self._lent:
                conn.interrupt()
            # Lent connections are closed by their threads when returned.
            self._state.wait_for(lambda: not self._lent and not self._moving, timeout=_CLOSE_SECONDS)

    def _take(self) -> Connection:
        with self._state:
            if self._closed:
                raise LockedError(say("The memory is closed."))
            self.lends += 1
            if self._idle:
                conn, _ = self._idle.pop()
                self._lent.add(conn)
                return conn
        return self._open()

    def _open(self) -> Connection:
        with self._state:
            if self._closed:
                raise LockedError(say("The memory is closed."))
            self._moving += 1
        try:
            conn = self._connect()
        except BaseException:
            self._opened()
            raise
        with self._state:
            self._opened()
            if self._closed:
                conn.close()
                raise LockedError(say("The memory is closed."))
            self.opened += 1
            self._lent.add(conn)
        return conn

    def _opened(self) -> None:
        with self._state:
            self._moving -= 1
            self._state.notify_all()

    def _give_back(self, conn: Connection) -> None:
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        now, old = time.monotonic(), list[Connection]()
        with self._state:
            self._lent.discard(conn)
            if self._closed or len(self._idle) >= _KEPT:
                old.append(conn)
            else:
                while self._idle and now - self._idle[0][1] > _IDLE_SECONDS:
                    old.append(self._idle.pop(0)[0])
                self._idle.append((conn, now))
            self._moving += len(old)
            self._state.notify_all()
        # Not under the lock, for which every reader waits: a page cache is wiped.
        for each in old:
            each.close()
        if old:
            with self._state:
                self._moving -= len(old)
                self._state.notify_all()
