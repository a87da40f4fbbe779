"""The OpenAPI description: FastAPI's, with what our routes answer and our one error shape."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields, make_dataclass
from types import UnionType
from typing import Any, Final, Literal, get_type_hints

from fastapi import FastAPI
from pydantic import TypeAdapter

from memdesk.domain.items.item import Digest, MemoryItem
from memdesk.domain.items.registry import DETAIL, EPISODE, FACT, IDENTITY
from memdesk.domain.models import (
    ApiToken,
    Conversation,
    Entity,
    HistoryEntry,
    Receipt,
    Run,
    RunChange,
    Turn,
)
from memdesk.ports import ActivityRow
from memdesk.services.forgetting import ForgetPreview, ForgetReport
from memdesk.services.guarding import BackupReport
from memdesk.services.importing import ExportReport
from memdesk.services.recalling import SearchItem
from memdesk.services.recording import IngestResult
from memdesk.services.remembering import ProgramSeen
from memdesk.services.upkeep import HealthTile
from memdesk.settings.schema import AppearanceSettings, EngineSettings, MemorySettings, ServerSettings

Kind = Literal["one", "page"]


@dataclass(frozen=True)
class ErrorInfo:
    """What went wrong, and what to do about it."""

    message: str
    type: str
    code: str
    hint: str


@dataclass(frozen=True)
class ErrorBody:
    """The answer to every request that fails."""

    error: ErrorInfo


def _viewed(name: str, view: Mapping[str, str], **other: Any) -> type:
    """Return a dataclass with the fields of a view of items, some of ``other`` types, for its schema alone."""
    types: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    for part, before in ((MemoryItem, ""), (Digest, "digest.")):
        types |= {f"{before}{field}": kind for field, kind in get_type_hints(part).items()}
        defaults |= {f"{before}{each.name}": each.default for each in fields(part)}
    types |= {kept: get_type_hints(getattr(MemoryItem, kept).fget)["return"] for kept in view.values() - types.keys()}
    types |= {view[shown]: kind for shown, kind in other.items()}
    parts = [(shown, types[kept], field(default=defaults.get(kept, MISSING))) for shown, kept in view.items()]
    return make_dataclass(name, parts, kw_only=True)


Fact, IdentityLine, EpisodeDetail = (
    _viewed(name, view) for name, view in (("Fact", FACT), ("IdentityLine", IDENTITY), ("EpisodeDetail", DETAIL))
)
Item = _viewed("Item", {each.name: each.name for each in fields(MemoryItem)}, agent_id=str | None)
Episode = _viewed("Episode", EPISODE, details=tuple[EpisodeDetail, ...])  # type: ignore[valid-type]  # made above
IssuedToken = make_dataclass("IssuedToken", [("secret", str)], bases=(ApiToken,), frozen=True, kw_only=True)
#: What routes answer, one of several where a parameter decides; those that are not named here answer a JSON object that
#: their summary describes.
_ANSWERS: Final[dict[str, tuple[Kind, type | UnionType]]] = {
    "POST /memory/search": ("page", SearchItem),
    "GET /memory/facts": ("page", Fact),
    "POST /memory/facts": ("one", Fact),
    "GET /memory/facts/{fact_id}": ("one", Fact),
    "PATCH /memory/facts/{fact_id}": ("one", Fact),
    "DELETE /memory/facts/{fact_id}": ("one", ForgetReport | ForgetPreview),
    "GET /memory/items": ("page", Item),
    "POST /memory/items": ("one", Item),
    "GET /memory/items/{item_id}": ("one", Item),
    "PATCH /memory/items/{item_id}": ("one", Item),
    "DELETE /memory/items/{item_id}": ("one", ForgetReport | ForgetPreview),
    "GET /memory/episodes": ("page", Episode),
    "POST /memory/episodes": ("one", Episode),
    "GET /memory/episodes/{episode_id}": ("one", Episode),
    "PATCH /memory/episodes/{episode_id}": ("one", Episode),
    "DELETE /memory/episodes/{episode_id}": ("one", ForgetReport | ForgetPreview),
    "GET /memory/identity": ("page", IdentityLine),
    "POST /memory/identity": ("one", IdentityLine),
    "PATCH /memory/identity/{line_id}": ("one", IdentityLine),
    "DELETE /memory/identity/{line_id}": ("one", ForgetReport | ForgetPreview),
    "GET /memory/transcript": ("page", Turn),
    "GET /memory/conversations": ("page", Conversation),
    "GET /memory/conversations/{conversation_id}": ("one", Conversation),
    "PATCH /memory/conversations/{conversation_id}": ("one", Conversation),
    "DELETE /memory/conversations/{conversation_id}": ("one", ForgetReport | ForgetPreview),
    "POST /memory/forget": ("one", ForgetReport),
    "POST /memory/forget/preview": ("one", ForgetPreview),
    "POST /memory/ingest": ("one", IngestResult),
    "POST /memory/context": ("one", Receipt),
    "GET /memory/receipts": ("page", Receipt),
    "GET /memory/receipts/{receipt_id}": ("one", Receipt),
    "GET /memory/history": ("page", HistoryEntry),
    "GET /memory/entities": ("page", Entity),
    "GET /memory/review": ("page", Fact),
    "POST /memory/review/{fact_id}/accept": ("one", Fact),
    "GET /memory/runs": ("page", Run),
    "GET /memory/runs/{run_id}/changes": ("page", RunChange),
    "POST /memory/backup": ("one", BackupReport),
    "POST /memory/export": ("one", ExportReport),
    "GET /memory/health": ("page", HealthTile),
    "GET /memory/activity": ("page", ActivityRow),
    "GET /memory/programs/all": ("page", ProgramSeen),
    "GET /memory/tokens": ("page", ApiToken),
    "POST /memory/tokens": ("one", IssuedToken),
    "DELETE /memory/tokens/{token_id}": ("one", ApiToken),
    "GET /memory/settings": ("one", MemorySettings | ServerSettings | AppearanceSettings | EngineSettings),
    "PUT /memory/settings": ("one", MemorySettings | ServerSettings | AppearanceSettings | EngineSettings),
}
_HIDDEN: Final = ("seq", "secret_hash")
_REF: Final = "#/components/schemas/{model}"


def openapi(app: FastAPI) -> dict[str, Any]:
    """Return the description, made once."""
    if app.openapi_schema is not None and "security" in app.openapi_schema:
        return app.openapi_schema
    schema = app.openapi()
    components = schema.setdefault("components", {})
    schemas: dict[str, Any] = components.setdefault("schemas", {})
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    schema["security"] = [{"token": []}]
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    failure = {"description": "Error", "content": _json(_named(ErrorBody, schemas))}
    for path, method, operation in _operations(schema):
        responses = operation["responses"]
        responses.pop("422", None)
        responses["default"] = failure
        answer = _ANSWERS.get(f"{method.upper()} {re.sub(':path', '', path)}")
        if answer is not None:
            kind, type_ = answer
            body = _named(type_, schemas)
            for good in (code for code in responses if code.startswith("2")):
                responses[good]["content"] = _json(_page(body) if kind == "page" else body)
        if path == "/health":
            operation["security"] = []
    app.openapi_schema = schema
    return schema


def _operations(schema: dict[str, Any]) -> Iterable[tuple[str, str, dict[str, Any]]]:
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def _named(type_: type | UnionType, schemas: dict[str, Any]) -> dict[str, Any]:
    if isinstance(type_, UnionType):
        return {"anyOf": [_named(each, schemas) for each in type_.__args__]}
    if type_.__name__ not in schemas:
        made = TypeAdapter(type_).json_schema(mode="serialization", by_alias=True, ref_template=_REF)
        for name, part in made.pop("$defs", {}).items():
            schemas.setdefault(name, _shown(part))
        schemas.setdefault(type_.__name__, _shown(made))
    return {"$ref": _REF.format(model=type_.__name__)}


def _shown(part: dict[str, Any]) -> dict[str, Any]:
    """Leave out what is never sent."""
    for name in _HIDDEN:
        part.get("properties", {}).pop(name, None)
    if "required" in part:
        part["required"] = [name for name in part["required"] if name not in _HIDDEN]
    return part


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
