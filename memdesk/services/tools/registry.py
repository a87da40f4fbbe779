"""All tools by name, and the only way for a program to use one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from memdesk.errors import NotFoundError
from memdesk.services.guarding import COMMAND_LINE, PRIVATE
from memdesk.services.tools.files import files_tool
from memdesk.services.tools.gateway import Gateway, gateway_tools
from memdesk.services.tools.graph import graph_tools
from memdesk.services.tools.keeping import keeping_tools
from memdesk.services.tools.notes import notes_tools
from memdesk.services.tools.searching import context_tool, search_tool
from memdesk.services.tools.tool import DEFAULT_AGENT, Tool, Use

if TYPE_CHECKING:
    from memdesk.ports.seams import Caller
    from memdesk.services.agents import AgentsService
    from memdesk.services.forgetting import ForgettingService
    from memdesk.services.notes import NotesService, OwnFiles
    from memdesk.services.recalling import RecallService
    from memdesk.services.remembering import GraphService, ItemsService, MemoriesService
    from memdesk.services.upkeep import StatusService


class UnknownToolError(NotFoundError):
    code = "unknown_tool"
    default_hint = "GET /memory/tools lists them."


def memory_tools(
    *,
    recall: RecallService,
    memories: MemoriesService,
    forgetting: ForgettingService,
    agents: AgentsService,
    status: StatusService,
    graph: GraphService,
    items: ItemsService,
    notes: NotesService,
    files: OwnFiles,
    gateway: Gateway,
) -> list[Tool[Any]]:
    """Return every tool: the only place to add a new one."""
    return [
        search_tool(recall),
        context_tool(recall),
        *keeping_tools(recall=recall, memories=memories, forgetting=forgetting, agents=agents, status=status),
        *graph_tools(graph, recall),
        *notes_tools(recall=recall, items=items, notes=notes, memories=memories, agents=agents),
        files_tool(files),
        *gateway_tools(gateway),
    ]


class ToolsService:
    """The available tools, with checked use."""

    def __init__(self, tools: Iterable[Tool[Any]]) -> None:
        self._tools = {tool.name: tool for tool in tools}

    def all(self) -> list[Tool[Any]]:
        """Return every tool, in the order of the documentation."""
        return list(self._tools.values())

    def get(self, name: str) -> Tool[Any]:
        """Return one tool. Raises ``UnknownToolError``."""
        tool = self._tools.get(name)
        if tool is None:
            raise UnknownToolError(f"There is no tool “{name[:120]}”.")
        return tool

    def use(
        self, name: str, arguments: dict[str, Any], caller: Caller, *, agent_id: str | None = None, program: str = ""
    ) -> dict[str, Any]:
        """Run a tool for a program and return its result, a JSON object.

        ``agent_id`` is the connection's agent; one in the arguments takes precedence. ``program``: who is
        behind the caller, if one token serves several programs.

        Raises:
            UnknownToolError: no tool has this name.
            BadRequestError: the arguments are invalid.
            MemdeskError: the caller is not allowed, or the tool failed.
        """
        tool = self.get(name)
        by = f"{caller.token.name}: {program[:100]}" if program else caller.token.name
        caller.uses(name, by)
        caller.need_scope(tool.scope)
        given = tool.parse(arguments)
        named = tool.agent_of(given) if tool.agent_of is not None else None
        whose = caller.agent(named or agent_id) or DEFAULT_AGENT
        # The location of a program's model is unknown, also behind the command line.
        remote = PRIVATE not in caller.token.scopes or bool(program and caller.token.name == COMMAND_LINE)
        return tool.run(Use(agent_id=whose, by=by, remote=remote), given)
