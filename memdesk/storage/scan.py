"""Proof of forgetting: looks for bytes in every decrypted page."""

import time
from collections.abc import Iterator, Sequence
from io import RawIOBase
from pathlib import Path

from memdesk.messages import say
from memdesk.storage.errors import DamagedDatabaseError
from memdesk.storage.pages import PAGE, SALT, NeedleSearch, PageCodec, page_at, pages, wal_frames

#: A page that is written while it is read is whole again soon, on a busy machine less soon.
_PATIENCE_SECONDS = 3.0
#: Folding in a part of the log can write a page beyond the end of the file before the one in front of it; until
#: the rest follows, that one is in the log alone.
_HOLE = bytes(PAGE)


def plain_pages(path: Path, key: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield ``(number, plain page)`` of the file and of its log, left-over frames of the log included.

    Raises:
        DamagedDatabaseError: a page of the file does not decrypt, even after it was read again.
    """
    # Unbuffered: reading a page again must ask the file, not a buffer filled before.
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
    """Return the plain page, reading it again while it does not decrypt; None for a hole."""
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
    """Return the needles that some page holds, also where one crosses from one page to the next.

    One pass over the file for all of them, a second one if some may cross.

    Raises:
        ValueError: an empty needle is everywhere.
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
