"""Every route, and what a caller could send to it, from the app's own description."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import httpx
from jsonschema import Draft202012Validator
from starlette.routing import compile_path

#: Needs no scope: nothing of the memory is told there.
OPEN = {"GET /health", "GET /readyz", "GET /ping"}


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    operation: dict

    @property
    def name(self):
        return f"{self.method} {self.path}"

    @property
    def parameters(self):
        return [p["name"] for p in self.operation.get("parameters", []) if p["in"] == "path"]

    def body_schema(self, schemas):
        content = self.operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        return resolved(content.get("schema", {}), schemas)


def resolved(schema, schemas):
    while "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    return schema


def smallest(schema, schemas):
    """Return the smallest value that a schema takes."""
    schema = resolved(schema, schemas)
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return smallest(schema["anyOf"][0], schemas)
    match schema.get("type"):
        case "object":
            properties = schema.get("properties", {})
            return {name: smallest(properties[name], schemas) for name in schema.get("required", [])}
        case "array":
            return [smallest(schema["items"], schemas)] * schema.get("minItems", 0)
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
    return "x"


def described(http: httpx.Client) -> tuple[list[Call], dict[str, Any]]:
    """Return every call that the app describes, and its schemas."""
    told = http.get("/openapi.json").json()
    calls = [
        Call(method.upper(), path, operation)
        for path, methods in told["paths"].items()
        for method, operation in methods.items()
    ]
    return calls, told["components"]["schemas"]


def refusals(call: Call, named: dict[str, Any]) -> set[int]:
    """Return the statuses by which a call that names another agent's row is refused."""
    # No conversation can be named there, anybody's.
    nobodys = "conversation" in (named.get("json") or ()) and "/v1/responses" in call.path
    return {403, 404} | ({400} if nobodys else set())


class Answers:
    """What the description says of answers; a field that it does not name is a fault too."""

    def __init__(self, described: dict[str, Any]) -> None:
        components = _closed(described["components"])
        self._routes = [
            (method.upper(), compile_path(path)[0], operation)
            for path, methods in described["paths"].items()
            for method, operation in methods.items()
        ]
        # The most particular address first, as the server's routes stand: /agents/x/export is no agent's id.
        self._routes.sort(key=lambda route: (route[1].groups, -len(route[1].pattern)))
        self._components = components
        self._validators: dict[int, Draft202012Validator] = {}

    def wrong(self, answer: httpx.Response, operation: dict[str, Any] | None = None) -> str:
        """Return where a success parts from the description; nothing where it does not."""
        operation = operation or self._operation(answer.request)
        if operation is None or not answer.is_success:
            return ""
        told = operation["responses"].get(str(answer.status_code))
        if told is None:
            return f"answered {answer.status_code}, which the description does not name"
        media = answer.headers.get("content-type", "").partition(";")[0]
        if media not in told["content"]:
            return f"answered {media}, and the description names {sorted(told['content'])}"
        schema = told["content"][media]["schema"]
        bodies = answer.text.splitlines() if media == "application/x-ndjson" else [answer.text]
        if not media.endswith("json"):
            return ""
        if id(schema) not in self._validators:
            self._validators[id(schema)] = Draft202012Validator({**_closed(schema), "components": self._components})
        for body in filter(None, bodies):
            if found := next(self._validators[id(schema)].iter_errors(json.loads(body)), None):
                return f"{'.'.join(map(str, found.absolute_path))}: {found.message[:300]}"
        return ""

    def _operation(self, request: httpx.Request) -> dict[str, Any] | None:
        for method, path, operation in self._routes:
            if method == request.method and path.match(request.url.path):
                return operation
        return None


def _closed(schema: Any) -> Any:
    """Return a schema that allows no other fields than it names."""
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: _closed(part) for name, part in schema.items()}
    if isinstance(made.get("properties"), dict) and made.get("type") == "object":
        made.setdefault("additionalProperties", False)
    return made


#: The id of nothing, of the form that ids have.
UNKNOWN = "01900000-0000-7000-8000-000000000000"


def address(call, ids):
    """Fill an address with the ids of an agent."""

    def fill(match):
        kind = match[1].split(":")[0].removesuffix("_id")
        return ids.get(kind, UNKNOWN)

    return re.sub(r"\{([^}]+)\}", fill, call.path)


def variants(call, ids, schemas):
    """Yield what a caller could send to reach the rows of ``ids``: by address, by query, by body."""
    schema = call.body_schema(schemas)
    body: Any = smallest(schema, schemas) if schema else None
    queries = {p["name"] for p in call.operation.get("parameters", []) if p["in"] == "query"}
    named = {name: ids[name.removesuffix("_id")] for name in queries if name.removesuffix("_id") in ids}
    if call.parameters or named:
        yield {"params": named, "json": body}
    fields = schema.get("properties", {}) if schema else {}
    own = {name: ids[name.removesuffix("_id")] for name in fields if name.removesuffix("_id") in ids}
    if own:
        yield {"json": body | own}
    if "ids" in fields:
        for kind in ("fact", "facts", "episode", "conversation", "entity", "turn", "identity", "agent"):
            row = ids.get(kind.removesuffix("s"), "unknown")
            yield {"json": body | {"kind": kind, "ids": [row]}}
            yield {"json": body | {"kind": kind, "ids": [row], "agent_id": ids["agent"]}}
