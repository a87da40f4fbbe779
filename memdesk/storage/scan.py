"""Proof of forgetting: looks for bytes in every decrypted page."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from memdesk.storage.errors import DamagedDatabaseError
from memdesk.storage.pages import SALT, NeedleSearch, PageCodec, page_at, pages, wal_frames

_TRIES = 5


def plain_pages(path: Path, key: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield ``(number, plain page)`` of the file and of its log, left-over frames of the log included.

    Raises:
        DamagedDatabaseError: a page of the file does not decrypt, even after it was read again.
    """
    # Unbuffered: reading a page again must ask the file, not a buffer filled before.
    with path.open("rb", buffering=0) as file:
        codec = PageCodec(key, file.read(SALT))
        for number, data in pages(path):
            plain = codec.decrypt(number, data)
            # The page may have been written while it was read.
            for _ in range(_TRIES):
                if plain is not None:
                    break
                time.sleep(0.01)
                plain = codec.decrypt(number, page_at(file, number))
            if plain is None:
                raise DamagedDatabaseError(f"Page {number} of {path} was altered.")
            yield number, plain
    for frame in wal_frames(path):
        plain = codec.decrypt(frame.number, frame.data)
        if plain is not None:
            yield frame.number, plain


def contains(path: Path, key: bytes, needle: bytes) -> bool:
    """Whether any page holds ``needle``, also where it crosses from one page to the next.

    Raises:
        ValueError: an empty needle is everywhere.
    """
    if not needle:
        raise ValueError("nothing to look for")
    search = NeedleSearch(needle)
    for number, plain in plain_pages(path, key):
        if search.holds(plain):
            return True
        search.note(number, plain)
    return search.undecided and any(search.crosses(plain) for _, plain in plain_pages(path, key))
