"""Between the main thread and the services: background work, streams and events.

No service is ever called on the main thread. A :class:`ServiceOp` runs a callable on a lane and reports success or
failure on the main thread; a :class:`StreamOp` delivers an iterator's items in batches; :meth:`Bridge.on` brings events
of the bus to the main thread. Callbacks of a deleted owner are dropped.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Generic, ParamSpec, TypeVar, cast

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from shiboken6 import isValid

from memdesk.errors import CancelledError, LockedError
from memdesk.gui.notices import Notices
from memdesk.ports import LaneName
from memdesk.services.container import Services
from memdesk.services.events import Event, Notice

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")
E = TypeVar("E", bound=Event)
#: Streams are drawn at most this often, in ms.
STREAM_MS = 33
#: Time left to input and painting between draws of a stream, as a multiple of a draw's duration.
STREAM_REST = 3
#: Minimum interval of progress reports, in seconds.
PROGRESS_SECONDS = 0.05
#: After this many seconds of delivering results, the rest wait for the next round of the event loop.
DELIVER_SECONDS = 0.004


class Bridge(QObject):
    """Carries work to the lanes and results, stream items and events back. Lives on the main thread."""

    _posted = Signal()

    def __init__(self, services: Services, notices: Notices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.services = services
        self.notices = notices
        self._mail: deque[Callable[[], None]] = deque()
        self._mail_lock = threading.Lock()
        #: Whether a delivery to the main thread is pending.
        self._due = False
        self._listeners: list[_Listener] = []
        self._latest: dict[tuple[int, str], Work] = {}
        self._running: set[Work] = set()
        self._closed = False
        self._posted.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._unsubscribe = services.events.subscribe(Event, self._heard)
        self.on(Notice, notices.heard, owner=notices)

    # -- background work ---------------------------------------------------------------

    def run(
        self,
        owner: QObject,
        work: Callable[[], T],
        success: Callable[[T], object] | None = None,
        failure: Callable[[Exception], object] | None = None,
        *,
        lane: LaneName = "interactive",
        latest: str = "",
    ) -> ServiceOp[T]:
        """Start a callable without arguments; a shortcut for reads.

        Args:
            owner: callbacks are dropped once it is deleted.
            work: runs on the lane.
            success: gets the result, on the main thread.
            failure: gets the error; without it, a notice shows it.
            lane: ``interactive`` or ``background``.
            latest: a name; a newer run of the same owner and name makes this one's result stale, and it is dropped.
        """
        op = ServiceOp(self, owner, lambda _op: work(), lane=lane)
        if success is not None:
            op.success(success)
        if failure is not None:
            op.failure(failure)
        return op.start(latest=latest)

    def call(self, owner: QObject, service: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> ServiceOp[T]:
        """Prepare a call of a service with these arguments; start it after adding callbacks."""
        return ServiceOp(self, owner, lambda _op: service(*args, **kwargs))

    def supersede(self, owner: QObject, name: str) -> None:
        """Make the pending named run of ``owner`` stale; see ``latest``."""
        work = self._latest.pop((id(owner), name), None)
        if work is not None:
            work.supersede()

    def post(self, call: Callable[[], None]) -> None:
        """Run ``call`` on the main thread soon. Thread-safe."""
        with self._mail_lock:
            if self._closed:
                return
            self._mail.append(call)
            wake, self._due = not self._due, True
        if wake:
            self._posted.emit()

    def _deliver(self) -> None:
        self._due = False
        end = time.perf_counter() + DELIVER_SECONDS
        try:
            while self._mail and time.perf_counter() < end:
                self._mail.popleft()()
        finally:
            # The rest follows in the next round, after input and painting, even if a callback failed.
            with self._mail_lock:
                again = bool(self._mail) and not self._due
                self._due = self._due or again
            if again:
                QTimer.singleShot(0, self, self._deliver)

    # -- events ------------------------------------------------------------------------

    def on(self, kind: type[E], handler: Callable[[E], object], *, owner: QObject, settle_ms: int = 0) -> None:
        """Call ``handler`` on the main thread for every event of ``kind`` while ``owner`` lives.

        Args:
            kind: the event class; subclasses count.
            handler: what to call.
            owner: a deleted owner gets no more events.
            settle_ms: wait this long and pass only the last of a burst; 0 passes each.
        """
        self._listeners.append(_Listener(kind, cast("Callable[[Event], object]", handler), owner, settle_ms))

    def _heard(self, event: Event) -> None:
        self.post(lambda: self._tell(event))

    def _tell(self, event: Event) -> None:
        self._listeners = [item for item in self._listeners if isValid(item.owner)]
        for listener in list(self._listeners):
            if isinstance(event, listener.kind):
                listener.hear(event)

    # -- book-keeping ------------------------------------------------------------------

    def close(self) -> None:
        """Stop listening, drop pending deliveries and ask running work to stop. Idempotent."""
        self._unsubscribe()
        with self._mail_lock:
            self._closed = True
            self._mail.clear()
        for listener in self._listeners:
            listener.forget()
        for work in list(self._running):
            work.cancel()

    def tracks(self, work: Work) -> bool:
        return work in self._running

    def busy(self) -> bool:
        """Whether any work started here is unfinished."""
        return bool(self._running)

    def track(self, work: Work, latest: str = "") -> None:
        """Register work as running; named work makes the owner's previous one of that name stale."""
        self._running.add(work)
        if latest:
            self.supersede(work.owner, latest)
            self._latest[(id(work.owner), latest)] = work

    def untrack(self, work: Work) -> None:
        self._running.discard(work)
        for key in [key for key, value in self._latest.items() if value is work]:
            del self._latest[key]


