"""The encrypted database behind :class:`memdesk.ports.StoreUpkeep`."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sqlcipher3 import dbapi2 as sqlcipher

from memdesk.domain.forgetting.hiding import Hidden
from memdesk.errors import DiskFullError, LockedError
from memdesk.messages import say
from memdesk.ports import BEING_FORGOTTEN, Held, LaneName, StoreUpkeep
from memdesk.settings.freed import give_back_freed
from memdesk.storage import files, preflight
from memdesk.storage.connection import Connection, connect
from memdesk.storage.errors import DatabaseMissingError, has_room, translate
from memdesk.storage.migrate import latest
from memdesk.storage.pages import SALT, page_at
from memdesk.storage.readers import Readers
from memdesk.storage.repositories import SqlRepositories
from memdesk.storage.repositories.meta import SqlMeta
from memdesk.storage.room import LEAST, Room
from memdesk.storage.scan import holding
from memdesk.storage.shared import Shared
from memdesk.storage.writer import CHECKPOINT_PAGES, Writer


class LogFolder:
    """Copies the log into the file once it has grown. Waits for no reader and no writer."""

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._lock = threading.Lock()
        self._conn: Connection | None = None
        self._closed = False

    def fold(self) -> bool:
        """Fold the log in if it has grown; return whether it did.

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


_TABLES = (
    *("agents", "conversations", "turns", "signals", "items", "episodes", "episode_details", "facts", "identity"),
    *("entities", "relations", "history", "receipts", "embeddings", "runs", "bin"),
)


def collect(path: Path, conn: Connection, writer: Writer, readers: Readers) -> dict[str, Any]:
    """Return sizes in bytes, rows by table, and reuse of connections and statements."""
    rows = {table: int(conn.rows(f"SELECT count(*) FROM {table}")[0][0]) for table in _TABLES}
    # SQLCipher answers some pragmas with text.
    pages, free, page = (
        int(conn.rows(f"PRAGMA {name}")[0][0]) for name in ("page_count", "freelist_count", "page_size")
    )
    pool = readers.each()
    executions = sum(c.executions for c in pool)
    compiled = sum(len(c.distinct) for c in pool)
    return {
        "schema": latest(),
        "sqlite": str(conn.rows("SELECT sqlite_version()")[0][0]),
        "cipher": str(conn.rows("PRAGMA cipher_version")[0][0]),
        "file_bytes": _size(path),
        "wal_bytes": _size(path.with_name(path.name + "-wal")),
        "data_bytes": pages * page,
        "free_bytes": free * page,
        "rows": rows,
        "readers": {"open": len(pool), "opened": readers.opened, "lends": readers.lends},
        "reader_reuse_rate": 1 - readers.opened / readers.lends if readers.lends else 0.0,
        "statements": {"executed": executions, "compiled": compiled},
        "statement_hit_rate": 1 - compiled / executions if executions else 0.0,
        "writer": {
            "transactions": writer.stats.transactions,
            "commits": writer.stats.commits,
            "rolled_back": writer.stats.rolled_back,
            "checkpoints": writer.stats.checkpoints,
            "mean_ms": 1000 * writer.stats.seconds / max(writer.stats.transactions, 1),
            "longest_ms": writer.stats.longest_ms,
        },
    }


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


T = TypeVar("T")
log = logging.getLogger(__name__)

#: Seconds that emptying the log waits for readers, and between two tries, in which others write.
_READERS_SECONDS, _BETWEEN_SECONDS = 10.0, 0.05
#: Free pages cut off at a time; each may move a page, which goes through the log.
_CUT = 256


