"""Ollama, through the ``ollama`` package."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import ollama

from memdesk.engines.clients.asked import Asked
from memdesk.engines.clients.common import RemoteEmbedder, by_status, needed


@contextmanager
def translated() -> Iterator[None]:
    try:
        yield
    except ollama.ResponseError as error:
        raise by_status(error.status_code, "Ollama", error.error) from error
    except (ConnectionError, httpx.HTTPError) as error:
        raise by_status(None, "Ollama", str(error)) from error


class OllamaModel:
    """``ports.library.TextModel`` on Ollama's chat."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._model = needed(settings, "model", "Ollama")
        self._client = ollama.AsyncClient(host=settings.get("base_url"))
        self._asked = Asked(self._client.close)
        self.close = self._asked.close
        self._options = {"temperature": settings["temperature"], "num_predict": settings["max_tokens"]}

    def complete(self, system: str, user: str) -> str:
        with translated():
            answer = self._asked(
                self._client.chat(
                    model=self._model,
                    messages=[{"role": "system", "content": system}, {"role": "user", "content": user}],
                    format="json",
                    options=self._options,
                )
            )
        return answer.message.content or ""


class OllamaEmbedder(RemoteEmbedder):
    """``ports.Embedder`` on Ollama's embeddings."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._model = needed(settings, "model", "Ollama")
        self._client = ollama.AsyncClient(host=settings.get("base_url"))
        self._asked = Asked(self._client.close)
        self.close = self._asked.close
        super().__init__(f"ollama:{self._model}", self._vectors, settings.get("dimensions"), settings.get("prompts"))

    def _vectors(self, texts: list[str], query: bool) -> list[list[float]]:
        del query
        with translated():
            found = self._asked(self._client.embed(model=self._model, input=texts))
        return [list(row) for row in found.embeddings]
