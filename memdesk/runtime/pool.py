"""All supervised engine processes of the app."""

import contextlib
import threading

from memdesk.ports import Lanes, WorkerSpec
from memdesk.runtime.supervisor import OnChange, SupervisedWorker


class WorkerPool:
    """``ports.Workers``: makes supervised workers and stops them together."""

    def __init__(self, lanes: Lanes, on_change: OnChange | None = None) -> None:
        self._lanes = lanes
        self._on_change = on_change
        self._lock = threading.Lock()
        self._workers: list[SupervisedWorker] = []

    def make(self, spec: WorkerSpec) -> SupervisedWorker:
        worker = SupervisedWorker(spec, self._lanes, self._on_change)
        with self._lock:
            self._workers.append(worker)
        return worker

    def unload(self) -> None:
        with self._lock:
            workers = list(self._workers)
        for worker in workers:
            worker.unload()

    def close(self) -> None:
        with self._lock:
            workers, self._workers = self._workers, []
        with contextlib.ExitStack() as stack:
            for worker in workers:
                stack.callback(worker.close)
