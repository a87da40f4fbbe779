"""The graph of an index as bytes. hnswlib saves to files only, which would write vectors unencrypted to disk.

hnswlib stores each element as its links, vector and label; the vectors are left out of the snapshot (they are stored
with their rows) and put back when it is loaded.

Layout: ``MDIX``, the header's length, a JSON header, and the arrays one after another as the header lists
them. Every length is checked before native code sees it; a damaged snapshot is an error, never a crash.
"""

import json
import struct
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memdesk.errors import BadRequestError
from memdesk.messages import say

_MAGIC = b"MDIX"
_PREFIX = struct.Struct("<4sII")


State = dict[str, Any]
#: Byte of an element's links that says it is deleted, and its bit.
_MARK_BYTE, _MARK = 2, 1
#: Elements assembled at a time.
_PART = 65536


def pack(dim: int, graph: State | None, more: dict[str, NDArray[Any]]) -> bytes:
    """Return hnswlib's state of a graph, without the vectors, and ``more`` as bytes."""
    arrays = dict(more)
    plain: State = {}
    for key, value in (graph or {}).items():
        if key == "data_level0":
            level = _elements(graph or {}, value)
            arrays["links"] = level[:, : (graph or {})["offset_data"]]
            arrays["labels"] = level[:, (graph or {})["label_offset"] :]
        elif isinstance(value, np.ndarray):
            arrays[key] = value
        else:
            plain[key] = value
    header = json.dumps(
        {
            "version": 3,
            "dim": dim,
            "graph": None if graph is None else plain,
            "arrays": [[name, array.dtype.str, list(array.shape)] for name, array in arrays.items()],
        }
    ).encode()
    body = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays.values())
    return _PREFIX.pack(_MAGIC, len(header), zlib.crc32(body, zlib.crc32(header))) + header + body


def unpack(data: bytes, dim: int) -> State | None:
    """Return the input of ``pack`` in one dict, with ``links`` and ``labels`` in place of ``data_level0``.

    None if it was given no graph.

    Raises:
        BadRequestError: it is damaged, or of another version or dimension.
    """
    try:
        header, arrays = _read(data)
        if header["version"] != 3 or header["dim"] != dim:
            raise BadRequestError(say("The index snapshot is of another version or dimension."))
        return None if header["graph"] is None else {**header["graph"], **arrays}
    except (KeyError, TypeError, ValueError, struct.error) as error:
        raise BadRequestError(say("The index snapshot is damaged.")) from error


def rebuilt(
    state: State, seqs: NDArray[np.int64], vectors: Callable[[NDArray[np.int64]], NDArray[np.float32]]
) -> tuple[State, list[int], list[int]]:
    """Put vectors back into a state.

    An element without one gets the mean of its neighbors, so that it still leads through the graph.

    ``seqs`` are the rows that exist, and ``vectors`` returns those of some of them, as the graph stores them.

    Returns:
        hnswlib's state; seqs in the graph that exist; seqs in it that are gone and not marked so yet.

    Raises:
        BadRequestError: the graph holds vectors of another length.
    """
    state = dict(state)
    links, labels = state.pop("links"), state.pop("labels")
    start, end = state["offset_data"], state["label_offset"]
    level = np.zeros((len(links), state["size_data_per_element"]), dtype=np.int8)
    level[:, :start], level[:, end:] = links, labels
    numbers = np.ascontiguousarray(labels).view(np.int64).ravel()
    exists = np.isin(numbers, seqs)
    marked = (links[:, _MARK_BYTE] & _MARK) != 0
    places = np.flatnonzero(exists)
    for at in range(0, len(places), _PART):
        part = places[at : at + _PART]
        found = np.ascontiguousarray(vectors(numbers[part])).view(np.int8)
        if found.shape[1] != end - start:
            raise BadRequestError(say("The index snapshot uses other directions."))
        level[part, start:end] = found
    for at in np.flatnonzero(~exists).tolist():
        count = int(links[at, :2].view(np.uint16)[0])
        near = links[at, 4 : 4 + 4 * count].copy().view(np.uint32)
        near = near[exists[near]]
        if len(near):
            around = np.ascontiguousarray(level[near, start:end]).view(np.float32)
            middle = around.mean(axis=0)
            middle *= np.linalg.norm(around, axis=1).mean() / max(float(np.linalg.norm(middle)), 1e-6)
            level[at, start:end] = middle.astype(np.float32).view(np.int8)
    state["data_level0"] = level.reshape(-1)
    return state, numbers[exists & ~marked].tolist(), numbers[~exists & ~marked].tolist()


def _elements(graph: State, level: NDArray[np.int8]) -> NDArray[np.int8]:
    return level.reshape(graph["cur_element_count"], graph["size_data_per_element"])


def _read(data: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    magic, size, checksum = _PREFIX.unpack_from(data)
    start = _PREFIX.size
    view = memoryview(data)
    if magic != _MAGIC or zlib.crc32(view[start + size :], zlib.crc32(view[start : start + size])) != checksum:
        raise ValueError("checksum")
    header = json.loads(bytes(view[start : start + size]))
    at, arrays = start + size, {}
    for name, dtype, shape in header["arrays"]:
        count = int(np.prod(shape, dtype=np.int64))
        arrays[name] = np.frombuffer(data, dtype=np.dtype(dtype), count=count, offset=at).reshape(shape).copy()
        at += arrays[name].nbytes
    return header, arrays
