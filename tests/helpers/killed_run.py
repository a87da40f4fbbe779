"""Run as a program: consolidates, or undoes, a store and kills itself (SIGKILL) inside the transaction of a slice.

    python killed_run.py FOLDER run|undo STEP NTH

STEP is the sentence of a step; NTH the slice of it, counted from 1, in which to die before it commits.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
from pathlib import Path

from memdesk.services import slices as run_slices
from memdesk.services.events import EventBus
from memdesk.services.upkeep.consolidation import ConsolidationService
from memdesk.storage.database import Database
from tests.helpers.memory_rows import KEY, FixedSettings, SetClock


class DyingStore:
    """A store whose next write, once armed, ends the process before it is committed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.armed = False

    def write(self, work, **options):
        def deadly(repos):
            outcome = work(repos)
            if self.armed:
                os.kill(os.getpid(), signal.SIGKILL)
            return outcome

        return self._database.write(deadly, **options)

    def __getattr__(self, name):
        return getattr(self._database, name)


def main() -> None:
    folder, mode, step, nth = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
    run_slices._FIRST = run_slices._LARGEST = 1  # type: ignore[misc]  # small for a test
    database = Database(folder / "memory.db")
    database.open(KEY)
    store = DyingStore(database)
    service = ConsolidationService(store=store, clock=SetClock(), events=EventBus(), settings=FixedSettings())
    seen = 0

    def progress(_share, words):
        nonlocal seen
        if words == step:
            seen += 1
            store.armed = seen == nth

    if mode == "run":
        service.run(progress=progress)
    else:
        run = service.runs().items[0]
        between = service_between(store, nth)
        run_slices.Slices.over = between  # type: ignore[method-assign]  # killed between two
        service.undo(run.id)
    raise SystemExit("it was to die")


def service_between(store, nth):
    """``Slices.over`` that arms the store before the ``nth`` slice of all, counted from 0."""
    original = run_slices.Slices.over
    slices = itertools.count()

    def over(self, items, work, *, between):
        def armed(done):
            store.armed = next(slices) == nth
            between(done)

        return original(self, items, work, between=armed)

    return over


if __name__ == "__main__":
    main()
