"""Downloads from the hub: those that run, and those that were interrupted and can go on."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Final

from memdesk.errors import ConflictError
from memdesk.messages import say
from memdesk.ports import AnyToken, CancelToken
from memdesk.services.models.seams import Fetching, Hub, Progress

#: Downloads at a time: each holds a thread of the lane that distillation needs as well.
MOST: Final = 2


class Downloads:
    """Knows every download of this process and what earlier ones left on the disk. Thread-safe."""

    def __init__(self, hub: Hub, folder: Path) -> None:
        self._hub = hub
        self._folder = folder
        self._lock = threading.Lock()
        self._running: dict[tuple[str, str], Fetching] = {}
        self._stops: dict[tuple[str, str], threading.Event] = {}

    def all(self) -> list[Fetching]:
        """Return what runs, then what was interrupted; looks at the disk."""
        with self._lock:
            running = dict(self._running)
        left = [found for found in self._hub.unfinished(self._folder) if (found.repo, found.filename) not in running]
        return [*running.values(), *left]

    def run(self, repo: str, filename: str, progress: Progress | None, cancel: CancelToken | None) -> list[Path]:
        """Download a file and return where its parts lie; raises as ``ModelsService.download``."""
        job = (repo, filename)
        with self._lock:
            if job in self._running:
                raise ConflictError(say("{filename} is being downloaded already.", filename=filename))
            if len(self._running) >= MOST:
                raise ConflictError(
                    say("Two downloads are running already."),
                    hint=say("Start this one when one of them has ended, or stop one."),
                )
            self._running[job] = Fetching(repo=repo, filename=filename, running=True)
            stop = self._stops[job] = threading.Event()

        def told(done: int, total: int) -> None:
            with self._lock:
                self._running[job] = replace(self._running[job], done=done, total=total)
            if progress is not None:
                progress(done, total)

        try:
            return self._hub.download(repo, filename, self._folder, progress=told, cancel=AnyToken(stop, cancel))
        finally:
            with self._lock:
                del self._running[job], self._stops[job]

    def stop(self, repo: str, filename: str) -> None:
        """Stop a download; what has come is kept. One that does not run is fine."""
        with self._lock:
            stop = self._stops.get((repo, filename))
        if stop is not None:
            stop.set()

    def discard(self, repo: str, filename: str) -> None:
        """Throw away what an interrupted download left.

        Raises:
            ConflictError: it runs.
        """
        with self._lock:
            if (repo, filename) in self._running:
                raise ConflictError(say("{filename} is being downloaded already.", filename=filename))
        self._hub.discard(repo, filename, self._folder)
