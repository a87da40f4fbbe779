"""Run as a program: forgets something and kills itself (SIGKILL) in one of the transactions, before it commits.

    python killed_forgetting.py FOLDER TARGET NTH

TARGET is a ``ForgetTarget`` as JSON. NTH counts the transactions from 0; the first is the one that marks it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from memdesk.services import slices as run_slices
from memdesk.services.events import EventBus
from memdesk.services.forgetting import forgetting
from memdesk.services.forgetting.forgetting import ForgetTarget, ForgettingService
from memdesk.storage.database import Database
from tests.helpers.memory_rows import KEY, SetClock


def killed(folder: Path, target: ForgetTarget, nth: int) -> None:
    """Forget in another process, which dies in its ``nth`` transaction."""
    program = [sys.executable, "-m", __name__, str(folder), json.dumps(asdict(target)), str(nth)]
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(program, cwd=root, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr


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
    folder, target, nth = Path(sys.argv[1]), json.loads(sys.argv[2]), int(sys.argv[3])
    forgetting._SMALL = 0  # type: ignore[misc]  # small for a test
    run_slices._FIRST = run_slices._LARGEST = 5  # type: ignore[misc]  # small for a test
    database = Database(folder / "memory.db")
    database.open(KEY)
    service = ForgettingService(store=MortalStore(database, nth), clock=SetClock(), events=EventBus())
    service.forget(ForgetTarget(**target | {"ids": tuple(target["ids"])}))
    raise SystemExit("it was to die")


if __name__ == "__main__":
    main()
