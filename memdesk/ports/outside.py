"""Tools of servers that the user added: listing and calling them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from memdesk.ports.threads import CancelToken


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerAddress:
    """How a tool server is reached: a command to start, or a URL; ``key`` is sent as bearer token."""

    name: str
    command: tuple[str, ...] = ()
    url: str = ""
    key: str = ""
    #: timeout of a request in seconds, including the start.
    timeout: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTool:
    """A server's description of one of its tools; untrusted."""

    name: str
    description: str = ""
    #: JSON schema of its arguments.
    schema: dict[str, Any] = field(default_factory=dict)
    #: the server says that it changes nothing.
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool returned, as text; ``failed`` if it reports an error."""

    text: str
    failed: bool = False


class ToolConnection(Protocol):
    """An open server."""

    def tools(self, cancel: CancelToken | None = None) -> list[OfferedTool]:
        """Return what it offers.

        Raises:
            CancelledError: ``cancel`` was set.
            EngineError: it does not answer as it should, or not in time.
        """

    def call(self, name: str, arguments: dict[str, Any], cancel: CancelToken | None = None) -> ToolResult:
        """Run a tool.

        Raises:
            CancelledError: ``cancel`` was set.
            EngineError: it does not answer as it should, or not in time.
        """


class ToolConnector(Protocol):
    """Reaches tool servers."""

    def open(self, address: ServerAddress, cancel: CancelToken | None = None) -> AbstractContextManager[ToolConnection]:
        """Start or connect to a server for the duration of the block.

        Raises:
            CancelledError: ``cancel`` was set while it started.
            EngineError: it cannot be started or reached.
        """