class _Listener:
    """One subscription, with an optional settling time."""

    def __init__(self, kind: type[Event], handler: Callable[[Event], object], owner: QObject, settle_ms: int) -> None:
        self.kind = kind
        self.owner = owner
        self._handler = handler
        self._last: Event | None = None
        self._timer: QTimer | None = None
        if settle_ms:
            self._timer = QTimer(owner, singleShot=True, interval=settle_ms)
            self._timer.timeout.connect(self._settled)

    def hear(self, event: Event) -> None:
        if self._timer is None:
            self._handler(event)
            return
        self._last = event
        if not self._timer.isActive():
            self._timer.start()

    def forget(self) -> None:
        """Drop an event that waits for the end of its burst."""
        self._last = None

    def _settled(self) -> None:
        if self._last is not None:
            event, self._last = self._last, None
            self._handler(event)


class Work:
    """Common to operations, streams and slices: an owner, a cancel token, failure and the end."""

    def __init__(self, bridge: Bridge, owner: QObject) -> None:
        self.bridge = bridge
        self.owner = owner
        #: Pass it to services as ``cancel=op.token``.
        self.token = threading.Event()
        self._on_failure: Callable[[Exception], object] | None = None
        self._on_end: Callable[[], object] | None = None
        self._superseded = False

    def cancel(self) -> None:
        """Ask the work to stop at its next safe point. It fails with ``CancelledError``, or succeeds if it was done."""
        self.token.set()

    def supersede(self) -> None:
        """Cancel, and drop its result."""
        self._superseded = True
        self.token.set()

    @property
    def _heard(self) -> bool:
        return not self._superseded and isValid(self.owner)

    def _fail(self, error: Exception) -> None:
        self.bridge.untrack(self)
        if self._heard:
            try:
                if self._on_failure is not None:
                    self._on_failure(error)
                elif not isinstance(error, (CancelledError, LockedError)):
                    # The lock screen already shows a locked vault.
                    self.bridge.notices.error(error)
            finally:
                self._finish()

    def _finish(self) -> None:
        if self._on_end is not None:
            self._on_end()


