"""One error shape for every status: ``{"error": {"message", "type", "code", "hint"}}``."""

import json
import logging
import re
from collections.abc import Sequence
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from memdesk.api.faults import worded
from memdesk.errors import MemdeskError

log = logging.getLogger(__name__)

#: Scope key for the path as sent, which may mean something else to an upstream server.
ASKED_PATH: Final = "memdesk.path"
#: OpenAI's error types by status; other statuses use that of their hundred.
_TYPES: Final[dict[int, str]] = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "invalid_request_error",
    423: "locked_error",
    429: "rate_limit_error",
}
_CODES: Final[dict[int, tuple[str, str, str]]] = {
    404: ("not_found", "There is nothing at this address.", "GET /docs lists the addresses."),
    405: (
        "method_not_allowed",
        "This address does not take this method.",
        "The Allow header lists the methods it takes.",
    ),
}


class UnauthorizedError(MemdeskError):
    """No token, or one that is not (or no longer) valid."""

    code = "unauthorized"
    title = "A token is needed"
    default_hint = "Send “Authorization: Bearer mdk-…”. Tokens are made under Settings, Server."
    status = 401


class ForbiddenError(MemdeskError):
    """The token is valid, but not for this."""

    code = "forbidden"
    title = "Not allowed"
    status = 403


class PayloadTooLargeError(MemdeskError):
    """The body is larger than the server accepts."""

    code = "payload_too_large"
    title = "Too much at once"
    default_hint = "Send it in parts."
    status = 413


class SlowClientError(MemdeskError):
    """The body did not arrive in time."""

    code = "request_timeout"
    title = "Too slow"
    status = 408
    retryable = True


class InvalidBodyError(MemdeskError):
    """The body is not JSON."""

    code = "invalid_request"
    title = "That input cannot be used"
    default_hint = "GET /docs has the fields."
    status = 422


class TooManyRequestsError(MemdeskError):
    """More requests are in progress than can be served before clients give up.

    Args:
        seconds: after which the client may try again.
    """

    code = "too_many_requests"
    title = "Too much at once"
    default_hint = "Try again in a few seconds; the Retry-After header says when."
    status = 429
    retryable = True

    def __init__(self, message: str, *, seconds: int = 1, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.again = str(seconds)


class UnsupportedMediaError(MemdeskError):
    """The body is not declared as JSON. Web pages can send form types without a preflight request."""

    code = "unsupported_media_type"
    title = "JSON is needed"
    default_hint = "Send JSON with “Content-Type: application/json”."
    status = 415


def error_type(status: int) -> str:
    """Return OpenAI's error type for ``status``."""
    return _TYPES.get(status, "server_error" if status >= 500 else "invalid_request_error")


def error_body(status: int, message: str, code: str, hint: str = "") -> dict[str, Any]:
    return {"error": {"message": message, "type": error_type(status), "code": code, "hint": hint}}


def body_of(error: MemdeskError) -> dict[str, Any]:
    return error_body(error.status, error.message, error.code, error.hint)


def internal_body() -> dict[str, Any]:
    """Return the body for our own bugs, without traceback or exception text."""
    return error_body(
        500, "Something went wrong inside memdesk.", "internal_error", "The log has the details; a report helps us."
    )


def headers_of(error: MemdeskError) -> dict[str, str]:
    """Return the headers of an error response."""
    if error.again:
        return {"Retry-After": error.again}
    # The rest of the body is not read, so the connection cannot be reused.
    return {"Connection": "close"} if error.status in {408, 413} else {}


def error_response(status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> Response:
    """Return a JSON response; 401 names the required scheme."""
    extra = dict(headers or {})
    if status == 401:
        extra["WWW-Authenticate"] = 'Bearer realm="memdesk"'
    return Response(json.dumps(body, ensure_ascii=False), status, extra, "application/json")


def install(app: FastAPI) -> None:
    app.add_exception_handler(MemdeskError, _on_ours)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(RequestValidationError, _on_invalid)


async def _on_ours(request: Request, error: Exception) -> Response:
    assert isinstance(error, MemdeskError)
    if error.status >= 500:
        log.warning("a request failed: %s", error.code)
    return error_response(*worded(request.url.path, error.status, body_of(error)), headers_of(error))


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code, message, hint = _CODES.get(error.status_code, ("bad_request", str(error.detail), ""))
    body = error_body(error.status_code, message, code, hint)
    headers = dict(error.headers or {})
    if error.status_code == 405:
        # The router names only those of the first route at this path.
        headers["Allow"] = ", ".join(_methods_at(request)) or headers.get("allow", "")
        headers.pop("allow", None)
    # An unknown path is reported in the dialect of its callers, as it was sent, with its prefix.
    return error_response(*worded(request.scope[ASKED_PATH], error.status_code, body), headers)


def _methods_at(request: Request) -> list[str]:
    """Return the methods of a path, by the OpenAPI description."""
    path = request.url.path
    return sorted(
        method.upper()
        for template, methods in request.app.openapi()["paths"].items()
        if re.fullmatch(re.sub(r"\\{[^}]*\\}", "[^/]+", re.escape(template)), path)
        for method in methods
    )


async def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    body = error_body(422, _described(error.errors()), "invalid_request", "GET /docs has the fields.")
    return error_response(*worded(request.url.path, 422, body))


def _described(problems: Sequence[Any]) -> str:
    """Name the fields and what is wrong with them, but never the values, which may be the user's text."""
    parts = []
    for problem in problems[:5]:
        # The first part is its location: body, query or path.
        where = ".".join(str(part) for part in problem.get("loc", ())[1:])
        if problem.get("type") == "json_invalid":
            parts.append("the body is not valid JSON")
        else:
            parts.append(f"{where or 'body'}: {problem.get('msg', 'invalid').removeprefix('Value error, ')}")
    return "; ".join(parts) + "."
