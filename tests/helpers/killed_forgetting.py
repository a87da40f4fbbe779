"""Run as a program: forgets an agent and kills itself (SIGKILL) in one of the transactions, before it commits.

    python killed_forgetting.py FOLDER AGENT NTH

NTH counts the transactions from 0; the first is the one that marks the agent.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from memdesk.services import run_slices
from memdesk.services.events import EventBus
from memdesk.services.forgetting import ForgetTarget, ForgettingService
from memdesk.storage.database import Database
from tests.helpers.memory_rows import KEY, SetClock


class MortalStore:
    """A store whose ``nth`` write ends the process before it is committed."""

    def __init__(self, database: Database, nth: int) -> None:
        self._database = database
        self._left = nth

    def __getattr__(self, name):
        return getattr(self._database, name)

    def write(self, work, **options):
        def deadly(repos):
            outcome = work(repos)
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            self._left -= 1
            return outcome

        return self._database.write(deadly, **options)


def main() -> None:
    folder, agent_id, nth = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    run_slices._FIRST = run_slices._LARGEST = 5
    database = Database(folder / "memory.db")
    database.open(KEY)
    service = ForgettingService(store=MortalStore(database, nth), clock=SetClock(), events=EventBus())
    service.forget(ForgetTarget(kind="agent", ids=(agent_id,)))
    raise SystemExit("it was to die")


if __name__ == "__main__":
    main()
