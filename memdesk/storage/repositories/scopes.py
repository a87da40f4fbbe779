"""What passes a filter, as a search needs it; of a whole scope kept with its connection until something is written."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from memdesk.storage.values import ids

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from memdesk.ports.engines import Vectors
    from memdesk.storage.connection import Connection
    from memdesk.storage.queries import Row

#: Bytes that a connection keeps; a scope beyond is read each time.
_MOST: Final = 16 * 2**20
#: What a row takes besides its vector: its number in a list, as text and in a dictionary.
_ROW: Final = 200
_NEVER: Final = float("inf")


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows that pass a filter.

    Attributes:
        count: how many they are.
        seqs: their numbers, as ``json_each`` reads them.
        parts: those that are a part of something.
        places: where each that has a vector stands in ``vectors``, in its order.
        vectors: shape ``(len(places), dimensions)``.
        until: when the first of them expires, in milliseconds.
        size: bytes, about.
    """

    count: int
    seqs: str
    parts: frozenset[int]
    places: dict[int, int]
    vectors: Vectors
    until: float
    size: int

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Rows:
        """Read ``(number, whether it is a part, expiry, vector or None)``."""
        held = [(row[0], row[3]) for row in rows if row[3] is not None]
        vectors = np.frombuffer(b"".join([vector for _, vector in held]), dtype=np.float32)
        return cls(
            count=len(rows),
            seqs=ids(row[0] for row in rows),
            parts=frozenset(row[0] for row in rows if row[1]),
            places={seq: place for place, (seq, _) in enumerate(held)},
            vectors=vectors.reshape(len(held), -1) if held else vectors,
            until=min((row[2] for row in rows if row[2] is not None), default=_NEVER),
            size=vectors.nbytes + _ROW * len(rows),
        )


def kept(conn: Connection, name: Hashable, read: Callable[[], Sequence[Row]]) -> Rows:
    """Return what was read under a name since anything was last written, or read it now."""
    known: OrderedDict[Any, Rows] = conn.kept()
    found = known.get(name)
    if found is not None and 1000 * time.time() < found.until:
        known.move_to_end(name)
        return found
    known[name] = found = Rows.of(read())
    total = sum(rows.size for rows in known.values())
    while total > _MOST:
        total -= known.popitem(last=False)[1].size
    return found
