"""An index as bytes. hnswlib saves to files only, which would put vectors on the disk in the clear.

Layout: ``MDIX``, the header's length, a JSON header, and the arrays one after another as the header lists
them. Every length is checked before native code sees it; a damaged snapshot is an error, never a crash.
"""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memdesk.errors import BadRequestError

_MAGIC = b"MDIX"
_PREFIX = struct.Struct("<4sII")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What was in an index: its graph's state, the seqs alive in it, and the rows outside of it."""

    graph: dict[str, Any] | None
    in_graph: NDArray[np.int64]
    seqs: NDArray[np.int64]
    rows: NDArray[np.float32]


def pack(
    dim: int,
    graph: dict[str, Any] | None,
    in_graph: NDArray[np.int64],
    seqs: NDArray[np.int64],
    rows: NDArray[np.float32],
) -> bytes:
    """Return a snapshot as bytes."""
    arrays: dict[str, NDArray[Any]] = {"in_graph": in_graph, "seqs": seqs, "rows": rows}
    plain: dict[str, Any] = {}
    for key, value in (graph or {}).items():
        if isinstance(value, np.ndarray):
            arrays[f"graph.{key}"] = value
        else:
            plain[key] = value
    header = json.dumps(
        {
            "version": 1,
            "dim": dim,
            "graph": None if graph is None else plain,
            "arrays": [[name, array.dtype.str, list(array.shape)] for name, array in arrays.items()],
        }
    ).encode()
    body = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays.values())
    return _PREFIX.pack(_MAGIC, len(header), zlib.crc32(body, zlib.crc32(header))) + header + body


def unpack(data: bytes, dim: int) -> Snapshot:
    """Return what ``pack`` was given.

    Raises:
        BadRequestError: it is damaged, or of another dimension.
    """
    try:
        header, arrays = _read(data)
        if header["version"] != 1 or header["dim"] != dim:
            raise BadRequestError("The index snapshot is of another version or dimension.")
        graph = None
        if header["graph"] is not None:
            graph = {
                **header["graph"],
                **{name.removeprefix("graph."): array for name, array in arrays.items() if name.startswith("graph.")},
            }
        return Snapshot(graph, arrays["in_graph"], arrays["seqs"], arrays["rows"].reshape(-1, dim))
    except (KeyError, TypeError, ValueError, struct.error) as error:
        raise BadRequestError("The index snapshot is damaged.") from error


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
