"""Engine processes that start on first use, answer in order of priority, and come back after a crash."""

import heapq
import itertools
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Literal, Unpack

from attrs import define, field

from memdesk import errors
from memdesk.errors import CancelledError, EngineCrashedError, EngineError, EngineTimeoutError, MemdeskError
from memdesk.messages import say
from memdesk.ports import CancelToken, EngineState, LaneName, Lanes, WorkerItem, WorkerSpec
from memdesk.ports.engines import Asking
from memdesk.runtime.process import ChildProcess, Frame

MAX_BACKOFF_SECONDS = 60.0

_KINDS: dict[str, type[MemdeskError]] = {
    kind.code: kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, MemdeskError)
}


def backoff_seconds(failures: int) -> float:
    """Return the pause before the next start: none after the first failure, then 0.5, 1, 2 ... 60 s."""
    return 0.0 if failures < 2 else min(MAX_BACKOFF_SECONDS, 0.5 * 2.0 ** (failures - 2))


@define(eq=False)
class Request:
    """One request on its way through the queue and the child.

    Attributes:
        frames: what the child answered; None once the child has exited.
        displaced: preempted by an interactive request.
        timeout: seconds without a sign of life before the child counts as hung.
    """

    ident: int
    priority: LaneName
    frames: queue.SimpleQueue[Frame | None] = field(factory=queue.SimpleQueue, init=False)
    sent: bool = False
    ended: bool = False
    displaced: bool = False
    timeout: float = 0.0

    @property
    def rank(self) -> tuple[int, int]:
        """Return the sort key of waiting requests: interactive ones first, then by age."""
        return (0 if self.priority == "interactive" else 1, self.ident)


def typed_error(described: dict[str, str]) -> MemdeskError:
    """Return the error that a child reported; unknown codes become ``EngineError``."""
    kind = _KINDS.get(described.get("code", ""), EngineError)
    return kind(described.get("message", ""), hint=described.get("hint"))


log = logging.getLogger(__name__)

State = Literal["stopped", "starting", "ready", "busy", "backoff", "failed"]
OnChange = Callable[[str, str], None]

#: How often a waiting caller checks its cancel token and the watchdog, in seconds.
POLL_SECONDS = 0.05
#: Longest back-off that a caller waits out; beyond it the error says when to try again.
PATIENCE_SECONDS = 4.0


