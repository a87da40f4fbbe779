"""Inspects a database file read-only before it is opened, so that an unusable one stays untouched."""

import os
import shutil
import struct
from pathlib import Path

from memdesk.messages import say
from memdesk.settings.files import create_private
from memdesk.storage.errors import (
    DamagedDatabaseError,
    DatabaseMissingError,
    NewerSchemaError,
    NotMemdeskDatabaseError,
    ReadOnlyError,
    WrongKeyError,
    has_room,
    translate_os,
)
from memdesk.storage.pages import PAGE, PLAIN_HEADER, SALT, PageCodec, is_wal_header, log_of, page_at, pages, wal_frames


def check(path: Path, key: bytes, schema: int) -> None:
    """Raise the error that makes ``path`` unusable; change nothing.

    Raises:
        NotMemdeskDatabaseError: a plain SQLite file, or something else.
        WrongKeyError: well-formed, but of another key.
        DamagedDatabaseError: pages are missing or altered.
        NewerSchemaError: written by a newer program.
        ReadOnlyError: the file or its folder cannot be written.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            first = page_at(file, 1)
            _check_shape(path, size, first)
            codec = PageCodec(key, first[:SALT])
            header = codec.decrypt(1, first)
            if header is None:
                raise _explain(path, size, key)
        header, count, logged = _with_log(path, codec, header)
    except OSError as error:
        raise translate_os(error, Path(error.filename or path)) from error
    _check_schema(path, header, schema)
    missing = set(range(size // PAGE + 1, count + 1)) - logged
    if missing:
        raise DamagedDatabaseError(
            say("{path} is cut off: {n} of its {count} pages are missing.", path=path, n=len(missing), count=count)
        )
    check_writable(path)


def check_writable(path: Path) -> None:
    """Raise :class:`ReadOnlyError` unless file and folder are writable.

    The file is opened for writing and closed again; its bytes and times do not change.
    """
    try:
        if path.exists():
            os.close(os.open(path, os.O_RDWR))
    except OSError as error:
        raise translate_os(error, path) from error
    if not os.access(path.parent, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
        raise ReadOnlyError(say("The folder {parent} cannot be written.", parent=path.parent))


def keep_damaged(path: Path) -> Path | None:
    """Copy a database and its log before it is opened, if the log is damaged; return the copy, or None.

    SQLite reads a log up to the first frame with a wrong checksum, and folds that in; the rest is silently lost. A
    frame half written in a power cut at the end does not count as damage. The rest can be salvaged from the copy;
    without space for the database, only the log is kept.

    Raises:
        DiskFullError: there is no space for the log either.
    """
    wal = log_of(path)
    try:
        if not wal.exists() or wal.stat().st_size == 0:
            return None
        with wal.open("rb") as file:
            sound = is_wal_header(file.read(PAGE))
        if sound and all(frame.sound or not frame.current for frame in wal_frames(path)):
            return None
        kept = _free_name(path)
        _copy_private(wal, log_of(kept))
        if has_room(path, path.stat().st_size + PAGE):
            _copy_private(path, kept)
            return kept
    except OSError as error:
        raise translate_os(error, wal) from error
    return log_of(kept)


def running(path: Path) -> Path:
    """Return the empty file that exists while the database is open, and stays if its process is killed."""
    return path.with_name(path.name + ".open")


def log_is_gone(path: Path) -> bool:
    """Whether the last process with the file open was killed, and its log is gone.

    SQLite silently begins a new one; what was not yet folded in is lost.
    """
    return running(path).exists() and not log_of(path).exists()


def note_folded(path: Path) -> None:
    """Record that the log was folded in on closing; on a full disk the log stays."""
    if not log_of(path).exists():
        try:
            running(path).unlink(missing_ok=True)
        except OSError as error:
            raise translate_os(error, running(path)) from error


def damaged_copies(path: Path) -> list[Path]:
    """Return all copies that :func:`keep_damaged` ever made."""
    return sorted(path.parent.glob(f"{path.name}.damaged-*"))


def _copy_private(source: Path, target: Path) -> None:
    create_private(target)
    shutil.copyfile(source, target)


def _free_name(path: Path) -> Path:
    number = 1
    while log_of(kept := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    return kept


def marker(path: Path) -> Path:
    """Return the file that records that a database was created here, and its salt."""
    return path.with_name(path.name + ".made")


def check_vacant(path: Path) -> None:
    """Make sure that a missing database never existed.

    One that was moved away or deleted must not come back empty, as if nothing had been remembered; and a new one beside
    an existing log would be taken for that log's database, and overwritten by it.

    Raises:
        DamagedDatabaseError: its log exists.
        DatabaseMissingError: it was created before.
    """
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:
        raise DamagedDatabaseError(
            say("{path} is missing, but its write-ahead log {name} is there.", path=path, name=log.name)
        )
    if marker(path).exists():
        raise DatabaseMissingError(
            say("{path} was here, and is not any more.", path=path),
            hint=say(
                "Put it back, or restore a backup. Delete {marker} to begin with an empty memory.",
                marker=marker(path).name,
            ),
        )


def _check_shape(path: Path, size: int, first: bytes) -> None:
    if first.startswith(PLAIN_HEADER):
        raise NotMemdeskDatabaseError(say("{path} is a plain SQLite database, not an encrypted memory.", path=path))
    if size == 0:
        raise DamagedDatabaseError(say("{path} is empty; memdesk never leaves an empty file.", path=path))
    if size >= PAGE:
        return
    try:
        first.decode("utf-8")
    except UnicodeDecodeError:
        raise DamagedDatabaseError(say("{path} is cut off after {size} bytes.", path=path, size=size)) from None
    raise NotMemdeskDatabaseError(say("{path} is a text file, not an encrypted memory.", path=path))


def _explain(path: Path, size: int, key: bytes) -> Exception:
    """Return the error for an unreadable first page: damage, if any other page fits the key."""
    if codec_of(path, key) is not None:
        return DamagedDatabaseError(say("The first page of {path} was altered; later ones are intact.", path=path))
    if size % PAGE:
        return NotMemdeskDatabaseError(say("{path} is not an encrypted memory of memdesk.", path=path))
    return WrongKeyError(say("The key of this vault does not open {path}.", path=path))


def codec_of(path: Path, key: bytes) -> PageCodec | None:
    """Return the codec of a file's pages; None if the key decrypts none of them.

    The salt is at the start of the file; if that was altered, in its log and in the marker file.
    """
    with path.open("rb") as file:
        salts = [page_at(file, 1)[:SALT]]
    salts += [frame.data[:SALT] for frame in wal_frames(path) if frame.number == 1]
    salts += [made.read_bytes() for made in path.parent.glob("*.made")]
    codecs = (PageCodec(key, salt) for salt in dict.fromkeys(salts))
    return next((c for c in codecs if any(c.decrypt(number, data) is not None for number, data in pages(path))), None)


def _with_log(path: Path, codec: PageCodec, header: bytes) -> tuple[bytes, int, set[int]]:
    """Return the newest first page, the number of pages and which of them are in the write-ahead log."""
    count = struct.unpack(">I", header[28:32])[0]
    logged: set[int] = set()
    for frame in wal_frames(path):
        if not frame.sound:
            break
        logged.add(frame.number)
        if frame.number == 1 and (plain := codec.decrypt(1, frame.data)) is not None:
            header = plain
        if frame.pages_after:
            count = frame.pages_after
    return header, count, logged


def _check_schema(path: Path, header: bytes, schema: int) -> None:
    found = struct.unpack(">I", header[60:64])[0]
    if found > schema:
        raise NewerSchemaError(
            say("{path} has schema {found}; this memdesk knows up to {schema}.", path=path, found=found, schema=schema)
        )
