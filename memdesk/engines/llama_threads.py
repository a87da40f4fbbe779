"""Adapts the number of llama.cpp's threads; runs only in its child process."""

import time
from dataclasses import dataclass
from typing import Any

import llama_cpp
import psutil

#: Minimum interval between samples of the processors, in seconds.
WINDOW_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Sample:
    """Clock readings in seconds: wall clock, all processors' busy time, this process's own."""

    wall: float
    busy: float
    own: float


def read_sample() -> Sample:
    times = psutil.cpu_times()
    busy = sum(times) - times.idle - getattr(times, "iowait", 0.0) - getattr(times, "guest", 0.0)
    return Sample(time.perf_counter(), busy, time.process_time())


def free_cores(before: Sample, after: Sample, cores: int) -> float:
    """Return how many of ``cores`` other programs left idle between two samples."""
    wall = after.wall - before.wall
    others = (after.busy - before.busy) - (after.own - before.own)
    return cores - max(0.0, others) / wall


class ThreadGovernor:
    """Releases cores when others need them, and takes them back when they are idle.

    llama.cpp's threads spin while waiting for each other after every operation. If one of them loses its core, all
    others waste theirs: on two busy cores two threads wrote 2-11 tokens a second where one wrote 15-18. So it uses no
    more threads than there are idle cores. Background work never takes the last core.
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
        """Adapt to the cores' load. Call it often; it samples only now and then."""
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
