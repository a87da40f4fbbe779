"""The encrypted database behind :class:`memdesk.ports.StoreUpkeep`."""

from __future__ import annotations

import ctypes
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from filelock import FileLock, Timeout
from sqlcipher3 import dbapi2 as sqlcipher

from memdesk.domain.forgetting.hiding import Hidden
from memdesk.errors import DiskFullError, LockedError
from memdesk.messages import say
from memdesk.ports import BEING_FORGOTTEN, Held, LaneName, StoreUpkeep
from memdesk.settings.files import NO_ROOM, create_private, put_in_place, sync
from memdesk.storage import preflight
from memdesk.storage.connection import Connection, connect
from memdesk.storage.errors import (
    DamagedDatabaseError,
    DatabaseMissingError,
    InUseError,
    has_room,
    translate,
    translate_os,
)
from memdesk.storage.logfolder import LogFolder
from memdesk.storage.migrate import latest, migrate, version
from memdesk.storage.moving import is_moving
from memdesk.storage.pages import PAGE
from memdesk.storage.readers import Readers
from memdesk.storage.repositories import SqlRepositories
from memdesk.storage.repositories.meta import SqlMeta
from memdesk.storage.room import LEAST, Room
from memdesk.storage.scan import holding
from memdesk.storage.shared import Shared
from memdesk.storage.stats import collect
from memdesk.storage.writer import Writer

T = TypeVar("T")
log = logging.getLogger(__name__)

#: A migration may need the size of the file so many times: its copy, the rows written anew, and the log of both.
ROOM = 4
#: How long the copy that a migration made is kept where nothing is forgotten meanwhile.
COPY_KEPT: Final = timedelta(days=7)
#: Free pages that are cut off at a time; each may move a page, which goes through the log.
_CUT = 256


class Database:
    """One encrypted file: a writer thread, pooled readers, and a lock against other processes.

    Made closed. :meth:`open` and :meth:`close` may alternate, which is how the vault is locked; while closed
    every call raises :class:`~memdesk.errors.LockedError`. Thread-safe.
    """

    def __init__(self, path: Path, told_full: Callable[[bool], object] = lambda _full: None) -> None:
        self.path = path
        #: what is written when the disk is full; ``told_full`` hears when it fills and when there is room again
        self.room = Room(path, told_full)
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

    @property
    def damaged(self) -> Path | None:
        """The copy of a file whose log could not be read whole when it was opened: what that held may be missing."""
        return None if self._session is None else self._session.damaged

    @property
    def log_gone(self) -> bool:
        """Whether the log of a killed process had been deleted when the file was opened: what it held is missing."""
        return self._session is not None and self._session.log_gone

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
                raise DatabaseMissingError(
                    say("{path} is not there.", path=self.path),
                    hint=say(
                        "Put it back, or restore a backup. To begin with an empty memory, move vault.json away first."
                    ),
                )
            self._session = _Session(self.path, key, self.room)

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

        Raises:
            DiskFullError: there is no room; only what is written inside of :meth:`making_room` is let through then.
        """
        session = self._open_session()
        self.room.check()
        try:
            return session.writer.submit(work, priority, held).result()
        except DiskFullError:
            self.room.ran_out()
            raise

    def check_room(self) -> None:
        """Raise :class:`DiskFullError` when nothing new can be kept."""
        self.room.look()
        self.room.check()

    @contextmanager
    def making_room(self, drop: Callable[[], object]) -> Iterator[None]:
        """Let this thread write although the disk is full; give the room back that it made.

        Args:
            drop: deletes copies that may go first, when there is no room to begin with.
        """
        session = self._open_session()
        with self.room.freeing(drop):
            yield
            if self.room.full:
                self._give_back(session)
        self.room.look_again()

    def _give_back(self, session: _Session) -> None:
        """Cut free pages off the file's end, in slices whose log fits into little room."""
        self.checkpoint()
        while session.writer.run_raw(_cut_free_pages):
            self.checkpoint()

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
        with self._open_session().readers.lend() as source:
            _keep_copy(source, Path(target), key)

    def drop_former_copies(self) -> None:
        """Delete copies that hold what is forgotten since: those of older schemas, and of what was damaged."""
        self._open_session()
        _drop_former(self.path)

    def verify(self) -> list[str]:
        """Check every page's HMAC, SQLite's own structure, references and full-text mirrors; return the problems."""
        session = self._open_session()
        # A connection of its own: FTS5 checks an index against the structure that its connection read last,
        # and finds damage where another connection only deleted rows meanwhile.
        conn = connect(self.path, session.key, writable=False, alone=session.alone)
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
            raise LockedError(say("The memory is closed."))
        return session


