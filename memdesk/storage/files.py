"""Files that are either there in full, and on the disk, or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def sync(path: Path) -> None:
    """Make a file's content, or a folder's list of files, durable.

    Windows makes a folder's list durable by itself and cannot open folders.
    """
    if os.name == "nt" and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDONLY)
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


def write_atomic(path: Path, data: bytes) -> None:
    """Replace ``path`` by ``data``, readable by its owner alone; after a crash it holds the old or the new."""
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    create_private(fresh)
    try:
        with fresh.open("r+b") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        sync(path.parent)
    finally:
        fresh.unlink(missing_ok=True)
