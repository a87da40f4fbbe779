"""Folds the write-ahead log into the file beside the writer."""

import threading
from collections.abc import Callable

from sqlcipher3 import dbapi2 as sqlcipher

from memdesk.errors import LockedError
from memdesk.messages import say
from memdesk.storage.connection import Connection
from memdesk.storage.errors import translate
from memdesk.storage.writer import CHECKPOINT_PAGES


class LogFolder:
    """Copies what the log holds into the file, when that is much. Waits for no reader and no writer."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._lock = threading.Lock()
        self._conn: Connection | None = None
        self._closed = False

    def fold(self) -> bool:
        """Fold the log in if it has grown; return whether it had.

        Raises:
            EnvironmentFault: the disk is full or fails.
            LockedError: it was closed.
        """
        with self._lock:
            if self._closed:
                raise LockedError(say("The memory is closed."))
            if self._conn is None:
                self._conn = self._connect()
            try:
                (_busy, pages, done) = self._conn.execute("PRAGMA wal_checkpoint(NOOP)").fetchone()
                if pages - done < CHECKPOINT_PAGES:
                    return False
                self._conn.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            except sqlcipher.Error as error:
                raise translate(error, self._conn.path) from error
            return True

    def close(self) -> None:
        """Close the connection. Idempotent."""
        with self._lock:
            self._closed = True
            if self._conn is not None:
                self._conn.close()
                self._conn = None
