"""The other end of the supervisor: what runs in an engine process.

Started as ``python -m memdesk.runtime.child package.module:Class`` (or, in a frozen build, as
``memdesk --engine-worker package.module:Class``). Frames come on standard input and go to what was
standard output; anything that native code prints goes to standard error instead.

The worker class is built from its JSON config and has ``info() -> dict`` and
``handle(op, args, blob, cancelled) -> iterator`` of ``(dict, bytes)`` items; it yields None as a sign of
life during long silent work, and looks at ``cancelled()`` between tokens or batches.
"""

import importlib
import os
import queue
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from typing import Any, BinaryIO, Protocol

from memdesk.errors import CancelledError, EngineFaultError, MemdeskError, MissingPartError
from memdesk.messages import say
from memdesk.runtime.frames import read_frame, write_frame
from memdesk.settings.freed import give_back_freed

#: First argument that makes the app's own executable an engine process (frozen builds).
WORKER_FLAG = "--engine-worker"


class ChildWorker(Protocol):
    """The worker of an engine process."""

    def info(self) -> dict[str, Any]:
        """Describe the loaded engine in JSON values."""

    def handle(
        self, op: str, args: dict[str, Any], blob: bytes, cancelled: Callable[[], bool]
    ) -> Iterator[tuple[dict[str, Any], bytes] | None]:
        """Answer one request. Operations called ``aside`` may arrive while another runs."""

    def may_pause(self) -> bool:
        """Whether the running request may pause here for others; called whenever it yields."""


class Channel:
    """The child's side of the pipe; writes are serialized."""

    def __init__(self, reader: BinaryIO, writer: BinaryIO) -> None:
        self._reader = reader
        self._writer = writer
        self._lock = threading.Lock()

    def send(self, header: dict[str, Any], blob: bytes = b"") -> None:
        with self._lock:
            write_frame(self._writer, header, blob)

    def receive(self) -> tuple[dict[str, Any], bytes] | None:
        """Read one frame; None when the app is gone."""
        return read_frame(self._reader)


def main(argv: list[str]) -> int:
    """Run the worker named in ``argv[0]`` until the app closes the pipe."""
    channel = _claim_pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the app's to handle; it ends us.
    _die_with_parent()
    first = channel.receive()
    if first is None:
        return 0
    config = first[0]
    if nice := int(config.get("nice", 0)):
        _step_back(nice)
    try:
        worker = _build(argv[0], config["config"])
        info = worker.info()
        give_back_freed()  # buffers of loading a model
    except Exception as error:  # noqa: BLE001  # whatever it is, the app must hear of it as a typed error
        channel.send({"fatal": _describe(error)})
        return 1
    channel.send({"ready": info})
    _Loop(channel, worker, float(config.get("turn_seconds", 1.0))).run()
    return 0


class _Answering:
    """A request on its way through the worker."""

    def __init__(self, header: dict[str, Any], items: Iterator[tuple[dict[str, Any], bytes] | None]) -> None:
        self.ident = int(header["id"])
        self.background = header["args"].get("priority") == "background"
        self.items = items


