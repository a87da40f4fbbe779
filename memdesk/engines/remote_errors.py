"""What can go wrong with a remote server, in our own words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memdesk.errors import (
    BadRequestError,
    ContextOverflowError,
    EngineError,
    EngineTimeoutError,
    MemdeskError,
    ModelMissingError,
)

if TYPE_CHECKING:
    import httpx


class RemoteUnreachableError(EngineError):
    """Nobody answers at the server's address."""

    code = "remote_unreachable"
    title = "The model server does not answer"
    default_hint = "Is it running? Check its address under Models."


class RemoteAuthError(EngineError):
    """The server refuses the key. Trying again unchanged is of no use."""

    code = "remote_auth"
    title = "The model server refuses the key"
    default_hint = "Enter its key again under Models."
    retryable = False


class RemoteBusyError(EngineError):
    """The server asks to come back later."""

    code = "remote_busy"
    title = "The model server is busy"
    default_hint = "Wait a little, then try again."
    status = 503


_OVERFLOW_WORDS = (
    "context_length_exceeded",
    "context length",
    "context size",
    "maximum context",
    "exceeds the available",
)


def from_transport(error: httpx.HTTPError | httpx.InvalidURL, name: str) -> MemdeskError:
    """Translate an error of the connection itself."""
    import httpx

    if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout)):
        return RemoteUnreachableError(f"Nobody answers at the address of {name}.")
    if isinstance(error, httpx.TimeoutException):
        return EngineTimeoutError(f"{name} gave no answer in time.", hint="Try again, or raise the time limit.")
    if isinstance(error, (httpx.InvalidURL, httpx.UnsupportedProtocol)):
        return BadRequestError(
            f"The address of {name} is not a web address.", hint="It begins with http:// or https://."
        )
    return EngineError(f"The connection to {name} broke off.", hint="Try again.")


def from_status(status: int, body: bytes, name: str, model: str = "") -> MemdeskError:
    """Translate an error answer. The server's own words are quoted, shortened."""
    words = _message(body)
    if status in {401, 403}:
        return RemoteAuthError(f"{name} refuses the key ({status}).")
    if any(mark in words.lower() for mark in _OVERFLOW_WORDS):
        return ContextOverflowError(f"{name} says: {words}")
    if status == 404:
        return ModelMissingError(f"{name} does not know {model or 'this'}: {words}", hint="Refresh its list of models.")
    if status == 429:
        return RemoteBusyError(f"{name} says: {words}")
    if status in {400, 413, 415, 422}:
        return BadRequestError(f"{name} refuses the request: {words}")
    return EngineError(f"{name} failed with {status}: {words}")


def _message(body: bytes) -> str:
    text = body.decode("utf-8", "replace").strip()
    try:
        value = json.loads(text)
    except ValueError:
        return text[:300] or "no reason given"
    if isinstance(value, dict):
        error = value.get("error", value)
        inner = error.get("message") or error.get("detail") if isinstance(error, dict) else error
        text = str(inner or text)
    return text[:300]
