"""Reads OpenAI's chat requests leniently: unknown fields are passed on to other servers; the unsupported is refused with an explanation."""

from dataclasses import replace
from typing import Any, Final, Literal

from pydantic import ConfigDict, Field

from memdesk.api.dialects.parts import Part, Sampled, message_of, pieces_of, schema_of
from memdesk.api.params import MAX_MESSAGES, OpenBody
from memdesk.domain.models import MemoryMode
from memdesk.ports import ChatMessage
from memdesk.services.chatting import CompletionRequest

#: Maximum answers to one request.
MOST_ANSWERS: Final = 8


class CalledFunction(OpenBody):
    """The called function and its arguments."""

    model_config = ConfigDict(extra="allow")

    name: str = Field(min_length=1, max_length=200)
    arguments: str = ""


class CalledTool(OpenBody):
    """A tool call in an answer that the client sends back."""

    model_config = ConfigDict(extra="allow")

    id: str = Field(default="", max_length=200)
    type: Literal["function"] = "function"
    function: CalledFunction


class Message(OpenBody):
    """One message. ``developer`` counts as ``system``."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[Part] | None = None
    name: str | None = None
    tool_calls: list[CalledTool] | None = Field(default=None, max_length=128)
    tool_call_id: str | None = None


class StreamOptions(OpenBody):
    """Whether the last chunk counts tokens."""

    include_usage: bool = False


class ChatBody(Sampled):
    """``POST /v1/chat/completions``; ``session_id``, ``agent_id`` and ``memory`` are ours.

    Undeclared fields are passed on to a model of another server.
    """

    model_config = ConfigDict(extra="allow")

    messages: list[Message] = Field(min_length=1, max_length=MAX_MESSAGES)
    model: str = "default"
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    max_tokens: int | None = Field(default=None, ge=1)
    max_completion_tokens: int | None = Field(default=None, ge=1)
    n: int | None = Field(default=1, ge=1, le=MOST_ANSWERS)
    response_format: dict[str, Any] | None = None
    tools: list[dict[str, Any]] | None = None
    tool_choice: str | dict[str, Any] | None = None
    session_id: str | None = None
    agent_id: str | None = None
    memory: MemoryMode | None = None


def request_of(body: ChatBody) -> CompletionRequest:
    """Return our request for OpenAI's.

    Raises:
        BadRequestError: audio or files, or an unknown response format.
    """
    form = body.response_format or {}
    # "none" forbids every tool; not offering them is safest.
    tools = () if body.tool_choice == "none" else tuple(body.tools or ())
    return CompletionRequest(
        messages=tuple(_message(message) for message in body.messages),
        model=body.model,
        agent_id=body.agent_id,
        sampling=body.sampling(body.max_completion_tokens or body.max_tokens),
        tools=tools,
        tool_choice=body.tool_choice if tools else None,
        json_schema=schema_of(form.get("type", "text"), (form.get("json_schema") or {}).get("schema")),
        besides=_besides(body),
    )


def several(asked: CompletionRequest, count: int) -> list[CompletionRequest]:
    """Return ``count`` copies of a request; the seed is incremented, as equal ones would give equal answers."""
    seed = asked.sampling.seed
    return [
        asked if seed is None else replace(asked, sampling=replace(asked.sampling, seed=seed + number))
        for number in range(count)
    ]


def _besides(body: ChatBody) -> dict[str, Any]:
    """Return what is passed on to another server: undeclared fields, and a schema's name and strictness."""
    named = (body.response_format or {}).get("type") == "json_schema"
    return {**(body.model_extra or {}), **({"response_format": body.response_format} if named else {})}


def _message(message: Message) -> ChatMessage:
    role = {"developer": "system", "function": "tool"}.get(message.role, message.role)
    return message_of(
        role,  # type: ignore[arg-type]  # the two others were mapped just now
        pieces_of(message.content or ""),
        name=message.name,
        tool_calls=tuple(call.model_dump() for call in message.tool_calls or ()),
        tool_call_id=message.tool_call_id,
    )
