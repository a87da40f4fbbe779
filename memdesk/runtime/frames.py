"""Length-prefixed frames between the app and its engine processes.

A frame is ``>II`` (lengths of header and blob in bytes), a JSON header in UTF-8, and a blob of raw bytes.
JSON instead of pickle: a compromised child can then never run code in the app.
"""

import json
import struct
from typing import Any, BinaryIO

_PREFIX = struct.Struct(">II")


def write_frame(stream: BinaryIO, header: dict[str, Any], blob: bytes = b"") -> None:
    head = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    stream.write(_PREFIX.pack(len(head), len(blob)) + head + blob)
    stream.flush()


def read_frame(stream: BinaryIO) -> tuple[dict[str, Any], bytes] | None:
    """Return the next frame, or None when the other side is gone (also mid-frame)."""
    prefix = stream.read(_PREFIX.size)
    if len(prefix) < _PREFIX.size:
        return None
    head_size, blob_size = _PREFIX.unpack(prefix)
    head = stream.read(head_size)
    blob = stream.read(blob_size) if blob_size else b""
    if len(head) < head_size or len(blob) < blob_size:
        return None
    return json.loads(head.decode("utf-8", "surrogatepass")), blob
