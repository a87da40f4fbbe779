"""Single flight: sessions are queued and distilled one at a time; a waiting caller may do the work."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from memdesk.errors import CancelledError, MemdeskError
from memdesk.messages import say
from memdesk.ports import CancelToken

log = logging.getLogger(__name__)
R = TypeVar("R")
Key = tuple[str, str]
POLL_SECONDS: Final = 0.1


@dataclass(slots=True)
class Job(Generic[R]):
    """One session in the queue. ``cancel`` stops it between tokens."""

    key: Key
    explicit: bool
    cancel: CancelToken | None = None
    done: threading.Event = field(default_factory=threading.Event)
    result: R | None = None
    error: BaseException | None = None


class Flight(Generic[R]):
    """Runs jobs one at a time, in order, each session queued at most once."""

    def __init__(self, work: Callable[[Job[R]], R]) -> None:
        self._work = work
        self._guard = threading.Lock()
        self._flying = threading.Lock()
        self._line: OrderedDict[Key, Job[R]] = OrderedDict()
        #: running jobs; all but the last are paused.
        self._under_way: list[Job[R]] = []
        self._closed = threading.Event()

    @property
    def running(self) -> Key | None:
        job = next(iter(self._under_way[-1:]), None)
        return job.key if job else None

    @property
    def waiting(self) -> list[Key]:
        with self._guard:
            return list(self._line)

    @property
    def closed(self) -> threading.Event:
        """Set when no work is taken any more."""
        return self._closed

    def add(self, key: Key, *, explicit: bool, cancel: CancelToken | None = None) -> Job[R]:
        """Queue a session, or join its queued job."""
        with self._guard:
            job = self._line.get(key)
            if job is None:
                job = Job(key, explicit, cancel)
                self._line[key] = job
            else:
                job.explicit = job.explicit or explicit
            return job

    def drain(self) -> None:
        """Work off the queue, unless another thread already does."""
        while not self._closed.is_set() and self._line:
            if not self._flying.acquire(blocking=False):
                return
            try:
                self._next()
            finally:
                self._flying.release()

    def rest(self) -> None:
        """Work off the queue before continuing a long job; called by its work."""
        while not self._closed.is_set() and self._next():
            pass

    def wait(self, job: Job[R], cancel: CancelToken | None = None) -> R:
        """Return a job's result; this thread works off the queue if no other does.

        Raises:
            CancelledError: ``cancel`` was set, or the queue was closed.
        """
        while not job.done.is_set():
            if self._closed.is_set():
                raise CancelledError(say("memdesk is closing."))
            if cancel is not None and cancel.is_set() and self._withdraw(job):
                raise CancelledError(say("Distillation was cancelled."))
            self.drain()
            job.done.wait(POLL_SECONDS)
        if job.error is not None:
            raise job.error
        assert job.result is not None
        return job.result

    def close(self, timeout: float = 5.0) -> None:
        """Take no more work and wait for running work. Idempotent."""
        self._closed.set()
        if self._flying.acquire(timeout=timeout):
            self._flying.release()

    def _next(self) -> bool:
        """Run the first job of a session that is not running; False if there is none."""
        with self._guard:
            under_way = {job.key for job in self._under_way}
            key = next((key for key in self._line if key not in under_way), None)
            if key is None:
                return False
            job = self._line.pop(key)
            self._under_way.append(job)
        try:
            job.result = self._work(job)
        except BaseException as error:  # passed to whoever waits for the job
            job.error = error
            if not isinstance(error, MemdeskError):
                log.exception("a distillation job failed")
        finally:
            self._under_way.pop()
            job.done.set()
        return True

    def _withdraw(self, job: Job[R]) -> bool:
        """Remove a job from the queue; False if it is running (its own cancel token stops it)."""
        with self._guard:
            if self._line.get(job.key) is job:
                del self._line[job.key]
                return True
            return False
