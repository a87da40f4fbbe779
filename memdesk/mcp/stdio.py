"""MCP over standard input and output, for programs that start their own tool servers."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol

import anyio
from mcp.server.stdio import stdio_server

from memdesk.errors import MemdeskError
from memdesk.mcp.server import Context, make_server

#: Seconds between checks for changes while a program is subscribed.
LOOK_SECONDS: Final = 1.0


class Ask(Protocol):
    """Calls a running app, through the command line's client. ``agent``: None for the app's default."""

    agent: str | None

    def get(self, path: str, **query: Any) -> Any: ...

    def post(self, path: str, body: dict[str, Any], *, program: str) -> Any:
        """POST a JSON body for a program and return the answer's JSON."""


class RunningApp:
    """The tools of an app over HTTP."""

    def __init__(self, app: Ask) -> None:
        self._app = app

    def tools(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._app.get("/memory/tools")["items"]
        return found

    def use(self, name: str, arguments: dict[str, Any], context: Context) -> dict[str, Any]:
        """Run a tool on behalf of the connected program."""
        info = context.session.client_params
        program = info.client_info.name if info is not None else "MCP"
        result: dict[str, Any] = self._app.post(f"/memory/tools/{name}", arguments, program=program)
        return result

    def watch(self, context: Context, changed: Callable[[], None]) -> Callable[[], None]:  # noqa: ARG002 -- one connection, one program
        """Report changes in the memory of the program's agent, by polling its latest history entry."""
        before, ended = self._latest(), threading.Event()

        def look() -> None:
            nonlocal before
            while not ended.wait(LOOK_SECONDS):
                with suppress(MemdeskError):  # the app is locked or restarting
                    latest = self._latest()
                    if latest != before:
                        before = latest
                        changed()

        threading.Thread(target=look, name="memdesk-watch", daemon=True).start()
        return ended.set

    def _latest(self) -> Any:
        return self._app.get("/memory/history", agent_id=self._app.agent, limit=1)["items"]


def serve(app: Ask) -> None:
    """Serve until the other end closes our input."""

    async def run() -> None:
        server = make_server(RunningApp(app), one_client=True)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(run)
