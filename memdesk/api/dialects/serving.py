"""Answers a program in its protocol: whole, or as events while the model writes."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol, get_args

from fastapi import Request, Response

from memdesk.api.auth import Caller, agent_header, caller_of, header
from memdesk.api.errors import body_of, internal_body
from memdesk.api.plain import reply
from memdesk.api.streaming import Bridge, EventStream, StreamGoneError
from memdesk.domain.models import MemoryMode
from memdesk.domain.reading.secrets import secret_kinds
from memdesk.errors import BadRequestError, CancelledError, LockedError, MemdeskError
from memdesk.ports import CancelToken, ChatMessage
from memdesk.services.chatting import ChatEvent, CompletionRequest, Delta, Finished, ReceiptReady, Thinking, ToolCall
from memdesk.services.container import Services

log = logging.getLogger(__name__)

SESSION_HEADERS: Final = ("x-memdesk-session-id", "x-osaurus-session-id")
SECRETS_HEADER: Final = "X-Memdesk-Secrets-Left-Out"
#: A model name with this prefix means an agent, for clients that can set nothing else.
AGENT_MODEL: Final = "agent:"
#: A failure within this time of the prompt being ready still gets its own status instead of an error event.
FIRST_TOKEN_SECONDS: Final = 5.0
ALIVE_SECONDS: Final = 10.0


@dataclass(slots=True)
class Whole:
    """A finished answer."""

    finished: Finished
    calls: list[ToolCall] = field(default_factory=list)
    thinking: str = ""


class Shape(Protocol):
    """A protocol's format of an answer, or of several if it supports that."""

    @property
    def media_type(self) -> str:
        """Media type of the stream."""

    @property
    def alive(self) -> bytes:
        """What is sent while a long prompt is read, so that the client does not give up."""

    def whole(self, answers: Sequence[Whole]) -> dict[str, Any]:
        """Return an unstreamed body: of one answer, or of as many as requested."""

    def first(self) -> Iterable[bytes]:
        """Return the start of a streamed answer."""

    def event(self, event: Delta | Thinking | ToolCall) -> Iterable[bytes]:
        """Return a piece of the answer."""

    def last(self, finished: Finished) -> Iterable[bytes]:
        """Return the end of a streamed answer, and after the last one, of the stream."""

    def failed(self, error: dict[str, Any]) -> Iterable[bytes]:
        """Return the end of a stream after an error, from our own error body."""


def counted(services: Services, asked: CompletionRequest) -> int:
    """Return the tokens of a prompt with its tools, without added memory."""
    tools = ChatMessage(role="system", content=json.dumps(asked.tools, ensure_ascii=False))
    messages = (*asked.messages, tools) if asked.tools else asked.messages
    return services.chat.clients.model_of(asked).count_tokens(messages)


def asked_by(
    request: Request, asked: CompletionRequest, *, session: str | None = None, memory: MemoryMode | None = None
) -> CompletionRequest:
    """Return a request with the agent, conversation and memory mode given by its headers, token and model name.

    Raises:
        AgentForbiddenError: the token is for another agent.
        BadRequestError: the memory header has an unknown value.
    """
    caller, services = caller_of(request), request.app.state.services
    named = asked.agent_id or agent_header(request)
    model = asked.model
    if model.startswith(AGENT_MODEL):
        named, model = named or _agent(services, model.removeprefix(AGENT_MODEL)), "default"
    return replace(
        asked,
        model=model,
        agent_id=caller.agent(named),
        conversation_id=session or header(request, *SESSION_HEADERS),
        memory=caller.memory_mode(memory or _memory_mode(request)),
        program=caller.token.name,
    )


async def serve(
    request: Request,
    asked: Sequence[CompletionRequest],
    shape_of: Callable[[ReceiptReady], Shape],
    *,
    stream: bool,
) -> Response:
    """Answer a program. If it wants several answers, they are made one by one, and only the first is stored.

    Each of ``asked`` comes from :func:`asked_by`; ``shape_of`` returns the protocol's shape once the prompt is ready.
    """
    services: Services = request.app.state.services
    caller: Caller = caller_of(request)
    bridge: Bridge[ChatEvent] = Bridge(
        lambda cancel: _answers(services, asked, cancel), request.app.state.streams, caller.token
    )
    try:
        ready = await bridge.next_while(request.is_disconnected)
        assert isinstance(ready, ReceiptReady)
        shape = shape_of(ready)
        if not stream:
            answers = [await _whole(bridge, request) for _ in asked]
            return reply(shape.whole(answers), headers=memory_headers(ready, asked[0]))
        await _await_first(bridge, request)
    except (StreamGoneError, asyncio.CancelledError):
        bridge.cancel.set()
        # Nobody reads it; the status is for the activity log.
        return Response(status_code=499)
    except BaseException:
        bridge.cancel.set()
        raise
    events = _events(bridge, shape, len(asked))
    return EventStream(events, bridge.cancel.set, memory_headers(ready, asked[0]), media_type=shape.media_type)


