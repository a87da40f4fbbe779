"""Redis with its search (Redis 8, Redis Stack): rows as hashes under an index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from memdesk.stores.foreign import pages
from memdesk.stores.tagged import NUMBERS, PAGE, Row, TaggedStore

if TYPE_CHECKING:
    from memdesk.ports.engines import Vectors

#: Key of the widths of all collections, by name.
WIDTHS: Final = "memdesk:collections"
#: Arguments of every query: no timeout, after which Redis would return partial results, and the dialect used here.
_WHOLE: Final = ("TIMEOUT", "0", "DIALECT", "2")
_RANGES: Final = {"gt": "[({0!r} +inf]", "gte": "[{0!r} +inf]", "lt": "[-inf ({0!r}]", "lte": "[-inf {0!r}]"}


class RedisStore(TaggedStore[str]):
    """``ports.ItemStore`` on Redis with search 2.4 or later; vectors are compared exhaustively.

    Args:
        url: ``redis://host:6379/0``; indexes exist only in database 0.
    """

    title = "Redis"

    def __init__(self, url: str) -> None:
        super().__init__()
        import redis

        # Its own types do not distinguish sync from async results.
        self._client: Any
        with self.translated():
            self._client = redis.Redis.from_url(url, protocol=2)
            self._client.ping()

    def close(self) -> None:
        self._client.close()

    def errors(self) -> tuple[type[Exception], ...]:
        from redis.exceptions import RedisError

        return (RedisError, OSError, ValueError)

    def names(self) -> list[str]:
        return [name.decode() for name in self._client.hkeys(WIDTHS)]

    def width(self, collection: str) -> int | None:
        found = self._client.hget(WIDTHS, collection)
        return None if found is None else int(found)

    def make(self, collection: str, dimensions: int) -> None:
        numbers = [part for name in NUMBERS for part in (name, "NUMERIC")]
        compared = ("TYPE", "FLOAT32", "DIM", dimensions, "DISTANCE_METRIC", "COSINE")
        self._client.execute_command(
            "FT.CREATE", _index(collection), "ON", "HASH", "PREFIX", 1, _key(collection, ""),
            "SCHEMA", "tags", "TAG", *numbers, "vector", "VECTOR", "FLAT", len(compared), *compared,
        )  # fmt: skip
        self._client.hset(WIDTHS, collection, dimensions)

    def remove(self, collection: str) -> None:
        if self._client.hdel(WIDTHS, collection):
            self._client.execute_command("FT.DROPINDEX", _index(collection), "DD")

    def having(self, tags: Sequence[str], *, holds: bool = True) -> str:
        return ("" if holds else "-") + "@tags:{" + "|".join(tags) + "}"

    def compared(self, column: str, order: str, value: float) -> str:
        return f"@{column}:" + _RANGES[order].format(value)

    def every(self, parts: Sequence[str]) -> str:
        return "(" + " ".join(parts) + ")"

    def some(self, parts: Sequence[str]) -> str:
        return "(" + " | ".join(parts) + ")"

    def write(self, collection: str, rows: list[Row]) -> None:
        """Store or overwrite rows, all or none."""
        with self._client.pipeline(transaction=True) as together:
            for row in rows:
                kept = {name: row[name] for name in ("id", "item", *NUMBERS)}
                vector = np.asarray(row["vector"], dtype=np.float32).tobytes()
                together.hset(
                    _key(collection, row["id"]), mapping=kept | {"tags": ",".join(row["tags"]), "vector": vector}
                )
            together.execute()

    def erase(self, collection: str, ids: Sequence[str]) -> None:
        for page in pages(ids, PAGE):
            self._client.delete(*(_key(collection, name) for name in page))

    def read(self, collection: str, condition: str, fields: Sequence[str]) -> Iterator[Row]:
        page, cursor = self._client.execute_command(
            "FT.AGGREGATE", _index(collection), condition, "LOAD", 1, "@__key", "WITHCURSOR", "COUNT", PAGE, *_WHOLE
        )
        while True:
            with self._client.pipeline(transaction=False) as together:
                for _name, key in page[1:]:
                    together.hmget(key, fields)
                for values in together.execute():
                    # A row deleted since the page was made has none.
                    if values[0] is not None:
                        yield {name: _read(name, value) for name, value in zip(fields, values, strict=True)}
            if not cursor:
                return
            page, cursor = self._client.execute_command("FT.CURSOR", "READ", _index(collection), cursor)

    def near(self, collection: str, vector: Vectors, condition: str, limit: int) -> list[tuple[Row, float]]:
        _, *found = self._client.execute_command(
            "FT.SEARCH", _index(collection), f"{condition}=>[KNN {limit} @vector $vector AS distance]",
            "PARAMS", 2, "vector", np.asarray(vector, dtype=np.float32).tobytes(),
            "SORTBY", "distance", "RETURN", 2, "item", "distance", "LIMIT", 0, limit, *_WHOLE,
        )  # fmt: skip
        rows = (dict(zip(flat[::2], flat[1::2], strict=True)) for flat in found[1::2])
        return [({"item": row[b"item"]}, 1 - float(row[b"distance"])) for row in rows]


def _index(collection: str) -> str:
    return f"memdesk:{collection}"


def _key(collection: str, name: str) -> str:
    return f"memdesk:{collection}:{name}"


def _read(name: str, value: bytes) -> Any:
    return np.frombuffer(value, dtype=np.float32).tolist() if name == "vector" else value.decode()
