"""How many threads llama.cpp uses from one moment to the next; runs in its child process only."""

import time
from dataclasses import dataclass
from typing import Any

import llama_cpp
import psutil

#: Look at the processors no more often than this, in seconds.
WINDOW_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Sample:
    """Clock readings in seconds: the wall's, all processors' busy time, this process's own."""

    wall: float
    busy: float
    own: float


def read_sample() -> Sample:
    times = psutil.cpu_times()
    busy = sum(times) - times.idle - getattr(times, "iowait", 0.0) - getattr(times, "guest", 0.0)
    return Sample(time.perf_counter(), busy, time.process_time())


def free_cores(before: Sample, after: Sample, cores: int) -> float:
    """Return how many of ``cores`` other programs left alone between two samples."""
    wall = after.wall - before.wall
    others = (after.busy - before.busy) - (after.own - before.own)
    return cores - max(0.0, others) / wall


class ThreadGovernor:
    """Gives cores back when others want them, and takes them again when they are free.

    llama.cpp's threads wait for each other by spinning after every operation. When one of them loses its
    core, all others burn theirs: on two busy cores two threads wrote 2-11 tokens a second where one wrote
    15-18. So it uses no more threads than there are cores that nobody else uses. Background work never
    takes the last core.
    """

    def __init__(self, context: Any, threads: int) -> None:
        self._context = context
        self._most = self._limit = self._now = max(1, threads)
        self._cores = psutil.cpu_count() or 1
        self._last = read_sample()

    @property
    def threads(self) -> int:
        return self._now

    def begin(self, lane: str) -> None:
        """Start a request of a lane."""
        self._limit = self._most if lane == "interactive" else max(1, self._most - 1)
        self._set(min(self._now, self._limit))
        self.tick()

    def tick(self) -> None:
        """Follow what the cores are used for. Call it often; it looks only now and then."""
        sample = read_sample() if time.perf_counter() - self._last.wall >= WINDOW_SECONDS else None
        if sample is None:
            return
        free = free_cores(self._last, sample, self._cores)
        self._last = sample
        self._set(max(1, min(self._limit, round(free))))

    def _set(self, threads: int) -> None:
        if threads != self._now:
            self._now = threads
            llama_cpp.llama_set_n_threads(self._context, threads, threads)