class _Loop:
    """Reads requests from the pipe on one thread and answers them on the main thread, small ones on a third.

    Requests that a worker may pause take turns, interactive ones before background ones.
    """

    def __init__(self, channel: Channel, worker: ChildWorker, turn_seconds: float) -> None:
        self._channel = channel
        self._turn_seconds = turn_seconds
        self._worker = worker
        self._requests: queue.SimpleQueue[tuple[dict[str, Any], bytes]] = queue.SimpleQueue()
        self._aside: queue.SimpleQueue[tuple[dict[str, Any], bytes]] = queue.SimpleQueue()
        self._cancelled: set[int] = set()

    def run(self) -> None:
        threading.Thread(target=self._listen, name="memdesk-pipe", daemon=True).start()
        threading.Thread(target=self._serve, args=(self._aside, False), name="memdesk-aside", daemon=True).start()
        self._serve(self._requests, by_turns=True)

    def _serve(self, requests: queue.SimpleQueue[tuple[dict[str, Any], bytes]], by_turns: bool) -> None:
        running: deque[_Answering] = deque()
        while True:
            while not running or not requests.empty():
                running.append(self._begin(*requests.get()))
            turn = next((one for one in running if not one.background), running[0])
            running.remove(turn)
            if self._go_on(turn, lambda: by_turns and (bool(running) or not requests.empty())):
                running.append(turn)

    def _begin(self, header: dict[str, Any], blob: bytes) -> _Answering:
        ident = int(header["id"])
        items = self._worker.handle(header["op"], header["args"], blob, lambda: ident in self._cancelled)
        return _Answering(header, items)

    def _listen(self) -> None:
        while True:
            frame = self._channel.receive()
            if frame is None:
                # The app is gone, perhaps killed. Native code may be busy: exit without waiting for it.
                os._exit(0)
            header, blob = frame
            if "cancel" in header:
                self._cancelled.add(int(header["cancel"]))
            elif header.get("aside"):
                self._aside.put((header, blob))
            else:
                self._requests.put((header, blob))

    def _go_on(self, turn: _Answering, others_wait: Callable[[], bool]) -> bool:
        """Answer a request to its end or, while others wait, for one turn; return whether there is more."""
        ident, until = turn.ident, time.monotonic() + self._turn_seconds

        def cancelled() -> bool:
            return ident in self._cancelled

        try:
            for item in turn.items:
                if item is None:
                    self._channel.send({"id": ident, "beat": True})
                else:
                    self._channel.send({"id": ident, "item": item[0]}, item[1])
                if cancelled():
                    break
                if time.monotonic() > until and others_wait() and self._worker.may_pause():
                    return True
            if isinstance(turn.items, Generator):
                turn.items.close()
        except Exception as error:  # noqa: BLE001  # translated for the app, which raises it again
            self._channel.send({"id": ident, "error": _describe(error)})
        else:
            if cancelled():
                self._channel.send({"id": ident, "error": _describe(CancelledError(say("The request was cancelled.")))})
            else:
                self._channel.send({"id": ident, "done": True})
        self._cancelled.discard(ident)
        return False


def _build(target: str, config: dict[str, Any]) -> ChildWorker:
    module, _, name = target.partition(":")
    worker: ChildWorker = getattr(importlib.import_module(module), name)(config)
    return worker


def _describe(error: Exception) -> dict[str, str]:
    if isinstance(error, MemdeskError):
        return {"code": error.code, "message": error.message, "hint": error.hint}
    if isinstance(error, ImportError) and (missing := MissingPartError.of(error)) is not None:
        return _describe(missing)
    if isinstance(error, MemoryError):
        return {"code": "engine_failed", "message": "The engine ran out of memory.", "hint": "Choose a smaller model."}
    # A foreign exception's text may quote the user: it goes through this pipe, but not into logs.
    return {"code": EngineFaultError.code, "message": f"{type(error).__name__}: {error}"}


def _claim_pipes() -> Channel:
    """Take standard input and output for frames, and redirect them for everyone else."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.setmode(0, os.O_BINARY)
        msvcrt.setmode(1, os.O_BINARY)
    reader = os.fdopen(os.dup(0), "rb")
    writer = os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    return Channel(reader, writer)


def _die_with_parent() -> None:
    """Have Linux end this process with its parent, even when native code holds the interpreter lock.

    Elsewhere, and in the moment before this runs, the closed pipe does (``_Loop._listen``).
    """
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    pr_set_pdeathsig = 1
    ctypes.CDLL(None, use_errno=True).prctl(pr_set_pdeathsig, signal.SIGKILL, 0, 0, 0)


def _step_back(nice: int) -> None:
    """Lower the priority: by ``nice`` steps, or Windows' priority class below normal."""
    if hasattr(os, "nice"):
        os.nice(nice)
        return
    import psutil

    psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
