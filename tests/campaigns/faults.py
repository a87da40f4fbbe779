"""Damages the files of a memory at random and opens it, and lets writes fail: ``python -m tests.campaigns.faults``.

A failure is an error without an explanation, or messages that are silently missing; after failed writes (libfiu's
``fiu-run``), an acknowledged one that is missing, or a memory or settings that do not open.
"""

from __future__ import annotations

import errno
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from memdesk.errors import MemdeskError
from memdesk.settings.store import SettingsStore
from memdesk.storage.database import Database
from memdesk.storage.salvage import salvage
from tests.campaigns.report import Report, options
from tests.helpers import rows
from tests.helpers.failing_writer import FIRST

TURNS = 120
Damage = Callable[[Path, random.Random], object]


def _flip(file: Path, pick: random.Random) -> None:
    data = bytearray(file.read_bytes())
    for _ in range(pick.choice((1, 1, 3, 40))):
        data[pick.randrange(len(data))] ^= 1 << pick.randrange(8)
    file.write_bytes(data)


def _cut(file: Path, pick: random.Random) -> None:
    data = file.read_bytes()
    file.write_bytes(data[: pick.choice((0, 1, 31, 32, 4096, pick.randrange(len(data))))])


def _junk(file: Path, pick: random.Random) -> None:
    file.write_bytes(pick.randbytes(pick.choice((1, 32, 5000, 40_000))))


def _append(file: Path, pick: random.Random) -> None:
    file.write_bytes(file.read_bytes() + pick.randbytes(pick.choice((1, 24, 4120, 9000))))


def _swap(file: Path, pick: random.Random) -> None:
    """Change two stretches with each other, as a disk that writes to the wrong place."""
    data, size = bytearray(file.read_bytes()), pick.choice((512, 4096))
    one, other = (pick.randrange(max(1, len(data) - size)) for _ in range(2))
    data[one : one + size], data[other : other + size] = data[other : other + size], data[one : one + size]
    file.write_bytes(data)


DAMAGES: dict[str, Damage] = {
    "flipped bits": _flip,
    "cut off": _cut,
    "junk": _junk,
    "something behind it": _append,
    "stretches changed": _swap,
    "deleted": lambda file, _: file.unlink(),
    "deleted, never made": lambda file, _: (file.unlink(), file.with_name("memory.db.made").unlink()),
}
#: Calls that fail, by libfiu's names, and how: no room, a disk that fails, a quota, read-only.
POINTS = ("rw/pwrite", "rw/pwrite/reduce", "rw/write", "rw/ftruncate", "sync/fsync", "dir/rename", "dir/unlink")
ERRORS = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS)
#: Messages that a process tries to write while they do.
WRITES = 40
FILES = ("memory.db", "memory.db-wal", "memory.db-shm")


