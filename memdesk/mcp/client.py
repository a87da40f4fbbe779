"""Tools of other MCP servers, for agents: a child process or a URL, open while in use."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import CancelledError as FutureCancelledError
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import httpx2
import mcp_types as types
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from memdesk.domain.decoding import clean, decode
from memdesk.errors import CancelledError, EngineError
from memdesk.messages import say
from memdesk.ports import OfferedTool, ServerAddress, ToolConnection, ToolConnector, ToolResult

if TYPE_CHECKING:
    from memdesk.ports import CancelToken

log = logging.getLogger(__name__)
T = TypeVar("T")
#: Seconds between checks whether the user cancelled a call.
LOOK_SECONDS: Final = 0.2
#: Maximum tools read from one server, over all pages.
MOST_TOOLS: Final = 64
#: Of one stored tool; models see far less of it.
NAME_CHARS, TOLD_CHARS, SCHEMA_CHARS = 256, 4000, 100_000
#: Of one result; models get a few thousand.
RESULT_CHARS: Final = 400_000


class McpConnector:
    """:class:`memdesk.ports.ToolConnector` over the official client."""

    @contextmanager
    def open(self, address: ServerAddress) -> Iterator[ToolConnection]:
        """Start or connect to a server; its process ends with the block."""
        with start_blocking_portal() as portal, open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123 - no path
            # A server's error output may contain what it was asked.
            client = Client(_transport(address, nowhere), read_timeout_seconds=address.timeout)
            reached = portal.wrap_async_context_manager(client)
            with _told(address):
                reached.__enter__()
            try:
                yield _Connection(address, client, portal)
            finally:
                try:
                    reached.__exit__(None, None, None)
                except Exception as error:  # noqa: BLE001 - what was asked of it was answered, or told as failed, before
                    log.info("a tool server did not end as it should: %s", type(error).__name__)


class _Connection:
    """An open server."""

    def __init__(self, address: ServerAddress, client: Client, portal: BlockingPortal) -> None:
        self._address = address
        self._client = client
        self._portal = portal

    def tools(self) -> list[OfferedTool]:
        """Return what it offers, the first 64."""
        found: list[types.Tool] = []
        cursor: str | None = None
        # Also stops at a server that keeps returning empty pages.
        for _ in range(MOST_TOOLS):
            page = self._wait(partial(self._client.list_tools, cursor=cursor))
            found += page.tools
            cursor = page.next_cursor
            if not cursor or len(found) >= MOST_TOOLS:
                break
        return [_offered(tool) for tool in found[:MOST_TOOLS] if 0 < len(tool.name) <= NAME_CHARS]

    def call(self, name: str, arguments: dict[str, Any], cancel: CancelToken | None = None) -> ToolResult:
        result = self._wait(partial(self._client.call_tool, name, arguments), cancel)
        return ToolResult(_text(result), failed=bool(result.is_error))

    def _wait(self, work: Callable[[], Any], cancel: CancelToken | None = None) -> Any:
        with _told(self._address):
            return self._result(work, cancel)

    def _result(self, work: Callable[[], Any], cancel: CancelToken | None) -> Any:
        future: Future[Any] = self._portal.start_task_soon(work)
        waited = 0.0
        while True:
            try:
                return future.result(LOOK_SECONDS)
            except TimeoutError:
                waited += LOOK_SECONDS
                if future.done():
                    raise
            if cancel is not None and cancel.is_set():
                future.cancel()
                raise CancelledError(say("The answer was stopped."))
            if waited > self._address.timeout:
                future.cancel()
                raise EngineError(
                    say(
                        "The tool server {name} did not answer within {n} seconds.",
                        name=self._address.name,
                        n=int(self._address.timeout),
                    )
                )


@contextmanager
def _told(address: ServerAddress) -> Iterator[None]:
    """Say what went wrong between us and a server."""
    try:
        yield
    except (EngineError, CancelledError, FutureCancelledError):
        raise
    except Exception as error:
        causes = list(_leaves(error))
        ours = next((each for each in causes if isinstance(each, EngineError | CancelledError)), None)
        if ours is not None:
            raise ours from error
        reason = next((str(each) for each in causes if str(each)), type(error).__name__)
        log.warning("a tool server failed: %s", type(causes[0]).__name__)
        raise EngineError(
            say("The tool server {name} failed: {reason}", name=address.name, reason=reason[:300]),
            hint=say("Check its command or address under Settings, Engine."),
        ) from error


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _leaves(each)
    else:
        yield error


def _transport(address: ServerAddress, nowhere: Any) -> Any:
    if address.command:
        started = StdioServerParameters(command=address.command[0], args=list(address.command[1:]))
        return stdio_client(started, errlog=nowhere)
    return _over_http(address)


@asynccontextmanager
async def _over_http(address: ServerAddress) -> AsyncIterator[Any]:
    headers = {"Authorization": f"Bearer {address.key}"} if address.key else {}
    # The user did not approve where a redirect leads.
    http = httpx2.AsyncClient(headers=headers, timeout=address.timeout, follow_redirects=False)
    async with http, streamable_http_client(address.url, http_client=http) as streams:
        yield streams


def _offered(tool: types.Tool) -> OfferedTool:
    hints = tool.annotations
    try:
        schema = decode(json.dumps(tool.input_schema), most=SCHEMA_CHARS)
    except (ValueError, RecursionError):
        # Too large or too deep to walk; the tool is offered without its arguments.
        schema = {"type": "object"}
    return OfferedTool(
        name=clean(tool.name),
        description=clean((tool.description or tool.title or "")[:TOLD_CHARS]),
        schema=schema,
        read_only=bool(hints is not None and hints.read_only_hint),
    )


def _text(result: types.CallToolResult) -> str:
    parts = [part.text if isinstance(part, types.TextContent) else f"[{part.type}]" for part in result.content]
    if not any(isinstance(part, types.TextContent) for part in result.content) and result.structured_content:
        try:
            parts.append(json.dumps(result.structured_content, ensure_ascii=False))
        except RecursionError:
            parts.append("[structured content that is nested too deeply]")
    return clean("\n".join(parts)[:RESULT_CHARS])


if TYPE_CHECKING:
    _CONFORMS: type[ToolConnector] = McpConnector
