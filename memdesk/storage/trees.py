"""Reads rows from single pages without SQLite, which cannot read a table once a page above its rows is lost.

Format: https://www.sqlite.org/fileformat2.html#b_tree_pages. The pages above a page show which tree it belongs to; if
those are lost, its rows must fit one table that has lost pages, and no other.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from memdesk.storage.connection import Connection
from memdesk.storage.pages import USABLE

_INNER_INDEX, _INNER_TABLE, _LEAF_INDEX, _LEAF_TABLE = 2, 5, 10, 13
_KINDS: Final = {True: (_INNER_TABLE, _LEAF_TABLE), False: (_INNER_INDEX, _LEAF_INDEX)}
#: Bytes of the header before the tree on the first page.
_FILE_HEADER = 100
_ROOT = 1
#: Interval of pointer-map pages, from the second page on; only in files that can shrink.
_MAPPED = USABLE // 5 + 1
_TYPES: Final[dict[str, tuple[type, ...]]] = {"INTEGER": (int,), "TEXT": (str,), "BLOB": (bytes,), "REAL": (int, float)}
#: Bytes of an integer, by its type in a row.
_WHOLE: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
#: Most bytes of a row in its page, for an index and a table; of longer ones, which overflow, at least this many.
_MOST: Final = ((USABLE - 12) * 64 // 255 - 23, USABLE - 35)
_LEAST: Final = (USABLE - 12) * 32 // 255 - 23
Row = list[Any]


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    types: tuple[type, ...] = (object,)
    nullable: bool = True
    #: Whether older rows may end before this column.
    added: bool = False
    #: Whether it is the rowid, which is not among the row's values.
    number: bool = False

    def takes(self, value: object) -> bool:
        return value is None if self.number else self.nullable if value is None else isinstance(value, self.types)


@dataclass(slots=True)
class Tree:
    """A table or an index: what its rows look like, where they are, and where some may be missing."""

    name: str
    #: Whether rows have a rowid: those of an index, and of a WITHOUT ROWID table, do not.
    numbered: bool
    columns: tuple[_Column, ...]
    pages: list[int] = field(default_factory=list)
    gaps: set[object] = field(default_factory=set)

    def fits(self, row: Row) -> bool:
        rest = self.columns[len(row) :]
        return (
            len(row) <= len(self.columns)
            and all(column.takes(value) for column, value in zip(self.columns, row, strict=False))
            and all(column.added for column in rest)
        )


@dataclass(frozen=True, slots=True)
class _Node:
    kind: int
    children: list[int]
    #: The rowid, length and start of each row.
    cells: list[tuple[int, int, int]]


class Trees:
    """The trees of a file, by name in ``of``.

    Args:
        pages: the plain pages by number; None if lost.
        fresh: an empty database of the same schema. If a page of the schema itself is lost, its trees are assumed to be
            where this one has them: in a file that can shrink, that depends only on the steps that created them.
    """

    def __init__(self, pages: Mapping[int, bytes | None], fresh: Connection) -> None:
        self._pages = pages
        mapped = (pages.get(2) or b"\1")[0] == 1
        self._nodes = {
            number: node
            for number, data in pages.items()
            if data is not None and not (mapped and number % _MAPPED == 2) and (node := _node(number, data))
        }
        trees = {tree.name: (tree, root) for tree, root in _known(fresh)}
        self.of = {name: tree for name, (tree, _) in trees.items()}
        schema = Tree("sqlite_schema", True, tuple(map(_Column, ("type", "name", "table", "root", "sql"))))
        self._begin(schema, _ROOT)
        told = {row[1]: row[3] for row in self.rows(schema)}
        for name, (tree, root) in trees.items():
            if name in told or (mapped and schema.gaps):
                self._begin(tree, told.get(name, root), sure=name in told)
            else:
                tree.gaps |= schema.gaps
        taken = {number for tree in (schema, *self.of.values()) for number in tree.pages}
        self._join({number: node for number, node in self._nodes.items() if number not in taken})

    def rows(self, tree: Tree) -> Iterator[Row]:
        """Yield the rows of a tree that can be read; note where one cannot."""
        for number in tree.pages:
            for place, row in enumerate(self._of_page(number)):
                if row is None or not tree.fits(row[1]):
                    tree.gaps.add((number, place))
                    continue
                yield [row[0] if column.number else value for column, value in zip(tree.columns, row[1], strict=False)]

    def _begin(self, tree: Tree, root: int, *, sure: bool = True) -> None:
        """Assign the pages below a root to a tree, unless they are uncertain and do not look like its pages."""
        pages, lost = self._below(root, _KINDS[tree.numbered])
        if sure or all(row is None or tree.fits(row[1]) for number in pages for row in self._of_page(number)):
            tree.pages, tree.gaps = pages, lost
        else:
            tree.gaps.add(root)

    def _below(self, root: int, kinds: tuple[int, ...]) -> tuple[list[int], set[object]]:
        """Return the pages of a tree, and those that are lost."""
        lost, seen, left = set[object](), dict[int, None](), [root]
        while left:
            number = left.pop()
            node = self._nodes.get(number)
            if node is None or node.kind not in kinds:
                lost.add(number)
            elif number not in seen:
                seen[number] = None
                left += reversed(node.children)
        return list(seen), lost

    def _join(self, strays: dict[int, _Node]) -> None:
        """Assign pages without a readable parent to the one tree with lost pages whose rows look alike."""
        below = {child for node in strays.values() for child in node.children}
        broken = [tree for tree in self.of.values() if tree.gaps]
        for top in strays.keys() - below:
            kinds = next(kinds for kinds in _KINDS.values() if strays[top].kind in kinds)
            pages, lost = self._below(top, kinds)
            rows = [row[1] for number in pages for row in self._of_page(number) if row is not None]
            like = [tree for tree in broken if _KINDS[tree.numbered] == kinds and all(map(tree.fits, rows))]
            if rows and len(like) == 1:
                like[0].pages += pages
                like[0].gaps |= lost

    def _of_page(self, number: int) -> Iterator[tuple[int, Row] | None]:
        """Yield number and values of each row of a page; None for one that continues on a lost page."""
        data, node = self._pages[number], self._nodes[number]
        assert data is not None
        for key, size, place in node.cells:
            payload = self._payload(data, size, place, _MOST[node.kind == _LEAF_TABLE])
            yield None if payload is None else (key, _values(payload))

    def _payload(self, data: bytes, size: int, place: int, most: int) -> bytes | None:
        here = size
        if size > most:
            here = _LEAST + (size - _LEAST) % (USABLE - 4)
            here = here if here <= most else _LEAST
        found = data[place : place + here]
        following = data[place + here : place + here + 4]
        while len(found) < size:
            page = self._pages.get(int.from_bytes(following, "big"))
            if page is None:
                return None
            found += page[4 : 4 + size - len(found)]
            following = page[:4]
        return found


def _node(number: int, data: bytes) -> _Node | None:
    place = _FILE_HEADER if number == _ROOT else 0
    kind = data[place]
    if kind not in (_INNER_INDEX, _INNER_TABLE, _LEAF_INDEX, _LEAF_TABLE):
        return None
    inner = kind in (_INNER_INDEX, _INNER_TABLE)
    count = int.from_bytes(data[place + 3 : place + 5], "big")
    children, cells = [], []
    for cell in struct.unpack_from(f">{count}H", data, place + (12 if inner else 8)):
        if inner:
            children.append(int.from_bytes(data[cell : cell + 4], "big"))
        if kind != _INNER_TABLE:
            size, begin = _varint(data, cell + 4 * inner)
            key, begin = _varint(data, begin) if kind == _LEAF_TABLE else (0, begin)
            cells.append((key - (key >> 63 << 64), size, begin))
    if inner:
        children.append(int.from_bytes(data[place + 8 : place + 12], "big"))
    return _Node(kind, children, cells)


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = 0
    for n in range(8):
        byte = data[place + n]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, place + n + 1
    return value << 8 | data[place + 8], place + 9


def _values(payload: bytes) -> Row:
    end, head = _varint(payload, 0)
    found: Row = []
    place = end
    while head < end:
        kind, head = _varint(payload, head)
        size = _WHOLE.get(kind, 8 if kind == 7 else (kind - 12) // 2 if kind >= 12 else 0)
        data = payload[place : place + size]
        place += size
        if kind in _WHOLE:
            found.append(int.from_bytes(data, "big", signed=True))
        elif kind == 7:
            found.append(struct.unpack(">d", data)[0])
        elif kind >= 12:
            found.append(data.decode("utf-8", "replace") if kind % 2 else data)
        else:
            found.append({8: 0, 9: 1}.get(kind))
    return found


def _known(fresh: Connection) -> Iterator[tuple[Tree, int]]:
    """Yield each tree of a database with its root page."""
    rowid = {name: not without for _, name, _, _, without, _ in fresh.rows("PRAGMA table_list")}
    columns: dict[str, list[_Column]] = {}
    for kind, name, table, root in fresh.rows(
        "SELECT type, name, tbl_name, rootpage FROM sqlite_schema WHERE rootpage ORDER BY type = 'index'"
    ):
        if kind == "table":
            told = fresh.rows(f'PRAGMA table_info("{name}")')
            keys = [row for row in told if row[5]]
            columns[name] = [
                _Column(
                    row[1],
                    _TYPES.get(row[2], (object,)),
                    nullable=not row[3] and not (row[5] and not rowid[name]),
                    added=not row[3] or row[4] is not None,
                    number=rowid[name] and len(keys) == 1 and row == keys[0] and row[2] == "INTEGER",
                )
                for row in told
            ]
            # Rows without a rowid are stored in an index of all their columns, key columns first.
            order = range(len(told)) if rowid[name] else sorted(range(len(told)), key=lambda n: told[n][5] or len(told))
            yield Tree(name, rowid[name], tuple(columns[name][n] for n in order)), root
        else:
            parts = [row[1] for row in fresh.rows(f'PRAGMA index_xinfo("{name}")')]
            # In an index, the rowid is among the values.
            whole = _Column("", (int,), nullable=False)
            found = [columns[table][n] if n >= 0 else whole if n == -1 else _Column("") for n in parts]
            yield Tree(name, False, tuple(whole if column.number else column for column in found)), root
