"""Converts Anthropic's message requests into ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final, Literal

from pydantic import Field

from memdesk.api.dialects.parts import Piece, call_of, file_of, function_of, message_of, schema_of, text_file
from memdesk.api.params import OpenBody
from memdesk.domain.chatting.images import Image
from memdesk.errors import BadRequestError
from memdesk.messages import say
from memdesk.ports import ChatMessage
from memdesk.services.chatting import CompletionRequest, Sampling

#: The type of Anthropic's memory tool.
MEMORY_TOOL: Final = "memory_20250818"


class ThreadsUnsupportedError(BadRequestError):
    """The client wants the server to hold the conversation; this code makes it go on without."""

    code = "thread_unsupported_request"


class Source(OpenBody):
    """An image or a file in base64, or a document's text; URLs are refused with an explanation."""

    type: str = ""
    data: str = ""
    url: str = ""


class Block(OpenBody):
    """A content block; its fields depend on its type."""

    type: str
    text: str = ""
    id: str = ""
    name: str = ""
    input: Any = None
    tool_use_id: str = ""
    content: str | list[Block] | None = None
    source: Source | None = None
    title: str | None = None
    is_error: bool = False


class Message(OpenBody):
    """One message."""

    role: Literal["user", "assistant", "system"]
    content: str | list[Block]


class Tool(OpenBody):
    """A tool of the client, or with a ``type``, one defined by Anthropic."""

    name: str
    type: str | None = None
    description: str = ""
    input_schema: dict[str, Any] = Field(default_factory=dict)


class Choice(OpenBody):
    """The tool choice."""

    type: Literal["auto", "any", "tool", "none"] = "auto"
    name: str = ""


class Thinking(OpenBody):
    """Whether the model's thinking is wanted."""

    type: str = "disabled"


class Format(OpenBody):
    """The format of the answer's text."""

    type: str
    json_schema: dict[str, Any] = Field(alias="schema")


class OutputConfig(OpenBody):
    """Settings of the answer's text."""

    format: Format | None = None


class MessagesBody(OpenBody):
    """``POST /v1/messages``."""

    model: str = "default"
    max_tokens: int = Field(ge=1)
    messages: list[Message] = Field(min_length=1)
    system: str | list[Block] | None = None
    stream: bool = False
    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, ge=0, le=1)
    top_k: int | None = Field(default=None, ge=0)
    stop_sequences: list[str] = Field(default_factory=list)
    tools: list[Tool] = Field(default_factory=list)
    tool_choice: Choice | None = None
    thinking: Thinking | None = None
    output_config: OutputConfig | None = None
    #: a conversation held by the server between requests, which newer clients try first
    thread: dict[str, Any] | None = None

    @property
    def wants_thinking(self) -> bool:
        """Whether thinking is returned in its own blocks; else it is left out."""
        return self.thinking is not None and self.thinking.type != "disabled"


class CountBody(MessagesBody):
    """``POST /v1/messages/count_tokens``."""

    max_tokens: int = Field(default=1, ge=1)


def request_of(body: MessagesBody) -> CompletionRequest:
    """Return our request for Anthropic's.

    Raises:
        BadRequestError: a block, tool or format of an unknown kind.
        ThreadsUnsupportedError: only the new messages were sent; the client then sends them all.
    """
    if body.thread is not None:
        raise ThreadsUnsupportedError(say("This server keeps no conversations between requests: send all messages."))
    messages = [message_of("system", _pieces(body.system))] if body.system else []
    for message in body.messages:
        messages += _messages(message)
    choice = body.tool_choice or Choice()
    form = body.output_config.format if body.output_config else None
    tools = () if choice.type == "none" else tuple(_function(tool) for tool in body.tools if tool.type != MEMORY_TOOL)
    return CompletionRequest(
        messages=tuple(messages),
        model=body.model,
        sampling=Sampling(
            temperature=body.temperature,
            top_p=body.top_p,
            top_k=body.top_k or None,
            max_tokens=body.max_tokens,
            stop=tuple(text for text in body.stop_sequences if text),
        ),
        tools=tools,
        tool_choice=_choice(choice) if tools else None,
        json_schema=schema_of(form.type, form.json_schema) if form else None,
    )


def _messages(message: Message) -> Iterator[ChatMessage]:
    """Yield our messages for one of theirs: tool results are separate messages before the user's text."""
    blocks = [Block(type="text", text=message.content)] if isinstance(message.content, str) else message.content
    calls: list[dict[str, Any]] = []
    words: list[Block] = []
    for block in blocks:
        if block.type == "tool_result":
            result = message_of("tool", _pieces(block.content), tool_call_id=block.tool_use_id)
            yield replace(result, content=f"Error: {result.content}") if block.is_error else result
        elif block.type == "tool_use":
            calls.append(call_of(block.id, block.name, json.dumps(block.input or {}, ensure_ascii=False)))
        elif block.type not in {"thinking", "redacted_thinking"}:
            words.append(block)
    if words or calls:
        yield message_of(message.role, _pieces(words), tool_calls=tuple(calls))


def _pieces(content: str | list[Block] | None) -> list[Piece]:
    return [_piece(block) for block in content] if isinstance(content, list) else [content or ""]


def _piece(block: Block) -> Piece:
    if block.type == "text":
        return block.text
    if block.source is None or block.type not in {"image", "document"}:
        raise BadRequestError(f"This server reads text, pictures and documents, not {block.type}.")
    if block.type == "document":
        name, source = block.title or "document", block.source
        return text_file(name, source.data) if source.type == "text" else file_of(name, source.data)
    return Image.of(block.source.data or block.source.url)


def keeps_files(body: MessagesBody) -> bool:
    """Whether the client gives the model Anthropic's memory tool."""
    return any(tool.type == MEMORY_TOOL for tool in body.tools)


def _function(tool: Tool) -> dict[str, Any]:
    if tool.type not in {None, "custom"}:
        raise BadRequestError(
            f"There is no tool of the type “{tool.type}” here.", hint="Tools with an input_schema are passed on."
        )
    return function_of(tool.name, description=tool.description, parameters=tool.input_schema)


def _choice(choice: Choice) -> str | dict[str, Any]:
    if choice.type == "tool":
        return function_of(choice.name)
    return "required" if choice.type == "any" else "auto"
