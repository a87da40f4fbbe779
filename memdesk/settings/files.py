"""Files that are either complete and durable, or absent."""

import errno
import io
import os
import shutil
import stat
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from memdesk.errors import BadRequestError, DiskFullError, EnvironmentFault
from memdesk.messages import say

#: Pauses, in seconds, between attempts to move a file. Windows refuses to replace a file that is open anywhere: by a
#: reader of ours, an indexer, a virus scanner. All of them let go in moments; elsewhere a refusal is final.
RETRY_SECONDS: Final = (0.01, 0.05, 0.2, 0.5) if sys.platform == "win32" else ()

#: Errors that mean there is no space: full disk, quota, file size limit.
NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
#: Errors that mean no file can exist at this path.
NO_PLACE: Final = frozenset(
    {errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENAMETOOLONG, errno.ELOOP}
)

#: Prefix of the folders in which files are written before they are moved into place.
_SCRATCH: Final = ".memdesk-scratch-"


def sync(path: Path) -> None:
    """Make a file's content, or a folder's list of files, durable.

    Windows makes folder entries durable by itself and cannot open folders; it flushes only writable files.
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
        FileExistsError: the path exists.
    """
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def read_given(path: Path, most: int) -> bytes:
    """Return the content of a file that the user names; of one larger than ``most`` bytes, or without an end, a byte more than that.

    Raises:
        OSError: it cannot be read, or is a pipe that nobody writes to, for which one would wait forever.
    """
    with open(path, "rb", buffering=0, opener=_without_waiting) as raw:
        # None: there is a writer, and nothing from it yet.
        first = raw.read(1)
        if first == b"" and stat.S_ISFIFO(os.fstat(raw.fileno()).st_mode):
            raise BrokenPipeError(errno.EPIPE, "nobody writes to this pipe", str(path))
        if hasattr(os, "O_NONBLOCK"):
            os.set_blocking(raw.fileno(), True)
        with io.BufferedReader(raw) as file:
            return (first or b"") + file.read(most + 1 - len(first or b""))


def write_given(path: Path, data: bytes) -> None:
    """Write to a file, device or pipe that the user names.

    Raises:
        OSError: it cannot be written, or is a pipe that nobody reads.
    """
    with open(path, "wb", opener=_without_waiting) as file:
        if hasattr(os, "O_NONBLOCK"):
            os.set_blocking(file.fileno(), True)
        file.write(data)


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe without waiting for its other end."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)


def unwritten(error: OSError, path: Path) -> EnvironmentFault:
    """Return the error for a file that could not be written."""
    if error.errno in NO_ROOM:
        return DiskFullError(say("There is no room left to write {name}.", name=path.name))
    return EnvironmentFault(
        say("{file} could not be written: {strerror}.", file=str(path), strerror=error.strerror or str(error))
    )


class WrongPlaceError(EnvironmentFault):
    """A file cannot be where the caller wants it."""

    code = BadRequestError.code
    title = BadRequestError.title
    default_hint = say("Check that there is room for it, and that the folder may be written to.")
    status = BadRequestError.status


def unwritten_at(error: OSError, target: Path) -> EnvironmentFault:
    """Return the error for a file that could not be written at a path the caller chose."""
    fault = unwritten(error, target)
    return WrongPlaceError(fault.message) if error.errno in NO_PLACE else fault


def put_in_place(fresh: Path, path: Path) -> None:
    """Move a file over another.

    Raises:
        OSError: it cannot be moved, even after retries.
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

    Creates the folder if it is missing.

    Raises:
        DiskFullError: the disk is full; the old file stays.
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
            raise unwritten(error, path) from error
        raise
    finally:
        fresh.unlink(missing_ok=True)


@contextmanager
def scratch_folder(parent: Path | None) -> Iterator[Path]:
    """Lend a private folder on the disk of the result, or among temporary files.

    Folders left by killed processes are deleted: they hold a copy of the memory, with what was forgotten since, and
    would take up space forever. A lock beside each, which the system drops with the process, shows which are in use.

    Raises:
        OSError: it cannot be created.
    """
    if parent is not None:
        drop_scratch(parent)
    # Under a random name: a predictable one might be somebody's file.
    folder = (parent or Path(tempfile.gettempdir())) / f"{_SCRATCH}{uuid.uuid4().hex}"
    with ExitStack() as stack:
        create_private(_lock_of(folder))
        stack.callback(_lock_of(folder).unlink, missing_ok=True)
        stack.enter_context(FileLock(_lock_of(folder), timeout=0, is_singleton=False))
        folder.mkdir(mode=0o700)
        stack.callback(shutil.rmtree, folder)
        yield folder


def drop_scratch(parent: Path) -> None:
    """Delete the scratch folders of processes that were killed."""
    for lock in parent.glob(f"{_SCRATCH}*.lock"):
        try:
            with FileLock(lock, timeout=0, is_singleton=False):
                shutil.rmtree(lock.with_suffix(""), ignore_errors=True)
                lock.unlink(missing_ok=True)
        except (Timeout, OSError):
            continue  # its owner is alive, or it is not ours to delete


def _lock_of(folder: Path) -> Path:
    return folder.with_name(folder.name + ".lock")