class SupervisedWorker:
    """``ports.Worker`` over a child process.

    Guarantees: at most one request is in the child; waiting interactive requests go before background
    ones, and preempt a running background one when the spec says so; a caller always gets an answer, a
    typed error, or a cancel; after a crash or a hang the next request gets a new process.

    Args:
        lanes: runs the idle unload.
        on_change: called with ``(name, state)`` after each change of state, on any thread.
    """

    def __init__(self, spec: WorkerSpec, lanes: Lanes, on_change: OnChange | None = None) -> None:
        self.spec = spec
        self._lanes = lanes
        self._on_change = on_change
        self._cond = threading.Condition()
        self._idents = itertools.count(1)
        self._waiting: list[tuple[tuple[int, int], Request]] = []
        self._current: Request | None = None
        self._aside: dict[int, Request] = {}
        self._child: ChildProcess | None = None
        self._state: State = "stopped"
        self._failures = 0
        self._not_before = 0.0
        self._restarts = 0
        self._last_error = ""
        self._stats: dict[str, Any] = {}
        self._closed = False

    def stream(
        self,
        op: str,
        args: dict[str, Any],
        *,
        blob: bytes = b"",
        priority: LaneName = "interactive",
        cancel: CancelToken | None = None,
        timeout: float | None = None,
        aside: bool = False,
    ) -> Iterator[WorkerItem]:
        """Send a request; ``aside`` skips the queue and preempts nothing."""
        request = Request(next(self._idents), priority)
        request.timeout = self.spec.answer_timeout if timeout is None else timeout
        if not self._beside(request, cancel, aside=aside):
            self._enter(request, cancel)
        try:
            child = self._ready_child(request, cancel)
            request.sent = True
            if not child.send({"id": request.ident, "op": op, "args": args, "aside": aside}, blob):
                child.kill(wanted=False)
            yield from self._items(request, child, cancel)
            with self._cond:
                self._failures, self._last_error = 0, ""
        finally:
            self._leave(request)

    def call(self, op: str, args: dict[str, Any], *, aside: bool = False, **how: Unpack[Asking]) -> WorkerItem:
        last: WorkerItem = ({}, b"")
        for item in self.stream(op, args, aside=aside, **how):
            last = item
        return last

    def start(self) -> dict[str, Any]:
        """Start the child unless it runs; return its worker's ``info``."""
        with self._cond:
            if self._child is not None and self._child.info is not None:
                return self._child.info
        request = Request(next(self._idents), "interactive")
        self._enter(request, None, displace=False)
        try:
            return self._ready_child(request, None).info or {}
        finally:
            self._leave(request)

    def state(self) -> EngineState:
        with self._cond:
            child, state = self._child, self._state
            if state == "backoff" and time.monotonic() >= self._not_before:
                state = "stopped"
            return EngineState(
                name=self.spec.name,
                kind=self.spec.kind,
                state=state,
                model=self.spec.model,
                pid=child.pid if child else None,
                rss_bytes=child.rss_bytes() if child else 0,
                restarts=self._restarts,
                last_error=self._last_error,
                tokens_per_second=float(self._stats.get("tokens_per_second", 0.0)),
            )

    def unload(self) -> None:
        """Stop the child; a running request gets ``CancelledError``."""
        self._end_child("The engine was unloaded.")

    def close(self) -> None:
        """Stop the child for good; waiting callers get ``CancelledError``. Idempotent."""
        with self._cond:
            self._closed = True
            self._cond.notify_all()
        self._lanes.forget(self._idle_key)
        self._end_child("memdesk is closing.")

    @property
    def _idle_key(self) -> str:
        # Two workers may share a name: a new embedding model starts before the old one has stopped.
        return f"engine-idle:{self.spec.name}:{id(self)}"

    def _beside(self, request: Request, cancel: CancelToken | None, *, aside: bool) -> bool:
        """Give the child a request that is aside, or that may take turns with the current ones."""
        with self._cond:
            self._raise_if_over(cancel)
            running = self._current
            chats = running is not None and running.priority == request.priority == "interactive"
            if not aside and not (chats and len(self._aside) + 1 < self.spec.shares):
                return False
            self._aside[request.ident] = request
        self._lanes.forget(self._idle_key)
        return True

    def _enter(self, request: Request, cancel: CancelToken | None, *, displace: bool = True) -> None:
        """Wait for exclusive use of the child."""
        with self._cond:
            heapq.heappush(self._waiting, (request.rank, request))
            try:
                if displace:
                    self._displace_for(request)
                while self._current is not None or self._waiting[0][1] is not request:
                    self._raise_if_over(cancel)
                    self._cond.wait(POLL_SECONDS if cancel is not None else 5 * POLL_SECONDS)
                self._raise_if_over(cancel)
            except BaseException:
                self._waiting.remove((request.rank, request))
                heapq.heapify(self._waiting)
                self._cond.notify_all()
                raise
            heapq.heappop(self._waiting)
            self._current = request
        self._lanes.forget(self._idle_key)

    def _raise_if_over(self, cancel: CancelToken | None) -> None:
        if self._closed:
            raise CancelledError(say("memdesk is closing."))
        if cancel is not None and cancel.is_set():
            raise CancelledError(say("The request was cancelled."))

    def _displace_for(self, request: Request) -> None:
        running = self._current
        displaces = self.spec.preempt and request.priority == "interactive"
        if displaces and running is not None and running.priority == "background" and not running.displaced:
            running.displaced = True
            self._send_cancel(running)

    def _send_cancel(self, request: Request) -> None:
        if request.sent and not request.ended and self._child is not None:
            self._child.send({"cancel": request.ident})

    def _leave(self, request: Request) -> None:
        """Hand the child to the next caller: at once, or when it has dropped a cancelled request."""
        with self._cond:
            child = self._child
            if request.sent and not request.ended and child is not None and child.exit_code is None:
                child.send({"cancel": request.ident})
                self._let_go(request, child)
            self._aside.pop(request.ident, None)
            self._release(request)
        self._arm_idle()

    def _release(self, request: Request) -> None:
        if self._current is not request:
            return
        self._current = None
        self._cond.notify_all()
        if self._child is not None and self._child.info is not None and not self._aside:
            self._set_state("ready")

    def _let_go(self, request: Request, child: ChildProcess) -> None:
        """Wait for the child to confirm the cancel; kill it if it does not within the request's timeout."""
        while not request.ended and child.exit_code is None:
            if not child.wanted_end and time.monotonic() - child.last_sign > request.timeout:
                child.kill()
                log.warning("engine %s did not let go of a cancelled request and was ended", self.spec.name)
                return
            self._cond.wait(POLL_SECONDS)

    def _ready_child(self, request: Request, cancel: CancelToken | None) -> ChildProcess:
        child = self._running_child(cancel)
        while not child.settled.wait(POLL_SECONDS):
            if self._closed or (cancel is not None and cancel.is_set()) or request.displaced:
                # The process keeps starting; the next caller benefits.
                raise CancelledError(say("The request was cancelled while the engine was starting."))
            if time.monotonic() - child.last_sign > self.spec.start_timeout:
                child.kill()
                self._count_failure(f"it did not start within {self.spec.start_timeout:.0f} s")
                raise EngineTimeoutError(
                    say(
                        "{name} did not start within {start_timeout:.0f} seconds.",
                        name=self.spec.name,
                        start_timeout=self.spec.start_timeout,
                    )
                )
        if child.info is None:
            raise self._start_error(child)
        return child

    def _running_child(self, cancel: CancelToken | None) -> ChildProcess:
        """Return the present process, or start one after the back-off."""
        with self._cond:
            # Checked again after each wait: a request aside may have started one meanwhile.
            while True:
                child = self._child
                if child is not None and child.exit_code is None and not child.wanted_end:
                    return child
                if not self._wait_for_backoff(cancel):
                    break
            # ``close`` ends the present process, and would not know of this one.
            self._raise_if_over(cancel)
            child = ChildProcess(self.spec, self._on_frame, self._on_exit)
            self._child = child
            self._stats = {}
        self._set_state("starting")
        child.start()
        return child

    def _wait_for_backoff(self, cancel: CancelToken | None) -> bool:
        """Wait a slice of the back-off; False when it is over. Long back-offs raise instead."""
        left = self._not_before - time.monotonic()
        if left <= 0:
            return False
        self._raise_if_over(cancel)
        if left > PATIENCE_SECONDS:
            raise EngineCrashedError(
                say(
                    "{name} has failed {failures} times in a row ({last_error}).",
                    name=self.spec.name,
                    failures=self._failures,
                    last_error=self._last_error,
                ),
                hint=say("It is tried again in {left:.0f} seconds.", left=left),
            )
        self._cond.wait(min(left, POLL_SECONDS))
        return True

    def _start_error(self, child: ChildProcess) -> MemdeskError:
        child.join(5.0)
        if child.fatal is not None:
            return typed_error(child.fatal)
        if child.wanted_end:
            return CancelledError(say("The engine was unloaded while it started."))
        return EngineCrashedError(
            say("{name} stopped while it started: {reason}.", name=self.spec.name, reason=child.reason())
        )

    def _items(self, request: Request, child: ChildProcess, cancel: CancelToken | None) -> Iterator[WorkerItem]:
        asked_to_stop = False
        started = time.monotonic()
        if request is self._current:
            self._set_state("busy")
        while True:
            try:
                frame = request.frames.get(timeout=POLL_SECONDS)
            except queue.Empty:
                if time.monotonic() - max(child.last_sign, started) > request.timeout:
                    raise self._hung(child, request) from None
            else:
                if frame is None:
                    raise self._lost(child, request)
                header, blob = frame
                if "item" in header and not request.displaced:
                    yield header["item"], blob
                elif "error" in header:
                    raise self._request_error(request, header["error"])
                elif "done" in header:
                    return
            if not asked_to_stop and cancel is not None and cancel.is_set():
                asked_to_stop = True
                child.send({"cancel": request.ident})

    def _request_error(self, request: Request, described: dict[str, str]) -> MemdeskError:
        error = typed_error(described)
        if isinstance(error, CancelledError) and request.displaced:
            return CancelledError(say("A chat went first; this work resumes later."))
        return error

    def _hung(self, child: ChildProcess, request: Request) -> MemdeskError:
        child.kill()
        self._count_failure(f"it did not respond for {request.timeout:.0f} s")
        return EngineTimeoutError(
            say("{name} did not respond for {timeout:.0f} seconds.", name=self.spec.name, timeout=request.timeout)
        )

    def _lost(self, child: ChildProcess, request: Request) -> MemdeskError:
        if child.wanted_end:
            return CancelledError(say("The engine was unloaded."))
        if request.displaced:
            return CancelledError(say("A chat went first; this work resumes later."))
        return EngineCrashedError(
            say("{name} stopped while it worked: {reason}.", name=self.spec.name, reason=child.reason())
        )

    def _end_child(self, why: str) -> None:
        child = self._child
        if child is None:
            return
        log.debug("engine %s ends: %s", self.spec.name, why)
        child.kill()
        child.join(10.0)

    def _on_frame(self, frame: Frame) -> None:
        header = frame[0]
        with self._cond:
            request = self._current
            if request is None or request.ident != header["id"]:
                request = self._aside.get(header["id"])
            if request is None:
                return
            if "item" in header and "stats" in header["item"]:
                self._stats = dict(header["item"]["stats"])
            request.frames.put(frame)
            if "done" in header or "error" in header:
                # The slot is free now, whether or not the caller reads on.
                request.ended = True
                self._release(request)

    def _on_exit(self, child: ChildProcess) -> None:
        with self._cond:
            if self._child is not child:
                return
            self._child = None
            if child.fatal is not None:
                # It gave a reason; a retry is cheap and may work once the user has acted on it.
                self._last_error = child.fatal.get("message", "")
            elif not child.wanted_end:
                self._count_failure(child.reason())
            for request in (self._current, *self._aside.values()):
                if request is not None:
                    request.frames.put(None)
            self._cond.notify_all()
            resting, failed = self._not_before > time.monotonic(), not child.wanted_end
        self._set_state("backoff" if failed and resting else "failed" if failed else "stopped")

    def _count_failure(self, why: str) -> None:
        with self._cond:
            self._failures += 1
            self._restarts += 1
            self._not_before = time.monotonic() + backoff_seconds(self._failures)
            self._last_error = why
            log.warning("engine %s failed (%d in a row)", self.spec.name, self._failures)

    def _set_state(self, state: State) -> None:
        with self._cond:
            if self._state == state:
                return
            self._state = state
        if self._on_change is not None:
            self._on_change(self.spec.name, state)

    def _arm_idle(self) -> None:
        if not self._closed and self._child is not None:
            self._lanes.later(self.spec.idle_seconds, "background", self._unload_if_idle, key=self._idle_key)

    def _unload_if_idle(self) -> None:
        with self._cond:
            if self._current is not None or self._waiting or self._aside or self._child is None:
                return
            # From here on a new request starts a new process instead of losing this one midway.
            self._child.wanted_end = True
        self._end_child("nobody used it for a while")
