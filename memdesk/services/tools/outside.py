"""Tools of servers that the user added, for agents: read on the user's request, then offered, and called when allowed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from memdesk.domain.language.text import estimate_tokens
from memdesk.errors import BadRequestError, EngineError, NotFoundError
from memdesk.messages import say
from memdesk.ports import (
    CancelToken,
    OfferedTool,
    Repositories,
    SecretStore,
    ServerAddress,
    Store,
    ToolConnection,
    ToolConnector,
    ToolResult,
)
from memdesk.services.settings import SettingsService
from memdesk.settings.schema import ToolServer

Verdict = Literal["once", "always", "deny"]
#: Key prefixes of a server's tools when last read, and of those that need no permission.
PREFIX: Final = "tool_server:"
#: Maximum length of a tool's description, which is in every prompt.
DESCRIPTION_CHARS: Final = 600
SCHEMA_CHARS: Final = 4000
#: Tools take at most this part of a model's context.
TOOLS_SHARE: Final = 4
_NOT_IN_NAMES: Final = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideTool:
    """A tool as offered to a model.

    Attributes:
        server: the name of its server.
        tool: the server's description.
        asks: each call needs the user's permission.
    """

    server: str
    tool: OfferedTool
    asks: bool = True

    @property
    def name(self) -> str:
        """The name that the model calls it by; servers may have tools of the same name."""
        return _NOT_IN_NAMES.sub("_", f"{self.server}_{self.tool.name}")[:64]

    def as_function(self) -> dict[str, Any]:
        schema = self.tool.schema
        if len(json.dumps(schema)) > SCHEMA_CHARS:
            schema = {"type": "object"}
        told = {"name": self.name, "description": self.tool.description[:DESCRIPTION_CHARS], "parameters": schema}
        return {"type": "function", "function": told}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerState:
    """A tool server with what it offered when it was last read; ``read``: since its address last changed."""

    server: ToolServer
    read: bool
    tools: tuple[OutsideTool, ...]


class OutsideTools:
    """Servers of tools. Only :meth:`read` and allowed calls start or contact a server."""

    def __init__(self, *, store: Store, settings: SettingsService, keys: SecretStore, connector: ToolConnector) -> None:
        self._store = store
        self._settings = settings
        self._keys = keys
        self._connector = connector

    def all(self) -> list[ServerState]:
        servers = self._settings.current.engine.tool_servers
        if not servers:
            return []
        with self._store.read() as repos:
            return [_state(repos, server) for server in servers]

    def offered(self, agent_id: str) -> tuple[OutsideTool, ...]:
        """Return the tools that an agent may use, one per name."""
        found = [tool for state in self.all() if agent_id in state.server.agents for tool in state.tools]
        return tuple({tool.name: tool for tool in found}.values())

    def add(self, server: ToolServer, key: str = "") -> ServerState:
        """Add a server, or change the one with this name, and read its tools. ``key`` is its bearer token.

        Raises:
            BadRequestError: a setting is not allowed.
            EngineError: it cannot be started or reached; it stays in the settings, and can be read again.
        """
        if key:
            self._keys.set(PREFIX + server.name, key)
        self._keep([*self._others(server.name), server])
        return self.read(server.name)

    def remove(self, name: str) -> None:
        """Remove a server, with its key and stored tools. Raises ``NotFoundError``."""
        self._find(name)
        self._keep(self._others(name))
        self._keys.delete(PREFIX + name)
        self._store.write(lambda repos: repos.meta.put(PREFIX + name, None))

    def read(self, name: str) -> ServerState:
        """Read and store a server's tools; a tool whose description has changed needs permission again.

        Raises:
            NotFoundError: no server has this name.
            EngineError: it cannot be started or reached, or its answer is invalid.
        """
        server = self._find(name)
        with self._connector.open(self._address(server)) as connection:
            tools = [asdict(tool) for tool in connection.tools()]

        def keep(repos: Repositories) -> ServerState:
            before = repos.meta.get(PREFIX + name) or {}
            same = [tool["name"] for tool in tools if tool in before.get("tools", ())]
            always = [tool for tool in before.get("always", ()) if tool in same and before["at"] == _at(server)]
            repos.meta.put(PREFIX + name, {"at": _at(server), "tools": tools, "always": always})
            return _state(repos, server)

        return self._store.write(keep)

    def ask_for(self, server: str, tool: str, *, on: bool) -> None:
        """Require permission for each call of a tool, or none until it changes."""

        def work(repos: Repositories) -> None:
            kept = repos.meta.get(PREFIX + server)
            if kept is not None:
                always = set(kept["always"]) - {tool} if on else {*kept["always"], tool}
                repos.meta.put(PREFIX + server, kept | {"always": sorted(always)})

        self._store.write(work)

    @contextmanager
    def opened(self) -> Iterator[Calls]:
        """Keep used servers open for the duration of one answer."""
        with ExitStack() as stack:
            yield Calls(self, stack)

    def reach(self, name: str, stack: ExitStack, cancel: CancelToken | None) -> ToolConnection:
        """Open a server until ``stack`` closes."""
        return stack.enter_context(self._connector.open(self._address(self._find(name)), cancel))

    def _find(self, name: str) -> ToolServer:
        found = next((each for each in self._settings.current.engine.tool_servers if each.name == name), None)
        if found is None:
            raise NotFoundError(say("There is no tool server “{name}”.", name=name[:120]))
        return found

    def _others(self, name: str) -> list[ToolServer]:
        return [each for each in self._settings.current.engine.tool_servers if each.name != name]

    def _keep(self, servers: Sequence[ToolServer]) -> None:
        self._settings.update("engine", {"tool_servers": [each.model_dump() for each in servers]})

    def _address(self, server: ToolServer) -> ServerAddress:
        return ServerAddress(
            name=server.name,
            command=tuple(server.command),
            url=server.url,
            key=(self._keys.get(PREFIX + server.name) or "") if server.url else "",
            timeout=server.timeout_seconds,
        )


class Calls:
    """The calls of one answer; a server is started by the first call of its tools."""

    def __init__(self, tools: OutsideTools, stack: ExitStack) -> None:
        self._tools = tools
        self._stack = stack
        self._open: dict[str, tuple[ToolConnection, list[OfferedTool]]] = {}

    def run(self, tool: OutsideTool, arguments: Any, cancel: CancelToken | None) -> ToolResult:
        """Run a tool.

        Raises:
            BadRequestError: the arguments are not an object.
            CancelledError: ``cancel`` was set.
            EngineError: its server cannot be started or reached, describes the tool otherwise than when it was read,
                or does not answer as it should.
        """
        if not isinstance(arguments, dict):
            raise BadRequestError(say("The arguments of {name} are not a JSON object.", name=tool.name))
        if tool.server not in self._open:
            connection = self._tools.reach(tool.server, self._stack, cancel)
            self._open[tool.server] = connection, connection.tools(cancel)
        connection, offered = self._open[tool.server]
        if tool.tool not in offered:
            raise EngineError(
                say(
                    "“{tool}” of {server} is not what it was when its tools were read.",
                    tool=tool.tool.name,
                    server=tool.server,
                ),
                hint=say("Read its tools again under Settings, Engine."),
            )
        return connection.call(tool.tool.name, arguments, cancel)

    def always(self, tool: OutsideTool) -> None:
        """Allow a tool permanently."""
        self._tools.ask_for(tool.server, tool.tool.name, on=False)


def within(tools: Sequence[OutsideTool], context_tokens: int) -> tuple[OutsideTool, ...]:
    """Return the first tools that leave enough context; 0 means an unknown context size."""
    room = context_tokens // TOOLS_SHARE
    kept: list[OutsideTool] = []
    for tool in tools:
        room -= estimate_tokens(json.dumps(tool.as_function()))
        if context_tokens and room < 0:
            break
        kept.append(tool)
    return tuple(kept)


def _at(server: ToolServer) -> list[str]:
    return [*server.command, server.url]


def _state(repos: Repositories, server: ToolServer) -> ServerState:
    kept = repos.meta.get(PREFIX + server.name)
    if kept is None or kept["at"] != _at(server):
        return ServerState(server=server, read=False, tools=())
    tools = (
        OutsideTool(server=server.name, tool=OfferedTool(**tool), asks=tool["name"] not in kept["always"])
        for tool in kept["tools"]
    )
    return ServerState(server=server, read=True, tools=tuple(tools))
