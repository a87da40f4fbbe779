"""Looks at a database file before it is opened, reading only, so that what cannot be used stays untouched."""

from __future__ import annotations

import os
import struct
from pathlib import Path

from memdesk.storage.errors import (
    DamagedDatabaseError,
    DatabaseMissingError,
    NewerSchemaError,
    NotMemdeskDatabaseError,
    ReadOnlyError,
    WrongKeyError,
    translate_os,
)
from memdesk.storage.pages import PAGE, PLAIN_HEADER, SALT, PageCodec, page_at, wal_frames

_SAMPLES = 8


def check(path: Path, key: bytes, schema: int) -> None:
    """Raise the fault that keeps ``path`` from being used; change nothing.

    Args:
        path: an existing file.
        key: the raw data key.
        schema: the newest schema version that this program knows.

    Raises:
        NotMemdeskDatabaseError: a plain SQLite file, or something else.
        WrongKeyError: well-formed, but another key's.
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
                raise _explain(path, size, codec)
    except OSError as error:
        raise translate_os(error, path) from error
    header, count, logged = _with_log(path, codec, header)
    _check_schema(path, header, schema)
    missing = set(range(size // PAGE + 1, count + 1)) - logged
    if missing:
        raise DamagedDatabaseError(f"{path} is cut off: {len(missing)} of its {count} pages are missing.")
    check_writable(path)


def check_writable(path: Path) -> None:
    """Raise :class:`ReadOnlyError` unless file and folder can be written.

    The file is opened for writing and closed again; that changes neither its bytes nor its times.
    """
    try:
        if path.exists():
            os.close(os.open(path, os.O_RDWR))
    except OSError as error:
        raise translate_os(error, path) from error
    if not os.access(path.parent, os.W_OK | os.X_OK, effective_ids=os.access in os.supports_effective_ids):
        raise ReadOnlyError(f"The folder {path.parent} cannot be written.")


def marker(path: Path) -> Path:
    """Return the empty file that tells that a database was made here."""
    return path.with_name(path.name + ".made")


def check_vacant(path: Path) -> None:
    """Make sure that a database that is not there never was.

    One that was moved away or deleted must not come back as an empty one, as if nothing had been remembered; and a new one
    beside the log of another would be taken for the one the log belongs to, and overwritten by it.

    Raises:
        DamagedDatabaseError: its log is there.
        DatabaseMissingError: it was made once.
    """
    log = path.with_name(path.name + "-wal")
    if log.exists() and log.stat().st_size:
        raise DamagedDatabaseError(f"{path} is missing, but its write-ahead log {log.name} is there.")
    if marker(path).exists():
        raise DatabaseMissingError(
            f"{path} was here, and is not any more.",
            hint=f"Put it back, or restore a backup. Delete {marker(path).name} to begin with an empty memory.",
        )


def _check_shape(path: Path, size: int, first: bytes) -> None:
    if first.startswith(PLAIN_HEADER):
        raise NotMemdeskDatabaseError(f"{path} is a plain SQLite database, not an encrypted memory.")
    if size == 0:
        raise DamagedDatabaseError(f"{path} is empty; memdesk never leaves an empty file.")
    if size >= PAGE:
        return
    try:
        first.decode("utf-8")
    except UnicodeDecodeError:
        raise DamagedDatabaseError(f"{path} is cut off after {size} bytes.") from None
    raise NotMemdeskDatabaseError(f"{path} is a text file, not an encrypted memory.")


def _explain(path: Path, size: int, codec: PageCodec) -> Exception:
    """Return the fault that an unreadable first page means: any other page that fits the key tells damage."""
    count = size // PAGE
    step = max(1, count // _SAMPLES)
    with path.open("rb") as file:
        for number in range(2, count + 1, step):
            if codec.decrypt(number, page_at(file, number)) is not None:
                return DamagedDatabaseError(f"The first page of {path} was altered; later ones are intact.")
    if size % PAGE:
        return NotMemdeskDatabaseError(f"{path} is not an encrypted memory of memdesk.")
    return WrongKeyError(f"The key of this vault does not open {path}.")


def _with_log(path: Path, codec: PageCodec, header: bytes) -> tuple[bytes, int, set[int]]:
    """Return the newest first page, the number of pages and which of them are in the write-ahead log."""
    count = struct.unpack(">I", header[28:32])[0]
    logged: set[int] = set()
    for frame in wal_frames(path):
        if not frame.current:
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
        raise NewerSchemaError(f"{path} has schema {found}; this memdesk knows up to {schema}.")
