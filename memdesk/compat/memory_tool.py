"""Anthropic's memory tool over a running memdesk, for the ``anthropic`` package's tool runner."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import httpx
from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError

from memdesk.library.remote import NO_ANSWER, SECONDS, URL, WHERE

if TYPE_CHECKING:
    from anthropic.types.beta import BetaCacheControlEphemeralParam


class MemdeskMemoryTool(BetaAbstractMemoryTool):
    """Files below ``/memories`` in memdesk's encrypted memory: ``tools=[MemdeskMemoryTool(token)]``.

    Files are searched and recalled like all memory, have a history, and can be forgotten.

    Args:
        token: of the server, with the scopes ``memory:read`` and ``memory:write``.
        url: of the server.
        agent_id: whose files; for a token of one agent, that agent's.
        cache_control: passed on to the API.
    """

    def __init__(
        self,
        token: str,
        *,
        url: str = URL,
        agent_id: str | None = None,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        named = {} if agent_id is None else {"X-Memdesk-Agent-Id": agent_id}
        headers = {"Authorization": f"Bearer {token}", **named}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=SECONDS, trust_env=False)

    def close(self) -> None:
        """Close the connection. Idempotent."""
        self._http.close()

    def execute(self, command: Any) -> str:
        """Run a command. Raises ``ToolError`` with the tool's own message if it fails."""
        sent = command if isinstance(command, dict) else command.model_dump(exclude_none=True)
        return self._ask("POST", "/memory/tools/memory", json=sent)

    def _ask(self, method: str, path: str, **sent: Any) -> str:
        try:
            answer = self._http.request(method, path, **sent)
        except httpx.HTTPError as error:
            raise ToolError(f"{NO_ANSWER} {WHERE}") from error
        body = answer.json()
        if answer.is_error:
            raise ToolError(str(body["error"]["message"]))
        return str(body["text"])

    view = create = str_replace = insert = delete = rename = execute

    def clear_all_memory(self) -> str:
        """Delete all files."""
        return self._ask("DELETE", "/memory/files")


class AsyncMemdeskMemoryTool(BetaAsyncAbstractMemoryTool):
    """:class:`MemdeskMemoryTool` for ``AsyncAnthropic``: the same arguments, commands and errors, awaited on a thread."""

    def __init__(
        self,
        token: str,
        *,
        url: str = URL,
        agent_id: str | None = None,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._tool = MemdeskMemoryTool(token, url=url, agent_id=agent_id)

    async def close(self) -> None:
        """Close the connection. Idempotent."""
        await asyncio.to_thread(self._tool.close)

    async def execute(self, command: Any) -> str:
        """Run a command. Raises ``ToolError`` with the tool's own message if it fails."""
        return await asyncio.to_thread(self._tool.execute, command)

    view = create = str_replace = insert = delete = rename = execute

    async def clear_all_memory(self) -> str:
        """Delete all files."""
        return await asyncio.to_thread(self._tool.clear_all_memory)
