"""Migrates a database and kills itself at a statement: ``python -m tests.helpers.killed_migration FILE NTH``."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from memdesk.storage import moving
from memdesk.storage.connection import Connection
from memdesk.storage.database import Database
from tests.helpers import rows

#: Small, so that a small database takes many.
SLICE = 40


def main(path: Path, nth: int) -> None:
    """Kill this process when the migration runs its ``nth`` statement."""
    moving.SLICE = SLICE  # type: ignore[misc]  # small for a test
    real, left = Connection.execute, nth

    def execute(self, *given):
        nonlocal left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(self, *given)

    Connection.execute = execute
    Database(path).open(rows.KEY)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
