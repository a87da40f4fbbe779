"""Recurring work. APScheduler keeps the time; the work itself runs on lanes."""

import logging
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from memdesk.errors import CancelledError, LockedError
from memdesk.ports import Clock, LaneName, Lanes

log = logging.getLogger(__name__)


class Scheduler:
    """Recurring jobs on a thread that only enqueues them.

    A machine that slept through several runs executes a job once when it wakes. A job whose last run is still going is
    not enqueued again.
    """

    def __init__(self, lanes: Lanes, clock: Clock) -> None:
        self._lanes = lanes
        self._clock = clock
        self._lock = threading.Lock()
        self._running: set[str] = set()
        self._scheduler: Any = None
        self._pending: list[dict[str, Any]] = []

    def every(
        self,
        interval: timedelta,
        work: Callable[[], object],
        *,
        key: str,
        lane: LaneName = "background",
        first_after: timedelta | None = None,
        jitter: timedelta = timedelta(0),
    ) -> None:
        """Run ``work`` every ``interval``; an existing ``key`` is replaced.

        The first run is after ``first_after``, by default one interval. Each run is shifted by up to ``jitter``, so
        that jobs do not coincide.
        """
        job = {
            "func": lambda: self._enqueue(key, lane, work),
            "trigger": "interval",
            "seconds": interval.total_seconds(),
            "jitter": int(jitter.total_seconds()) or None,
            "id": key,
            "name": key,
            "replace_existing": True,
            "next_run_time": self._clock.now() + (interval if first_after is None else first_after),
        }
        with self._lock:
            if self._scheduler is None:
                self._pending = [other for other in self._pending if other["id"] != key] + [job]
            else:
                self._scheduler.add_job(**job)

    def start(self) -> None:
        """Start the thread. Idempotent."""
        # Imported late: it takes a tenth of a second, which would delay the window's first frame.
        from apscheduler.executors.pool import ThreadPoolExecutor
        from apscheduler.schedulers.background import BackgroundScheduler

        with self._lock:
            if self._scheduler is not None:
                return
            self._scheduler = BackgroundScheduler(
                timezone="UTC",
                executors={"default": ThreadPoolExecutor(1)},
                job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
            )
            # Its own log mentions every run of every job.
            logging.getLogger("apscheduler").setLevel(logging.WARNING)
            self._scheduler.start()
            for job in self._pending:
                self._scheduler.add_job(**job)
            self._pending = []

    def close(self) -> None:
        """Stop; enqueued work stays with the lanes. Idempotent."""
        with self._lock:
            scheduler, self._scheduler = self._scheduler, None
        if scheduler is not None:
            scheduler.shutdown(wait=True)

    def _enqueue(self, key: str, lane: LaneName, work: Callable[[], object]) -> None:
        with self._lock:
            if key in self._running:
                return
            self._running.add(key)

        def run() -> None:
            try:
                work()
            except LockedError:
                log.debug("the job %s met a lock", key)
            except Exception:
                log.exception("the job %s failed", key)

        try:
            future = self._lanes.submit(lane, run)
        except CancelledError:
            self._done(key)
            return
        future.add_done_callback(lambda _: self._done(key))

    def _done(self, key: str) -> None:
        with self._lock:
            self._running.discard(key)
