"""Embeddings for all protocols, by the engine that the memory uses."""

from collections.abc import Sequence

from memdesk.errors import BadRequestError, ModelMissingError
from memdesk.ports import Embedder
from memdesk.ports.engines import Vectors
from memdesk.services.container import Services

MOST = 2048


def embedder_of(services: Services) -> Embedder:
    """Return the embedder. There is one, so it answers under any model name.

    Raises:
        ModelMissingError: search by meaning is switched off.
    """
    embedder = services.models.embedder
    if embedder is None:
        raise ModelMissingError(
            "Search by meaning is switched off, so there is no embedding model.",
            hint="Set embeddingBackend in the memory settings.",
        )
    return embedder


def embed(services: Services, texts: Sequence[str], dimensions: int | None = None) -> Vectors:
    """Return the vectors, shape ``(len(texts), dim)``, norm 1.

    Raises:
        BadRequestError: no text, too many, or another number of dimensions than the model has.
        ModelMissingError: there is no embedding model.
    """
    embedder = embedder_of(services)
    if not 1 <= len(texts) <= MOST:
        raise BadRequestError(f"input is one text, or a list of 1 to {MOST} texts.")
    if dimensions not in {None, embedder.dim}:
        raise BadRequestError(f"This model has {embedder.dim} dimensions; they cannot be cut.")
    return embedder.embed(texts)
