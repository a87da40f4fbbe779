"""Reads a SQLCipher file page by page, without SQLite.

Needed to inspect a file before anything may write to it, and to prove that a forgotten phrase is in no page, including
free pages and the write-ahead log.

Format (SQLCipher 4, https://www.zetetic.net/sqlcipher/design/): pages of 4096 bytes, the last 80 of each
reserved for a 16-byte IV and an HMAC-SHA512 over ciphertext, IV and the page number; AES-256-CBC; the first
16 bytes of the file are the salt. The HMAC key is PBKDF2-HMAC-SHA512 of the key with the salt XOR 0x3a, two
rounds. WAL frames (https://www.sqlite.org/fileformat2.html#walformat) hold pages in the same encoding.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from io import RawIOBase
from pathlib import Path
from typing import BinaryIO

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

PAGE = 4096
SALT = 16
PLAIN_HEADER = b"SQLite format 3\0"
_IV, _MAC = 16, 64
#: Bytes of a page that SQLite has.
USABLE = PAGE - _IV - _MAC
_WAL_HEADER, _FRAME_HEADER = 32, 24
_WAL_MAGIC = 0x377F0682


@dataclass(frozen=True, slots=True)
class WalFrame:
    """A frame of the write-ahead log.

    Attributes:
        pages_after: size of the database in pages when this frame commits; 0 for other frames.
        current: whether it belongs to the log's current generation; older ones are leftovers.
        sound: whether it and all current ones before it have the right checksums: what SQLite reads.
    """

    number: int
    pages_after: int
    current: bool
    data: bytes
    sound: bool


class PageCodec:
    """Decrypts single pages. Never shows its key."""

    def __init__(self, key: bytes, salt: bytes) -> None:
        self._key = key
        mac_salt = bytes(byte ^ 0x3A for byte in salt)
        self._mac_key = hashlib.pbkdf2_hmac("sha512", key, mac_salt, 2, 32)

    def __repr__(self) -> str:
        return "PageCodec()"

    def decrypt(self, number: int, data: bytes) -> bytes | None:
        """Return the plain page (its first 16 bytes are zero on page 1), or None when it was altered."""
        start = SALT if number == 1 else 0
        mac = hmac.new(self._mac_key, data[start : USABLE + _IV], hashlib.sha512)
        mac.update(struct.pack("<I", number))
        if not hmac.compare_digest(mac.digest(), data[USABLE + _IV :]):
            return None
        cipher = Cipher(algorithms.AES256(self._key), modes.CBC(data[USABLE : USABLE + _IV])).decryptor()
        return bytes(start) + cipher.update(data[start:USABLE]) + cipher.finalize()


def pages(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield ``(number, encrypted page)`` of the main file; a last partial page is left out."""
    with path.open("rb") as file:
        number = 0
        while len(data := file.read(PAGE)) == PAGE:
            number += 1
            yield number, data


def page_at(file: BinaryIO | RawIOBase, number: int) -> bytes:
    """Return one encrypted page of an open main file."""
    file.seek((number - 1) * PAGE)
    return file.read(PAGE) or b""


def wal_frames(path: Path) -> Iterator[WalFrame]:
    """Yield the frames of the log beside ``path``, in file order; none if it is not a log."""
    wal = log_of(path)
    if not wal.exists():
        return
    with wal.open("rb") as file:
        header = file.read(_WAL_HEADER)
        if not is_wal_header(header):
            return
        salts, order = header[16:24], _order(header)
        sums, sound = struct.unpack(">II", header[24:32]), True
        while len(frame := file.read(_FRAME_HEADER + PAGE)) == _FRAME_HEADER + PAGE:
            number, pages_after = struct.unpack(">II", frame[:8])
            current = frame[8:16] == salts
            if current and sound:
                sums = _checksum(frame[:8] + frame[_FRAME_HEADER:], order, sums)
                # Each checksum continues the one before: after a wrong frame none can be right.
                sound = struct.unpack(">II", frame[16:24]) == sums
            yield WalFrame(number, pages_after, current, frame[_FRAME_HEADER:], current and sound)


def log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def is_wal_header(header: bytes) -> bool:
    """Whether SQLite would accept these bytes as the header of a log of our pages."""
    if len(header) < _WAL_HEADER:
        return False
    magic, _version, page = struct.unpack(">III", header[:12])
    wanted = struct.unpack(">II", header[24:32])
    return magic & ~1 == _WAL_MAGIC and page == PAGE and _checksum(header[:24], _order(header), (0, 0)) == wanted


def _order(header: bytes) -> str:
    return ">" if header[3] & 1 else "<"


def _checksum(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    """Continue SQLite's running checksum over 32-bit words (file format 4.2)."""
    first, second = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second


class NeedleSearch:
    """Searches plain pages for bytes, including long values that cross page boundaries.

    A value that does not fit its page continues on overflow pages, each of which starts with the number
    of the next one; in the first page that number follows the value's beginning. A split needle is
    therefore a page that contains ``head + number`` (or is an overflow page that ends with ``head`` and starts
    with ``number``), and an overflow page whose data starts with ``tail``.
    """

    def __init__(self, needle: bytes) -> None:
        self._needle = needle
        #: pages whose data starts with the needle's tail, by where it is cut
        self._tails: dict[int, set[int]] = {}

    def holds(self, data: bytes) -> bool:
        """Whether the whole needle is in this page."""
        return self._needle in data

    def note(self, number: int, data: bytes) -> None:
        """Remember the page if its data starts with the end of the needle."""
        needle, first = self._needle, data[4:5]
        cut = needle.find(first, 1)
        while cut > 0:
            if data.startswith(needle[cut:], 4):
                self._tails.setdefault(cut, set()).add(number)
            cut = needle.find(first, cut + 1)

    @property
    def undecided(self) -> bool:
        """Whether pages were noted that need a second pass."""
        return bool(self._tails)

    def crosses(self, data: bytes) -> bool:
        """Whether a needle begins in this page and ends in a noted one."""
        following = int.from_bytes(data[:4], "big")
        for cut, numbers in self._tails.items():
            head = self._needle[:cut]
            if following in numbers and data[:USABLE].endswith(head):
                return True
            place = data.find(head)
            while place >= 0:
                if int.from_bytes(data[place + cut : place + cut + 4], "big") in numbers:
                    return True
                place = data.find(head, place + 1)
        return False
