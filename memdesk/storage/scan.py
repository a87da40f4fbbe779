"""Proof of forgetting: searches every decrypted page for bytes."""

import time
from collections.abc import Iterator, Sequence
from io import RawIOBase
from pathlib import Path

from memdesk.messages import say
from memdesk.storage.errors import DamagedDatabaseError
from memdesk.storage.pages import PAGE, SALT, NeedleSearch, PageCodec, page_at, pages, wal_frames

#: A page being written during a read is whole again soon, though later on a busy machine.
_PATIENCE_SECONDS = 3.0
#: Folding in a part of the log can write a page beyond the end of the file before the preceding one; until the rest
#: follows, that one is only in the log.
_HOLE = bytes(PAGE)


def plain_pages(path: Path, key: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield ``(number, plain page)`` of the file and of its log, including leftover frames of the log.

    Raises:
        DamagedDatabaseError: a page of the file does not decrypt, even after rereading.
    """
    # Unbuffered: rereading a page must read the file, not a stale buffer.
    with path.open("rb", buffering=0) as file:
        codec = PageCodec(key, file.read(SALT))
        for number, data in pages(path):
            plain = _settled(file, codec, number, data)
            if plain is not None:
                yield number, plain
    for frame in wal_frames(path):
        plain = codec.decrypt(frame.number, frame.data)
        if plain is not None:
            yield frame.number, plain


def _settled(file: RawIOBase, codec: PageCodec, number: int, data: bytes) -> bytes | None:
    """Return the plain page, rereading it while it does not decrypt; None for a hole."""
    plain = codec.decrypt(number, data)
    until = time.monotonic() + _PATIENCE_SECONDS
    while plain is None and data != _HOLE:
        if time.monotonic() > until:
            raise DamagedDatabaseError(say("Page {number} of the database was altered.", number=number))
        time.sleep(0.02)
        data = page_at(file, number)
        plain = codec.decrypt(number, data)
    return plain


def holding(path: Path, key: bytes, needles: Sequence[bytes]) -> set[bytes]:
    """Return the needles found in some page, including those that cross page boundaries.

    One pass over the file for all of them, a second if some may cross.

    Raises:
        ValueError: a needle is empty.
    """
    if not all(needles):
        raise ValueError("nothing to look for")
    found: set[bytes] = set()
    searches = {needle: NeedleSearch(needle) for needle in needles}
    for number, plain in plain_pages(path, key):
        for needle in [needle for needle, search in searches.items() if search.holds(plain)]:
            found.add(needle)
            del searches[needle]
        if not searches:
            return found
        for search in searches.values():
            search.note(number, plain)
    undecided = {needle: search for needle, search in searches.items() if search.undecided}
    if undecided:
        for _, plain in plain_pages(path, key):
            found |= {needle for needle, search in undecided.items() if needle not in found and search.crosses(plain)}
    return found
