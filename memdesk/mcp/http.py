"""MCP over streamable HTTP, behind the server's own checks of host, origin and token."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from memdesk.mcp.server import Context, make_server

if TYPE_CHECKING:
    from memdesk.services.tools import Caller, ToolsService

#: Says who sends a request, and the agent that its headers name.
WhoCalls = Callable[[Request], "tuple[Caller, str | None]"]


class ServiceHost:
    """The tools of this process, used with the rights of the request's token."""

    def __init__(self, service: ToolsService, who_calls: WhoCalls) -> None:
        self._service = service
        self._who_calls = who_calls

    def tools(self) -> list[dict[str, Any]]:
        """Return every tool; what a token may not use is refused when it is used."""
        return [tool.told() for tool in self._service.all()]

    def use(self, name: str, arguments: dict[str, Any], context: Context) -> dict[str, Any]:
        """Run a tool for the token that the request came with."""
        assert isinstance(context.request, Request)
        caller, agent_id = self._who_calls(context.request)
        return self._service.use(name, arguments, caller, agent_id=agent_id)


class McpEndpoint:
    """The ASGI application of ``/mcp``. Every request stands alone: no sessions, so a restart loses none."""

    def __init__(self, service: ToolsService, who_calls: WhoCalls) -> None:
        self._host = ServiceHost(service, who_calls)
        self._manager: StreamableHTTPSessionManager | None = None
        self._running: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if self._running is None or self._running.done():
            await self._start()
        assert self._manager is not None
        await self._manager.handle_request(scope, receive, send)

    async def _start(self) -> None:
        # The manager's tasks belong to the event loop that serves; they end with it.
        self._manager = StreamableHTTPSessionManager(make_server(self._host), json_response=True, stateless=True)
        ready = asyncio.Event()
        self._running = asyncio.create_task(_run(self._manager, ready))
        await ready.wait()


async def _run(manager: StreamableHTTPSessionManager, ready: asyncio.Event) -> None:
    async with manager.run():
        ready.set()
        await asyncio.Event().wait()
