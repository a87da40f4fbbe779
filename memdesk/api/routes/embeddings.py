"""Embeddings in OpenAI's shape, by the same engine that memory uses."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Literal

from fastapi import APIRouter, Depends, FastAPI, Response
from pydantic import Field

from memdesk.api.auth import needs
from memdesk.api.params import OpenBody
from memdesk.api.plain import reply
from memdesk.domain.text import estimate_tokens
from memdesk.errors import BadRequestError, ModelMissingError
from memdesk.services.chat import UnknownModelError

if TYPE_CHECKING:
    from memdesk.services.container import Services


class EmbeddingsBody(OpenBody):
    """One text or up to 2048."""

    input: str | list[str]
    model: str = "default"
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = Field(default=None, ge=1)


def router(app: FastAPI) -> APIRouter:
    """Return the route of ``/v1/embeddings``."""
    services: Services = app.state.services
    routes = APIRouter(tags=["openai"], dependencies=[Depends(needs("chat"))])

    @routes.post("/v1/embeddings", summary="Texts as vectors of norm 1")
    def embeddings(body: EmbeddingsBody) -> Response:
        embedder = services.models.embedder
        if embedder is None:
            raise ModelMissingError(
                "Search by meaning is switched off, so there is no embedding model.",
                hint="Set embeddingBackend in the memory settings.",
            )
        names = {"", "default", embedder.model_id, embedder.model_id.partition(":")[2]}
        if body.model not in names:
            raise UnknownModelError(f"There is no embedding model “{body.model[:120]}”.")
        texts = [body.input] if isinstance(body.input, str) else body.input
        if not 1 <= len(texts) <= 2048 or not all(text.strip() for text in texts):
            raise BadRequestError("input is one text, or a list of 1 to 2048 texts; none may be empty.")
        if body.dimensions not in {None, embedder.dim}:
            raise BadRequestError(f"This model has {embedder.dim} dimensions; they cannot be cut.")
        vectors = embedder.embed(texts)
        packed = body.encoding_format == "base64"
        tokens = sum(estimate_tokens(text) for text in texts)
        return reply(
            {
                "object": "list",
                "model": embedder.model_id,
                "data": [
                    {
                        "object": "embedding",
                        "index": number,
                        "embedding": base64.b64encode(row.astype("<f4").tobytes()).decode() if packed else row.tolist(),
                    }
                    for number, row in enumerate(vectors)
                ],
                "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
            }
        )

    return routes
