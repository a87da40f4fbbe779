"""Embeddings in OpenAI's shape."""

import base64
from typing import Literal

from fastapi import APIRouter, Response
from pydantic import Field

from memdesk.api.auth import needs
from memdesk.api.dialects.embedding import embed, embedder_of
from memdesk.api.dialects.openai.token_ids import text_of
from memdesk.api.feature import feature
from memdesk.api.params import OpenBody
from memdesk.api.plain import reply
from memdesk.domain.language.text import estimate_tokens
from memdesk.errors import BadRequestError
from memdesk.services.container import Services


class EmbeddingsBody(OpenBody):
    """One text or up to 2048, or their token ids. There is one embedding model, so any name means it."""

    input: str | list[str] | list[int] | list[list[int]]
    model: str = "default"
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: int | None = Field(default=None, ge=1)


@feature("openai", needs("chat"))
def router(routes: APIRouter, services: Services) -> None:
    """Return the route of ``/v1/embeddings``."""

    @routes.post("/v1/embeddings", summary="Texts as vectors of norm 1")
    def embeddings(body: EmbeddingsBody) -> Response:
        texts = texts_of(body.input)
        vectors = embed(services, texts, body.dimensions)
        packed = body.encoding_format == "base64"
        tokens = sum(estimate_tokens(text) for text in texts)
        return reply(
            {
                "object": "list",
                "model": embedder_of(services).model_id,
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


def texts_of(given: str | list[str] | list[int] | list[list[int]]) -> list[str]:
    """Return the texts, decoding token ids.

    As at OpenAI an empty text may stand alone, which is what LangChain sends for one, but not in a list.

    Raises:
        BadRequestError: ids of another vocabulary, or an empty text in a list.
    """
    if isinstance(given, str):
        return [given]
    ids = [each for each in given if isinstance(each, int)]
    if not ids and not all(each.strip() if isinstance(each, str) else each for each in given):
        raise BadRequestError("No text in a list of input may be empty.", hint="Leave it out, or send it alone.")
    return [text_of(ids)] if ids else [each if isinstance(each, str) else text_of(each) for each in given]  # type: ignore[arg-type]  # no int is left
