"""The outermost layer: path prefixes, host, origin, token, body, activity, and uncaught errors."""

import hashlib
import logging
import re
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from attrs import define, field
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memdesk.api.activity import ActivityLog
from memdesk.api.auth import AccessPolicy, Caller, set_caller
from memdesk.api.errors import (
    ASKED_PATH,
    InvalidBodyError,
    PayloadTooLargeError,
    UnsupportedMediaError,
    body_of,
    error_response,
    headers_of,
    internal_body,
)
from memdesk.api.faults import worded
from memdesk.api.patience import Admission, BodyPatience
from memdesk.domain.decoding import MAX_DEPTH, TooDeepError, UndecodableError, decode
from memdesk.domain.models import new_id
from memdesk.errors import BadRequestError, MemdeskError
from memdesk.ports import ActivityRow, Clock

log = logging.getLogger(__name__)

MAX_BODY_BYTES: Final = 64 * 2**20
#: For a file on its way to the upstream, which is never held here whole; OpenAI takes 512 MB.
MAX_UPLOAD_BYTES: Final = 600 * 2**20
#: Bodies above this size are checked on a thread, as they would block the event loop.
_READ_ASIDE: Final = 2**18
OPEN_PATHS: Final = frozenset({"/", "/health"})
_OPENAI: Final = re.compile(r"/(?:chat/completions|completions|embeddings|(?:messages|models|responses)(?:/.*)?)")
#: Paths that only Ollama's clients use, always below /api; those of the second line are refused in its format.
_OLLAMA: Final = re.compile(
    r"/api/(?:chat|generate|tags|show|ps|embed|embeddings|version"
    r"|pull|push|create|copy|delete)"
)
#: Paths of a gateway's entries; ``/api/memory/facts`` and the like are ours with a prefix.
_OMNIROUTE: Final = re.compile(
    r"/api/(?:settings/memory|settings/qdrant(?:/.+)?|memory(?:/health|/summarize|/[0-9a-f]{8}-[0-9a-f-]{27})?)"
)
_CHANGING: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_JSON: Final = re.compile(r"application/(?:[\w.+-]+\+)?json\s*(?:;.*)?", re.IGNORECASE)
#: Headers that differ when a request is retried.
_OF_THE_TRIP: Final = frozenset({b"x-stainless-retry-count", b"x-request-id", b"idempotency-key", b"traceparent"})
_EXPOSED: Final = (
    "X-Memdesk-Memory-Section, X-Memdesk-Memory-Tokens, X-Memdesk-Memory-Receipt, X-Memdesk-Receipt, "
    "X-Memdesk-Session-Id, X-Memdesk-Dropped-Messages, X-Memdesk-Secrets-Left-Out"
)


def canonical(path: str) -> str:
    """Return the canonical path for one that clients call with ``/v1``, ``/api`` or ``/v1/api`` before it."""
    if _OLLAMA.fullmatch(path) or _OMNIROUTE.fullmatch(path):
        return path
    bare = path
    for prefix in ("/v1/api", "/api/v1", "/v1", "/api"):
        if path == prefix or path.startswith(prefix + "/"):
            bare = path[len(prefix) :] or "/"
            break
    if _OPENAI.fullmatch(bare):
        return "/v1" + bare
    return bare


