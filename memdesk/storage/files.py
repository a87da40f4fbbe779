"""The database file: creating, locking, migrating, copying and rekeying it."""

import logging
import time
from datetime import timedelta
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout
from sqlcipher3 import dbapi2 as sqlcipher

from memdesk.errors import DiskFullError
from memdesk.messages import say
from memdesk.settings.files import NO_ROOM, create_private, put_in_place, sync
from memdesk.storage import preflight
from memdesk.storage.connection import Connection, connect, tell_key
from memdesk.storage.errors import DamagedDatabaseError, InUseError, has_room, translate, translate_os
from memdesk.storage.migrate import latest, migrate, version
from memdesk.storage.moving import is_moving
from memdesk.storage.pages import PAGE

log = logging.getLogger(__name__)

#: A migration may need this many times the file's size: its copy, the rewritten rows, and the log of both.
ROOM = 4
#: How long a migration's copy is kept if nothing is forgotten meanwhile.
COPY_KEPT: Final = timedelta(days=7)


def former(path: Path, schema: int) -> Path:
    """Return the path of the copy made before a database was migrated from this schema."""
    return path.with_name(f"{path.name}.schema{schema}")


def drop_former(path: Path) -> None:
    """Delete the copies of older schemas, and of damaged files."""
    for copy in (*(former(path, schema) for schema in range(1, latest())), *preflight.damaged_copies(path)):
        copy.unlink(missing_ok=True)


def _drop_aged(conn: Connection, path: Path) -> None:
    """Delete copies of older schemas after :data:`COPY_KEPT`, once the migrated file proves intact."""
    oldest = time.time() - COPY_KEPT.total_seconds()
    copies = [former(path, schema) for schema in range(1, latest())]
    aged = [copy for copy in copies if copy.exists() and copy.stat().st_mtime < oldest]
    if not aged or conn.rows("PRAGMA cipher_integrity_check"):
        return
    for copy in aged:
        copy.unlink(missing_ok=True)
        log.info("%s is no longer needed: the memory has been in its new form for a week", copy.name)


def bring_up_to_date(conn: Connection, path: Path, key: bytes) -> None:
    """Migrate, after copying the file as it was.

    Raises:
        DiskFullError: there is no space for the copy and the rewritten rows; nothing was changed.
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
        keep_copy(conn, former(path, found), key)
    migrate(conn, progress=_tell)


def _tell(done: int, total: int) -> None:
    log.info("bringing the memory up to date: %s of %s rows", f"{done:,}", f"{total:,}")


def keep_copy(source: Connection, target: Path, key: bytes) -> None:
    """Write a copy that gets its name only when it is complete and durable."""
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
    """Replace a database that nobody has open by a copy encrypted with another key, in one step.

    If killed at any point, the file opens with one of the two keys and holds everything. Copies of older schemas are
    deleted: only the old key would open them.

    Raises:
        InUseError: a process has it open.
        DiskFullError: no space for the copy; nothing was changed.
        EnvironmentFault: the old key does not open it, or the folder cannot be written.
    """
    lock = claim(path)
    fresh = _rekeyed(path)
    try:
        if not has_room(path, 2 * path.stat().st_size):
            raise DiskFullError(
                say("A new key needs {n:,} free bytes beside {name}.", n=2 * path.stat().st_size, name=path.name)
            )
        source = connect(path, old, writable=True)
        try:
            # The log is encrypted with the old key: all of it must be in the file before the file is replaced.
            source.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            source.execute("PRAGMA journal_mode = DELETE").fetchall()
            keep_copy(source, fresh, new)
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
        drop_former(path)
    except OSError as error:
        raise translate_os(error, path) from error
    finally:
        _remove(fresh)
        lock.release()


def drop_rekeyed(path: Path) -> None:
    """Delete what a killed :func:`rekey` left beside the database."""
    _remove(_rekeyed(path))
    _remove(_rekeyed(path).with_name(_rekeyed(path).name + ".partial"))


def _rekeyed(path: Path) -> Path:
    return path.with_name(path.name + ".rekeyed")


def mark(made: Path, noted: bytes = b"") -> None:
    """Create a marker file, unless it exists with this content."""
    try:
        if not made.exists():
            create_private(made)
        if made.read_bytes() != noted:
            made.write_bytes(noted)
            sync(made)
    except OSError as error:
        if error.errno in NO_ROOM:
            return  # a missing mark is acceptable on a full disk
        raise translate_os(error, made) from error


def claim(path: Path) -> FileLock:
    """Take the lock file beside the database; the operating system drops it when the process ends."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Not bound to one thread: the memory is often closed by another thread than opened it.
        lock = FileLock(
            path.with_name(path.name + ".lock"), timeout=0, mode=0o600, is_singleton=False, thread_local=False
        )
        lock.acquire()
    except Timeout as error:
        raise InUseError(say("{path} is open in another process.", path=path)) from error
    except OSError as error:
        raise translate_os(error, path) from error
    return lock


def create(path: Path, key: bytes) -> None:
    """Write a complete empty database beside ``path`` and move it there, so that no crash leaves it half written."""
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
        tell_key(copy, key)
        copy.execute(f"PRAGMA cipher_page_size = {PAGE}").fetchall()
        # All pages in one step: the source is read in one transaction anyway, and writers are not blocked.
        source.backup(copy)
    except sqlcipher.Error as error:
        raise translate(error, target, needed=source.path.stat().st_size) from error
    finally:
        copy.close()


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
