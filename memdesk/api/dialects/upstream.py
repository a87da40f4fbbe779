"""A proxy in front of another server: its chat gets memory, all else passes through unchanged.

Only the user's last message is changed, by the memory block before its text; tools, images and unknown fields are
passed on unread. The answer is returned byte by byte, including errors.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

import httpx
from fastapi import APIRouter, Depends, FastAPI, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from memdesk.api.auth import needs
from memdesk.api.dialects.models import agents_of
from memdesk.api.dialects.ollama.routes import router as ollama_router
from memdesk.api.dialects.openai.models import entry_of
from memdesk.api.dialects.serving import AGENT_MODEL, asked_by, secret_headers
from memdesk.api.dialects.talks import CHAT, MESSAGES, OLLAMA, RESPONSES, Talk
from memdesk.api.errors import ASKED_PATH
from memdesk.api.guard import has_body
from memdesk.api.params import FreeBody
from memdesk.api.plain import reply
from memdesk.api.streaming import EventStream
from memdesk.api.upstreams import Upstream
from memdesk.domain.decoding import UndecodableError, decode, list_in, object_in, text_in
from memdesk.domain.models import Receipt
from memdesk.errors import BadRequestError, EnvironmentFault
from memdesk.ports import ModelInfo
from memdesk.services.agents import DEFAULT_AGENT_ID
from memdesk.services.chatting import CompletionRequest, Elsewhere
from memdesk.services.container import Services

log = logging.getLogger(__name__)

#: The upstream's response headers that a client may need.
_PASSED: Final = (
    "content-type", "content-disposition", "content-range", "location", "retry-after", "x-request-id", "request-id",
    "x-ratelimit-", "anthropic-", "openai-",
)  # fmt: skip
#: The client's headers that a server may need; the token is memdesk's own.
_SENT: Final = ("anthropic-", "openai-", "content-type", "idempotency-key", "range")
_STREAMS: Final = ("text/event-stream", "application/x-ndjson")
#: Timeout in seconds for asking whether it is an Ollama.
_PATIENCE: Final = 2.0
#: URLs known to be an Ollama.
_OLLAMAS: Final[set[str]] = set()


class UpstreamDownError(EnvironmentFault):
    code = "upstream_unreachable"
    title = "The server behind memdesk does not answer"
    default_hint = "Start it, or start memdesk with another --upstream."
    status = 502


def router(app: FastAPI, upstream: Upstream) -> APIRouter:
    """Return the routes that go to ``upstream``; they precede our own of the same paths."""
    services: Services = app.state.services
    routes = APIRouter(tags=["upstream"], dependencies=[Depends(needs("chat"))])

    def chats(talk: Talk) -> Callable[[FreeBody, Request], Awaitable[Response]]:
        async def chat(body: FreeBody, request: Request) -> Response:
            return await _chat(services, upstream, talk, body, request)

        return chat

    async def through(request: Request) -> Response:
        return await _pass(upstream, request, _sent(request))

    def agents(request: Request) -> list[ModelInfo]:
        # The default is the built-in agent.
        return [each for each in agents_of(request, services) if each.id != AGENT_MODEL + DEFAULT_AGENT_ID]

    async def models(request: Request) -> Response:
        named = await run_in_threadpool(agents, request)
        return await _pass(upstream, request, b"", edit=lambda told: _with_agents(told, named))

    async def model(model_id: str, request: Request) -> Response:
        found = await run_in_threadpool(agents, request)
        named = next((agent for agent in found if agent.id == model_id), None)
        return reply(entry_of(named)) if named is not None else await through(request)

    routes.add_api_route("/v1/models", models, summary="Models of the server behind this one, and agents")
    routes.add_api_route("/v1/models/{model_id:path}", model, summary="One model of the server behind this one")
    for path, summary, talk in (
        ("/v1/chat/completions", "Chat of the server behind this one, with memory", CHAT),
        ("/v1/responses", "Responses of the server behind this one, with memory", RESPONSES),
        ("/v1/messages", "Messages of the server behind this one, with memory", MESSAGES),
    ):
        routes.add_api_route(path, chats(talk), methods=["POST"], summary=summary)
    for path, methods, summary in (
        ("/v1/completions", ["POST"], "Completions of the server behind this one"),
        ("/v1/embeddings", ["POST"], "Embeddings of the server behind this one"),
        ("/v1/messages/{rest:path}", ["GET", "POST"], "What else the server behind this one does with messages"),
        ("/v1/responses/{rest:path}", ["GET", "POST"], "Responses that the server behind this one keeps"),
    ):
        routes.add_api_route(path, through, methods=methods, summary=summary)
    routes.add_api_route("/v1/responses/{rest:path}", through, methods=["DELETE"], include_in_schema=False)
    own = ollama_router(app)
    for path in {route.path for route in own.routes if isinstance(route, Route)}:
        answering = _Ollama(services, upstream, own, OLLAMA.get(path.removeprefix("/api/")))
        routes.routes.append(Route(path, endpoint=answering))
    return routes


def remainder(upstream: Upstream) -> APIRouter:
    """Return the route for unknown paths, which go to the upstream; it must come last."""
    routes = APIRouter(dependencies=[Depends(needs("chat"))], include_in_schema=False)

    @routes.api_route("/{rest:path}", methods=["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"])
    async def through(request: Request) -> Response:
        asked: str = request.scope[ASKED_PATH]
        if not (asked.startswith("/v1/") or (asked.startswith("/api/") and await _is_ollama(upstream))):
            raise HTTPException(404)
        if request.headers.get("upgrade", "").casefold() == "websocket":
            raise BadRequestError(
                "WebSockets are not passed on.", hint=f"Reach what needs them at {upstream.url} itself."
            )
        return await _pass(upstream, request, _sent(request))

    return routes


def _sent(request: Request) -> AsyncIterator[bytes] | bytes:
    """Return a request's body as a stream, since it may be a file."""
    return request.stream() if has_body(request.headers) else b""


