"""A server in front of another one: its chat gets memory, everything passes through as it is.

Only the last message of the user is touched, and only by the memory block before its words; tools, images and
fields that nobody here knows go on unread. The answer goes back byte by byte, errors included.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any, Final

import httpx
from fastapi import APIRouter, Depends, FastAPI, Request, Response
from starlette.concurrency import run_in_threadpool

from memdesk.api.auth import needs
from memdesk.api.dialects.parts import message_of
from memdesk.api.dialects.serving import asked_by
from memdesk.api.params import FreeBody
from memdesk.api.streaming import EventStream
from memdesk.api.upstreams import Upstream
from memdesk.domain.chatting.images import Image
from memdesk.domain.decoding import decode, list_in, number_in, object_in, text_in
from memdesk.domain.models import Role
from memdesk.errors import BadRequestError, EnvironmentFault
from memdesk.ports import ChatMessage
from memdesk.services.agents import DEFAULT_AGENT_ID
from memdesk.services.chatting import CompletionRequest, Elsewhere
from memdesk.services.container import Services

log = logging.getLogger(__name__)

#: Of the upstream's answer, what a client may need; the rest is between it and us.
_PASSED: Final = ("content-type", "retry-after", "x-request-id")


class UpstreamDownError(EnvironmentFault):
    code = "upstream_unreachable"
    title = "The server behind memdesk does not answer"
    default_hint = "Start it, or start memdesk with another --upstream."
    status = 502


_ROLES: Final[dict[Any, Role]] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
}


def router(app: FastAPI, upstream: Upstream) -> APIRouter:
    """Return the routes that go to ``upstream``; they stand before our own of the same addresses."""
    services: Services = app.state.services
    routes = APIRouter(tags=["upstream"], dependencies=[Depends(needs("chat"))])

    @routes.post("/v1/chat/completions", summary="Chat of the server behind this one, with memory")
    async def completions(body: FreeBody, request: Request) -> Response:
        messages = _messages(body)
        if not any(message.role == "user" for message in messages):
            return await _pass(upstream, request, "chat/completions", body)
        asked = asked_by(request, CompletionRequest(messages=messages))
        # Clients here know nothing of agents: who names none means the built-in one.
        asked = replace(asked, agent_id=asked.agent_id or DEFAULT_AGENT_ID)
        chat = await run_in_threadpool(services.chat.elsewhere, asked, remote=not upstream.on_this_machine)
        return await _pass(upstream, request, "chat/completions", _with_memory(body, chat), chat)

    @routes.api_route("/v1/models", methods=["GET"], summary="Models of the server behind this one")
    async def models(request: Request) -> Response:
        return await _pass(upstream, request, "models", None)

    @routes.api_route("/v1/models/{model_id:path}", methods=["GET"], summary="One model of the server behind this one")
    async def model(model_id: str, request: Request) -> Response:
        return await _pass(upstream, request, f"models/{model_id}", None)

    @routes.post("/v1/completions", summary="Completions of the server behind this one")
    async def plain(body: FreeBody, request: Request) -> Response:
        return await _pass(upstream, request, "completions", body)

    @routes.post("/v1/embeddings", summary="Embeddings of the server behind this one")
    async def embeddings(body: FreeBody, request: Request) -> Response:
        return await _pass(upstream, request, "embeddings", body)

    return routes


async def _pass(
    upstream: Upstream, request: Request, path: str, body: dict[str, Any] | None, chat: Elsewhere | None = None
) -> Response:
    """Send a request on and its answer back, which ``chat`` keeps."""
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(upstream.client())
        # Compressed bytes could not be read on their way.
        headers = {"Accept": request.headers.get("accept", "*/*"), "Accept-Encoding": "identity"}
        sent = client.build_request(
            request.method, f"{upstream.url}/{path}", json=body, headers=headers, params=request.query_params
        )
        try:
            answer = await client.send(sent, stream=True)
        except httpx.TransportError as error:
            raise UpstreamDownError(f"{upstream.url} does not answer ({type(error).__name__}).") from error
        stack.push_async_callback(answer.aclose)
        passed = {name: answer.headers[name] for name in _PASSED if name in answer.headers}
        heard = _Heard(streamed=answer.headers.get("content-type", "").startswith("text/event-stream"))
        if answer.is_error or not heard.streamed:
            content = await answer.aread()
            if chat is not None and not answer.is_error:
                heard.feed(content)
                await run_in_threadpool(_keep, heard, chat)
            return Response(content, answer.status_code, passed | _told(chat))
        pieces = _pieces(answer, heard, chat, stack.pop_all())
        return EventStream(pieces, lambda: None, _told(chat), media_type=passed["content-type"])


async def _pieces(
    answer: httpx.Response, heard: _Heard, chat: Elsewhere | None, closing: AsyncExitStack
) -> AsyncIterator[bytes]:
    async with closing:
        try:
            async for piece in answer.aiter_raw():
                heard.feed(piece)
                yield piece
        except httpx.TransportError as error:
            log.warning("the server behind this one stopped in the middle of an answer (%s)", type(error).__name__)
        finally:
            # Also when the client left: what was said is kept.
            if chat is not None:
                await run_in_threadpool(_keep, heard, chat)


class _Heard:
    """Reads along what a model says."""

    def __init__(self, *, streamed: bool) -> None:
        self.streamed = streamed
        self.model = ""
        self.calls = False
        self._rest = b""
        self._text: list[str] = []

    @property
    def text(self) -> str:
        if not self.streamed:
            self._take(self._rest, "message")
            self._rest = b""
        return "".join(self._text)

    def feed(self, piece: bytes) -> None:
        self._rest += piece
        if not self.streamed:
            return
        *lines, self._rest = self._rest.split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                self._take(line[5:], "delta")

    def _take(self, data: bytes, name: str) -> None:
        try:
            told = decode(data)
        except ValueError:
            # "[DONE]", or a server's own words; they pass through all the same.
            return
        self.model = text_in(told, "model") or self.model
        for choice in list_in(told, "choices"):
            said = object_in(choice, name)
            if number_in(choice, "index") == 0:
                self._text.append(text_in(said, "content"))
                self.calls = self.calls or bool(said.get("tool_calls"))


def _keep(heard: _Heard, chat: Elsewhere) -> None:
    text = heard.text
    # An answer that calls tools is not the last word; the request with their results brings it.
    if text.strip() and not heard.calls:
        chat.keep(text, heard.model)


def _told(chat: Elsewhere | None) -> dict[str, str]:
    if chat is None or chat.receipt is None:
        return {}
    receipt = chat.receipt
    return {
        "X-Memdesk-Memory-Section": receipt.section,
        "X-Memdesk-Memory-Tokens": str(receipt.tokens),
        "X-Memdesk-Memory-Receipt": receipt.id,
    }


def _messages(body: dict[str, Any]) -> tuple[ChatMessage, ...]:
    """Return what was said, with its pictures; what is not a message is left to the upstream to refuse."""
    given = body.get("messages")
    found = []
    for message in given if isinstance(given, list) else ():
        role = _ROLES.get(message.get("role")) if isinstance(message, dict) else None
        if role is not None:
            found.append(message_of(role, _pieces_of(message.get("content"))))
    return tuple(found)


def _pieces_of(content: Any) -> Iterator[str | Image]:
    if isinstance(content, str):
        yield content
    for part in content if isinstance(content, list) else ():
        if isinstance(part, dict) and part.get("type") == "text":
            yield str(part.get("text", ""))
        elif isinstance(part, dict) and part.get("type") == "image_url":
            try:
                yield Image.of(text_in(part.get("image_url"), "url"))
            except BadRequestError as error:
                log.info("a picture goes on that is not kept: %s", error)


def _with_memory(body: dict[str, Any], chat: Elsewhere) -> dict[str, Any]:
    """Return the body with the memory block before the words of the user's last message."""
    if chat.receipt is None or not chat.receipt.block:
        return body
    messages = list(body["messages"])
    last = max(i for i, each in enumerate(messages) if isinstance(each, dict) and each.get("role") == "user")
    content = messages[last].get("content")
    if isinstance(content, list):
        block = chat.wrap("").rstrip()
        content = [{"type": "text", "text": block}, *content]
    else:
        content = chat.wrap(content or "")
    messages[last] = messages[last] | {"content": content}
    return body | {"messages": messages}
