"""``AsyncMemory``: the calls of ``Memory``, awaited. The event loop is never blocked."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar

from memdesk.library.sync import Memory
from memdesk.ports.calls import Call
from memdesk.services.library import VaultError

P = ParamSpec("P")
T = TypeVar("T")
#: Concurrent writing calls, and as many reading ones; more wait their turn without blocking the loop.
SIDE_BY_SIDE: Final = 8


def awaited(
    call: Callable[Concatenate[Any, P], T], threads: str = "_writers"
) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """Return an awaitable version of a memory's call: the same arguments, result, errors and documentation.

    A cancelled call is given up: a model queried over the network is dropped at once, and nothing is written; once it
    has begun to write, it finishes.

    Its owner provides the memory by ``_opened()``, which may block, and an executor, or None for the loop's own, in the
    attribute ``threads``. Reading calls have another executor, so that none waits for a slow model.
    """

    @functools.wraps(call)
    async def on_a_thread(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        import asyncio

        one = Call()

        def work() -> T:
            with one.made():
                one.go_on()
                return call(self._opened(), *args, **kwargs)

        try:
            return await asyncio.get_running_loop().run_in_executor(getattr(self, threads), work)
        except asyncio.CancelledError:
            one.give_up()
            raise

    return on_a_thread


def read(call: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """Return an awaitable version of a read-only call; see :func:`awaited`."""
    return awaited(call, "_readers")


class AsyncMemory:
    """What a program remembers of its users, for asyncio. An asynchronous context manager.

    The calls and their errors are those of :class:`memdesk.library.Memory`. Databases, embedder and reader work on this
    memory's own threads, ``SIDE_BY_SIDE`` for writing and as many for reading, so that other users of the loop's
    default executor need not wait.

    Args:
        open_memory: opens the memory; called once, on a thread, by ``async with`` or the first call, which raises its
            errors.
    """

    def __init__(self, open_memory: Callable[[], Memory]) -> None:
        self._open = open_memory
        self._memory: Memory | None = None
        self._ended = False
        self._guard = threading.Lock()
        self._writers: ThreadPoolExecutor | None = ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="memdesk-write")
        self._readers: ThreadPoolExecutor | None = ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="memdesk-read")

    def _opened(self) -> Memory:
        with self._guard:
            if self._memory is None:
                if self._ended:
                    raise VaultError("The memory is closed.")
                self._memory = self._open()
            return self._memory

    async def __aenter__(self) -> Self:
        await awaited(Memory.__enter__)(self)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Wait for running calls, and close files, connections, processes and threads. Idempotent.

        If cancelled, it stops waiting and closing goes on in the background.
        """
        import asyncio

        # Later calls run on the loop's threads, where the memory reports that it is closed.
        both = self._writers, self._readers
        self._writers = self._readers = None
        await asyncio.to_thread(self._end, [threads for threads in both if threads is not None])

    def _end(self, working: Sequence[ThreadPoolExecutor]) -> None:
        for threads in working:
            threads.shutdown()
        with self._guard:
            self._ended, memory = True, self._memory
        if memory is not None:
            memory.close()

    add = awaited(Memory.add)
    search = read(Memory.search)
    get = read(Memory.get)
    get_all = read(Memory.get_all)
    update = awaited(Memory.update)
    delete = awaited(Memory.delete)
    delete_all = awaited(Memory.delete_all)
    history = read(Memory.history)
    reset = awaited(Memory.reset)
    entities = read(Memory.entities)
    relations = read(Memory.relations)
