"""Remote models through their makers' own clients, each an extra; imported when one is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from memdesk.errors import BadRequestError

if TYPE_CHECKING:
    from memdesk.ports import Embedder
    from memdesk.ports.library import TextModel

_MODELS: Final = {
    "openai": ("openai_client", "OpenAIModel"),
    "azure": ("openai_client", "AzureModel"),
    "google": ("openai_client", "GoogleModel"),
    "memdesk": ("openai_client", "DesktopModel"),
    "huggingface": ("huggingface_client", "HuggingFaceModel"),
    "anthropic": ("anthropic_client", "AnthropicModel"),
    "ollama": ("ollama_client", "OllamaModel"),
}
_EMBEDDERS: Final = {
    "openai": ("openai_client", "OpenAIEmbedder"),
    "azure": ("openai_client", "AzureEmbedder"),
    "google": ("openai_client", "GoogleEmbedder"),
    "huggingface": ("huggingface_client", "HuggingFaceEmbedder"),
    "ollama": ("ollama_client", "OllamaEmbedder"),
}


def make_model(provider: str, settings: dict[str, Any]) -> TextModel:
    """Return a language model; nothing is sent yet.

    Raises:
        BadRequestError: the provider is unknown, its client is not installed, or a setting is missing.
    """
    made: TextModel = _made(_MODELS, provider, settings)
    return made


def make_embedder(provider: str, settings: dict[str, Any]) -> Embedder:
    """Return an embedding model. Raises as :func:`make_model`."""
    made: Embedder = _made(_EMBEDDERS, provider, settings)
    return made


def _made(known: dict[str, tuple[str, str]], provider: str, settings: dict[str, Any]) -> Any:
    if provider not in known:
        raise BadRequestError(f"There is no provider {provider!r} here; known are {', '.join(sorted(known))}.")
    module, name = known[provider]
    try:
        return getattr(import_module(f"{__name__}.{module}"), name)(settings)
    except ImportError as error:
        raise BadRequestError(
            f"The client of {provider} is not installed.",
            hint=f"pip install 'memdesk[{module.removesuffix('_client')}]'",
        ) from error