class _Session:
    """Everything that exists only while the database is open."""

    def __init__(self, path: Path, key: bytes, room: Room) -> None:
        self.key = key
        self.path = path
        room.look()
        # The index of the log is a file that would have to be made.
        self.alone = alone = room.full and os.name == "posix" and not has_room(path, LEAST)
        #: the copy of what could not be read whole, when there was one
        self.damaged: Path | None = None
        #: whether the log was deleted since
        self.log_gone = False
        self._lock = _claim(path)
        try:
            if path.exists():
                preflight.check(path, key, latest())
                self.log_gone = preflight.log_is_gone(path)
                self.damaged = preflight.keep_damaged(path)
            else:
                preflight.check_vacant(path)
                _create(path, key)
            _mark(preflight.marker(path))
            writing = connect(path, key, writable=True, alone=alone)
            try:
                _mark(preflight.running(path))
                _bring_up_to_date(writing, path, key)
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
        self.folder = LogFolder(lambda: connect(path, key, writable=True, alone=alone))

    def __repr__(self) -> str:
        return "_Session()"

    def close(self) -> None:
        """Close readers, then the writer, which as the last connection folds the log in; then let others in."""
        try:
            self.readers.close()
            self.folder.close()
            self.writer.close()
            preflight.note_folded(self.path)
        finally:
            self.key = b""
            self._lock.release()


def former(path: Path, schema: int) -> Path:
    """Return where the copy of a database is kept that was made before it left this schema."""
    return path.with_name(f"{path.name}.schema{schema}")


def _drop_former(path: Path) -> None:
    for copy in (*(former(path, schema) for schema in range(1, latest())), *preflight.damaged_copies(path)):
        copy.unlink(missing_ok=True)


def _drop_aged(conn: Connection, path: Path) -> None:
    """Delete copies of older schemas that were kept for :data:`COPY_KEPT`, once the moved file proves whole."""
    oldest = time.time() - COPY_KEPT.total_seconds()
    copies = [former(path, schema) for schema in range(1, latest())]
    aged = [copy for copy in copies if copy.exists() and copy.stat().st_mtime < oldest]
    if not aged or conn.rows("PRAGMA cipher_integrity_check"):
        return
    for copy in aged:
        copy.unlink(missing_ok=True)
        log.info("%s is no longer needed: the memory has been in its new form for a week", copy.name)


def _bring_up_to_date(conn: Connection, path: Path, key: bytes) -> None:
    """Migrate, with a copy of the file as it was made first.

    Raises:
        DiskFullError: there is no room for the copy and for the rows to be written anew; nothing was changed.
    """
    found = version(conn)
    if found == latest() and not is_moving(conn):
        _drop_aged(conn, path)
        return
    if found < latest() and found and conn.rows("SELECT 1 FROM agents LIMIT 1"):
        if not has_room(path, ROOM * path.stat().st_size):
            raise DiskFullError(
                say(
                    "The update of {name} needs {n:,} free bytes beside it.",
                    name=path.name,
                    n=ROOM * path.stat().st_size,
                )
            )
        _keep_copy(conn, former(path, found), key)
    migrate(conn, progress=_tell)


