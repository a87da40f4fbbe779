"""Errors of remote servers, in our own words."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from memdesk.domain.decoding import UndecodableError, decode, text_in
from memdesk.errors import (
    BadRequestError,
    ContextOverflowError,
    EngineError,
    EngineTimeoutError,
    MemdeskError,
    ModelMissingError,
)
from memdesk.messages import say

if TYPE_CHECKING:
    import httpx


class RemoteUnreachableError(EngineError):
    code = "remote_unreachable"
    title = say("The model server does not answer")
    default_hint = say("Start it, or check its address under Models.")


class RemoteAuthError(EngineError):
    """The server refuses the key. Retrying unchanged is useless."""

    code = "remote_auth"
    title = say("The model server refuses the key")
    default_hint = say("Enter its key again under Models.")
    retryable = False


class RemoteUnpaidError(EngineError):
    """The account's credit or quota is used up: waiting does not help."""

    code = "remote_unpaid"
    title = say("The model server wants to be paid first")
    default_hint = say("Look at your account there, or choose another model.")
    status = 402
    retryable = False


class RemoteBusyError(EngineError):
    code = "remote_busy"
    title = say("The model server is busy")
    default_hint = say("Wait a little, then try again.")
    status = 503


class RemoteLimitedError(RemoteBusyError):
    """The key's rate limit is exceeded."""

    code = "remote_limited"
    status = 429


class RemoteFailedError(EngineError):
    """The server took the request and failed."""

    code = "remote_failed"
    title = say("The model server failed")
    default_hint = say("Try again. If it keeps failing, look at the server, or choose another model.")


_OVERFLOW_WORDS = (
    "context_length_exceeded",
    "context length",
    "context size",
    "maximum context",
    "exceeds the available",
)


def from_transport(error: httpx.HTTPError | httpx.InvalidURL, name: str) -> MemdeskError:
    import httpx

    if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout)):
        return RemoteUnreachableError(say("{name} is not running, or its address has changed.", name=name))
    if isinstance(error, httpx.TimeoutException):
        return too_late(name)
    if isinstance(error, (httpx.InvalidURL, httpx.UnsupportedProtocol)):
        return BadRequestError(
            say("The address of {name} is not a web address.", name=name),
            hint=say("It begins with http:// or https://."),
        )
    return EngineError(say("The connection to {name} was lost.", name=name))


def too_late(name: str) -> EngineTimeoutError:
    return EngineTimeoutError(
        say("{name} did not answer in time.", name=name), hint=say("Try again, or raise the time limit.")
    )


def from_status(status: int, body: bytes, name: str, model: str = "", *, again: str = "") -> MemdeskError:
    """Translate an error answer, with its ``Retry-After``. Quotes the server's own message, shortened."""
    words, code = _reason(status, body)
    if status == 401:
        # Its words may quote the key.
        return RemoteAuthError(say("{name} refuses the key ({status}).", name=name, status=status))
    if status == 403:
        return RemoteAuthError(
            say("{name} refuses this ({status}): {words}", name=name, status=status, words=words),
            hint=say("Choose another model, or enter its key again under Models."),
        )
    if status == 402 or code == "insufficient_quota":
        return RemoteUnpaidError(say("{name} says: {words}", name=name, words=words))
    if any(mark in words.lower() for mark in _OVERFLOW_WORDS):
        return ContextOverflowError(say("{name} says: {words}", name=name, words=words))
    if status == 404:
        return ModelMissingError(
            say("{name} does not know {this}: {words}", name=name, this=model or say("this model"), words=words),
            hint=say("Refresh its list of models."),
        )
    if status in {429, 503, 529}:
        kind = RemoteLimitedError if status == 429 else RemoteBusyError
        busy = kind(say("{name} says: {words}", name=name, words=words))
        busy.again = again
        return busy
    if status in {400, 413, 415, 422}:
        return BadRequestError(say("{name} refuses the request: {words}", name=name, words=words))
    return RemoteFailedError(say("{name} failed with {status}: {words}", name=name, status=status, words=words))


def _reason(status: int, body: bytes) -> tuple[str, str]:
    """Return the server's words, and its code for the fault or nothing.

    A page for browsers (from a proxy before the server) says no more than its status.
    """
    text, code = body.decode("utf-8", "replace").strip(), ""
    try:
        value = decode(text)
    except UndecodableError:
        if text.startswith("<"):
            text = next((each.phrase for each in HTTPStatus if each == status), "")
        value = None
    if isinstance(value, dict):
        error = value.get("error", value)
        inner = error.get("message") or error.get("detail") if isinstance(error, dict) else error
        code = text_in(error, "code", 100)
        text = str(inner or text)
    return _ended(text[:300] or "no reason given"), code


def _ended(words: str) -> str:
    """Return a text with a final period: a hint may follow."""
    return words if words.endswith((".", "!", "?", "…")) else f"{words}."
