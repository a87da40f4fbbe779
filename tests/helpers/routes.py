"""Every route, and what a caller could send to it, from the app's own description."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import httpx

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
