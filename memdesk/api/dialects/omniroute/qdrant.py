"""``/api/settings/qdrant``: the copy of a gateway's entries in Qdrant, under OmniRoute's names."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Response
from pydantic import Field

from memdesk.api.auth import needs
from memdesk.api.feature import READ_OPTIONS, feature
from memdesk.api.params import Body
from memdesk.api.plain import reply
from memdesk.errors import BadRequestError, EnvironmentFault, MissingPartError
from memdesk.services.container import Services
from memdesk.services.tools import QDRANT_KEY, entry
from memdesk.settings.addresses import is_web_address

_PORT: Final = 6333


class QdrantOptions(Body):
    """Changes to the copy's settings."""

    enabled: bool | None = None
    host: str | None = Field(default=None, description="A name, an address, or an absolute path of a folder.")
    port: int | None = Field(default=None, ge=1, le=65535)
    collection: str | None = Field(default=None, min_length=1)
    embeddingModel: str | None = Field(default=None, min_length=1)  # noqa: N815 -- as it is sent
    quantization: Literal["none"] | None = None
    apiKey: str | None = Field(default=None, description="Empty: none any more.")  # noqa: N815 -- as it is sent


class QdrantQuestion(Body):
    """A search in the copy."""

    query: str = Field(min_length=1)
    topK: int = Field(default=5, ge=1, le=50)  # noqa: N815 -- as it is sent


@feature("omniroute")
def router(routes: APIRouter, services: Services) -> None:
    copy, settings = services.entries_copy, services.settings
    read = [Depends(needs("memory:read", whole=True))]
    admin = [Depends(needs("admin", whole=True))]

    def options() -> dict[str, Any]:
        memory, key = settings.current.memory, copy.keys.get(QDRANT_KEY)
        host, port = _split(memory.qdrant_address)
        return {
            "enabled": memory.qdrant_enabled,
            "host": host,
            "port": port,
            "collection": memory.qdrant_collection,
            "embeddingModel": memory.embedding_model,
            "quantization": "none",
            "hasApiKey": bool(key),
            "apiKeyMasked": f"***{key[-4:]}" if key else None,
        }

    def tried(work: Callable[[], dict[str, Any]], otherwise: dict[str, Any]) -> Response:
        """Answer with the result of ``work`` and its duration; an unreachable server is a result, not an error."""
        began, problem = time.perf_counter(), ""
        if not settings.current.memory.qdrant_address:
            told, problem = otherwise, "not_configured"
        else:
            try:
                told = work()
            except (EnvironmentFault, MissingPartError) as error:
                told, problem = otherwise, f"{error.message} {error.hint}".strip()
        taken = round((time.perf_counter() - began) * 1000, 1)
        return reply({"ok": not problem, "latencyMs": taken, **told, **({"error": problem} if problem else {})})

    @routes.get("/api/settings/qdrant", dependencies=READ_OPTIONS, summary="Settings of the copy in Qdrant")
    def read_options() -> Response:
        return reply(options())

    @routes.put("/api/settings/qdrant", dependencies=admin, summary="Change settings of the copy in Qdrant")
    def change_options(body: QdrantOptions) -> Response:
        given = body.model_dump(exclude_none=True)
        names = {"enabled": "qdrant_enabled", "collection": "qdrant_collection", "embeddingModel": "embedding_model"}
        changes = {ours: given[name] for name, ours in names.items() if name in given}
        if "host" in given or "port" in given:
            host, port = _split(settings.current.memory.qdrant_address)
            changes["qdrant_address"] = _joined(given.get("host", host).strip(), given.get("port", port))
        settings.update("memory", changes)
        if body.apiKey is not None:
            copy.use_key(body.apiKey.strip())
        return reply(options())

    @routes.get("/api/settings/qdrant/health", dependencies=read, summary="Whether Qdrant answers")
    def health() -> Response:
        def work() -> dict[str, Any]:
            copy.ask()
            return {}

        return tried(work, {})

    @routes.post("/api/settings/qdrant/search", dependencies=read, summary="Search the copy alone")
    def search(body: QdrantQuestion) -> Response:
        def work() -> dict[str, Any]:
            hits = copy.nearest(None, body.query, body.topK)
            # The copy has no texts: they are read here.
            held = services.gateway.known([hit.item.id for hit in hits])
            there = [(hit, held[hit.item.id]) for hit in hits if hit.item.id in held]
            return {
                "results": [
                    {"id": item.id, "score": hit.score, "payload": {"memoryId": item.id, **entry(item)}}
                    for hit, item in there
                ]
            }

        return tried(work, {"results": []})

    @routes.post(
        "/api/settings/qdrant/cleanup", dependencies=admin, summary="Remove from the copy what is no longer in force"
    )
    def cleanup() -> Response:
        days = settings.current.memory.episode_retention_days
        return tried(
            lambda: {"deletedCount": copy.sync()[1], "retentionDays": days}, {"deletedCount": 0, "retentionDays": days}
        )

    @routes.get("/api/settings/qdrant/embedding-models", dependencies=read, summary="Models that make the vectors")
    def embedding_models() -> Response:
        return reply({"models": [{"value": one.id, "label": one.name} for one in services.models.embedders()]})


def _split(address: str) -> tuple[str, int]:
    """Return host and port of a URL; a folder is its own host."""
    if not is_web_address(address):
        return address, _PORT
    parts = urlsplit(address)
    bare = parts._replace(netloc=parts.hostname or "").geturl()
    return (bare.removeprefix("http://"), parts.port or _PORT)


def _joined(host: str, port: int) -> str:
    if not host or Path(host).is_absolute():
        return host
    address = host if "://" in host else f"http://{host}"
    if not is_web_address(address):
        raise BadRequestError(f"{host!r} is no address.")
    parts = urlsplit(address)
    return address if parts.port else parts._replace(netloc=f"{parts.netloc}:{port}").geturl()
