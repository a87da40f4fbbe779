"""The log of requests, written in batches: time, client, route, agent, status, ms. Never content."""

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Final

from memdesk.errors import LockedError, MemdeskError
from memdesk.ports import ActivityRow

log = logging.getLogger(__name__)

FLUSH_SECONDS: Final = 2.0
#: Rows kept while the store cannot take them; older ones are dropped.
KEPT: Final = 2000


class ActivityLog:
    """Collects rows and hands them to ``write`` every few seconds. Thread-safe."""

    def __init__(self, write: Callable[[Sequence[ActivityRow]], None]) -> None:
        self._write = write
        self._lock = threading.Lock()
        self._rows: list[ActivityRow] = []
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, row: ActivityRow) -> None:
        """Add a row, without I/O."""
        with self._lock:
            self._rows.append(row)
            del self._rows[:-KEPT]

    def start(self) -> None:
        if self._thread is None:
            self._stop.clear()
            self._thread = threading.Thread(target=self._run, name="memdesk-api-activity", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Write the remaining rows and stop. Idempotent."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self.flush()

    def flush(self) -> None:
        with self._lock:
            rows, self._rows = self._rows, []
        if not rows:
            return
        try:
            self._write(rows)
        except LockedError:
            with self._lock:
                self._rows = [*rows, *self._rows][-KEPT:]
        except MemdeskError as error:
            log.warning("activity of the local server was not written: %s", error.code)

    def _run(self) -> None:
        while not self._stop.wait(FLUSH_SECONDS):
            self.flush()
