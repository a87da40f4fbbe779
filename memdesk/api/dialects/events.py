"""Parts of answers in several protocols: stream events and tool calls."""

import json
from typing import Any, Final

from memdesk.domain.decoding import decode
from memdesk.services.chatting import ToolCall

#: A comment line: keeps proxies and clients from giving up while a model reads a long prompt.
ALIVE: Final = b": still working\n\n"


def sse(data: dict[str, Any], event: str = "") -> bytes:
    """Return a stream event, with its name if it has one."""
    named = f"event: {event}\n" if event else ""
    return f"{named}data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def arguments_of(call: ToolCall) -> dict[str, Any]:
    """Return the arguments as an object; if the model did not write one, its text is kept inside one."""
    try:
        found = decode(call.arguments)
    except ValueError:
        found = call.arguments
    return found if isinstance(found, dict) else {"arguments": found}