def _with_agents(told: bytes, agents: Sequence[ModelInfo]) -> bytes:
    """Return a list of models with the agents appended; anything else unchanged."""
    try:
        listed = _object(told)
    except BadRequestError:
        return told
    if not agents or not isinstance(listed.get("data"), list):
        return told
    return json.dumps(listed | {"data": [*listed["data"], *map(entry_of, agents)]}).encode()


class _Ollama:
    """An Ollama route: to an Ollama behind this server, else to our own dialect."""

    def __init__(self, services: Services, upstream: Upstream, own: ASGIApp, talk: Talk | None) -> None:
        self._services, self._upstream, self._own, self._talk = services, upstream, own, talk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not await _is_ollama(self._upstream):
            await self._own(scope, receive, send)
            return
        request = Request(scope, receive)
        await needs("chat")(request)
        body = await request.body()
        if self._talk is None:
            answer = await _pass(self._upstream, request, body)
        else:
            answer = await _chat(self._services, self._upstream, self._talk, _object(body), request)
        await answer(scope, receive, send)


def _object(body: bytes) -> dict[str, Any]:
    try:
        told = decode(body)
    except UndecodableError as error:
        raise BadRequestError(f"The body cannot be read: {error}.") from error
    if not isinstance(told, dict):
        raise BadRequestError("The body is not a JSON object.")
    return told


async def _is_ollama(upstream: Upstream) -> bool:
    """Whether the upstream is an Ollama; as it may be started later, only a yes is cached."""
    if upstream.url not in _OLLAMAS:
        async with upstream.client() as client:
            try:
                answer = await client.get(upstream.address("/api/version"), timeout=_PATIENCE)
                told = answer.json() if answer.is_success else {}
            except httpx.TransportError as error:
                raise _down(upstream, error) from error
            except ValueError:
                told = {}
        if not text_in(told, "version"):
            return False
        _OLLAMAS.add(upstream.url)
    return True


async def _chat(services: Services, upstream: Upstream, talk: Talk, body: dict[str, Any], request: Request) -> Response:
    """Pass a chat on with memory, and record the answer."""
    messages = tuple(talk.messages(body))
    if not any(message.role == "user" for message in messages):
        return await _pass(upstream, request, json.dumps(body).encode())
    asked = asked_by(request, CompletionRequest(messages=messages, model=text_in(body, "model") or "default"))
    # Clients here do not know agents: the default is the built-in one.
    asked = replace(asked, agent_id=asked.agent_id or DEFAULT_AGENT_ID)
    if text_in(body, "model").startswith(AGENT_MODEL):
        body = body | {"model": await _first_model(upstream)}
    chat = await run_in_threadpool(services.chat.clients.elsewhere, asked, remote=not upstream.on_this_machine)
    changed = json.dumps(talk.with_memory(body, chat)).encode()
    return await _pass(upstream, request, changed, chat, talk, told=_told(chat.receipt) | secret_headers(asked))


async def _first_model(upstream: Upstream) -> str:
    """Return the model to use if a client names an agent instead."""
    async with upstream.client() as client:
        try:
            told = (await client.get(f"{upstream.url}/models")).json()
        except httpx.TransportError as error:
            raise _down(upstream, error) from error
        except ValueError:
            told = {}
    found = next((text_in(model, "id") for model in list_in(told, "data")), "")
    if not found:
        raise BadRequestError(
            f"{upstream.url} lists no model.", hint="Name one of its models, and the agent in a header."
        )
    return found


def _down(upstream: Upstream, error: httpx.TransportError) -> UpstreamDownError:
    return UpstreamDownError(f"{upstream.url} does not answer ({type(error).__name__}).")


