"""Calls asynchronous clients from blocking threads, so that a request ends at once when its caller gives up."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from memdesk.errors import CancelledError
from memdesk.ports.calls import current

T = TypeVar("T")


class Asked:
    """The thread of one client. It starts with the first request. Thread-safe.

    Args:
        close: closes the client's connections.
    """

    def __init__(self, close: Callable[[], Coroutine[Any, Any, object]]) -> None:
        self._close = close
        self._guard = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def __call__(self, request: Coroutine[Any, Any, T]) -> T:
        """Return a request's answer, or raise its error.

        Raises:
            CancelledError: this thread's call was given up.
        """
        future = asyncio.run_coroutine_threadsafe(request, self._started())
        try:
            with current().ended_by(future.cancel):
                return future.result()
        except concurrent.futures.CancelledError:
            raise CancelledError("The call was given up.") from None
        finally:
            # Nobody waits for it any more; likewise after Ctrl+C.
            future.cancel()

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._guard:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="memdesk-model", daemon=True)
                self._thread.start()
            return self._loop

    def close(self) -> None:
        """Close connections and the thread. Idempotent."""
        with self._guard:
            loop, thread, self._loop = self._loop, self._thread, None
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(self._close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
