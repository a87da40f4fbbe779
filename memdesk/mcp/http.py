"""MCP over streamable HTTP, behind the server's own checks of host, origin and token."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from memdesk.mcp.server import Context, make_server
from memdesk.services.events import DistillationFinished, EventBus, MemoryChanged
from memdesk.services.tools import DEFAULT_AGENT

if TYPE_CHECKING:
    from memdesk.ports.seams import Caller
    from memdesk.services.tools import ToolsService

#: Returns who sends a request, and the agent its headers name.
WhoCalls = Callable[[Request], "tuple[Caller, str | None]"]


class ServiceHost:
    """The tools of this process, used with the rights of the request's token."""

    def __init__(self, service: ToolsService, who_calls: WhoCalls, events: EventBus) -> None:
        self._service = service
        self._who_calls = who_calls
        self._events = events

    def tools(self) -> list[dict[str, Any]]:
        """Return every tool; one the token may not use is refused on use."""
        return [tool.told() for tool in self._service.all()]

    def use(self, name: str, arguments: dict[str, Any], context: Context) -> dict[str, Any]:
        """Run a tool for the token that the request came with."""
        assert isinstance(context.request, Request)
        caller, agent_id = self._who_calls(context.request)
        return self._service.use(name, arguments, caller, agent_id=agent_id)

    def watch(self, context: Context, changed: Callable[[], None]) -> Callable[[], None]:
        """Report changes in the memory of the request's agent only."""
        assert isinstance(context.request, Request)
        caller, agent_id = self._who_calls(context.request)
        caller.need_scope("memory:read")
        mine = {caller.agent(agent_id) or DEFAULT_AGENT, None}

        def heard(event: MemoryChanged | DistillationFinished) -> None:
            if event.agent_id in mine:
                changed()

        ends = self._events.subscribe(MemoryChanged, heard), self._events.subscribe(DistillationFinished, heard)

        def end() -> None:
            for each in ends:
                each()

        return end


class McpEndpoint:
    """The ASGI application of ``/mcp``. Stateless: there are no sessions to lose in a restart."""

    def __init__(self, service: ToolsService, who_calls: WhoCalls, events: EventBus) -> None:
        self._host = ServiceHost(service, who_calls, events)
        self._manager: StreamableHTTPSessionManager | None = None
        self._running: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._running is None or self._running.done():
            self._start()
        # Including those that arrive while the first one starts it.
        await self._ready.wait()
        assert self._manager is not None
        await self._manager.handle_request(scope, receive, send)

    def _start(self) -> None:
        # The manager's tasks belong to the serving event loop and end with it.
        self._manager = StreamableHTTPSessionManager(make_server(self._host), json_response=True, stateless=True)
        self._ready = asyncio.Event()
        self._running = asyncio.create_task(_run(self._manager, self._ready))


async def _run(manager: StreamableHTTPSessionManager, ready: asyncio.Event) -> None:
    async with manager.run():
        ready.set()
        await asyncio.Event().wait()
