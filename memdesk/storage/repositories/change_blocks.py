"""Similar changes in one row: stored by column, deduplicated, compressed.

A pass over 100,000 facts ages all of them. As rows with indexes these changes would cost more to
write than the facts themselves; packed they take some 30 bytes each.
"""

import json
import zlib
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from memdesk.domain.models import RunChange
from memdesk.messages import recalled, stored
from memdesk.storage.values import from_json

#: Speed matters more than size: most of the gain is in the ids' hexadecimal digits.
_LEVEL = 1
_DUMPS = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False).encode


def alike(changes: Sequence[RunChange]) -> Iterator[list[RunChange]]:
    """Yield neighboring changes that have step, kind, agent and fields in common."""
    for _, members in groupby(changes, key=lambda c: (c.action, c.kind, c.agent_id, [*(c.before or ())])):
        yield list(members)


def pack(changes: Sequence[RunChange]) -> bytes:
    names = list(changes[0].before or ())
    columns: dict[str, Any] = {"ref": _column([change.ref_id for change in changes])}
    columns["reason"] = _column([stored(change.reason) for change in changes])
    for name in names:
        columns[f"-{name}"] = _column([(change.before or {})[name] for change in changes])
        columns[f"+{name}"] = _column([(change.after or {})[name] for change in changes])
    return zlib.compress(_DUMPS({"size": len(changes), "names": names, "columns": columns}).encode(), _LEVEL)


def unpack(block: bytes, action: Any, kind: Any, agent_id: str) -> list[RunChange]:
    held = from_json(zlib.decompress(block).decode())
    columns = {name: _values(column, held["size"]) for name, column in held["columns"].items()}
    return [
        RunChange(
            action=action,
            kind=kind,
            ref_id=columns["ref"][n],
            agent_id=agent_id,
            before={name: columns[f"-{name}"][n] for name in held["names"]},
            after={name: columns[f"+{name}"][n] for name in held["names"]},
            reason=recalled(columns["reason"][n]),
        )
        for n in range(held["size"])
    ]


def _column(values: list[Any]) -> dict[str, Any]:
    """Return the distinct values and, unless all differ or are equal, each one's index. Floats survive JSON exactly."""
    different = dict.fromkeys(values)
    if len(different) == len(values):
        return {"values": values}
    if len(different) == 1:
        return {"values": values[:1]}
    numbers = {value: number for number, value in enumerate(different)}
    return {"values": list(numbers), "which": [numbers[value] for value in values]}


def _values(column: dict[str, Any], size: int) -> list[Any]:
    values, which = column["values"], column.get("which")
    if which is not None:
        return [values[number] for number in which]
    return list(values) if len(values) > 1 else values * size