class Database:
    """One encrypted file: a writer thread, pooled readers, and a lock against other processes.

    Starts closed. :meth:`open` and :meth:`close` may alternate, which is how the vault is locked; while closed, every
    call raises :class:`~memdesk.errors.LockedError`. Thread-safe.
    """

    def __init__(self, path: Path, told_full: Callable[[bool], object] = lambda _full: None) -> None:
        self.path = path
        #: decides what may be written on a full disk; ``told_full`` is called when it fills and when there is space
        #: again
        self.room = Room(path, told_full)
        self._guard = threading.RLock()
        self._session: _Session | None = None
        #: number of reads when memory was last released
        self._reads = 0

    def __repr__(self) -> str:
        return f"Database({str(self.path)!r}, {'open' if self.is_open else 'closed'})"

    @property
    def is_open(self) -> bool:
        """Whether a key is in memory."""
        return self._session is not None

    @property
    def damaged(self) -> Path | None:
        """The copy of the file if its log was damaged when it was opened: changes from that log may be missing."""
        return None if self._session is None else self._session.damaged

    @property
    def log_gone(self) -> bool:
        """Whether a killed process's log had been deleted when the file was opened: its changes are missing."""
        return self._session is not None and self._session.log_gone

    def open(self, key: bytes, *, create: bool = True) -> None:
        """Open the file with the raw 32-byte ``key``, create it if it is missing, and migrate it.

        An unusable file is detected before anything is written and stays byte for byte the same.

        Raises:
            WrongKeyError: the key is another database's.
            NotMemdeskDatabaseError: the file is something else.
            DamagedDatabaseError: pages are missing or altered.
            NewerSchemaError: a newer memdesk wrote it.
            ReadOnlyError: the file or folder cannot be written.
            DiskFullError: no space.
            InUseError: another process has it open.
            DatabaseMissingError: it is missing and ``create`` is False, or it existed before.
        """
        with self._guard:
            if self._session is not None:
                return
            if not create and not self.path.exists():
                raise DatabaseMissingError(
                    say("{path} is not there.", path=self.path),
                    hint=say(
                        "Put it back, or restore a backup. To begin with an empty memory, move vault.json away first."
                    ),
                )
            self._session = _Session(self.path, key, self.room)

    def close(self) -> None:
        """Finish interactive writes, refuse others, forget the key and close every connection. Idempotent."""
        with self._guard:
            session, self._session = self._session, None
        if session is not None:
            session.close()

    def write(
        self, work: Callable[[SqlRepositories], T], *, priority: LaneName = "interactive", held: Held | None = None
    ) -> T:
        """Run ``work`` on the writer thread in one transaction and wait for it.

        Durable when it returns, rolled back when it raises. Interactive work goes before background work, but never
        interrupts it: keep background transactions short. ``held`` gets the time that it held the writer.

        Raises:
            DiskFullError: there is no space; only writes within :meth:`making_room` are allowed then.
        """
        session = self._open_session()
        self.room.check()
        try:
            return session.writer.submit(work, priority, held).result()
        except DiskFullError:
            self.room.ran_out()
            raise

    def check_room(self) -> None:
        self.room.look()
        self.room.check()

    @contextmanager
    def making_room(self, drop: Callable[[], object]) -> Iterator[None]:
        """Let this thread write although the disk is full, and return the space it frees."""
        session = self._open_session()
        with self.room.freeing(drop):
            yield
            if self.room.full:
                self._give_back(session)
        self.room.look_again()

    def _give_back(self, session: _Session) -> None:
        """Cut free pages off the file's end, in slices whose log needs little space."""
        self.checkpoint()
        while session.writer.run_raw(_cut_free_pages):
            self.checkpoint()

    @contextmanager
    def read(self, *, unveiled: bool = False) -> Iterator[SqlRepositories]:
        session = self._open_session()
        with session.readers.lend(unveiled=unveiled) as conn:
            yield SqlRepositories(conn, session.shared)

    def stats(self) -> dict[str, Any]:
        """Return sizes in bytes, row counts, and reuse of connections and statements."""
        session = self._open_session()
        with session.readers.lend() as conn:
            return collect(self.path, conn, session.writer, session.readers)

    def pages_holding(self, needles: Sequence[bytes]) -> set[bytes]:
        """Return the needles found in any page of the file or its log, free pages included.

        Every page is decrypted and its HMAC checked, outside SQLite. Takes about a second per 100 MB,
        however many needles there are.
        """
        session = self._open_session()
        # Holding a transaction keeps the log from being folded in during the search.
        with session.readers.lend():
            return holding(self.path, session.key, needles)

    def checkpoint(self) -> None:
        """Fold the write-ahead log into the file and truncate it, waiting for readers if need be; others may write."""
        session, until = self._open_session(), time.monotonic() + _READERS_SECONDS
        with session.emptying:
            while not session.writer.empty_log():
                if time.monotonic() > until:
                    log.warning("readers kept the write-ahead log from being emptied")
                    return
                time.sleep(_BETWEEN_SECONDS)

    def checkpoint_soon(self) -> None:
        self._open_session().writer.empty_log_soon()

    def release_memory(self, *, unless_read: int | None = None) -> None:
        readers = self._open_session().readers
        reads, self._reads = readers.lends - self._reads, readers.lends
        if unless_read is None or reads < unless_read:
            readers.close_idle()
            give_back_freed()

    def hide(self, name: str, hidden: Hidden | None) -> None:
        self._open_session().shared.hide(name, hidden)

    def fold_log(self) -> None:
        """Fold the write-ahead log into the file once it has grown, on a connection of its own.

        Unlike a checkpoint by the writer, this does not delay the next write.
        """
        self._open_session().folder.fold()

    def backup(self, target: str, key: bytes) -> None:
        """Write a consistent copy of everything committed so far, encrypted with ``key``.

        The copy gets its name only when it is complete and durable.

        Raises:
            DiskFullError: no space; nothing is left behind.
            ReadOnlyError: the target's folder cannot be written.
        """
        with self._open_session().readers.lend() as source:
            files.keep_copy(source, Path(target), key)

    def drop_former_copies(self) -> None:
        self._open_session()
        files.drop_former(self.path)

    def verify(self) -> list[str]:
        """Check every page's HMAC, SQLite's own structure, references and full-text mirrors; return the problems."""
        session = self._open_session()
        # A connection of its own: FTS5 checks an index against the structure that its connection read last, and would
        # report damage where another connection has only deleted rows since.
        with session.readers.apart() as conn:
            problems = [str(row[0]) for row in conn.rows("PRAGMA cipher_integrity_check")]
            if problems:
                # SQLite's own checks would stop at the first such page.
                return problems
            problems = [str(row[0]) for row in conn.rows("PRAGMA integrity_check") if row[0] != "ok"]
            return problems + [
                f"row {row[1]} of {row[0]} refers to a missing {row[2]}"
                for row in conn.rows("PRAGMA foreign_key_check")
            ]

    def _open_session(self) -> _Session:
        session = self._session
        if session is None:
            raise LockedError(say("The memory is closed."))
        return session


