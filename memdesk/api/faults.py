"""Our errors in other protocols' shapes, with their statuses."""

from typing import Any, Final

#: Anthropic's error types where they differ.
_ANTHROPIC: Final = {
    "conflict_error": "invalid_request_error",
    "locked_error": "api_error",
    "server_error": "api_error",
}


def _anthropic(body: dict[str, Any]) -> dict[str, Any]:
    error = body["error"]
    error = error | {"type": _ANTHROPIC.get(error["type"], error["type"])}
    if error["code"] == "thread_unsupported_request":
        # The client reads the code there, and then sends the whole conversation.
        error |= {"details": {"error_code": error["code"], "unsupported": ["thread"]}}
    return {"type": "error", "error": error}


def _ollama(body: dict[str, Any]) -> dict[str, Any]:
    error = body["error"]
    return {"error": " ".join(text for text in (error["message"], error["hint"]) if text), "code": error["code"]}


_SHAPES: Final = (("/v1/messages", _anthropic), ("/v1/", dict[str, Any]), ("/api/", _ollama))


def worded(path: str, status: int, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Return an error's status and body in the dialect of ``path``, which is canonical.

    Foreign protocols use 400 for all invalid input, whether form or meaning is wrong.
    """
    for begin, shape in _SHAPES:
        if path.startswith(begin):
            return 400 if status == 422 else status, shape(body)
    return status, body
