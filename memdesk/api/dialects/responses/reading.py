"""Converts OpenAI's response requests into ours."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pydantic import Field

from memdesk.api.dialects.parts import Part, call_of, function_of, message_of, pieces_of, schema_of
from memdesk.api.params import OpenBody
from memdesk.domain.models import new_id
from memdesk.errors import BadRequestError
from memdesk.ports import ChatMessage
from memdesk.services.chatting import CompletionRequest, Sampling


class Item(OpenBody):
    """A message, a tool call, its result, or thinking; its fields depend on its type."""

    type: str = "message"
    role: Literal["user", "assistant", "system", "developer"] = "user"
    content: str | list[Part] | None = None
    call_id: str = ""
    name: str = ""
    arguments: str = ""
    output: str | list[Part] = ""


class Tool(OpenBody):
    """A function of the client."""

    type: str
    name: str = ""
    description: str | None = None
    parameters: dict[str, Any] | None = None


class Format(OpenBody):
    """The format of the answer's text."""

    type: str = "text"
    name: str = ""
    strict: bool | None = None
    json_schema: dict[str, Any] | None = Field(default=None, alias="schema")


class Text(OpenBody):
    """Settings of the answer's text."""

    format: Format | None = None


class Reasoning(OpenBody):
    """The reasoning effort of another server's model."""

    effort: str | None = None


class ResponsesBody(OpenBody):
    """``POST /v1/responses``."""

    input: str | list[Item]
    model: str = "default"
    instructions: str | None = None
    stream: bool | None = False
    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, ge=0, le=1)
    max_output_tokens: int | None = Field(default=None, ge=1)
    tools: list[Tool] | None = None
    tool_choice: str | dict[str, Any] | None = None
    text: Text | None = None
    previous_response_id: str | None = None
    #: OpenAI's other way to continue; refused, since ignoring it would silently lose a conversation.
    conversation: str | dict[str, Any] | None = None
    store: bool | None = True
    metadata: dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    reasoning: Reasoning | None = None


def given(body: ResponsesBody) -> list[ChatMessage]:
    """Return the messages of a request, without its instructions.

    Raises:
        BadRequestError: an item or part of an unknown kind.
    """
    items = [Item(content=body.input)] if isinstance(body.input, str) else body.input
    return list(_messages(items))


def items_of(body: ResponsesBody) -> list[dict[str, Any]]:
    """Return a request's input as OpenAI lists it: each item with an id, and texts as parts."""
    sent = (
        [{"role": "user", "content": body.input}]
        if isinstance(body.input, str)
        else body.model_dump(exclude_unset=True)["input"]
    )
    return [_item(item) for item in sent]


def _item(item: dict[str, Any]) -> dict[str, Any]:
    told = {"type": "message", "id": f"msg_{new_id()}"} | {name: v for name, v in item.items() if v not in (None, "")}
    if isinstance(told.get("content"), str):
        kind = "output_text" if told.get("role") == "assistant" else "input_text"
        told["content"] = [{"type": kind, "text": told["content"]}]
    return told


def request_of(body: ResponsesBody, said: Sequence[ChatMessage]) -> CompletionRequest:
    """Return our request for theirs.

    ``said``: its messages, after those up to the response it continues.

    Raises:
        BadRequestError: an item, tool or format of an unknown kind, or a conversation id.
    """
    if body.conversation is not None:
        raise BadRequestError("Conversations by id are not supported.", hint="Use previous_response_id instead.")
    instructions = [ChatMessage(role="system", content=body.instructions)] if body.instructions else []
    tools = () if body.tool_choice == "none" else tuple(_function(tool) for tool in body.tools or ())
    form = _form(body)
    return CompletionRequest(
        messages=(*instructions, *said),
        model=body.model,
        sampling=Sampling(temperature=body.temperature, top_p=body.top_p, max_tokens=body.max_output_tokens),
        tools=tools,
        tool_choice=_choice(body.tool_choice) if tools else None,
        json_schema=schema_of(form.type, form.json_schema),
        besides=_besides(body),
    )


def _form(body: ResponsesBody) -> Format:
    return (body.text or Text()).format or Format()


def _besides(body: ResponsesBody) -> dict[str, Any]:
    """Return what is passed on to another server, as chat completions call it."""
    form = _form(body)
    told = {"name": form.name or "answer", "schema": form.json_schema, "strict": form.strict}
    given = {
        "parallel_tool_calls": body.parallel_tool_calls,
        "reasoning_effort": (body.reasoning or Reasoning()).effort,
        "response_format": {"type": "json_schema", "json_schema": told} if form.type == "json_schema" else None,
    }
    return {name: value for name, value in given.items() if value is not None}


def _messages(items: Sequence[Item]) -> Iterator[ChatMessage]:
    calls: list[dict[str, Any]] = []
    for item in items:
        if item.type == "function_call":
            calls.append(call_of(item.call_id, item.name, item.arguments or "{}"))
            continue
        if calls:
            yield ChatMessage(role="assistant", content="", tool_calls=tuple(calls))
            calls = []
        if item.type == "function_call_output":
            yield message_of("tool", pieces_of(item.output), tool_call_id=item.call_id)
        elif item.type == "message":
            yield message_of("system" if item.role == "developer" else item.role, pieces_of(item.content or ""))
        elif item.type != "reasoning":
            raise BadRequestError(f"This server reads no input of the type “{item.type}”.")
    if calls:
        yield ChatMessage(role="assistant", content="", tool_calls=tuple(calls))


def _function(tool: Tool) -> dict[str, Any]:
    if tool.type != "function":
        raise BadRequestError(f"There is no tool of the type “{tool.type}” here.", hint="Functions are passed on.")
    return function_of(tool.name, description=tool.description or "", parameters=tool.parameters or {})


def _choice(choice: str | dict[str, Any] | None) -> str | dict[str, Any] | None:
    return function_of(str(choice.get("name", ""))) if isinstance(choice, dict) else choice
