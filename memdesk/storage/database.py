"""The encrypted database behind :class:`memdesk.ports.Store`."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from filelock import FileLock, Timeout
from sqlcipher3 import dbapi2 as sqlcipher

from memdesk.domain.hiding import Hidden
from memdesk.errors import LockedError
from memdesk.ports import BEING_FORGOTTEN, Held, LaneName, Store
from memdesk.settings.files import create_private, put_in_place, sync
from memdesk.storage import preflight
from memdesk.storage.connection import Connection, connect
from memdesk.storage.errors import DatabaseMissingError, InUseError, translate, translate_os
from memdesk.storage.logfolder import LogFolder
from memdesk.storage.migrate import latest, migrate
from memdesk.storage.pages import PAGE
from memdesk.storage.readers import Readers
from memdesk.storage.repositories import SqlRepositories
from memdesk.storage.repositories.meta import SqlMeta
from memdesk.storage.scan import holding
from memdesk.storage.shared import Shared
from memdesk.storage.stats import collect
from memdesk.storage.writer import Writer

T = TypeVar("T")


class Database:
    """One encrypted file: a writer thread, pooled readers, and a lock against other processes.

    Made closed. :meth:`open` and :meth:`close` may alternate, which is how the vault is locked; while closed
    every call raises :class:`~memdesk.errors.LockedError`. Thread-safe.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._guard = threading.RLock()
        self._session: _Session | None = None
        #: reads so far when memory was last given back
        self._reads = 0

    def __repr__(self) -> str:
        return f"Database({str(self.path)!r}, {'open' if self.is_open else 'closed'})"

    @property
    def is_open(self) -> bool:
        """Whether a key is in memory."""
        return self._session is not None

    def open(self, key: bytes, *, create: bool = True) -> None:
        """Open the file with the raw 32-byte ``key``, create it when it is not there, and migrate it.

        A file that cannot be used is found out before anything is written and stays as it is, byte for byte.

        Raises:
            WrongKeyError: the key is another database's.
            NotMemdeskDatabaseError: the file is something else.
            DamagedDatabaseError: pages are missing or altered.
            NewerSchemaError: a newer memdesk wrote it.
            ReadOnlyError: file or folder cannot be written.
            DiskFullError: no room.
            InUseError: another process has it open.
            DatabaseMissingError: it is not there and ``create`` is False, or it was there once.
        """
        with self._guard:
            if self._session is not None:
                return
            if not create and not self.path.exists():
                raise DatabaseMissingError(f"{self.path} is not there.")
            self._session = _Session(self.path, key)

    def close(self) -> None:
        """Finish interactive writes, refuse others, drop the key and every connection. Idempotent."""
        with self._guard:
            session, self._session = self._session, None
        if session is not None:
            session.close()

    # ------------------------------------------------------------------ Store

    def write(
        self, work: Callable[[SqlRepositories], T], *, priority: LaneName = "interactive", held: Held | None = None
    ) -> T:
        """Run ``work`` on the writer thread in one transaction and wait for it.

        Durable when it returns, undone when it raises. Interactive work goes before background work, but
        never interrupts it: keep background transactions short. ``held`` is told how long it held the writer.
        """
        return self._open_session().writer.submit(work, priority, held).result()

    @contextmanager
    def read(self, *, unveiled: bool = False) -> Iterator[SqlRepositories]:
        """Lend a reading connection that sees the database as it is now, for the block's duration.

        What is being forgotten is not seen, unless ``unveiled``: only for who goes on with the forgetting.
        """
        session = self._open_session()
        with session.readers.lend(unveiled=unveiled) as conn:
            yield SqlRepositories(conn, session.shared)

    def stats(self) -> dict[str, Any]:
        """Return sizes in bytes, row counts, and what connections and statements were reused."""
        session = self._open_session()
        with session.readers.lend() as conn:
            return collect(self.path, conn, session.writer, session.readers)

    def pages_holding(self, needles: Sequence[bytes]) -> set[bytes]:
        """Return the needles that any page of the file or its log holds, free pages included.

        Every page is decrypted and its HMAC checked, outside SQLite. Costs about a second per 100 MB,
        however many needles there are.
        """
        session = self._open_session()
        # A transaction is held so that the log is not folded in under the search.
        with session.readers.lend():
            return holding(self.path, session.key, needles)

    def checkpoint(self) -> None:
        """Fold the write-ahead log into the file and truncate it, waiting for readers if need be."""
        session = self._open_session()
        session.writer.run_raw(lambda conn: conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())

    def release_memory(self, *, unless_read: int | None = None) -> None:
        """Give back the pages that reading left in memory; the next reads decrypt theirs anew."""
        readers = self._open_session().readers
        reads, self._reads = readers.lends - self._reads, readers.lends
        if unless_read is None or reads < unless_read:
            readers.close_idle()
            give_back_freed()

    def hide(self, name: str, hidden: Hidden | None) -> None:
        """Let no read that begins from now on see what one piece of forgetting hides; None ends its hiding."""
        self._open_session().shared.hide(name, hidden)

    def fold_log(self) -> None:
        """Fold the write-ahead log into the file once it has grown, on a connection of its own.

        The writer, whose own folding would make the next write wait for it, goes on meanwhile.
        """
        self._open_session().folder.fold()

    def backup(self, target: str, key: bytes) -> None:
        """Write a consistent copy of everything committed so far, encrypted with ``key``.

        The copy appears under its name only when it is complete and on the disk.

        Raises:
            DiskFullError: no room; nothing is left behind.
            ReadOnlyError: the target's folder cannot be written.
        """
        session = self._open_session()
        path = Path(target)
        partial = path.with_name(path.name + ".partial")
        _remove(partial)
        try:
            with session.readers.lend() as source:
                _copy(source, partial, key)
            sync(partial)
            put_in_place(partial, path)
            sync(path.parent)
        except OSError as error:
            raise translate_os(error, path) from error
        finally:
            _remove(partial)

    def verify(self) -> list[str]:
        """Check every page's HMAC, SQLite's own structure, references and full-text mirrors; return the problems."""
        session = self._open_session()
        # A connection of its own: FTS5 checks an index against the structure that its connection read last,
        # and finds damage where another connection only deleted rows meanwhile.
        conn = connect(self.path, session.key, writable=False)
        try:
            problems = [str(row[0]) for row in conn.rows("PRAGMA cipher_integrity_check")]
            if problems:
                # SQLite's own checks would stop at the first of these pages.
                return problems
            problems = [str(row[0]) for row in conn.rows("PRAGMA integrity_check") if row[0] != "ok"]
            return problems + [
                f"row {row[1]} of {row[0]} refers to a missing {row[2]}"
                for row in conn.rows("PRAGMA foreign_key_check")
            ]
        finally:
            conn.close()

    def _open_session(self) -> _Session:
        session = self._session
        if session is None:
            raise LockedError("The memory is closed.")
        return session


