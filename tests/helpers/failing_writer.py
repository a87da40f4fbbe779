"""Writes messages and settings while calls fail: ``fiu-run -x python -m tests.helpers.failing_writer FOLDER COUNT POINT ...``.

``POINT`` is libfiu's name of the call, followed by the error number and the share of calls that fail. Acknowledged
writes are recorded in memory mapped to a file, so that recording needs no write that could fail.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
from contextlib import suppress
from pathlib import Path

from memdesk.errors import MemdeskError
from memdesk.settings.schema import MemorySettings
from memdesk.settings.store import SettingsStore
from memdesk.storage.database import Database
from tests.helpers import rows

FIRST = 1000


def fail(point: str, error: int, share: float) -> None:
    """Let calls fail from now on: what Python itself reads and writes to start is done."""
    given = (point.encode(), 1, ctypes.c_void_p(error), 0, ctypes.c_float(share))
    if ctypes.CDLL("libfiu.so.0").fiu_enable_random(*given):
        raise OSError(f"libfiu refuses {point}")


def main(folder: Path, count: int, *failing: str) -> None:
    """Go on whatever is refused in words; anything else ends this process with a trace."""
    point, error, share = failing
    settings = SettingsStore(folder / "config")
    database = Database(folder / "memory.db")
    with (folder / "told").open("r+b") as file, mmap.mmap(file.fileno(), 2 * count) as told:
        fail(point, int(error), float(share))
        for number in range(count):
            if not database.is_open:
                try:
                    database.open(rows.KEY, create=False)
                except MemdeskError:
                    continue
            with suppress(MemdeskError):
                database.write(
                    lambda repos, n=number: repos.turns.add(
                        [rows.turn(f"late {n} " + "word " * 90, position=FIRST + n)]
                    )  # type: ignore[misc]  # one argument, as any work has
                )
                told[number] = 1
                if number % 7 == 6:
                    database.checkpoint()
            with suppress(MemdeskError):
                settings.save("memory", MemorySettings(memory_budget_tokens=100 + number))
                told[count + number] = 1
        with suppress(MemdeskError):
            database.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
