"""Tool calls of local models: described in the prompt, parsed from the answer. Pure text work.

Models with tool support write calls in one of a few ways: ``<tool_call>{...}</tool_call>`` (Hermes, Qwen),
``[TOOL_CALLS][{...}]`` (Mistral), ``<|python_tag|>{...}`` or a bare JSON object (Llama 3). A model whose chat
template takes no tools is taught the first way.
"""

import json
import re
import uuid
from typing import Any

from memdesk.domain.decoding import decode

_OPENERS = ("<tool_call>", "[TOOL_CALLS]", "<|python_tag|>", "{", "[{", "```json")
_TAGGED = re.compile(r"<tool_call>\s*(\{.*?\})\s*(?:</tool_call>|$)", re.DOTALL)


def instructions(tools: list[dict[str, Any]]) -> str:
    """Return the system text that teaches a model without tool support to call ``tools``."""
    functions = "\n".join(json.dumps(tool.get("function", tool), ensure_ascii=False) for tool in tools)
    return (
        "You may call a function when it helps. The functions, as JSON schemas:\n"
        f"{functions}\n"
        'To call one, answer with nothing but <tool_call>{"name": NAME, "arguments": {...}}</tool_call>.'
    )


def may_be_call(text: str) -> bool:
    """Whether an answer that begins with ``text`` may still become a tool call."""
    start = text.lstrip()
    return not start or any(start.startswith(opener) or opener.startswith(start) for opener in _OPENERS)


def forced_schema(tools: list[dict[str, Any]], choice: str | dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the schema that forces a call, or None if the model may answer in text.

    Args:
        tools: OpenAI tool definitions.
        choice: OpenAI ``tool_choice``: "auto", "required", "none", or ``{"function": {"name": ...}}``.
    """
    wanted = None
    if isinstance(choice, dict):
        wanted = choice.get("function", {}).get("name") or choice.get("name")
    elif choice != "required":
        return None
    calls = [
        {
            "type": "object",
            "properties": {"name": {"const": function["name"]}, "arguments": _parameters(function)},
            "required": ["name", "arguments"],
        }
        for function in (tool.get("function", tool) for tool in tools)
        if wanted is None or function.get("name") == wanted
    ]
    if not calls:
        return None
    return calls[0] if len(calls) == 1 else {"anyOf": calls}


def parse(text: str, names: set[str]) -> tuple[str, list[dict[str, Any]]]:
    """Split an answer into text and OpenAI tool calls. Calls of unknown functions stay text."""
    found: list[dict[str, Any]] = []
    words = text
    if tagged := _TAGGED.findall(text):
        for raw in tagged:
            found += _calls(raw, names)
        words = _TAGGED.sub("", text)
    else:
        body = text.strip()
        for opener in ("[TOOL_CALLS]", "<|python_tag|>", "```json"):
            body = body.removeprefix(opener)
        found = _calls(body.strip().removesuffix("```"), names)
        words = "" if found else text
    return (words.strip(), found) if found else (text, [])


def as_call(name: str, arguments: Any) -> dict[str, Any]:
    """Return a call in OpenAI's shape, with a new id."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return {"id": f"call_{uuid.uuid4().hex[:24]}", "type": "function", "function": {"name": name, "arguments": text}}


def _parameters(function: dict[str, Any]) -> dict[str, Any]:
    parameters: dict[str, Any] = function.get("parameters") or {"type": "object", "properties": {}}
    return parameters


def _calls(raw: str, names: set[str]) -> list[dict[str, Any]]:
    try:
        value = decode(raw)
    except ValueError:
        return []
    entries = value if isinstance(value, list) else [value]
    calls = []
    for entry in entries:
        if not isinstance(entry, dict):
            return []
        function = entry.get("function")
        inner: dict[str, Any] = function if isinstance(function, dict) else entry
        name = inner.get("name")
        if name not in names:
            return []
        calls.append(as_call(name, inner.get("arguments", inner.get("parameters", {}))))
    return calls
