"""How the library's stores grow: rows in the encrypted file or on PostgreSQL, filled and searched without any model."""

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from memdesk.bench.scale_data import SyntheticEmbedder, Writer
from memdesk.bench.shared import Stopwatch, folder
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.scope import Scope
from memdesk.ports.item_store import ItemStore, Search

_NAME, _LIMIT = "bench", 10
#: Rows of each user, and of one transaction.
SCOPE: Final = 1000
_SEARCHES: Final = 20
_EMBEDDER: Final = SyntheticEmbedder()


def measured(sizes: list[int], url: str) -> list[dict[str, float]]:
    """Return what each size costs, one after the other in the same store.

    Args:
        sizes: rows, each a multiple of ``SCOPE``.
        url: of PostgreSQL, where the bench's own collection is dropped before and after; empty: an encrypted file.
    """
    writer, found, rows = Writer(max(sizes)), [], 0
    with _opened(url) as (store, size):
        store.create(_NAME, dimensions=_EMBEDDER.dim)
        for wanted in sorted(sizes):
            spent, before = 0.0, rows
            while rows < wanted:
                items = [_item(rows + one, writer.sentence()) for one in range(SCOPE)]
                vectors = _EMBEDDER.embed([item.content for item in items])
                began = time.perf_counter()
                store.insert(_NAME, items, vectors)
                spent += time.perf_counter() - began
                rows += SCOPE
            found.append(
                {
                    "rows": rows,
                    "insert_ms": round(1000 * spent / max(rows - before, 1), 2),
                    "kb": round(size() / rows / 1024, 2),
                    **_searched(store, "scope", Scope(user_id="u0"), writer),
                    **_searched(store, "whole", Scope(agent_id="all"), writer),
                }
            )
    return found


def _searched(store: ItemStore, name: str, scope: Scope, writer: Writer) -> dict[str, float]:
    """Return the median milliseconds of a search by meaning and words, and this process's share of the processor."""
    times = []
    for question in [writer.question() for _ in range(_SEARCHES + 1)]:
        vector = _EMBEDDER.embed([question])[0]
        watch = Stopwatch()
        store.search(_NAME, Search(vector=vector, text=question, scope=scope, limit=_LIMIT))
        times.append(watch.read())
    # The first warms caches.
    wall, used = (1000 * statistics.median(part) for part in zip(*times[1:], strict=True))
    return {f"{name}_ms": round(wall, 1), f"{name}_cpu_ms": round(used, 1)}


def _item(number: int, text: str) -> MemoryItem:
    now = datetime.now(UTC)
    return MemoryItem(
        id=f"{number:032x}", content=text, user_id=f"u{number // SCOPE}", agent_id="all", metadata={"n": number},
        created_at=now, updated_at=now,
    )  # fmt: skip


@contextmanager
def _opened(url: str) -> Iterator[tuple[ItemStore, Callable[[], float]]]:
    """Lend an empty store, and what tells how many bytes it takes."""
    if url:
        from memdesk.stores.postgres import PostgresStore

        shared = PostgresStore(url)

        def held() -> float:
            with shared.connection() as connection:
                row = connection.execute(f"SELECT pg_total_relation_size('memdesk_items_{_NAME}')").fetchone()
                assert row is not None
                return float(row[0])

        try:
            shared.drop(_NAME)
            yield shared, held
            shared.drop(_NAME)
        finally:
            shared.close()
        return
    from memdesk.storage.database import Database
    from memdesk.storage.item_store import SqlItemStore

    with folder() as place:
        database = Database(place / "memory.db")
        database.open(os.urandom(32))
        own = SqlItemStore(database)
        try:
            yield own, lambda: sum(float(Path(one).stat().st_size) for one in place.glob("memory.db*"))
        finally:
            own.close()
