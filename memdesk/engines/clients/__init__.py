"""Remote models through their providers' own clients, each an extra; imported on use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from memdesk.errors import BadRequestError, MissingPartError
from memdesk.ports.library import TextModel

if TYPE_CHECKING:
    from memdesk.engines.clients.common import RemoteEmbedder

#: Module of each provider, with its classes for language models and embeddings; "" if it has none.
_PROVIDERS: Final = {
    **dict.fromkeys(("openai", "azure", "google"), ("openai", "OpenAIModel", "OpenAIEmbedder")),
    "memdesk": ("openai", "OpenAIModel", ""),
    "huggingface": ("huggingface", "HuggingFaceModel", "HuggingFaceEmbedder"),
    "anthropic": ("anthropic", "AnthropicModel", ""),
    "ollama": ("ollama", "OllamaModel", "OllamaEmbedder"),
}


def make_model(provider: str, settings: dict[str, Any]) -> TextModel:
    """Return a language model; nothing is sent yet.

    Raises:
        BadRequestError: the provider is unknown, its client is not installed, or a setting is missing.
    """
    made: TextModel = _made(1, provider, settings)
    return made


def make_embedder(provider: str, settings: dict[str, Any]) -> RemoteEmbedder:
    """Return an embedding model. Raises as :func:`make_model`."""
    made: RemoteEmbedder = _made(2, provider, settings)
    return made


def _made(part: int, provider: str, settings: dict[str, Any]) -> Any:
    known = [name for name, parts in _PROVIDERS.items() if parts[part]]
    if provider not in known:
        raise BadRequestError(f"There is no provider {provider!r} here; known are {', '.join(sorted(known))}.")
    package = _PROVIDERS[provider][0]
    try:
        make = getattr(import_module(f"{__name__}.{package}_client"), _PROVIDERS[provider][part])
    except ImportError as error:
        raise BadRequestError(
            f"The client of {provider} is not installed.", hint=MissingPartError.remedy(package)
        ) from error
    return make(provider, settings) if package == "openai" else make(settings)
