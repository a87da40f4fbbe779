"""Chat completions in OpenAI's shape, with the memory of an agent when one is named."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING, Final, get_args

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from starlette.types import Receive, Scope, Send

from memdesk.api.auth import agent_header, caller_of, needs
from memdesk.api.errors import body_of, internal_body
from memdesk.api.openai_in import ChatBody, request_of
from memdesk.api.openai_out import ALIVE, DONE, Shape, memory_headers, sse
from memdesk.api.plain import reply
from memdesk.api.streaming import Bridge, StreamGoneError
from memdesk.domain.models import MemoryMode, new_id
from memdesk.errors import BadRequestError, CancelledError, LockedError, MemdeskError
from memdesk.services.chat import ChatEvent, Delta, Finished, ReceiptReady, Thinking, ToolCall

log = logging.getLogger(__name__)

SESSION_HEADERS: Final = ("x-memdesk-session-id", "x-osaurus-session-id")
#: A failure within this time of the prompt being ready still gets its own status instead of an error event.
FIRST_TOKEN_SECONDS: Final = 5.0
ALIVE_SECONDS: Final = 10.0

if TYPE_CHECKING:
    from memdesk.ports import CancelToken
    from memdesk.services.chat import CompletionRequest
    from memdesk.services.container import Services


def router(app: FastAPI) -> APIRouter:
    """Return the route of ``/v1/chat/completions``."""
    services: Services = app.state.services
    routes = APIRouter(tags=["openai"], dependencies=[Depends(needs("chat"))])

    @routes.post("/v1/chat/completions", summary="Chat; X-Memdesk-Agent-Id turns memory on")
    async def completions(body: ChatBody, request: Request) -> Response:
        asked = request_of(
            body,
            agent_id=caller_of(request).agent(body.agent_id or agent_header(request)),
            session_id=body.session_id or _header(request, SESSION_HEADERS),
            memory=body.memory or _memory_mode(request),
        )
        bridge: Bridge[ChatEvent] = Bridge(lambda cancel: _answer(services, asked, cancel), app.state.streams)
        try:
            ready = await bridge.next_while(request.is_disconnected)
            assert isinstance(ready, ReceiptReady)
            shape = Shape(f"chatcmpl-{new_id()}", int(services.clock.now().timestamp()), ready.model)
            if not body.stream:
                return await _whole(bridge, request, shape, memory_headers(ready))
            await _await_first(bridge, request)
        except (StreamGoneError, asyncio.CancelledError):
            bridge.cancel.set()
            # Nobody reads it; the status is for the activity log.
            return Response(status_code=499)
        except BaseException:
            bridge.cancel.set()
            raise
        usage = body.stream_options is not None and body.stream_options.include_usage
        return EventStream(_events(bridge, shape, usage=usage), bridge.cancel.set, memory_headers(ready))

    return routes


class EventStream(Response):
    """Server-sent events. Calls ``left`` as soon as the client is gone, even between two events."""

    def __init__(self, events: AsyncIterator[bytes], left: Callable[[], None], headers: dict[str, str]) -> None:
        self._events = events
        self._left = left
        self.status_code = 200
        self.background = None
        self.media_type = "text/event-stream"
        self.init_headers(headers | {"Cache-Control": "no-store", "X-Accel-Buffering": "no"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events until they end or the client leaves."""
        _ = scope
        watcher = asyncio.create_task(self._watch(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            async for event in self._events:
                await send({"type": "http.response.body", "body": event, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except OSError:
            # The socket went away under a send; the answer is kept as far as it came.
            log.info("a client left before its answer was complete")
        finally:
            self._left()
            watcher.cancel()

    async def _watch(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._left()


def _answer(services: Services, asked: CompletionRequest, cancel: CancelToken) -> Iterator[ChatEvent]:
    """Answer; a lock, which unloads the engine, is told as one."""
    try:
        yield from services.chat.complete(asked, cancel=cancel)
    except CancelledError as error:
        if services.vault.is_open():
            raise
        raise LockedError("memdesk was locked while it answered.") from error


async def _whole(bridge: Bridge[ChatEvent], request: Request, shape: Shape, headers: dict[str, str]) -> Response:
    calls: list[ToolCall] = []
    thinking: list[str] = []
    while True:
        event = await bridge.next_while(request.is_disconnected)
        if isinstance(event, Thinking):
            thinking.append(event.text)
        elif isinstance(event, ToolCall):
            calls.append(event)
        elif isinstance(event, Finished):
            return reply(shape.whole(event, calls, "".join(thinking)), headers=headers)


async def _await_first(bridge: Bridge[ChatEvent], request: Request) -> None:
    try:
        bridge.hold(await bridge.next_while(request.is_disconnected, seconds=FIRST_TOKEN_SECONDS))
    except TimeoutError:
        # A long prompt is being read; the client gets its headers now and signs of life meanwhile.
        log.debug("no first token yet")


async def _events(bridge: Bridge[ChatEvent], shape: Shape, *, usage: bool) -> AsyncIterator[bytes]:
    yield shape.first()
    while True:
        try:
            event = await bridge.next(within=ALIVE_SECONDS)
        except TimeoutError:
            yield ALIVE
            continue
        except MemdeskError as error:
            yield sse(body_of(error))
            break
        except Exception:
            log.exception("an answer failed on a fault of our own")
            yield sse(internal_body())
            break
        if isinstance(event, Delta):
            yield shape.text(event.text)
        elif isinstance(event, Thinking):
            yield shape.thinking(event)
        elif isinstance(event, ToolCall):
            yield shape.call(event)
        elif isinstance(event, Finished):
            yield shape.last(event)
            if usage:
                yield shape.usage(event)
            break
    yield DONE


def _header(request: Request, names: tuple[str, ...]) -> str | None:
    return next((value for name in names if (value := request.headers.get(name, "").strip())), None)


def _memory_mode(request: Request) -> MemoryMode | None:
    value = request.headers.get("x-memdesk-memory", "").strip()
    if not value:
        return None
    for mode in get_args(MemoryMode):
        if mode == value:
            chosen: MemoryMode = mode
            return chosen
    raise BadRequestError("X-Memdesk-Memory is one of on, read_only, off.")
