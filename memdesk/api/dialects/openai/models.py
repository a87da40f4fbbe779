"""The models on offer, in OpenAI's shape and, in the same objects, Anthropic's."""

from typing import Any

from fastapi import APIRouter, Request, Response

from memdesk.api.auth import needs
from memdesk.api.dialects.models import offered
from memdesk.api.dialects.serving import AGENT_MODEL
from memdesk.api.feature import feature
from memdesk.api.plain import reply
from memdesk.ports import ModelInfo
from memdesk.services.chatting import UnknownModelError
from memdesk.services.container import Services


@feature("openai", needs("chat"))
def router(routes: APIRouter, services: Services) -> None:
    """Return the routes of ``/v1/models``."""

    def entries(request: Request) -> list[dict[str, Any]]:
        embedder = services.models.embedder
        found = [entry_of(info) for info in offered(request, services)]
        if embedder is not None:
            found.append(_entry(embedder.model_id, owner="memdesk", kind="embedding"))
        return found

    @routes.get("/v1/models", summary="The models on offer")
    def models(request: Request) -> Response:
        found = entries(request)
        ends = {"first_id": found[0]["id"], "last_id": found[-1]["id"]}
        return reply({"object": "list", "data": found, "has_more": False} | ends)

    @routes.get("/v1/models/{model_id:path}", summary="One model")
    def model(model_id: str, request: Request) -> Response:
        for entry in entries(request):
            if entry["id"] == model_id:
                return reply(entry)
        raise UnknownModelError(f"There is no model “{model_id[:120]}”.")


def entry_of(info: ModelInfo) -> dict[str, Any]:
    """Return a model as OpenAI's and Anthropic's clients list it."""
    if info.id == "default" or info.id.startswith(AGENT_MODEL):
        return _entry(info.id, owner="memdesk", name=info.name)
    return _entry(
        info.id,
        owner=info.source,
        name=info.name,
        **({"context_length": info.context_tokens} if info.context_tokens else {}),
        quantization=info.quantization,
        size_bytes=info.size_bytes,
        available=info.available,
    )


def _entry(model_id: str, *, owner: str, **extra: Any) -> dict[str, Any]:
    ours = {"id": model_id, "object": "model", "created": 0, "owned_by": owner} | extra
    return ours | {"type": "model", "display_name": extra.get("name", model_id), "created_at": "1970-01-01T00:00:00Z"}
