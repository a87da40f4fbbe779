"""How many threads llama.cpp uses from one moment to the next; runs in its child process only."""

from __future__ import annotations

import time
from typing import Any

import llama_cpp

#: Look at the clocks no more often than this, in seconds.
WINDOW_SECONDS = 0.25
#: Below this share of the processor time asked for, someone else wants the cores.
CONTENDED = 0.8


class ThreadGovernor:
    """Gives cores back when others want them.

    llama.cpp's threads wait for each other by spinning after every operation. When one of them loses its
    core, all others burn theirs: on two busy cores two threads were measured slower than one (53 against
    78 tokens a second). So the processor time received is compared with the time asked for, and a thread
    is dropped when a fifth is missing. Background work never takes the last core.

    Args:
        context: llama.cpp's context.
        threads: most threads to use.
    """

    def __init__(self, context: Any, threads: int) -> None:
        self._context = context
        self._most = max(1, threads)
        self._now = self._most
        self._wall = self._cpu = 0.0

    @property
    def threads(self) -> int:
        """Threads in use now."""
        return self._now

    def begin(self, lane: str) -> None:
        """Start a request with as many threads as its lane may have."""
        self._set(self._most if lane == "interactive" else max(1, self._most - 1))
        self._mark()

    def tick(self) -> None:
        """Look at the clocks and drop a thread when the cores are contended."""
        wall = time.perf_counter() - self._wall
        if wall < WINDOW_SECONDS:
            return
        share = (time.process_time() - self._cpu) / (wall * self._now)
        if share < CONTENDED and self._now > 1:
            self._set(self._now - 1)
        self._mark()

    def _set(self, threads: int) -> None:
        if threads != self._now:
            self._now = threads
            llama_cpp.llama_set_n_threads(self._context, threads, threads)

    def _mark(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()