class ServiceOp(Work, Generic[T]):
    """One piece of background work: create it, add callbacks, ``start`` it.

    ``work`` runs on the lane and gets this operation, for its cancel ``token`` and ``report``.
    Without a failure callback the error is shown as a notice; a cancelled operation is silent.
    """

    def __init__(
        self, bridge: Bridge, owner: QObject, work: Callable[[ServiceOp[T]], T], *, lane: LaneName = "interactive"
    ) -> None:
        super().__init__(bridge, owner)
        self.lane: LaneName = lane
        self._work = work
        self._on_success: list[Callable[[T], object]] = []
        self._on_progress: Callable[[float, str], None] | None = None
        self._reported = 0.0

    def behind(self) -> ServiceOp[T]:
        """Let chats and other work that the user waits for go first."""
        self.lane = "background"
        return self

    def success(self, callback: Callable[[T], object]) -> ServiceOp[T]:
        """Add a callback for the result, on the main thread."""
        self._on_success.append(callback)
        return self

    def then(self, callback: Callable[[], object]) -> ServiceOp[T]:
        """Add a callback for success, on the main thread, without the result."""
        return self.success(lambda _result: callback())

    def tell(self, words: str, more: str = "") -> ServiceOp[T]:
        """Show this notice once it is done."""
        return self.then(lambda: self.bridge.notices.success(words, more))

    def failure(self, callback: Callable[[Exception], object]) -> ServiceOp[T]:
        """Handle errors instead of the notice."""
        self._on_failure = callback
        return self

    def progress(self, callback: Callable[[float, str], None]) -> ServiceOp[T]:
        """Handle progress: a fraction 0..1 (negative: unknown) and a text."""
        self._on_progress = callback
        return self

    def ended(self, callback: Callable[[], object]) -> ServiceOp[T]:
        """Add a callback for the end, success or not; for example to enable a button again."""
        self._on_end = callback
        return self

    def start(self, *, latest: str = "") -> ServiceOp[T]:
        """Send the work to its lane. See :meth:`Bridge.run` for ``latest``."""
        self.bridge.track(self, latest)
        self.bridge.services.lanes.submit(self.lane, self._run)
        return self

    def report(self, fraction: float, message: str = "") -> None:
        """Report progress; from the work's thread, as often as needed."""
        now = time.monotonic()
        if self._on_progress is None or (now - self._reported < PROGRESS_SECONDS and fraction < 1):
            return
        self._reported = now
        self.bridge.post(lambda: self._tell_progress(fraction, message))

    def _tell_progress(self, fraction: float, message: str) -> None:
        if self._heard and self._on_progress is not None and self.bridge.tracks(self):
            self._on_progress(fraction, message)

    def _run(self) -> None:
        if self._superseded:
            self.bridge.post(lambda: self.bridge.untrack(self))
            return
        try:
            result = self._work(self)
        except Exception as error:  # noqa: BLE001 - every failure is shown to the user on the main thread
            caught = error
            self.bridge.post(lambda: self._fail(caught))
        else:
            self.bridge.post(lambda: self._succeed(result))

    def _succeed(self, result: T) -> None:
        self.bridge.untrack(self)
        if self._heard:
            try:
                for callback in self._on_success:
                    callback(result)
            finally:
                self._finish()


class StreamOp(Work, Generic[T]):
    """Background iteration whose items arrive on the main thread in batches, at most every 33 ms.

    Items that take long to draw come in larger batches, so that typing goes on smoothly.
    """

    def __init__(
        self,
        bridge: Bridge,
        owner: QObject,
        work: Callable[[threading.Event], Iterator[T]],
        *,
        items: Callable[[list[T]], None],
        done: Callable[[], None],
        failure: Callable[[Exception], object],
    ) -> None:
        super().__init__(bridge, owner)
        self._work = work
        self._on_items = items
        self._on_done = done
        self._on_failure = failure
        self._buffer: deque[T] = deque()
        self._timer = QTimer(bridge, interval=STREAM_MS)
        self._timer.timeout.connect(self._drain)

    def start(self) -> StreamOp[T]:
        """Start iterating on the interactive lane."""
        self.bridge.track(self)
        self._timer.start()
        self.bridge.services.lanes.submit("interactive", self._run)
        return self

    def _run(self) -> None:
        try:
            for item in self._work(self.token):
                self._buffer.append(item)
        except Exception as error:  # noqa: BLE001 - every failure is shown to the user on the main thread
            caught = error
            self.bridge.post(lambda: self._stop(caught))
        else:
            self.bridge.post(lambda: self._stop(None))

    def _drain(self) -> None:
        if not self._heard:
            self._timer.stop()
            self.token.set()
            return
        batch: list[T] = []
        while self._buffer:
            batch.append(self._buffer.popleft())
        if batch:
            started = time.perf_counter()
            self._on_items(batch)
            taken_ms = (time.perf_counter() - started) * 1000
            self._timer.setInterval(max(STREAM_MS, int(STREAM_REST * taken_ms)))

    def _stop(self, error: Exception | None) -> None:
        self._timer.stop()
        self._timer.deleteLater()
        self._drain()
        # The last items and the end are drawn in separate rounds.
        self.bridge.post(lambda: self._end(error))

    def _end(self, error: Exception | None) -> None:
        if error is not None:
            self._fail(error)
            return
        self.bridge.untrack(self)
        if self._heard:
            self._on_done()
