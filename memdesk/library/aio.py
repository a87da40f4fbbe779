"""``AsyncMemory``: the calls of ``Memory``, awaited. The loop is never blocked."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar

from memdesk.library.sync import Memory

P = ParamSpec("P")
T = TypeVar("T")
#: Calls that run side by side; more wait their turn without blocking the loop.
SIDE_BY_SIDE: Final = 8


def awaited(call: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """Return a call of a memory as one that is awaited: the same arguments, result, errors and documentation.

    Its owner has the memory in ``_memory`` and an executor, or None for the loop's own, in ``_threads``.
    """

    @functools.wraps(call)
    async def on_a_thread(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        import asyncio

        run = functools.partial(call, self._memory, *args, **kwargs)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, run)

    return on_a_thread


class AsyncMemory:
    """What a program remembers of its users, for asyncio. An asynchronous context manager.

    The calls and their errors are those of :class:`memdesk.library.Memory`. Databases, embedder and reader work on threads
    of this memory's own, ``SIDE_BY_SIDE`` at most, so that no other user of the loop's default executor waits for them.
    """

    def __init__(self, memory: Memory) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self._memory = memory
        self._threads = ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="memdesk-async")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Give back files, connections, processes and threads. Idempotent."""
        import asyncio

        # On a thread that is nobody's: the own ones end here.
        await asyncio.to_thread(self._threads.shutdown)
        await asyncio.to_thread(self._memory.close)

    add = awaited(Memory.add)
    search = awaited(Memory.search)
    get = awaited(Memory.get)
    get_all = awaited(Memory.get_all)
    update = awaited(Memory.update)
    delete = awaited(Memory.delete)
    delete_all = awaited(Memory.delete_all)
    history = awaited(Memory.history)
    reset = awaited(Memory.reset)
    entities = awaited(Memory.entities)
    relations = awaited(Memory.relations)
