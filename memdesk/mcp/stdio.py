"""MCP over standard input and output, for programs that start their tools themselves."""

from __future__ import annotations

from typing import Any, Protocol

import anyio
from mcp.server.stdio import stdio_server

from memdesk.mcp.server import Context, make_server


class Ask(Protocol):
    """Asks an app that runs; the command line's client does it."""

    def get(self, path: str) -> Any:
        """GET a path and return its JSON."""

    def post(self, path: str, body: dict[str, Any], *, program: str) -> Any:
        """POST a JSON body for a program and return the answer's JSON."""


class RunningApp:
    """The tools of an app that is spoken to over HTTP."""

    def __init__(self, app: Ask) -> None:
        self._app = app

    def tools(self) -> list[dict[str, Any]]:
        """Return every tool."""
        found: list[dict[str, Any]] = self._app.get("/memory/tools")["items"]
        return found

    def use(self, name: str, arguments: dict[str, Any], context: Context) -> dict[str, Any]:
        """Run a tool in the name of the program at the other end."""
        info = context.session.client_params
        program = info.client_info.name if info is not None else "MCP"
        result: dict[str, Any] = self._app.post(f"/memory/tools/{name}", arguments, program=program)
        return result


def serve(app: Ask) -> None:
    """Serve until the other end closes our input."""

    async def run() -> None:
        server = make_server(RunningApp(app))
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(run)