class _Session:
    """Everything that exists only while the database is open."""

    def __init__(self, path: Path, key: bytes) -> None:
        self.key = key
        self._lock = _claim(path)
        try:
            if path.exists():
                preflight.check(path, key, latest())
            else:
                preflight.check_vacant(path)
                _create(path, key)
            _mark(preflight.marker(path))
            writing = connect(path, key, writable=True)
            try:
                migrate(writing)
            except BaseException:
                writing.close()
                raise
        except BaseException:
            self._lock.release()
            raise
        self.shared = Shared()
        for name, hidden in _being_forgotten(writing).items():
            self.shared.hide(name, hidden)
        self.writer = Writer(writing, self.shared)
        self.readers = Readers(lambda: connect(path, key, writable=False), lambda: self.shared.hidden)
        self.folder = LogFolder(lambda: connect(path, key, writable=True))

    def __repr__(self) -> str:
        return "_Session()"

    def close(self) -> None:
        """Close readers, then the writer, which as the last connection folds the log in; then let others in."""
        try:
            self.readers.close()
            self.folder.close()
            self.writer.close()
        finally:
            self.key = b""
            self._lock.release()


def _being_forgotten(conn: Connection) -> dict[str, Hidden]:
    marks = SqlMeta(conn, Shared()).prefix(BEING_FORGOTTEN)
    return {key: Hidden.from_json(mark["hidden"]) for key, mark in marks.items()}


def _mark(made: Path) -> None:
    if made.exists():
        return
    try:
        create_private(made)
    except OSError as error:
        raise translate_os(error, made) from error


def _claim(path: Path) -> FileLock:
    """Take the lock file beside the database; the operating system drops it when the process ends."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Not of one thread: the memory is often closed by another one than opened it.
        lock = FileLock(
            path.with_name(path.name + ".lock"), timeout=0, mode=0o600, is_singleton=False, thread_local=False
        )
        lock.acquire()
    except Timeout as error:
        raise InUseError(f"{path} is open in another process.") from error
    except OSError as error:
        raise translate_os(error, path) from error
    return lock


def _create(path: Path, key: bytes) -> None:
    """Write a complete empty database beside ``path`` and move it there, so that no crash leaves half of one."""
    fresh = path.with_name(path.name + ".new")
    _remove(fresh)
    try:
        create_private(fresh)
        conn = connect(fresh, key, writable=True)
        try:
            migrate(conn)
        finally:
            conn.close()
        sync(fresh)
        fresh.rename(path)
        sync(path.parent)
    except OSError as error:
        raise translate_os(error, path) from error
    except sqlcipher.Error as error:
        raise translate(error, path) from error
    finally:
        _remove(fresh)


def _copy(source: Connection, target: Path, key: bytes) -> None:
    create_private(target)
    copy = sqlcipher.connect(str(target), isolation_level=None)
    try:
        copy.execute(f"PRAGMA key = \"x'{key.hex()}'\"").fetchall()
        copy.execute(f"PRAGMA cipher_page_size = {PAGE}").fetchall()
        # All pages in one step: the source is read inside one transaction anyway, writers go on meanwhile.
        source.backup(copy)
    except sqlcipher.Error as error:
        raise translate(error, target, needed=source.path.stat().st_size) from error
    finally:
        copy.close()


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


if TYPE_CHECKING:
    _CONFORMS: type[Store] = Database


def give_back_freed() -> None:
    """Hand what was freed back to the system where the C library keeps it (glibc); elsewhere there is nothing to do."""
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), "malloc_trim"):
        library.malloc_trim(0)