async def _pass(
    upstream: Upstream,
    request: Request,
    body: AsyncIterator[bytes] | bytes,
    chat: Elsewhere | None = None,
    talk: Talk | None = None,
    edit: Callable[[bytes], bytes] | None = None,
    told: Mapping[str, str] = MappingProxyType({}),
) -> Response:
    """Forward a request and return its answer, which ``chat`` records or ``edit`` changes; ``told`` are our own headers."""
    path = request.url.path if request.url.path.startswith(("/v1/", "/api/")) else request.scope[ASKED_PATH]
    if ".." in path.split("/"):
        # It would escape from the upstream's base URL.
        raise HTTPException(404)
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(upstream.client())
        sent = client.build_request(
            request.method,
            upstream.address(path),
            content=body,
            headers=_headers(upstream, request, path, body),
            params=request.query_params,
        )
        try:
            answer = await client.send(sent, stream=True)
        except httpx.TransportError as error:
            raise _down(upstream, error) from error
        except ClientDisconnect:
            # Nobody reads it; the status is for the activity log.
            return Response(status_code=499)
        stack.push_async_callback(answer.aclose)
        headers = {name: value for name, value in answer.headers.items() if name.startswith(_PASSED)} | dict(told)
        streamed = answer.headers.get("content-type", "").startswith(_STREAMS)
        heard = None if talk is None or answer.is_error else _Heard(talk, streamed=streamed)
        if answer.is_error or edit is not None or (heard is not None and not streamed):
            content = await answer.aread()
            if heard is not None and chat is not None:
                heard.feed(content)
                await run_in_threadpool(_keep, heard, chat)
            if edit is not None and answer.is_success:
                content = edit(content)
            return Response(content, answer.status_code, headers)
        if "content-encoding" not in answer.headers and "content-length" in answer.headers:
            headers["content-length"] = answer.headers["content-length"]
        pieces = _pieces(answer, heard, chat, stack.pop_all())
        return EventStream(pieces, lambda: None, headers, media_type=None, status=answer.status_code)


def _headers(upstream: Upstream, request: Request, path: str, body: AsyncIterator[bytes] | bytes) -> dict[str, str]:
    """Return the headers to forward with a request."""
    # Compressed bytes could not be read in passing.
    headers = {"Accept": request.headers.get("accept", "*/*"), "Accept-Encoding": "identity"}
    headers |= {name: told for name, told in request.headers.items() if name.startswith(_SENT)}
    if not isinstance(body, bytes) and "content-length" in request.headers:
        headers["Content-Length"] = request.headers["content-length"]
    if upstream.key and path.startswith("/v1/messages"):
        # Anthropic's servers require it there.
        headers["x-api-key"] = upstream.key
    return headers


async def _pieces(
    answer: httpx.Response, heard: _Heard | None, chat: Elsewhere | None, closing: AsyncExitStack
) -> AsyncIterator[bytes]:
    async with closing:
        try:
            async for piece in answer.aiter_bytes():
                if heard is not None:
                    heard.feed(piece)
                yield piece
        except httpx.TransportError as error:
            log.warning("the server behind this one stopped in the middle of an answer (%s)", type(error).__name__)
        finally:
            # Even if the client left: the answer is recorded.
            if heard is not None and chat is not None:
                await run_in_threadpool(_keep, heard, chat)


class _Heard:
    """Reads a model's answer in passing."""

    def __init__(self, talk: Talk, *, streamed: bool) -> None:
        self._talk = talk
        self._streamed = streamed
        self.model = ""
        self.calls = False
        self._rest = b""
        self._text: list[str] = []

    @property
    def text(self) -> str:
        self._take(self._rest)
        self._rest = b""
        return "".join(self._text)

    def feed(self, piece: bytes) -> None:
        self._rest += piece
        if self._streamed:
            *lines, self._rest = self._rest.split(b"\n")
            for line in lines:
                self._take(line.removeprefix(b"data:"))

    def _take(self, data: bytes) -> None:
        try:
            told = decode(data)
        except ValueError:
            # "[DONE]", another field, or a server's own text; all pass through anyway.
            return
        for each in (told, object_in(told, "message"), object_in(told, "response")):
            self.model = text_in(each, "model") or self.model
        text, calls = self._talk.heard(told)
        self._text.append(text)
        self.calls = self.calls or calls


def _keep(heard: _Heard, chat: Elsewhere) -> None:
    text = heard.text
    # An answer that calls tools is not final; the request with their results gets that.
    if text.strip() and not heard.calls:
        chat.keep(text, heard.model)


def _told(receipt: Receipt | None) -> dict[str, str]:
    if receipt is None:
        return {}
    return {
        "X-Memdesk-Memory-Section": receipt.section,
        "X-Memdesk-Memory-Tokens": str(receipt.tokens),
        "X-Memdesk-Memory-Receipt": receipt.id,
    }