class _Session:
    """State that exists only while the database is open."""

    def __init__(self, path: Path, key: bytes, room: Room) -> None:
        self.key = key
        self.path = path
        room.look()
        # Otherwise a file for the log's index would have to be created.
        self.alone = alone = room.full and os.name == "posix" and not has_room(path, LEAST)
        #: the copy of a file with a damaged log, if there was one
        self.damaged: Path | None = None
        #: whether the log had been deleted
        self.log_gone = False
        self._lock = files.claim(path)
        try:
            if path.exists():
                preflight.check(path, key, latest())
                self.log_gone = preflight.log_is_gone(path)
                self.damaged = preflight.keep_damaged(path)
            else:
                preflight.check_vacant(path)
                files.create(path, key)
            with path.open("rb") as file:
                files.mark(preflight.marker(path), page_at(file, 1)[:SALT])
            writing = connect(path, key, writable=True, alone=alone)
            try:
                files.mark(preflight.running(path))
                files.bring_up_to_date(writing, path, key)
                hidden = _being_forgotten(writing)
            except BaseException:
                writing.close()
                raise
        except BaseException:
            self._lock.release()
            raise
        self.shared = Shared()
        for name, rows in hidden.items():
            self.shared.hide(name, rows)
        self.writer = Writer(writing, self.shared)
        self.readers = Readers(lambda: connect(path, key, writable=False, alone=alone), lambda: self.shared.hidden)
        #: held while the log is emptied: one try at a time delays writers
        self.emptying = threading.Lock()
        self.folder = LogFolder(lambda: connect(path, key, writable=True, alone=alone))

    def __repr__(self) -> str:
        return "_Session()"

    def close(self) -> None:
        """Close readers, then the writer, which as the last connection folds the log in; then release the lock."""
        try:
            self.readers.close()
            self.folder.close()
            self.writer.close()
            preflight.note_folded(self.path)
        finally:
            self.key = b""
            self._lock.release()


def _being_forgotten(conn: Connection) -> dict[str, Hidden]:
    marks = SqlMeta(conn, Shared()).prefix(BEING_FORGOTTEN)
    return {key: Hidden.from_json(mark["hidden"]) for key, mark in marks.items()}


def _cut_free_pages(conn: Connection) -> bool:
    """Cut some free pages off the file's end; return whether there may be more."""
    before = conn.rows("PRAGMA freelist_count")[0][0]
    # A file from before schema 5 cannot shrink; its free pages are reused anyway.
    conn.execute(f"PRAGMA incremental_vacuum({_CUT})").fetchall()
    return 0 < int(conn.rows("PRAGMA freelist_count")[0][0]) < int(before)


if TYPE_CHECKING:
    _CONFORMS: type[StoreUpkeep] = Database
