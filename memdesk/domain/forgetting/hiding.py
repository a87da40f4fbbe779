"""What is being forgotten: rows that are still stored but must not be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final, Self


def _nothing() -> MappingProxyType[Any, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Hidden:
    """Rows that no read returns.

    Attributes:
        agents: agents whose whole memory is hidden.
        rows: by table, the numbers (``seq``) of hidden rows.
        threads: by number of a hidden conversation, the position of its last hidden turn; a turn said after
            it makes the conversation visible again.
    """

    agents: frozenset[str] = frozenset()
    rows: Mapping[str, frozenset[int]] = field(default_factory=_nothing)
    threads: Mapping[int, int] = field(default_factory=_nothing)

    def __or__(self, other: Hidden) -> Hidden:
        tables = self.rows.keys() | other.rows.keys()
        rows = {table: self.rows.get(table, frozenset()) | other.rows.get(table, frozenset()) for table in tables}
        return Hidden(self.agents | other.agents, rows, {**self.threads, **other.threads})

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values; adjacent numbers as one range."""
        return {
            "agents": sorted(self.agents),
            "rows": {table: list(_ranges(seqs)) for table, seqs in self.rows.items() if seqs},
            "threads": {str(seq): last for seq, last in self.threads.items()},
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        rows = {
            table: frozenset(seq for first, last in ranges for seq in range(first, last + 1))
            for table, ranges in value["rows"].items()
        }
        return cls(frozenset(value["agents"]), rows, {int(seq): last for seq, last in value["threads"].items()})


#: Nothing is being forgotten.
NOTHING: Final = Hidden()


def _ranges(seqs: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of adjacent numbers."""
    for _, run in groupby(enumerate(sorted(seqs)), key=lambda pair: pair[1] - pair[0]):
        members = [seq for _, seq in run]
        yield members[0], members[-1]
