"""Hugging Face: its inference providers, or an endpoint of one's own, through the ``huggingface_hub`` package."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import httpx2
from huggingface_hub import AsyncInferenceClient
from huggingface_hub.errors import HfHubHTTPError

from memdesk.engines.clients.asked import Asked
from memdesk.engines.clients.common import RemoteEmbedder, by_status, needed

_NAME: Final = "Hugging Face"


@contextmanager
def translated() -> Iterator[None]:
    try:
        yield
    except HfHubHTTPError as error:
        raise by_status(error.response.status_code, _NAME, error.server_message or error) from error
    except (httpx2.HTTPError, OSError) as error:
        raise by_status(None, _NAME, error) from error


def _client(settings: dict[str, Any]) -> AsyncInferenceClient:
    return AsyncInferenceClient(base_url=settings.get("base_url"), api_key=settings.get("api_key"))


class HuggingFaceModel:
    """``ports.library.TextModel`` on Hugging Face's chat; ``base_url`` is a compatible endpoint."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._model = needed(settings, "model", _NAME)
        self._client = _client(settings)
        self._asked = Asked(self._client.close)
        self.close = self._asked.close
        self._temperature = float(settings["temperature"])
        self._max_tokens = int(settings["max_tokens"])

    def complete(self, system: str, user: str) -> str:
        with translated():
            answer = self._asked(
                self._client.chat_completion(
                    [{"role": "system", "content": system}, {"role": "user", "content": user}],
                    model=self._model,
                    temperature=self._temperature,
                    max_tokens=self._max_tokens,
                )
            )
        return answer.choices[0].message.content or ""


class HuggingFaceEmbedder(RemoteEmbedder):
    """``ports.Embedder`` on Hugging Face's feature extraction; ``base_url`` is an endpoint of the model."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._model = needed(settings, "model", _NAME)
        self._client = _client(settings)
        self._asked = Asked(self._client.close)
        self.close = self._asked.close
        self._named = None if settings.get("base_url") else self._model
        super().__init__(
            f"huggingface:{self._model}", self._vectors, settings.get("dimensions"), settings.get("prompts")
        )

    def _vectors(self, texts: list[str], query: bool) -> Any:
        del query
        with translated():
            return self._asked(self._client.feature_extraction(texts, model=self._named))
