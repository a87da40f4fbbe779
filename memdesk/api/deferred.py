"""Accepts requests before the application is built.

Importing FastAPI and making some seventy routes takes longer than opening the store. The server listens
at once; a request that arrives before the application is ready waits for a fraction of a second.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Asgi = Callable[[Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]]


class DeferredApp:
    """An ASGI application that is built on a thread of its own."""

    def __init__(self, build: Callable[[], Asgi]) -> None:
        self._build = build
        self._done = threading.Event()
        self._app: Asgi | None = None
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="memdesk-api-build", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def join(self) -> None:
        if self._thread.ident is not None:
            self._thread.join()

    async def __call__(
        self, scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
    ) -> None:
        """Serve one request.

        Raises:
            RuntimeError: the application could not be built; the cause says why.
        """
        if not self._done.is_set():
            await asyncio.get_running_loop().run_in_executor(None, self._done.wait)
        if self._app is None:
            raise RuntimeError("the application could not be built") from self._failure
        await self._app(scope, receive, send)

    def _run(self) -> None:
        try:
            self._app = self._build()
        except Exception as error:  # noqa: BLE001 - raised again by every request
            self._failure = error
        finally:
            self._done.set()