@define(eq=False)
class Guard:
    """ASGI middleware; see the module's docstring."""

    _app: ASGIApp
    _access: AccessPolicy = field(kw_only=True)
    _activity: ActivityLog = field(kw_only=True)
    _clock: Clock = field(kw_only=True)
    #: whether bodies sent to a path are streamed to another server.
    _passes: Callable[[Scope], bool] = field(default=lambda _: False, kw_only=True)
    _admission: Admission = field(factory=Admission, init=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        began = time.perf_counter()
        headers = Headers(scope=scope)
        scope = dict(scope)
        scope[ASKED_PATH] = scope["path"]
        scope["path"] = canonical(scope["path"])
        scope["raw_path"] = scope["path"].encode("utf-8")
        reply = _Reply(send)
        caller: Caller | None = None
        try:
            host, origin = headers.get("host"), headers.get("origin")
            self._access.check_host(host)
            self._access.check_origin(origin, host)
            reply.origin = origin
            if scope["method"] == "OPTIONS" and origin is not None:
                await _preflight(headers)(scope, receive, reply)
            else:
                if scope["path"] not in OPEN_PATHS:
                    shown = _credentials(headers)
                    token = self._access.known(shown)
                    if token is None:
                        token = await run_in_threadpool(self._access.authenticate, shown)
                    caller = Caller(token)
                    set_caller(scope, caller)
                sent = b""
                if _may_pass(scope["method"], headers) and self._passes(scope):
                    _check_length(headers, MAX_UPLOAD_BYTES)
                    receive = _bounded(receive, MAX_UPLOAD_BYTES)
                else:
                    _check_body(scope["method"], headers)
                    sent, receive = await _read(receive, headers)
                with self._admission.admit(
                    scope["method"],
                    scope["path"],
                    partial(_known_by, scope, sent),
                    lambda: 0 < reply.status < 400,
                    who=scope.get("client"),
                ):
                    await self._app(scope, receive, reply)
        except MemdeskError as error:
            told = worded(scope["path"], error.status, body_of(error))
            await reply.fail(scope, receive, error_response(*told, headers_of(error)))
        except Exception:
            log.exception("a request failed on a fault of our own")
            await reply.fail(scope, receive, error_response(*worded(scope["path"], 500, internal_body())))
        finally:
            if scope["path"] not in OPEN_PATHS:
                self._note(scope, caller, reply.status, (time.perf_counter() - began) * 1000)

    def _note(self, scope: Scope, caller: Caller | None, status: int, ms: float) -> None:
        # Mounted applications have no template, but their own path.
        bare = scope["path"] if "endpoint" in scope else "(none)"
        route = getattr(scope.get("route"), "path", "") or bare
        self._activity.add(
            ActivityRow(
                at=self._clock.now(),
                token_name=(caller.name or caller.token.name) if caller is not None else "",
                method=scope["method"],
                # The template, not the path: ids and queries are content.
                route=f"{route} {caller.tool}" if caller is not None and caller.tool else route,
                agent_id=caller.agent_id if caller is not None else "",
                status=status,
                ms=round(ms, 2),
            )
        )


class _Reply:
    """``send`` that adds our headers to every response and records whether one has begun."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0
        self.origin: str | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers.setdefault("Cache-Control", "no-store")
            headers["X-Content-Type-Options"] = "nosniff"
            # OpenAI's clients read the first, Anthropic's the second.
            headers.setdefault("Request-Id", headers.setdefault("X-Request-Id", f"req_{new_id()}"))
            headers.add_vary_header("Origin")
            if self.origin is not None:
                headers["Access-Control-Allow-Origin"] = self.origin
                headers["Access-Control-Expose-Headers"] = _EXPOSED
        await self._send(message)

    async def fail(self, scope: Scope, receive: Receive, response: Response) -> None:
        """Send an error, unless a response has begun."""
        if self.status:
            return
        await response(scope, receive, self)


def _credentials(headers: Headers) -> str | None:
    """Return the bearer token; Anthropic's and mem0's clients use other headers."""
    key = headers.get("x-api-key")
    return headers.get("authorization") or (f"Bearer {key}" if key else None)


def _preflight(headers: Headers) -> Response:
    wanted = headers.get("access-control-request-headers", "authorization, content-type")
    return Response(
        status_code=204,
        headers={
            "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
            "Access-Control-Allow-Headers": wanted if wanted.isascii() else "authorization, content-type",
            "Access-Control-Max-Age": "600",
        },
    )


def has_body(headers: Headers) -> bool:
    """Whether a request has a body."""
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"


def _may_pass(method: str, headers: Headers) -> bool:
    """Whether a body is not JSON but comes with a key, which no web form can send."""
    declared = _JSON.fullmatch(headers.get("content-type", "").strip())
    return method in _CHANGING and not declared and has_body(headers) and bool(_credentials(headers))


def _check_length(headers: Headers, most: int) -> None:
    length = headers.get("content-length", "")
    if length.isdecimal() and int(length) > most:
        raise _too_large(most)


def _too_large(most: int) -> PayloadTooLargeError:
    return PayloadTooLargeError(f"A request has at most {most // 2**20} MiB.")


def _check_body(method: str, headers: Headers) -> None:
    _check_length(headers, MAX_BODY_BYTES)
    content_type = headers.get("content-type")
    if content_type is None and not has_body(headers):
        return
    if method in _CHANGING and not _JSON.fullmatch((content_type or "").strip()):
        raise UnsupportedMediaError("The body of this request is not declared as JSON.")


def _known_by(scope: Scope, body: bytes) -> bytes:
    """Return a request's identity, which is the same when its client retries."""
    head = b" ".join((scope["method"].encode(), scope["raw_path"], scope["query_string"]))
    who = b"\n".join(value for name, value in scope["headers"] if name not in _OF_THE_TRIP)
    return hashlib.blake2b(b"\n".join((head, who, body))).digest()


async def _read(receive: Receive, headers: Headers) -> tuple[bytes, Receive]:
    """Read a whole body, and return it with a ``receive`` that returns it again.

    Raises:
        PayloadTooLargeError: it is too large; the rest of it is not read.
        SlowClientError: it does not arrive in time.
        BadRequestError: it is nested too deeply.
    """
    if not has_body(headers):
        return b"", receive
    body, more, bounded = bytearray(), True, _bounded(receive, MAX_BODY_BYTES)
    while more:
        message = await bounded()
        if message["type"] != "http.request":
            return b"", _once(message, receive)
        body += message.get("body", b"")
        more = message.get("more_body", False)
    if len(body) > _READ_ASIDE:
        await run_in_threadpool(_check_json, bytes(body))
    else:
        _check_json(bytes(body))
    whole = bytes(body)
    return whole, _once({"type": "http.request", "body": whole, "more_body": False}, receive)


def _bounded(receive: Receive, most: int) -> Receive:
    """Return a ``receive`` that limits a body's size and delay; see :func:`_read`."""
    patience, came, more = BodyPatience(), 0, True

    async def piece() -> Message:
        nonlocal came, more
        if not more:
            return await receive()
        message = await patience.piece(receive)
        came += len(message.get("body", b""))
        more = message.get("more_body", False)
        if came > most:
            raise _too_large(most)
        return message

    return piece


def _once(message: Message, then: Receive) -> Receive:
    waiting = [message]

    async def receive() -> Message:
        return waiting.pop() if waiting else await then()

    return receive


def _check_json(body: bytes) -> None:
    try:
        decode(body, most=MAX_BODY_BYTES)
    except TooDeepError as error:
        raise BadRequestError("The body is nested too deeply.", hint=f"{MAX_DEPTH} levels are read.") from error
    except UndecodableError as error:
        raise InvalidBodyError("The body is not valid JSON.") from error
