"""JSON read in pieces: one element of an array at a time, however long the array is."""

import json
import re
from collections.abc import Iterator
from typing import IO, Any

#: One chat larger than this is not a chat; protects against archives made to exhaust memory.
MAX_CHAT_CHARS = 64_000_000
_CHUNK = 1 << 20
_SPACE = re.compile(r"[ \t\r\n]*")


def stream_json(stream: IO[str]) -> Iterator[Any]:
    """Yield the elements of a JSON array one by one, or the stream's only value.

    Raises:
        ValueError: it is not JSON, or an element exceeds ``MAX_CHAT_CHARS``.
    """
    pieces = _Pieces(stream)
    if not pieces.starts_with("["):
        if not pieces.at_end():
            yield pieces.value()
        return
    pieces.take()
    while not pieces.at_end() and not pieces.starts_with("]"):
        yield pieces.value()
        if pieces.starts_with(","):
            pieces.take()


class _Pieces:
    """A stream of JSON read in pieces, which double while a value is incomplete, for linear time."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._decoder = json.JSONDecoder()
        self._buffer = ""
        self._at = 0

    def at_end(self) -> bool:
        """Skip white space; return whether nothing follows."""
        while True:
            space = _SPACE.match(self._buffer, self._at)
            self._at = space.end() if space is not None else self._at
            if self._at < len(self._buffer):
                return False
            if not self._more(_CHUNK):
                return True

    def starts_with(self, char: str) -> bool:
        return not self.at_end() and self._buffer[self._at] == char

    def take(self) -> None:
        self._at += 1

    def value(self) -> Any:
        want = _CHUNK
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._at)
            except json.JSONDecodeError:
                if len(self._buffer) - self._at > MAX_CHAT_CHARS or not self._more(want):
                    raise
                want *= 2
                continue
            # A number may continue in the next piece; all other values are self-delimiting.
            if end == len(self._buffer) and isinstance(value, int | float) and self._more(_CHUNK):
                continue
            self._at = end
            return value

    def _more(self, count: int) -> bool:
        text = self._stream.read(count)
        if text:
            self._buffer, self._at = self._buffer[self._at :] + text, 0
        return bool(text)
