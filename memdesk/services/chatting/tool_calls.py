"""Tool calls: the one the server runs itself (``search_memory``), and those it hands to the client."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, get_args

from memdesk.domain.decoding import decode
from memdesk.domain.models import Scope, new_id
from memdesk.errors import LockedError, MemdeskError
from memdesk.services.chatting.messages import MemorySearched, ToolCall
from memdesk.services.tools import SearchArguments, Tool, Use

#: Rounds of searching that the server does for one answer.
MAX_ROUNDS: Final = 3
#: The same where the model keeps files: it looks at a folder, reads, and writes.
FILE_ROUNDS: Final = 8
RESULT_TOKENS: Final = 600


@dataclass(slots=True)
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class ToolCallBuffer:
    """Puts tool calls together from what a model streams: whole calls, or pieces with an ``index``."""

    _calls: dict[int, _Call] = field(default_factory=dict)

    def add(self, pieces: Sequence[dict[str, Any]]) -> None:
        """Take the next pieces, in OpenAI's shape."""
        for piece in pieces:
            index = piece.get("index")
            at = index if isinstance(index, int) else len(self._calls)
            call = self._calls.setdefault(at, _Call())
            function = piece.get("function") or {}
            call.id = call.id or str(piece.get("id") or "")
            call.name = call.name or str(function.get("name") or "")
            arguments = function.get("arguments", "")
            call.arguments += arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)

    def calls(self) -> list[ToolCall]:
        """Return the calls in order; one without a name is none."""
        named = [call for _, call in sorted(self._calls.items()) if call.name]
        return [
            ToolCall(
                index=number, id=call.id or f"call_{new_id()[-12:]}", name=call.name, arguments=call.arguments or "{}"
            )
            for number, call in enumerate(named)
        ]


def run_search(
    tool: Tool[SearchArguments], *, agent_id: str, call: ToolCall, tokens: int = RESULT_TOKENS, remote: bool = False
) -> tuple[str, MemorySearched]:
    """Run one ``search_memory`` call; the result is JSON text with items of at most ``tokens`` tokens.

    ``remote``: the model is on another machine.
    """
    asked = _arguments(call.arguments)
    result = tool.run(Use(agent_id=agent_id, room=tokens, remote=remote), asked)
    event = MemorySearched(query=asked.query, scope=asked.scope, found=len(result["results"]))
    return json.dumps(result, ensure_ascii=False), event


def run_own(tool: Tool[Any], *, agent_id: str, call: ToolCall, program: str, remote: bool) -> str:
    """Run a call of another tool of ours; the result is what the model reads, a refusal too."""
    try:
        given = decode(call.arguments)
        result = tool.run(
            Use(agent_id=agent_id, by=program, remote=remote), tool.parse(given if isinstance(given, dict) else {})
        )
    except ValueError:
        return f"Error: the arguments of {call.name} are no JSON."
    except LockedError:
        raise
    except MemdeskError as refused:
        return f"Error: {refused.message}"
    text = result.get("text")
    return text if isinstance(text, str) else json.dumps(result, ensure_ascii=False)


def _arguments(text: str) -> SearchArguments:
    try:
        data = decode(text)
    except ValueError:
        # Small models write the query bare; it is still a query.
        return SearchArguments(query=text.strip()[:400])
    if not isinstance(data, dict):
        return SearchArguments(query=data[:400] if isinstance(data, str) else "")
    wanted = data.get("scope")
    scope: Scope = next((known for known in get_args(Scope) if known == wanted), "all")
    return SearchArguments(query=str(data.get("query") or "").strip()[:400], scope=scope)
