"""The OpenAPI description: FastAPI's, with our routes' responses and our error shape."""

from typing import Any, Final, Literal

from fastapi import FastAPI
from pydantic import TypeAdapter

from memdesk.api.answers import ANSWERS
from memdesk.api.guard import OPEN_PATHS
from memdesk.api.shapes import VIEWED, ErrorBody, Kind

_HIDDEN: Final = ("seq", "secret_hash")
_SECONDS: Final = {"description": "Seconds until a place is free", "schema": {"type": "integer", "minimum": 1}}
_REF: Final = "#/components/schemas/{model}"


def openapi(app: FastAPI) -> dict[str, Any]:
    """Return the description, which is built once.

    Raises:
        KeyError: a route has no response in :mod:`memdesk.api.answers`.
    """
    if app.openapi_schema is not None and "security" in app.openapi_schema:
        return app.openapi_schema
    schema = app.openapi()
    components = schema.setdefault("components", {})
    schemas: dict[str, Any] = components.setdefault("schemas", {})
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    schema["security"] = [{"token": []}]
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    bodies = _bodies(schemas)
    failure = {"description": "Error", "content": _json(bodies["error"])}
    busy = {**failure, "description": "Too many requests at once", "headers": {"Retry-After": _SECONDS}}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            responses = operation["responses"]
            responses.pop("422", None)
            responses["default"] = failure
            if path not in OPEN_PATHS:
                responses["429"] = busy
            called = f"{method.upper()} {path}"
            for good in (code for code in responses if code.startswith("2")):
                responses[good]["content"] = _content(ANSWERS[called][0], bodies[called])
            if path == "/health":
                operation["security"] = []
    app.openapi_schema = schema
    return schema


def _bodies(schemas: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return each route's response, adding its parts to ``schemas``."""
    types = {called: type_ for called, (_, type_) in ANSWERS.items()} | {"error": ErrorBody, "viewed": VIEWED}
    mode: Literal["serialization"] = "serialization"
    inputs = [(called, mode, TypeAdapter(type_)) for called, type_ in types.items()]
    made, shared = TypeAdapter.json_schemas(inputs, by_alias=True, ref_template=_REF)
    bodies = {called: body for (called, _), body in made.items()}
    named = shared["$defs"]
    # Within an answer an item shows the fields of its form.
    named["MemoryItem"] = bodies["viewed"]
    schemas |= {name: _shown(part) for name, part in named.items()}
    return bodies


def _shown(part: dict[str, Any]) -> dict[str, Any]:
    """Leave out fields that are never sent."""
    for name in _HIDDEN:
        part.get("properties", {}).pop(name, None)
    if "required" in part:
        part["required"] = [name for name in part["required"] if name not in _HIDDEN]
    return part


def _content(kind: Kind, body: dict[str, Any]) -> dict[str, Any]:
    text, lines = {"schema": {"type": "string"}}, {"application/x-ndjson": {"schema": body}}
    match kind:
        case "page":
            return _json(_page(body))
        case "events":
            return _json(body) | {"text/event-stream": text}
        case "lines":
            return _json(body) | lines
        case "stream":
            return lines
        case "text":
            return {"text/markdown": text} | _json(body)
        case "one":
            return _json(body)


def _page(body: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["items", "total", "next"],
        "properties": {
            "items": {"type": "array", "items": body},
            "total": {"type": "integer"},
            "next": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
    }


def _json(body: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": body}}
