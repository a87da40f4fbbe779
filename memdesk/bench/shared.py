"""What benches share: arguments and reports, stopwatches, a temporary store, and texts to fill it."""

import argparse
import hashlib
import itertools
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import Agent, Signal, Turn, new_id
from memdesk.errors import MemdeskError
from memdesk.ports import Store
from memdesk.services.slices import Hold
from memdesk.storage.database import Database

AGENT: Final = "bench"
#: Default source of files: the project's own tests.
OWN: Final = "written for memdesk"
#: The time at which reproducible benches run.
NOW: Final = datetime(2026, 6, 1, 3, 0, tzinfo=UTC)
_WORDS_IN_TURN: Final = 25

S = TypeVar("S", bound=Database)
T = TypeVar("T")


def arguments(name: str, doc: str | None) -> argparse.ArgumentParser:
    """Return the parser of ``memdesk bench NAME`` with the arguments of every bench."""
    parser = argparse.ArgumentParser(prog=f"memdesk bench {name}", description=doc)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    return parser


def trainable(name: str, doc: str | None, files: str) -> argparse.ArgumentParser:
    """Return the parser of a bench that measures what the bundled model was taught by labeled ``files``, or teaches it."""
    parser = arguments(name, doc)
    parser.add_argument("files", nargs="+", type=Path, metavar="file", help=files)
    parser.add_argument("--train", action="store_true", help="learn from the files, and write the adapter that ships")
    return parser


def rows_in(path: Path) -> list[Any]:
    """Return the values of a file with one in JSON on each line; empty lines are skipped.

    Raises:
        OSError: it cannot be read.
        ValueError: a line is no JSON.
    """
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def loaded(paths: Iterable[Path], load: Callable[[Path], T]) -> dict[Path, T] | None:
    """Return what is in each file; None after saying which one cannot be read."""
    try:
        return {path: load(path) for path in paths}
    except (MemdeskError, OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return None


def tell(options: argparse.Namespace, report: Any, lines: Callable[[], Iterable[str]]) -> None:
    """Print a report as JSON if requested, else the lines of ``lines()``."""
    print(json.dumps(report) if options.json else "\n".join(lines()))


class FixedClock:
    """:class:`memdesk.ports.Clock` that stands at :data:`NOW`, so that every run does the same work."""

    def now(self) -> datetime:
        return NOW

    def local(self, when: datetime) -> datetime:
        return when.astimezone(UTC)


class Stopwatch:
    """Seconds since it was created: wall clock, and this process's processor time."""

    def __init__(self) -> None:
        self._began, self._worked = time.perf_counter(), time.process_time()

    def read(self) -> tuple[float, float]:
        """Return ``(seconds, processor seconds)``."""
        return time.perf_counter() - self._began, time.process_time() - self._worked


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="memdesk-bench-") as name:
        yield Path(name)


@contextmanager
def new_store(kind: type[S]) -> Iterator[S]:
    """Lend an open, empty, encrypted store with the agent :data:`AGENT`; its file is deleted afterwards."""
    with folder() as place:
        store = kind(place / "memory.db")
        store.open(os.urandom(32))
        try:
            agent = Agent(id=AGENT, name=AGENT, created_at=NOW, updated_at=NOW)
            store.write(lambda repos: repos.agents.put(agent))
            yield store
        finally:
            store.close()


def put_all(store: Store, items: Sequence[MemoryItem], at_once: int = 500) -> None:
    """Store items, several per transaction."""
    for start in range(0, len(items), at_once):
        part = items[start : start + at_once]
        store.write(lambda repos, part=part: repos.items.put_many(part))  # type: ignore[misc]  # bound at once


def exponent(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Return the slope of log cost over log size, by least squares: 1 is linear, n log n is about 1.1."""
    x, y = np.log(np.asarray(sizes, dtype=float)), np.log(np.maximum(np.asarray(costs, dtype=float), 1e-9))
    return float(np.polyfit(x, y, 1)[0])


def spread(holds: Sequence[Hold]) -> dict[str, float]:
    """Return median, 95th percentile and maximum, in ms, of times and of the writer's share of them."""
    found: dict[str, float] = {}
    for prefix, times in (("", [h.seconds for h in holds]), ("cpu_", [h.cpu_seconds for h in holds])):
        p50, p95, most = (float(value) * 1000 for value in np.percentile(times, [50, 95, 100]))
        found |= {f"{prefix}p50": round(p50, 1), f"{prefix}p95": round(p95, 1), f"{prefix}max": round(most, 1)}
    return found


def held(whose: str, holds: Mapping[str, float]) -> str:
    return (
        f"writer held by {whose}: p50 {holds['p50']:.1f}, p95 {holds['p95']:.1f}, max {holds['max']:.1f} ms; "
        f"of it own work {holds['cpu_p50']:.1f}, {holds['cpu_p95']:.1f}, {holds['cpu_max']:.1f} ms"
    )


class Texts:
    """Texts of invented words with the frequencies of natural ones (Zipf's law), the same every time."""

    def __init__(self, seed: int = 7, vocabulary: int = 20_000) -> None:
        self.random = random.Random(seed)
        syllables = [a + b for a, b in itertools.product("bdfgklmnprstv", "aeiou")]
        words: set[str] = set()
        while len(words) < vocabulary:
            words.add("".join(self.random.choices(syllables, k=self.random.randint(2, 4))))
        self.vocabulary = sorted(words)
        self.random.shuffle(self.vocabulary)
        self._weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(vocabulary)))
        #: as frequent as English stop words; queries omit them.
        self._stop = set(self.vocabulary[:120])

    def words(self, count: int) -> list[str]:
        return self.random.choices(self.vocabulary, cum_weights=self._weights, k=count)

    def turn(self) -> str:
        return " ".join(self.words(_WORDS_IN_TURN))

    def query(self) -> list[str]:
        while True:
            words = [word for word in self.turn().split() if word not in self._stop]
            if len(words) >= 5:
                return self.random.sample(words, 5)


def turn_at(conversation: str, position: int, text: str, at: datetime, agent_id: str = AGENT) -> Turn:
    """Return a turn; at even positions the user's."""
    return Turn(
        id=new_id(),
        agent_id=agent_id,
        conversation_id=conversation,
        position=position,
        role="assistant" if position % 2 else "user",
        content=text,
        said_at=at,
        created_at=at,
    )


def signal_of(turn: Turn) -> Signal:
    return Signal(
        id=new_id(),
        turn_id=turn.id,
        agent_id=turn.agent_id,
        conversation_id=turn.conversation_id,
        created_at=turn.created_at,
    )


def provenance(path: Path) -> dict[str, str]:
    """Return the record written with weights about a training file: ``file``, ``sha256`` and ``source``."""
    content = path.read_bytes()
    source = str(json.loads(content).get("source", "")) if path.suffix == ".json" else ""
    return {"file": path.name, "sha256": hashlib.sha256(content).hexdigest(), "source": source or OWN}
