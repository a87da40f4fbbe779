"""Bounds of what a tool server sends: the official client reads a line, or a body, of any length into memory."""

from __future__ import annotations

import codecs
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import httpx2

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

#: Bytes of one line over standard output, and of one response over HTTP.
MOST_BYTES: Final = 16 * 2**20
_numbers = count()


@contextmanager
def bounded_lines(flooded: threading.Event) -> Iterator[str]:
    """Yield the name of an encoding, valid in the block: UTF-8 whose lines end at 16 MiB, which sets ``flooded``.

    The encoding is where the client lets us see what it reads. What is not UTF-8 is replaced: the client would stop
    reading there, and wait.
    """
    name = f"tool_server_{next(_numbers)}"

    class Lines(codecs.IncrementalDecoder):
        """Hands on whole lines: the client would copy the beginning of a long one again with every piece of it."""

        def __init__(self, errors: str = "strict") -> None:
            super().__init__(errors)
            self._pieces: list[bytes] = []
            self._size = 0

        def decode(self, data: ReadableBuffer, final: bool = False) -> str:
            lines, end, rest = bytes(data).rpartition(b"\n")
            read = b"".join((*self._pieces, lines, end)) if end or final else b""
            if end or final:
                self._pieces, self._size = [], 0
            self._pieces.append(rest)
            self._size += len(rest)
            if self._size > MOST_BYTES:
                flooded.set()
                self._pieces, self._size = [], 0
            return "" if flooded.is_set() else read.decode("utf-8", "replace")

    def find(asked: str) -> codecs.CodecInfo | None:
        if asked != name:
            return None
        return codecs.CodecInfo(codecs.utf_8_encode, codecs.utf_8_decode, incrementaldecoder=Lines, name=name)

    codecs.register(find)
    try:
        yield name
    finally:
        codecs.unregister(find)


def bounded_responses(flooded: threading.Event) -> Callable[[httpx2.Response], Awaitable[None]]:
    """Return a hook that ends a response's body at 16 MiB and sets ``flooded``; compressed bodies stay compressed."""

    async def bound(response: httpx2.Response) -> None:
        response.headers.pop("Content-Encoding", None)
        response.stream = _Bounded(response.stream, flooded)

    return bound


class _Bounded(httpx2.AsyncByteStream):
    """A body that ends too early rather than too late."""

    def __init__(self, stream: Any, flooded: threading.Event) -> None:
        self._stream = stream
        self._flooded = flooded

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > MOST_BYTES:
                self._flooded.set()
                return
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
