"""Files that are either there in full, and on the disk, or not at all."""

from __future__ import annotations

import errno
import os
import sys
import time
import uuid
from pathlib import Path
from typing import Final

from memdesk.errors import DiskFullError
from memdesk.messages import say

#: Pauses, in seconds, before a move is tried again. Windows refuses to replace a file that anybody has open: a reader of
#: our own, an indexer, a virus scanner. All of them let go in moments; elsewhere a refusal is final.
RETRY_SECONDS: Final = (0.01, 0.05, 0.2, 0.5) if sys.platform == "win32" else ()

#: The ways in which a system says that there is no room: the disk, a quota, a bound on the size of files.
NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def sync(path: Path) -> None:
    """Make a file's content, or a folder's list of files, durable.

    Windows makes a folder's list durable by itself and cannot open folders; a file it flushes only for who may write.
    """
    folder = path.is_dir()
    if folder and sys.platform == "win32":
        return
    descriptor = os.open(path, os.O_RDONLY if folder else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def create_private(path: Path) -> None:
    """Create an empty file that only its owner may read.

    Raises:
        FileExistsError: something is there.
    """
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def put_in_place(fresh: Path, path: Path) -> None:
    """Move a file over another.

    Raises:
        OSError: it cannot be, also not a moment later.
    """
    for seconds in RETRY_SECONDS:
        try:
            fresh.replace(path)
        except PermissionError:
            time.sleep(seconds)
        else:
            return
    fresh.replace(path)


def write_atomic(path: Path, data: bytes) -> None:
    """Replace ``path`` by ``data``, readable by its owner alone; after a crash it holds the old or the new.

    Makes the folder when there is none.

    Raises:
        DiskFullError: there is no room; the old file stays.
        OSError: it cannot be written.
    """
    fresh = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        create_private(fresh)
        with fresh.open("r+b") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        put_in_place(fresh, path)
        sync(path.parent)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise DiskFullError(say("There is no room left to write {name}.", name=path.name)) from error
        raise
    finally:
        fresh.unlink(missing_ok=True)
