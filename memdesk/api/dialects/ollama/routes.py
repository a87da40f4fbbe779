"""Ollama's own paths below ``/api``, for clients that know no others."""

import hashlib
import time
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

import memdesk
from memdesk.api.auth import needs
from memdesk.api.dialects.embedding import embed, embedder_of
from memdesk.api.dialects.models import offered
from memdesk.api.dialects.ollama.chatting import (
    ChatBody,
    GenerateBody,
    Lines,
    chat_request,
    generate_request,
    model_name,
)
from memdesk.api.dialects.serving import asked_by, serve
from memdesk.api.feature import feature
from memdesk.api.params import OpenBody
from memdesk.api.plain import reply
from memdesk.domain.language.text import estimate_tokens
from memdesk.errors import BadRequestError
from memdesk.ports import ModelInfo
from memdesk.services.chatting import CompletionRequest, UnknownModelError
from memdesk.services.container import Services


class NamedModel(OpenBody):
    """``POST /api/show``."""

    model: str = ""
    name: str = ""


class EmbedBody(OpenBody):
    """``POST /api/embed``."""

    model: str = ""
    input: str | list[str] = Field(default_factory=list)
    dimensions: int | None = Field(default=None, ge=1)


class EmbeddingsBody(OpenBody):
    """``POST /api/embeddings``, the older form."""

    model: str = ""
    prompt: str = ""


@feature("ollama", needs("chat"))
def router(routes: APIRouter, services: Services) -> None:
    @routes.post("/api/chat", summary="Chat in Ollama's shape, with memory")
    async def chat(body: ChatBody, request: Request) -> Response:
        if not body.messages:
            return _loaded(body, request)
        shape = Lines(body.model, services.clock.now(), chat=True)
        return await serve(request, [asked_by(request, chat_request(body))], lambda _ready: shape, stream=body.stream)

    @routes.post("/api/generate", summary="Answer one prompt in Ollama's shape, with memory")
    async def generate(body: GenerateBody, request: Request) -> Response:
        if not (body.prompt or body.images):
            return _loaded(body, request)
        shape = Lines(body.model, services.clock.now(), chat=False)
        return await serve(
            request, [asked_by(request, generate_request(body))], lambda _ready: shape, stream=body.stream
        )

    def _loaded(body: ChatBody | GenerateBody, request: Request) -> Response:
        """Answer requests to load or unload a model; ours load on first use."""
        asked = asked_by(request, CompletionRequest(messages=(), model=model_name(body.model)))
        model = services.chat.clients.model_of(asked)
        if body.unloads:
            services.models.unload(model.info.id)
        chat = isinstance(body, ChatBody)
        words: dict[str, Any] = {"message": {"role": "assistant", "content": ""}} if chat else {"response": ""}
        head = {"model": body.model, "created_at": services.clock.now(), "done": True}
        return reply(head | {"done_reason": "unload" if body.unloads else "load"} | words)

    @routes.head("/api/tags", include_in_schema=False)
    @routes.get("/api/tags", summary="The models on offer, in Ollama's shape")
    def tags(request: Request) -> Response:
        return reply({"models": [_model(info) for info in offered(request, services)]})

    @routes.post("/api/show", summary="One model, in Ollama's shape")
    def show(body: NamedModel, request: Request) -> Response:
        wanted = model_name(body.model or body.name)
        for info in offered(request, services):
            if wanted in {info.id, info.name}:
                return reply(_shown(info, sees=_sees(services, info)))
        raise UnknownModelError(f"There is no model “{wanted[:120]}”.")

    @routes.get("/api/ps", summary="The models that are loaded, in Ollama's shape")
    def ps() -> Response:
        busy = [state for state in services.models.states() if state.state in {"ready", "busy"} and state.kind == "llm"]
        return reply(
            {
                "models": [
                    {"name": each.model, "model": each.model, "size": each.rss_bytes, "digest": _digest(each.model)}
                    for each in busy
                ]
            }
        )

    for verb, path in (("POST", "pull"), ("POST", "push"), ("POST", "create"), ("POST", "copy"), ("DELETE", "delete")):
        routes.add_api_route(f"/api/{path}", _refused, methods=[verb], include_in_schema=False)

    @routes.post("/api/embed", summary="Texts as vectors, in Ollama's shape")
    def embeddings(body: EmbedBody) -> Response:
        began = time.perf_counter()
        texts = [body.input] if body.input and isinstance(body.input, str) else list(body.input)
        vectors = embed(services, texts, body.dimensions).tolist() if texts else []
        counted = sum(estimate_tokens(text) for text in texts)
        model = body.model or embedder_of(services).model_id
        spent = {"total_duration": int((time.perf_counter() - began) * 1e9), "load_duration": 0}
        return reply({"model": model, "embeddings": vectors, "prompt_eval_count": counted} | spent)

    @routes.post("/api/embeddings", summary="One text as a vector, in Ollama's older shape")
    def embedding(body: EmbeddingsBody) -> Response:
        return reply({"embedding": embed(services, [body.prompt])[0].tolist() if body.prompt else []})

    @routes.head("/api/version", include_in_schema=False)
    @routes.get("/api/version", summary="The version")
    def version() -> Response:
        return reply({"version": memdesk.__version__})


def _refused() -> Response:
    raise BadRequestError(
        "memdesk keeps no library of Ollama's models.",
        hint="Models are fetched, added and deleted in its window, under Models.",
    )


def _digest(model_id: str) -> str:
    """Return a model's identifier in 64 hex digits, of which clients show twelve; hashing its file would take too long."""
    return hashlib.sha256(model_id.encode("utf-8", "surrogatepass")).hexdigest()


def _model(info: ModelInfo) -> dict[str, Any]:
    return {
        "name": info.id,
        "model": info.id,
        "modified_at": "1970-01-01T00:00:00Z",
        "size": info.size_bytes,
        "digest": _digest(info.id),
        "details": _details(info),
    }


def _details(info: ModelInfo) -> dict[str, Any]:
    return {
        "parent_model": "",
        "format": "gguf" if info.source != "remote" else "",
        "family": info.architecture,
        "families": [info.architecture] if info.architecture else [],
        "parameter_size": f"{info.parameters / 1e9:.1f}B" if info.parameters else "",
        "quantization_level": info.quantization,
    }


def _sees(services: Services, info: ModelInfo) -> bool:
    """Whether clients may offer to send images: unless the model is known not to take them."""
    chosen = services.settings.current.engine.chat_model if info.id == "default" else info.id
    found = services.models.catalogue.info(chosen)
    return found is not None and found.sees is not False


def _shown(info: ModelInfo, *, sees: bool) -> dict[str, Any]:
    known = {"general.architecture": info.architecture, "general.parameter_count": info.parameters}
    if info.architecture and info.context_tokens:
        known[f"{info.architecture}.context_length"] = info.context_tokens
    return {
        "details": _details(info),
        "model_info": known,
        "capabilities": ["completion", "tools", *(["vision"] if sees else [])],
        "license": info.license,
    }