def _tell(done: int, total: int) -> None:
    log.info("bringing the memory up to date: %s of %s rows", f"{done:,}", f"{total:,}")


def _keep_copy(source: Connection, target: Path, key: bytes) -> None:
    """Write a copy that appears under its name only when it is complete and on the disk."""
    partial = target.with_name(target.name + ".partial")
    _remove(partial)
    try:
        _copy(source, partial, key)
        sync(partial)
        put_in_place(partial, target)
        sync(target.parent)
    except OSError as error:
        raise translate_os(error, target) from error
    finally:
        _remove(partial)


def rekey(path: Path, old: bytes, new: bytes) -> None:
    """Put a copy that answers to another key in the place of a database that nobody has open, in one step.

    Killed at any point, the file answers to one of the two keys and holds everything. Copies that were kept of older
    schemas go: they would open with the old key alone.

    Raises:
        InUseError: a process has it open.
        DiskFullError: no room for the copy; nothing was changed.
        EnvironmentFault: it does not answer to the old key, or the folder cannot be written.
    """
    lock = _claim(path)
    fresh = _rekeyed(path)
    try:
        if not has_room(path, 2 * path.stat().st_size):
            raise DiskFullError(
                say("A new key needs {n:,} free bytes beside {name}.", n=2 * path.stat().st_size, name=path.name)
            )
        source = connect(path, old, writable=True)
        try:
            # The log is of the old key: everything in it has to be in the file before the file is replaced.
            source.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            source.execute("PRAGMA journal_mode = DELETE").fetchall()
            _keep_copy(source, fresh, new)
            wanted = source.rows("SELECT count(*) FROM turns")
        finally:
            source.close()
        copy = connect(fresh, new, writable=False)
        try:
            problems = copy.rows("PRAGMA cipher_integrity_check")
            if problems or copy.rows("SELECT count(*) FROM turns") != wanted:
                raise DamagedDatabaseError(say("The copy under the new key is not whole; nothing was changed."))
        finally:
            copy.close()
        preflight.note_folded(path)
        put_in_place(fresh, path)
        sync(path.parent)
        _drop_former(path)
    except OSError as error:
        raise translate_os(error, path) from error
    finally:
        _remove(fresh)
        lock.release()


def drop_rekeyed(path: Path) -> None:
    """Delete what a :func:`rekey` that was killed left beside the database."""
    _remove(_rekeyed(path))
    _remove(_rekeyed(path).with_name(_rekeyed(path).name + ".partial"))


def _rekeyed(path: Path) -> Path:
    return path.with_name(path.name + ".rekeyed")


def _being_forgotten(conn: Connection) -> dict[str, Hidden]:
    marks = SqlMeta(conn, Shared()).prefix(BEING_FORGOTTEN)
    return {key: Hidden.from_json(mark["hidden"]) for key, mark in marks.items()}


def _mark(made: Path) -> None:
    if made.exists():
        return
    try:
        create_private(made)
    except OSError as error:
        if error.errno in NO_ROOM:
            return  # there are worse things on a full disk than a missing mark
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
        raise InUseError(say("{path} is open in another process.", path=path)) from error
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


def _cut_free_pages(conn: Connection) -> bool:
    """Cut some free pages off the file's end; return whether there may be more."""
    before = conn.rows("PRAGMA freelist_count")[0][0]
    # Of a file from before schema 5 nothing can be cut off; its free pages are used again all the same.
    conn.execute(f"PRAGMA incremental_vacuum({_CUT})").fetchall()
    return 0 < int(conn.rows("PRAGMA freelist_count")[0][0]) < int(before)


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


if TYPE_CHECKING:
    _CONFORMS: type[StoreUpkeep] = Database


def give_back_freed() -> None:
    """Hand what was freed back to the system where the C library keeps it (glibc); elsewhere there is nothing to do."""
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), "malloc_trim"):
        library.malloc_trim(0)
