"""Our one error in the shapes that other protocols' clients read."""

from __future__ import annotations

from typing import Any, Final


def _anthropic(body: dict[str, Any]) -> dict[str, Any]:
    error = body["error"]
    if error["code"] == "thread_unsupported_request":
        # The client reads the code there, and sends the whole conversation then.
        error = error | {"details": {"error_code": error["code"], "unsupported": ["thread"]}}
    return {"type": "error", "error": error}


def _ollama(body: dict[str, Any]) -> dict[str, Any]:
    error = body["error"]
    return {"error": " ".join(text for text in (error["message"], error["hint"]) if text), "code": error["code"]}


_SHAPES: Final = (("/v1/messages", _anthropic), ("/api/", _ollama))


def worded(path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return an error body as clients of this address read it; ``path`` is the canonical one."""
    return next((shape(body) for begin, shape in _SHAPES if path.startswith(begin)), body)
