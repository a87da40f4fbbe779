"""``memdesk bench storage``: what encryption, full-text mirrors and the writer thread cost.

Two comparisons, each on the same rows:

* full-text search over N turns in the encrypted store against the same query on a plain SQLite file;
* recording one exchange (two turns, two signals, full text) through the store with N turns in it against
  a bare SQLCipher transaction that inserts the same rows, as durably, into an empty file and into a copy of the store.
"""

import itertools
import json
import os
import sqlite3
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tqdm import tqdm

from memdesk.bench.shared import AGENT, Texts, arguments, folder, new_store, signal_of, tell, turn_at
from memdesk.domain.models import Conversation, Turn, new_id
from memdesk.ports import Repositories, TextFilter
from memdesk.storage.connection import Connection, connect
from memdesk.storage.database import Database
from memdesk.storage.fts import match_any
from memdesk.storage.migrate import migrate
from memdesk.storage.values import dated

_START = datetime(2026, 1, 1, tzinfo=UTC)
_TURNS_IN_CONVERSATION = 40
_SEARCH = (
    "SELECT t.seq, h.rank FROM (SELECT rowid, rank FROM turns_fts WHERE turns_fts MATCH ? ORDER BY rank LIMIT 400) h"
    " CROSS JOIN turns t ON t.seq = h.rowid WHERE t.agent_id = 'bench' LIMIT 100"
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two medians in milliseconds."""

    ours: float
    bare: float

    @property
    def ratio(self) -> float:
        """Ours relative to the other."""
        return self.ours / self.bare

    def to_json(self) -> dict[str, float]:
        return {"memdesk_ms": round(self.ours, 3), "bare_ms": round(self.bare, 3), "ratio": round(self.ratio, 3)}


def _turns(texts: Texts, count: int) -> Iterator[Turn]:
    for n in range(count):
        conversation, position = divmod(n, _TURNS_IN_CONVERSATION)
        yield turn_at(f"c{conversation}", position, texts.turn(), _START + timedelta(minutes=n))


def _batched(turns: Iterator[Turn], size: int) -> Iterator[list[Turn]]:
    while batch := list(itertools.islice(turns, size)):
        yield batch


def fill(store: Database, texts: Texts, count: int) -> float:
    """Ingest ``count`` turns in sessions; return turns a second."""
    batches = list(_batched(_turns(texts, count), 5 * _TURNS_IN_CONVERSATION))
    started = time.perf_counter()
    for batch in tqdm(batches, desc="ingest", unit_scale=5 * _TURNS_IN_CONVERSATION, unit="turn", file=sys.stderr):
        store.write(lambda repos, batch=batch: _ingest(repos, batch))  # type: ignore[misc]
    return count / (time.perf_counter() - started)


def _ingest(repos: Repositories, batch: list[Turn]) -> None:
    for conversation in dict.fromkeys(turn.conversation_id for turn in batch):
        repos.conversations.put(Conversation(agent_id=AGENT, id=conversation, created_at=_START, updated_at=_START))
    _record(repos, batch)


def _record(repos: Repositories, turns: list[Turn]) -> None:
    repos.turns.add(turns)
    repos.signals.add([signal_of(turn) for turn in turns])


def plain_copy(store: Database, target: Path, count: int) -> sqlite3.Connection:
    """Return a plain SQLite connection over the same turns with the same full-text index, built the same way."""
    plain = sqlite3.connect(target, isolation_level=None)
    plain.executescript(
        """
        PRAGMA journal_mode = WAL;
        PRAGMA cache_size = -98304;
        CREATE TABLE turns (seq INTEGER PRIMARY KEY, agent_id TEXT, content TEXT, speaker TEXT, dated TEXT);
        CREATE VIRTUAL TABLE turns_fts USING fts5 (
          content, speaker, dated,
          content = 'turns', content_rowid = 'seq', tokenize = 'porter unicode61 remove_diacritics 2');
        CREATE TRIGGER turns_fts_insert AFTER INSERT ON turns BEGIN
          INSERT INTO turns_fts (rowid, content, speaker, dated)
          VALUES (new.seq, new.content, new.speaker, new.dated);
        END;
        """
    )
    step = 5 * _TURNS_IN_CONVERSATION
    for first in range(1, count + 1, step):
        with store.read() as repos:
            turns = repos.turns.by_seq(range(first, first + step))
        rows = [(t.seq, t.agent_id, t.content, t.speaker, dated(t.said_at)) for t in turns.values()]
        plain.execute("BEGIN")
        plain.execute(
            "INSERT INTO turns SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?)",
            (json.dumps(rows, ensure_ascii=False),),
        )
        plain.execute("COMMIT")
    return plain


def _median_ms(work: Callable[[Any], object], inputs: Sequence[Any]) -> float:
    return statistics.median(_times(work, inputs))


def _times(work: Callable[[Any], object], inputs: Sequence[Any]) -> list[float]:
    times = []
    for value in inputs:
        started = time.perf_counter()
        work(value)
        times.append((time.perf_counter() - started) * 1000)
    return times


def compare_search(store: Database, plain: sqlite3.Connection, texts: Texts, queries: int) -> dict[str, Comparison]:
    """Compare searches for the best 100 turns: with warm caches, and right after a commit that emptied them."""
    asked = [texts.query() for _ in range(queries)]
    flt = TextFilter(agent_id=AGENT)

    def ours(words: list[str]) -> None:
        with store.read() as repos:
            repos.text.search("turn", words, flt, limit=100)

    def theirs(words: list[str]) -> None:
        plain.execute(_SEARCH, (match_any(words),)).fetchall()

    for warm_up in (ours, theirs):
        _times(warm_up, asked)
    # Alternately, so that other load affects both.
    pairs = [(_median_ms(ours, [words]), _median_ms(theirs, [words])) for words in asked for _ in range(3)]
    warm = Comparison(*(statistics.median(side) for side in zip(*pairs, strict=True)))
    other = sqlite3.connect(_file_of(plain), isolation_level=None)
    pairs = []
    for n, words in enumerate(asked):
        store.write(lambda repos, n=n: repos.meta.put("bench", n))  # type: ignore[misc]
        other.execute(f"PRAGMA user_version = {n + 1}")
        pairs.append((_median_ms(ours, [words]), _median_ms(theirs, [words])))
    other.close()
    cold = Comparison(*(statistics.median(side) for side in zip(*pairs, strict=True)))
    return {"warm": warm, "after_commit": cold}


def _file_of(plain: sqlite3.Connection) -> str:
    return str(plain.execute("PRAGMA database_list").fetchall()[0][2])


def compare_recording(store: Database, place: Path, texts: Texts, exchanges: int, filled: int) -> dict[str, Comparison]:
    """Compare recording one exchange through the store with bare transactions of the same rows."""
    empty = connect(place / "bare.db", os.urandom(32), writable=True)
    migrate(empty)
    empty.execute("INSERT INTO agents VALUES (?, ?, '', '', '', '', '{}', 'on', 0, 0, 1, 1, 1)", (AGENT, AGENT))
    empty.execute("INSERT INTO conversations VALUES (1, ?, 'c0', '', 'on', 0, 0, '', NULL, 1, 1, '{}', NULL)", (AGENT,))
    key = os.urandom(32)
    store.backup(str(place / "copy.db"), key)
    full = connect(place / "copy.db", key, writable=True)

    def ours(turns: list[Turn]) -> None:
        store.write(lambda repos: _record(repos, turns))

    times = []
    for n in tqdm(range(exchanges), desc="record", file=sys.stderr):
        turns = [turn_at("c0", filled + 2 * n + k, texts.turn(), _START) for k in range(2)]
        # Alternately, so that other load affects all.
        times.append((_median_ms(ours, [turns]), *(_median_ms(_bare(conn), [turns]) for conn in (empty, full))))
    empty.close()
    full.close()
    through, into_empty, into_full = (statistics.median(side) for side in zip(*times, strict=True))
    return {"empty": Comparison(through, into_empty), "full": Comparison(through, into_full)}


def _bare(conn: Connection) -> Callable[[list[Turn]], None]:
    def record(turns: list[Turn]) -> None:
        conn.execute("BEGIN IMMEDIATE")
        for turn in turns:
            conn.execute(
                "INSERT INTO turns VALUES (NULL, ?, ?, 'c0', ?, ?, '', ?, 1, 1, '', NULL, '{}', 'Thursday 1 January 2026', '[]', '')",
                (turn.id, AGENT, turn.position, turn.role, turn.content),
            )
            conn.execute(
                "INSERT INTO signals VALUES (NULL, ?, ?, ?, 'c0', 'pending', 0, '', NULL, 1)",
                (new_id(), turn.id, AGENT),
            )
        conn.execute("COMMIT")

    return record


def run(*, turns: int = 100_000, queries: int = 100, exchanges: int = 300) -> dict[str, Any]:
    """Run the bench in a throw-away folder; return the figures as printed with ``--json``."""
    with folder() as place, new_store(Database) as store:
        texts = Texts()
        speed = fill(store, texts, turns)
        store.checkpoint()
        plain = plain_copy(store, place / "plain.db", turns)
        search = compare_search(store, plain, texts, queries)
        plain.close()
        record = compare_recording(store, place, texts, exchanges, turns)
        size = store.stats()["file_bytes"]
    return {
        "turns": turns,
        "ingest_turns_per_second": round(speed),
        "file_bytes": size,
        "search": search["warm"].to_json(),
        "search_after_commit": search["after_commit"].to_json(),
        "record": record["empty"].to_json(),
        "record_in_full": record["full"].to_json(),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run from the command line; the last line printed is the figure."""
    parser = arguments("storage", __doc__)
    parser.add_argument("--turns", type=int, default=100_000, help="turns in the store")
    parser.add_argument("--queries", type=int, default=100, help="searches to time")
    parser.add_argument("--exchanges", type=int, default=300, help="exchanges to record")
    options = parser.parse_args(argv)
    figures = run(turns=options.turns, queries=options.queries, exchanges=options.exchanges)
    tell(options, figures, lambda: _lines(figures))
    return 0


def _lines(figures: dict[str, Any]) -> Iterator[str]:
    rows = (
        ("search, warm caches (plain SQLite)", figures["search"]),
        ("search right after a commit (plain SQLite)", figures["search_after_commit"]),
        ("record an exchange (bare, into an empty file)", figures["record"]),
        ("record an exchange (bare, into a copy)", figures["record_in_full"]),
    )
    yield (f"{figures['turns']:,} turns, {figures['file_bytes'] / 1e6:.0f} MB")
    yield (f"{'':46}{'memdesk':>12}{'bare':>12}{'ratio':>8}")
    for label, row in rows:
        yield (f"{label:46}{row['memdesk_ms']:>9.2f} ms{row['bare_ms']:>9.2f} ms{row['ratio']:>8.2f}")
    yield (f"{'ingest':46}{figures['ingest_turns_per_second']:>9,} turns/s")
    yield (f"ratios: search {figures['search']['ratio']}, record {figures['record']['ratio']}")
