"""Two small named executors, and one timer for delayed calls."""

import heapq
import itertools
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from memdesk.errors import CancelledError, MemdeskError
from memdesk.messages import say
from memdesk.ports import LaneName

log = logging.getLogger(__name__)
T = TypeVar("T")

INTERACTIVE_THREADS = 4
BACKGROUND_THREADS = 3


class ThreadLanes:
    """``ports.Lanes`` over thread pools.

    The lanes separate what people wait for from background work, so that the former never queues behind the latter.
    Threads start on first use; an unused lane costs nothing.
    """

    def __init__(self, interactive: int = INTERACTIVE_THREADS, background: int = BACKGROUND_THREADS) -> None:
        self._pools: dict[LaneName, ThreadPoolExecutor] = {
            "interactive": ThreadPoolExecutor(interactive, thread_name_prefix="memdesk-interactive"),
            "background": ThreadPoolExecutor(background, thread_name_prefix="memdesk-background"),
        }
        self._lock = threading.Lock()
        self._running: set[Future[object]] = set()
        self._timer = _Timer(self._fire)
        self._closed = False

    def submit(self, lane: LaneName, work: Callable[[], T]) -> Future[T]:
        """Run ``work`` on a lane's thread.

        Raises:
            CancelledError: the lanes are closed.
        """
        with self._lock:
            if self._closed:
                raise CancelledError(say("memdesk is closing."))
            future = self._pools[lane].submit(work)
            self._running.add(future)  # type: ignore[arg-type]  # a set of futures of anything
        future.add_done_callback(self._done)
        return future

    def later(self, seconds: float, lane: LaneName, work: Callable[[], object], *, key: str) -> None:
        self._timer.arm(key, seconds, lambda: self.submit(lane, work).add_done_callback(_tell))

    def forget(self, key: str) -> None:
        self._timer.disarm(key)

    def close(self, timeout: float = 5.0) -> None:
        """Stop taking work, drop the queue and wait up to ``timeout`` seconds for running work. Idempotent."""
        with self._lock:
            self._closed = True
            running = list(self._running)
        self._timer.close()
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)
        deadline = time.monotonic() + timeout
        late = 0
        for future in running:
            if not _finished_by(future, deadline):
                late += 1
        if late:
            log.warning("%d pieces of work did not end within %.1f s", late, timeout)
            return
        for pool in self._pools.values():
            pool.shutdown(wait=True)

    def _done(self, future: Future[T]) -> None:
        with self._lock:
            self._running.discard(future)
        if not future.cancelled() and (error := future.exception()) is not None:
            # If nobody holds the future, this line is the only trace of the error.
            log.debug("work on a lane ended with %s", type(error).__name__)

    def _fire(self, call: Callable[[], object]) -> None:
        try:
            call()
        except CancelledError:
            log.debug("a delayed call came due while closing")


def _tell(future: Future[object]) -> None:
    """Log failures of delayed work, whose future nobody holds."""
    error = None if future.cancelled() else future.exception()
    if isinstance(error, MemdeskError):
        log.info("delayed work ended with %s", error.code)
    elif error is not None:
        log.error("delayed work failed", exc_info=error)


def _finished_by(future: Future[object], deadline: float) -> bool:
    ended = threading.Event()
    future.add_done_callback(lambda _: ended.set())
    return ended.wait(max(0.0, deadline - time.monotonic()))


class _Timer:
    """One thread that calls ``fire`` when a keyed call comes due."""

    def __init__(self, fire: Callable[[Callable[[], object]], None]) -> None:
        self._fire = fire
        self._cond = threading.Condition()
        self._order = itertools.count()
        self._heap: list[tuple[float, int, str]] = []
        self._armed: dict[str, tuple[int, Callable[[], object]]] = {}
        self._thread: threading.Thread | None = None
        self._closed = False

    def arm(self, key: str, seconds: float, call: Callable[[], object]) -> None:
        with self._cond:
            if self._closed:
                return
            ticket = next(self._order)
            self._armed[key] = (ticket, call)
            heapq.heappush(self._heap, (time.monotonic() + max(0.0, seconds), ticket, key))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="memdesk-timer", daemon=True)
                self._thread.start()
            self._cond.notify()

    def disarm(self, key: str) -> None:
        with self._cond:
            self._armed.pop(key, None)

    def close(self) -> None:
        with self._cond:
            self._closed = True
            self._armed.clear()
            self._cond.notify()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=5.0)

    def _run(self) -> None:
        while True:
            with self._cond:
                call = self._next_due()
            if call is None:
                return
            self._fire(call)

    def _next_due(self) -> Callable[[], object] | None:
        """Wait for the next live call; None when closed. Re-armed and forgotten entries are skipped."""
        while not self._closed:
            if not self._heap:
                self._cond.wait()
                continue
            due, ticket, key = self._heap[0]
            armed = self._armed.get(key)
            if armed is None or armed[0] != ticket:
                heapq.heappop(self._heap)
                continue
            remaining = due - time.monotonic()
            if remaining > 0:
                self._cond.wait(remaining)
                continue
            heapq.heappop(self._heap)
            del self._armed[key]
            return armed[1]
        return None
