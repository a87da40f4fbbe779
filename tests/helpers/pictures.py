"""Generates small images."""

from __future__ import annotations

import struct
import zlib

from memdesk.domain.chatting.images import Image


def png(red: int = 200, green: int = 60, blue: int = 40, side: int = 4) -> bytes:
    """Return a PNG of one color."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    row = b"\0" + bytes((red, green, blue)) * side
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(row * side)) + chunk(b"IEND", b"")


def image(name: str = "leaf.png", **color: int) -> Image:
    """Return a PNG of one color as it goes with a message."""
    return Image.of(png(**color), name)
