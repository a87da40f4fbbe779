"""LanceDB: a folder on this machine or in an object store, for one writer at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memdesk.stores.tagged import NUMBERS, Row, SpokenStore

if TYPE_CHECKING:
    from memdesk.ports.engines import Vectors


class LanceStore(SpokenStore):
    """``ports.ItemStore`` on LanceDB 0.20 or later; vectors are compared exhaustively.

    Args:
        path: a folder, or a URL such as ``s3://bucket/folder``.
    """

    title = "LanceDB"

    def __init__(self, path: str) -> None:
        super().__init__()
        import lancedb

        with self.translated():
            self._client = lancedb.connect(path)
        self._opened: dict[str, Any] = {}

    def close(self) -> None:
        """Close the tables. Idempotent."""
        self._opened.clear()

    def errors(self) -> tuple[type[Exception], ...]:
        return (OSError, RuntimeError, ValueError)

    def names(self) -> list[str]:
        return list(self._client.list_tables(limit=10_000).tables)

    def width(self, collection: str) -> int | None:
        if collection not in self.names():
            return None
        self._opened[collection] = self._client.open_table(collection)
        return int(self._opened[collection].schema.field("vector").type.list_size)

    def make(self, collection: str, dimensions: int) -> None:
        import pyarrow as pa

        fields = [("id", pa.string()), ("item", pa.string()), ("tags", pa.list_(pa.string()))]
        numbers = [(name, pa.float64()) for name in NUMBERS]
        schema = pa.schema([*fields, *numbers, ("vector", pa.list_(pa.float32(), dimensions))])
        self._opened[collection] = self._client.create_table(collection, schema=schema)

    def remove(self, collection: str) -> None:
        self._opened.pop(collection, None)
        if collection in self.names():
            self._client.drop_table(collection)

    def having(self, tags: Sequence[str], *, holds: bool = True) -> str:
        found = self.some([f"array_has(tags, '{one}')" for one in tags])
        return found if holds else f"(not {found})"

    def among(self, ids: Sequence[str]) -> str:
        return "id in (" + ", ".join("'" + one.replace("'", "''") + "'" for one in ids) + ")"

    def write(self, collection: str, rows: list[Row]) -> None:
        merge = self._opened[collection].merge_insert("id")
        merge.when_matched_update_all().when_not_matched_insert_all().execute(rows)

    def erase(self, collection: str, ids: Sequence[str]) -> None:
        self._opened[collection].delete(self.among(ids))

    def read(self, collection: str, condition: str, fields: Sequence[str]) -> Iterator[Row]:
        table = self._opened[collection]
        yield from table.search().where(condition).select(list(fields)).limit(table.count_rows() or 1).to_list()

    def near(self, collection: str, vector: Vectors, condition: str, limit: int) -> list[tuple[Row, float]]:
        asked = self._opened[collection].search(vector, vector_column_name="vector").distance_type("cosine")
        found = asked.where(condition, prefilter=True).select(["item", "_distance"]).limit(limit).to_list()
        return [(row, 1 - row["_distance"]) for row in found]
