"""``memdesk bench scale N``: what a store of N turns costs to fill, query, write, open and keep.

The store holds N synthetic turns, N/10 facts and N/50 episodes of one agent. Vectors come from a synthetic embedder,
so that times are those of the store, the indexes and the ranking, without the embedding. Processor time (``cpu``) is
given beside each time, since other load disturbs it less. With several sizes, each cost is fitted as a power of N.
"""

import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from tqdm import tqdm

from memdesk.bench.scale_data import SESSION_TURNS, SyntheticEmbedder, Writer
from memdesk.bench.shared import Stopwatch, arguments, exponent, folder, put_all, tell
from memdesk.bootstrap.app import App
from memdesk.bootstrap.profile import MemorySecrets
from memdesk.domain.models import Scope
from memdesk.services.container import Services
from memdesk.services.recalling import TARGETS
from memdesk.settings.paths import profile_paths

AGENT = "scale"
ASKED = 60
RECORDED = 40
_NOW = datetime(2024, 6, 1, tzinfo=UTC)
#: Costs of a whole store, and of one question, whose growth is reported.
_GROWING = (
    "fill_cpu_seconds",
    "index_cpu_seconds",
    "context_cpu_p50_ms",
    "context_auto_cpu_p50_ms",
    "search_all_cpu_p50_ms",
    "record_cpu_p50_ms",
    "open_seconds",
    "disk_mb",
)
_SCOPES: tuple[Scope, ...] = ("pinned", "episodes", "transcript", "all")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0."""
    parser = arguments("scale", __doc__)
    parser.add_argument("turns", type=int, nargs="+", help="sizes, for example 10000 100000; 1000000 on request")
    parser.add_argument(
        "--no-vectors", action="store_true", help="full text alone; a graph of 1000000 vectors takes half an hour"
    )
    options = parser.parse_args(argv)
    rows = [run(size, vectors=not options.no_vectors) for size in sorted(options.turns)]
    report: dict[str, Any] = {"sizes": rows}
    if len(rows) > 1:
        sizes = [row["turns"] for row in rows]
        report["exponents"] = {
            name: round(exponent(sizes, [row[name] for row in rows]), 2) for name in _GROWING if name in rows[0]
        }
        report["n_log_n"] = round(exponent(sizes, [size * math.log(size) for size in sizes]), 2)
    tell(options, report, lambda: _table(report))
    return 0


def run(turns: int, *, vectors: bool = True) -> dict[str, Any]:
    """Fill a store with ``turns`` turns and measure it, with vectors or with full text only."""
    with folder() as home:
        secrets = MemorySecrets()
        writer = Writer(turns)
        app = _open(home, secrets, vectors=vectors)
        try:
            row = {"turns": turns, **_fill(app.services, writer, turns), **_ask(app.services, writer)}
            row |= _record(app.services, writer)
            if vectors:
                row["index_recall_at_10"] = _index_recall(app.services, writer)
            closing = time.perf_counter()
        finally:
            app.close()
        row["close_seconds"] = round(time.perf_counter() - closing, 3)
        row["disk_mb"] = round(sum(file.stat().st_size for file in home.rglob("*") if file.is_file()) / 1e6, 1)
        row |= _restart(home, secrets, writer, vectors=vectors)
    return row


def _open(home: Path, secrets: MemorySecrets, *, vectors: bool = True) -> App:
    embedder = SyntheticEmbedder() if vectors else None
    app = App(profile_paths(home=home), secrets=secrets, embedder=lambda: embedder)
    app.open()
    return app


def _fill(services: Services, writer: Writer, turns: int) -> dict[str, float]:
    started, worked = time.perf_counter(), time.process_time()
    recording = 0.0
    sessions = math.ceil(turns / SESSION_TURNS)
    episodes = []
    for name, when, exchanges in tqdm(
        writer.sessions(turns), total=sessions, desc="recording", unit="session", file=sys.stderr
    ):
        before = time.perf_counter()
        services.ingest.ingest(
            agent_id=AGENT, conversation_id=name, turns=exchanges, session_date=when, skip_extraction=True, wait=False
        )
        recording += time.perf_counter() - before
        episodes.append((name, when))
    store = services.recall.store
    facts = [writer.fact(AGENT, _NOW) for _ in range(turns // 10)]
    put_all(store, facts)
    made = [writer.episode(AGENT, *episodes[i % len(episodes)]) for i in range(turns // 50)]
    put_all(store, made, 200)
    filled, filled_cpu = time.perf_counter(), time.process_time()
    for target in TARGETS:
        # As in a running app, the indexes exist before the rows and grow with them.
        services.indexing.size(AGENT, target)
    with tqdm(desc="indexing", unit="vector", file=sys.stderr) as bar:
        services.indexing.flush(progress=bar.update)
    return {
        "record_per_second": round(turns / recording, 1),
        "fill_seconds": round(filled - started, 2),
        "fill_cpu_seconds": round(filled_cpu - worked, 2),
        "index_seconds": round(time.perf_counter() - filled, 2),
        "index_cpu_seconds": round(time.process_time() - filled_cpu, 2),
    }


def _ask(services: Services, writer: Writer) -> dict[str, float]:
    questions = [writer.question() for _ in range(ASKED)]
    for question in questions[:5]:
        services.recall.context(agent_id=AGENT, query=f"warm {question}", section="transcript")
    out: dict[str, float] = {}

    def context(question: str) -> None:
        services.recall.context(agent_id=AGENT, query=question, section="transcript", session_now=_NOW)

    def auto(question: str) -> None:
        services.recall.context(agent_id=AGENT, query=question, session_now=_NOW)

    out |= _timed("context", _prepared(services, questions), context)
    out |= _timed("context_auto", _prepared(services, [writer.question() for _ in range(ASKED)]), auto)
    for scope in _SCOPES:

        def search(question: str, scope: Scope = scope) -> None:
            services.recall.search(agent_id=AGENT, query=question, scope=scope)

        out |= _timed(f"search_{scope}", _prepared(services, [writer.question() for _ in range(ASKED)]), search)
    out["memory_mb"] = round(psutil.Process(os.getpid()).memory_info().rss / 1e6, 1)
    return out


def _prepared(services: Services, questions: Sequence[str]) -> Iterator[str]:
    """Embed each question before it is timed."""
    for question in questions:
        services.indexing.embed_query(question)
        yield question


def _record(services: Services, writer: Writer) -> dict[str, float]:
    def record(number: str) -> None:
        services.ingest.ingest(
            agent_id=AGENT,
            conversation_id=f"new-{number}",
            turns=next(iter(writer.sessions(2)))[2],
            skip_extraction=True,
            wait=False,
        )

    return _timed("record", [str(i) for i in range(RECORDED)], record)


def _index_recall(services: Services, writer: Writer) -> float:
    """Return how many of the true ten nearest turns the index finds."""
    store = services.recall.store
    with store.read() as repos:
        seqs, blob = repos.embeddings.load(AGENT, "turn", SyntheticEmbedder.model_id)
    matrix = np.frombuffer(blob, dtype=np.float16).reshape(len(seqs), -1).astype(np.float32)
    numbers = np.asarray(seqs)
    hits: list[float] = []
    for _ in range(30):
        embedded = services.indexing.embed_query(writer.sentence(10))
        assert embedded is not None
        scores = matrix @ embedded[1]
        true = set(numbers[np.argpartition(-scores, 10)[:10]].tolist())
        found = {seq for seq, _ in services.indexing.search(AGENT, "turn", embedded[1], 10)}
        hits.append(len(true & found) / 10)
    return round(float(np.mean(hits)), 4)


def _restart(home: Path, secrets: MemorySecrets, writer: Writer, *, vectors: bool) -> dict[str, float]:
    question = writer.question()
    started = time.perf_counter()
    app = _open(home, secrets, vectors=vectors)
    try:
        opened = time.perf_counter()
        app.services.recall.context(agent_id=AGENT, query=question, section="transcript")
        answered = time.perf_counter()
        loaded = vectors and app.services.indexing.wait_loaded(AGENT, timeout=600.0)
        ready = time.perf_counter()
    finally:
        app.close()
    row = {"open_seconds": round(opened - started, 3), "first_answer_seconds": round(answered - started, 3)}
    return row | ({"indexes_loaded_seconds": round(ready - started, 3)} if loaded else {})


def _timed(name: str, items: Iterator[str] | Sequence[str], work: Callable[[str], None]) -> dict[str, float]:
    taken: list[tuple[float, float]] = []
    for item in items:
        watch = Stopwatch()
        work(item)
        taken.append(watch.read())
    percentiles = np.percentile(taken, [50, 95], axis=0) * 1000
    return {
        f"{name}_{which}{part}_ms": round(float(percentiles[row, column]), 2)
        for column, which in enumerate(("", "cpu_"))
        for row, part in enumerate(("p50", "p95"))
    }


def _table(report: dict[str, Any]) -> Iterator[str]:
    rows = report["sizes"]
    for name in rows[0]:
        yield f"{name:28}" + "".join(f"{row[name]:>14,}" for row in rows)
    for name, value in report.get("exponents", {}).items():
        yield f"{name} grows with n to the power of {value} (n log n: {report['n_log_n']})"
    last = rows[-1]
    yield f"context p95 {last['context_p95_ms']} ms at {last['turns']:,} turns"