def base(folder: Path) -> Path:
    """Return a memory whose last messages are in its log, as a killed process leaves it."""
    path = folder / "base" / "memory.db"
    database = Database(path)
    database.open(rows.KEY)
    database.write(lambda repos: (repos.agents.put(rows.agent()), repos.conversations.put(rows.conversation())))
    for first in (0, TURNS // 2):
        turns = [rows.turn(f"message {n} " + "word " * 90, position=n) for n in range(first, first + TURNS // 2)]
        database.write(lambda repos, turns=turns: repos.turns.add(turns))
        if not first:
            database.checkpoint()
    left = folder / "left"
    shutil.copytree(path.parent, left)
    database.close()
    return left / "memory.db"


def attempt(path: Path, *, ends_early: bool) -> tuple[str, str]:
    """Open a damaged memory and read it all; return the outcome, and what is wrong with it.

    ``ends_early``: its log was cut off, which is what a power cut leaves and cannot be told from one.
    """
    database = Database(path)
    try:
        database.open(rows.KEY, create=False)
    except MemdeskError as error:
        return f"refused: {error.code}", ""
    try:
        with database.read() as repos:
            found = len(repos.turns.of_conversation("ana", "c1"))
        told = database.damaged is not None or database.log_gone
        if found == TURNS:
            return "whole" if not told else "whole, and the damage told", ""
        if ends_early and found >= TURNS // 2:
            return "opened as after a power cut", ""
        return (
            f"opened with {'a warning' if told else 'no word'}",
            "" if told else f"{TURNS - found} messages gone unsaid",
        )
    except MemdeskError as error:
        return f"found while reading: {error.code}", ""
    finally:
        database.close()


def saved(path: Path) -> tuple[str, str]:
    """Salvage what is left; return the outcome."""
    target = path.with_name("salvaged.db")
    try:
        report = salvage(path, rows.KEY, target)
    except MemdeskError as error:
        return f"nothing to salvage: {error.code}", ""
    lost = TURNS - report.rows["turns"]
    said = report.unreadable or report.gaps or report.orphans
    part = "all" if not lost else "some"
    # Without its log the file is as old as its last checkpoint, which no page of it tells.
    silent = lost > TURNS // 2 and not said and (path.parent / "memory.db-wal").exists()
    return f"salvaged: {part} messages", f"{lost} messages gone unsaid by salvage" if silent else ""


def campaign(cases: int, seed: int, folder: Path) -> Report:
    """Damage a copy of the memory so many times."""
    report, pick, left = Report("faults"), random.Random(seed), base(folder)
    for number in range(cases):
        copy = folder / f"case-{number}"
        shutil.copytree(left.parent, copy)
        path = copy / "memory.db"
        name, file = pick.choice(sorted(DAMAGES)), copy / pick.choice(FILES[:2])
        DAMAGES[name](file, pick)
        opening = partial(attempt, ends_early=name == "cut off" and file.suffix == ".db-wal")
        for step in (saved, opening) if path.exists() else (opening,):
            try:
                outcome, failure = step(path)
            except Exception as error:  # noqa: BLE001 - an error without words is what is looked for
                outcome, failure = "an error without words", f"{type(error).__name__}: {error}"
            where = f"case {number} (seed {seed}): {file.name}, {name}: {outcome}"
            report.case(outcome, f"{where}: {failure}" if failure else "")
        shutil.rmtree(copy)
    return report


def failing(cases: int, seed: int, folder: Path) -> Report:
    """Let writes of every kind fail so many times while a process writes, and look at what it left."""
    report, pick, left = Report("failing writes"), random.Random(seed), base(folder)
    for number in range(cases):
        copy = folder / f"case-{number}"
        shutil.copytree(left.parent, copy)
        (copy / "config").mkdir()
        (copy / "told").write_bytes(bytes(2 * WRITES))
        point, error, share = pick.choice(POINTS), pick.choice(ERRORS), pick.choice((0.02, 0.1, 0.4, 1.0))
        failed = [f"posix/io/{point}", str(error), str(share)]
        writer = [sys.executable, "-m", "tests.helpers.failing_writer", str(copy), str(WRITES), *failed]
        command = ["fiu-run", "-x", "-f", "", *writer]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        ended = done.stderr.strip().splitlines()[-1:] if done.returncode else []
        outcome, failure = _left(copy) if not ended else ("an error without words", ended[0])
        where = f"case {number} (seed {seed}): {' '.join(failed)}: {outcome}"
        report.case(f"{point}: {outcome}", f"{where}: {failure}" if failure else "")
        shutil.rmtree(copy)
    return report


def _left(folder: Path) -> tuple[str, str]:
    """Return what became of a memory and of settings whose writes failed, and what is wrong with them."""
    told = (folder / "told").read_bytes()
    turns, settings = ([n for n, one in enumerate(part) if one] for part in (told[:WRITES], told[WRITES:]))
    database = Database(folder / "memory.db")
    try:
        database.open(rows.KEY, create=False)
        with database.read() as repos:
            there = {turn.position for turn in repos.turns.of_conversation("ana", "c1")}
        problems = database.verify()
        budget = SettingsStore(folder / "config").load().memory.memory_budget_tokens
    except MemdeskError as error:
        return "does not open", f"{error.code}: {error.message}"
    finally:
        database.close()
    gone = [n for n in turns if FIRST + n not in there]
    failures = [*problems, *([f"acknowledged and gone: {gone}"] if gone else [])]
    if len(there & set(range(TURNS))) < TURNS:
        failures.append("messages of before are gone")
    if settings and budget < 100 + settings[-1]:
        failures.append(f"settings of before {settings[-1]} came back")
    some = "all" if len(turns) == WRITES else "none" if not turns else "some"
    return f"{some} of the messages written", "; ".join(failures)


if __name__ == "__main__":
    chosen = options(cases=1000, seed=1)
    with tempfile.TemporaryDirectory() as scratch:
        found = [campaign(chosen.cases, chosen.seed, Path(scratch) / "damaged")]
        if shutil.which("fiu-run"):
            found.append(failing(chosen.cases // 5, chosen.seed, Path(scratch) / "failing"))
        sys.exit(max([report.tell() for report in found]))
