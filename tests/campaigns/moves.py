"""Migrates a large store of 0.1 to items and kills the migration at any moment: ``python -m tests.campaigns.moves``.

A failure is a store that does not open after a kill, does not verify, or finally differs from an undisturbed one.
"""

from __future__ import annotations

import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from memdesk.storage import moving
from memdesk.storage.connection import connect
from memdesk.storage.database import Database
from tests.campaigns.report import Report, options
from tests.helpers import rows
from tests.helpers.old_store import contents, old_store

#: Bytes of a vector.
VECTOR = 384
#: Seconds that a process takes before it opens the store.
STARTS = 0.3


def opened(path: Path) -> tuple[float, Database]:
    """Bring a store up to date; return it and the seconds that took."""
    began = time.perf_counter()
    store = Database(path)
    store.open(rows.KEY)
    return time.perf_counter() - began, store


def killed(path: Path, after: float) -> int:
    """Open a store in another process and kill that; return how it ended."""
    with subprocess.Popen([sys.executable, "-m", "tests.campaigns.moves", "--opens", str(path)]) as process:
        try:
            process.wait(after)
        except subprocess.TimeoutExpired:
            process.kill()
        return process.wait()


def found(path: Path) -> str:
    """Return what a kill left."""
    conn = connect(path, rows.KEY, writable=False)
    moved = moving.is_moving(conn)
    conn.close()
    return "killed with rows left to move" if moved else "killed before the first row or after the last"


def campaign(facts: int, kills: int, seed: int, folder: Path) -> Report:
    """Move one store undisturbed and another with kills, and compare."""
    report, pick = Report("moves"), random.Random(seed)
    alone, broken = (folder / name / "memory.db" for name in ("alone", "broken"))
    alone.parent.mkdir()
    old_store(alone, facts=facts, episodes=facts // 50, details=facts // 4)
    conn = connect(alone, rows.KEY, writable=True)
    conn.execute("UPDATE embeddings SET vector = randomblob(?)", (VECTOR,))
    conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    conn.close()
    shutil.copytree(alone.parent, broken.parent)
    before = alone.stat().st_size
    whole, store = opened(alone)
    store.close()
    report.figures["undisturbed"] = (
        f"{whole:.1f} s, {before / 1e6:.0f} MB before, {alone.stat().st_size / 1e6:.0f} after"
    )
    began = time.perf_counter()
    for _ in range(kills):
        ended = killed(broken, STARTS + pick.uniform(0.2, 0.35) * whole)
        report.case(found(broken) if ended == -signal.SIGKILL else "done before the kill")
    rest, store = opened(broken)
    problems = store.verify()
    store.close()
    report.figures["killed"] = f"{time.perf_counter() - began:.1f} s in all, {rest:.1f} of them after the last kill"
    report.figures["memory"] = f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB at most"
    report.case("verified", "; ".join(problems))
    left, right = contents(alone), contents(broken)
    for table in sorted(left.keys() | right.keys()):
        same = left.get(table) == right.get(table)
        report.case("table alike", "" if same else f"{table} differs from that of an undisturbed move")
    return report


if __name__ == "__main__":
    if sys.argv[1:2] == ["--opens"]:
        opened(Path(sys.argv[2]))[1].close()
    else:
        wanted = options(facts=100_000, kills=5, seed=5)
        with tempfile.TemporaryDirectory() as made:
            sys.exit(campaign(wanted.facts, wanted.kills, wanted.seed, Path(made)).tell())
