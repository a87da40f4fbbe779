"""Tools of servers that the user added: what they offer, and a call of one."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from memdesk.ports.threads import CancelToken


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerAddress:
    """How a tool server is reached: a command that is started, or an address; ``key`` goes there as bearer token."""

    name: str
    command: tuple[str, ...] = ()
    url: str = ""
    key: str = ""
    #: seconds that one request may take, the start included.
    timeout: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTool:
    """What a server says of one of its tools; none of it is ours to trust."""

    name: str
    description: str = ""
    #: JSON schema of its arguments.
    schema: dict[str, Any] = field(default_factory=dict)
    #: it says that it changes nothing.
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool returned, as text; ``failed`` when it says that it could not."""

    text: str
    failed: bool = False


class ToolConnection(Protocol):
    """A server that is open."""

    def tools(self) -> list[OfferedTool]:
        """Return what it offers.

        Raises:
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

    def open(self, address: ServerAddress) -> AbstractContextManager[ToolConnection]:
        """Start or reach a server for as long as the block runs.

        Raises:
            EngineError: it cannot be started or reached.
        """