def memory_headers(ready: ReceiptReady, asked: CompletionRequest) -> dict[str, str]:
    """Return the headers about the memory shown, dropped messages, and secrets left out."""
    receipt = ready.receipt
    headers = secret_headers(asked) | {
        "X-Memdesk-Memory-Section": receipt.section if receipt is not None else "none",
        "X-Memdesk-Memory-Tokens": str(receipt.tokens if receipt is not None else 0),
        "X-Memdesk-Dropped-Messages": str(ready.fit.dropped_messages),
    }
    if receipt is not None:
        headers["X-Memdesk-Memory-Receipt"] = headers["X-Memdesk-Receipt"] = receipt.id
    if ready.conversation_id is not None and ready.conversation_id.isascii():
        headers["X-Memdesk-Session-Id"] = ready.conversation_id
    return headers


def _answers(services: Services, asked: Sequence[CompletionRequest], cancel: CancelToken) -> Iterator[ChatEvent]:
    """Make the answers one by one."""
    for number, each in enumerate(asked):
        if number and cancel.is_set():
            raise CancelledError("It was stopped before every answer was made.")
        yield from _answer(
            services, replace(each, memory="read_only") if number and each.memory == "on" else each, cancel
        )


def secret_headers(asked: CompletionRequest) -> dict[str, str]:
    """Return the header that names the secrets in a new message, which memory leaves out."""
    learns = asked.agent_id is not None and asked.memory == "on" and asked.messages[-1].role == "user"
    kinds = secret_kinds([asked.messages[-1].content] if learns else [])
    return {SECRETS_HEADER: ", ".join(kinds)} if kinds else {}


def _answer(services: Services, asked: CompletionRequest, cancel: CancelToken) -> Iterator[ChatEvent]:
    """Answer; if memdesk was locked meanwhile, raise ``LockedError`` instead of the engine's error."""
    try:
        yield from services.chat.clients.complete(asked, cancel=cancel)
    except CancelledError as error:
        if services.vault.is_open():
            raise
        raise LockedError("memdesk was locked while it answered.") from error


async def _whole(bridge: Bridge[ChatEvent], request: Request) -> Whole:
    calls: list[ToolCall] = []
    thinking: list[str] = []
    while True:
        event = await bridge.next_while(request.is_disconnected)
        if isinstance(event, Thinking):
            thinking.append(event.text)
        elif isinstance(event, ToolCall):
            calls.append(event)
        elif isinstance(event, Finished):
            return Whole(event, calls, "".join(thinking))


async def _await_first(bridge: Bridge[ChatEvent], request: Request) -> None:
    try:
        bridge.hold(await bridge.next_while(request.is_disconnected, seconds=FIRST_TOKEN_SECONDS))
    except TimeoutError:
        # A long prompt is being read; the client gets its headers now and keep-alives meanwhile.
        log.debug("no first token yet")


async def _events(bridge: Bridge[ChatEvent], shape: Shape, answers: int) -> AsyncIterator[bytes]:
    for piece in shape.first():
        yield piece
    while answers:
        try:
            event = await bridge.next(within=ALIVE_SECONDS)
        except TimeoutError:
            yield shape.alive
            continue
        except Exception as error:  # noqa: BLE001 - told to the client; our own faults are logged
            for piece in shape.failed(_told(error)):
                yield piece
            return
        if isinstance(event, (Delta, Thinking, ToolCall)):
            for piece in shape.event(event):
                yield piece
        elif isinstance(event, ReceiptReady):
            for piece in shape.first():
                yield piece
        elif isinstance(event, Finished):
            answers -= 1
            for piece in shape.last(event):
                yield piece


def _told(error: Exception) -> dict[str, Any]:
    if isinstance(error, MemdeskError):
        return body_of(error)
    log.error("an answer failed on a fault of our own", exc_info=error)
    return internal_body()


def _agent(services: Services, name: str) -> str:
    """Return the id of the agent of this name; an unknown name is the id of a new one."""
    if services.agents.find(name) is not None:
        return name
    folded = name.casefold()
    return next((agent.id for agent in services.agents.all() if agent.name.casefold() == folded), name)


def _memory_mode(request: Request) -> MemoryMode | None:
    value = request.headers.get("x-memdesk-memory", "").strip()
    if not value:
        return None
    for mode in get_args(MemoryMode):
        if mode == value:
            chosen: MemoryMode = mode
            return chosen
    raise BadRequestError("X-Memdesk-Memory must be on, read_only or off.")
