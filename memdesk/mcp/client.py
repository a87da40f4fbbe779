"""Tools of other MCP servers, for agents: a child process or a URL, open while in use."""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import CancelledError as FutureCancelledError
from concurrent.futures import Future, wait
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio
import httpx2
import mcp_types as types
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from pydantic import ValidationError

from memdesk.domain.decoding import clean, decode
from memdesk.errors import CancelledError, EngineError
from memdesk.mcp.bounds import MOST_BYTES, bounded_lines, bounded_responses
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
    def open(self, address: ServerAddress, cancel: CancelToken | None = None) -> Iterator[ToolConnection]:
        """Start or connect to a server; its process ends with the block."""
        flooded = threading.Event()
        with (
            start_blocking_portal() as portal,
            # A server's error output may contain what it was asked.
            open(os.devnull, "w", encoding="utf-8") as nowhere,  # noqa: PTH123 - no path
            bounded_lines(flooded) as encoding,
        ):
            client = Client(_transport(address, nowhere, encoding, flooded), read_timeout_seconds=address.timeout)
            connection = _Connection(address, client, portal, flooded)
            connection.start(cancel)
            try:
                yield connection
            finally:
                connection.end()


class _Connection:
    """An open server."""

    def __init__(
        self, address: ServerAddress, client: Client, portal: BlockingPortal, flooded: threading.Event
    ) -> None:
        self._address = address
        self._client = client
        self._portal = portal
        self._flooded = flooded
        self._over = portal.call(anyio.Event)
        self._ready: Future[None] = Future()

    def start(self, cancel: CancelToken | None) -> None:
        """Start or reach it. Raises as ``open`` does."""
        self._held = self._portal.start_task_soon(self._hold)
        with _told(self._address):
            try:
                self._result(self._ready, cancel)
            except BaseException:
                self._held.cancel()
                wait([self._held])
                raise

    def end(self) -> None:
        """End its process, or leave it."""
        self._portal.call(self._over.set)
        wait([self._held])
        if (error := self._held.exception()) is not None:
            # What was asked of it was answered, or told as failed, before.
            log.info("a tool server did not end as it should: %s", type(error).__name__)

    async def _hold(self) -> None:
        try:
            async with self._client:
                self._ready.set_result(None)
                await self._over.wait()
        except Exception as error:
            if self._ready.done():
                raise
            self._ready.set_exception(error)

    def tools(self, cancel: CancelToken | None = None) -> list[OfferedTool]:
        """Return what it offers, the first 64."""
        found: list[types.Tool] = []
        cursor: str | None = None
        # Also stops at a server that keeps returning empty pages.
        for _ in range(MOST_TOOLS):
            page = self._wait(partial(self._client.list_tools, cursor=cursor), cancel)
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
            future: Future[Any] = self._portal.start_task_soon(work)
            try:
                return self._result(future, cancel)
            finally:
                future.cancel()

    def _result(self, future: Future[T], cancel: CancelToken | None) -> T:
        name, waited = self._address.name, 0.0
        while not wait([future], LOOK_SECONDS).done:
            waited += LOOK_SECONDS
            if cancel is not None and cancel.is_set():
                raise CancelledError(say("The answer was stopped."))
            if self._flooded.is_set():
                break
            if waited > self._address.timeout:
                raise _late(self._address)
        if self._flooded.is_set():
            size = f"{MOST_BYTES >> 20} MB"
            raise EngineError(say("The tool server {name} sent more than {size} at once.", name=name, size=size))
        return future.result()


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
        if any(isinstance(each, httpx2.TimeoutException) for each in causes):
            raise _late(address) from error
        reason = next((str(each)[:300] for each in causes if str(each)), type(error).__name__)
        if any(isinstance(each, ValidationError) for each in causes):
            reason = say("its answer is not as the protocol wants it")
        log.warning("a tool server failed: %s", type(causes[0]).__name__)
        raise EngineError(
            say("The tool server {name} failed: {reason}", name=address.name, reason=reason),
            hint=say("Check its command or address under Settings, Engine."),
        ) from error


def _late(address: ServerAddress) -> EngineError:
    n = int(address.timeout)
    return EngineError(say("The tool server {name} did not answer within {n} seconds.", name=address.name, n=n))


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _leaves(each)
    else:
        yield error


def _transport(address: ServerAddress, nowhere: Any, encoding: str, flooded: threading.Event) -> Any:
    if address.command:
        command, *arguments = address.command
        return stdio_client(StdioServerParameters(command=command, args=arguments, encoding=encoding), errlog=nowhere)
    return _over_http(address, flooded)


@asynccontextmanager
async def _over_http(address: ServerAddress, flooded: threading.Event) -> AsyncIterator[Any]:
    headers = {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {address.key}"} if address.key else {})
    # The client follows redirects within the address's origin alone: the user approved of no other.
    http = httpx2.AsyncClient(headers=headers, timeout=address.timeout)
    http.event_hooks["response"].append(bounded_responses(flooded))
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
