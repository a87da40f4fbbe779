"""Engines in this process, for programs that call one engine for a few milliseconds at a time.

The app keeps its engines in child processes, so that one that hangs or crashes does not take the window with it. A
program that uses the library has no window, and a round trip to another process takes about as long as embedding a
question.
"""

import ctypes
import os
import threading
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Unpack
from weakref import WeakSet

from memdesk.errors import CancelledError, EngineError, MemdeskError
from memdesk.messages import say
from memdesk.ports import EngineState, WorkerItem, WorkerSpec
from memdesk.ports.engines import Asking

if TYPE_CHECKING:
    from memdesk.ports import Worker, Workers


#: What is loaded in this process.
_LOADED: Final[WeakSet[Any]] = WeakSet()


class EngineHere:
    """``ports.Worker`` without a child: loaded by the first request, answers one at a time."""

    def __init__(self, spec: WorkerSpec) -> None:
        self.spec = spec
        self._lock = threading.RLock()
        self._loaded: Any = None
        self._closed = False

    def stream(self, op: str, args: dict[str, Any], **how: Unpack[Asking]) -> Iterator[WorkerItem]:
        """Run ``op`` and yield its last item."""
        yield self.call(op, args, **how)

    def call(self, op: str, args: dict[str, Any], *, aside: bool = False, **how: Unpack[Asking]) -> WorkerItem:
        """Run ``op`` and return its last item; it cannot be stopped or timed out."""
        del aside
        last: WorkerItem = ({}, b"")
        try:
            with self._lock:
                for item in self._engine().handle(op, args, how.get("blob", b""), lambda: self._closed):
                    last = item or last
        except MemdeskError:
            raise
        except Exception as error:
            # Native libraries raise types of their own; callers expect one.
            raise EngineError(say("The {kind} failed: {error}", kind=self.spec.kind, error=error)) from error
        return last

    def start(self) -> dict[str, Any]:
        """Load it if needed; return its ``info``."""
        with self._lock:
            info: dict[str, Any] = self._engine().info()
            return info

    def _engine(self) -> Any:
        if self._closed:
            raise CancelledError(say("The memory is closed."))
        if self._loaded is None:
            module, _, name = self.spec.target.partition(":")
            self._loaded = getattr(import_module(module), name)(self.spec.config)
            _LOADED.add(self._loaded)
        return self._loaded

    def state(self) -> EngineState:
        loaded = "ready" if self._loaded is not None else "stopped"
        return EngineState(name=self.spec.name, kind=self.spec.kind, state=loaded, model=self.spec.model)  # type: ignore[arg-type]

    def unload(self) -> None:
        """Unload it; the next request loads it again."""
        with self._lock:
            self._loaded = None

    def close(self) -> None:
        """Unload it for good. Idempotent."""
        self._closed = True
        self.unload()


def _forked() -> None:
    """Never let go of what is loaded, in a process that was forked: its threads are not there, and native code would wait for them."""
    for loaded in _LOADED:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(loaded))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


class EnginesHere:
    """``ports.Workers`` of this process."""

    def __init__(self) -> None:
        self._engines: list[EngineHere] = []

    def make(self, spec: WorkerSpec) -> EngineHere:
        engine = EngineHere(spec)
        self._engines.append(engine)
        return engine

    def close(self) -> None:
        """Unload every engine for good. Idempotent."""
        for engine in self._engines:
            engine.close()


if TYPE_CHECKING:
    _CONFORMS: tuple[type[Worker], type[Workers]] = (EngineHere, EnginesHere)
