"""Actions on servers of tools for agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.gui.bridge import ServiceOp

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from memdesk.gui.pages import PageContext
    from memdesk.services.tools import ServerState
    from memdesk.settings.schema import ToolServer


def add_tool_server(*, context: PageContext, parent: QObject, server: ToolServer, key: str) -> ServiceOp[ServerState]:
    """Add a server and read its tools: it is started, or reached, for that."""
    outside = context.services.outside
    return ServiceOp(context.bridge, parent, lambda _op: outside.add(server, key))


def read_tool_server(*, context: PageContext, parent: QObject, name: str) -> ServiceOp[ServerState]:
    """Read a server's tools again."""
    outside = context.services.outside
    return ServiceOp(context.bridge, parent, lambda _op: outside.read(name))


def remove_tool_server(*, context: PageContext, parent: QObject, name: str) -> ServiceOp[None]:
    """Take a server out."""
    outside = context.services.outside
    return ServiceOp(context.bridge, parent, lambda _op: outside.remove(name))


def ask_for_tool(*, context: PageContext, parent: QObject, server: str, tool: str, on: bool) -> ServiceOp[None]:
    """Ask before each call of a tool, or not again."""
    outside = context.services.outside
    return ServiceOp(context.bridge, parent, lambda _op: outside.ask_for(server, tool, on=on))
