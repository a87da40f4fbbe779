"""OpenAI, servers that speak as it does (Google's, the running app), and Azure OpenAI, through the ``openai`` package."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import openai

from memdesk.engines.clients.common import RemoteEmbedder, by_status, needed
from memdesk.ports.library import ANSWERS

#: Lengths of vectors that need not be asked for.
_DIMENSIONS: Final = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}
#: https://ai.google.dev/gemini-api/docs/openai
_GOOGLE: Final = "https://generativelanguage.googleapis.com/v1beta/openai/"
#: Where the app listens unless its settings say otherwise.
_DESKTOP: Final = "http://127.0.0.1:1337/v1"


@contextmanager
def translated(name: str) -> Iterator[None]:
    """Turn the client's exceptions into ours."""
    try:
        yield
    except openai.APIStatusError as error:
        raise by_status(error.status_code, name, error.message) from error
    except openai.OpenAIError as error:
        raise by_status(None, name, str(error)) from error


def _client(settings: dict[str, Any], name: str) -> openai.OpenAI:
    with translated(name):
        # Retries are ours, on rate limits only.
        return openai.OpenAI(api_key=settings.get("api_key"), base_url=settings.get("base_url"), max_retries=0)


def _google(settings: dict[str, Any]) -> openai.OpenAI:
    # Never without a key: the client would take OpenAI's from the environment.
    key = needed({"api_key": settings.get("api_key") or os.environ.get("GOOGLE_API_KEY")}, "api_key", "Google")
    return _client({"api_key": key, "base_url": settings.get("base_url") or _GOOGLE}, "Google")


def _azure(settings: dict[str, Any]) -> openai.AzureOpenAI:
    address = needed(settings, "base_url", "Azure")
    with translated("Azure"):
        return openai.AzureOpenAI(
            api_key=settings.get("api_key"),
            azure_endpoint=address,
            api_version=settings.get("api_version") or "2024-10-21",
            max_retries=0,
        )


class OpenAIModel:
    """``ports.library.TextModel`` on OpenAI's chat interface."""

    name = "OpenAI"
    response_format: Any = {"type": "json_object"}  # noqa: RUF012  # the client's own type cannot be named briefly

    def __init__(self, settings: dict[str, Any]) -> None:
        self._client = self._made(settings)
        self._model = needed(settings, "model", self.name)
        self._temperature = float(settings["temperature"])
        self._max_tokens = int(settings["max_tokens"])

    def _made(self, settings: dict[str, Any]) -> openai.OpenAI:
        return _client(settings, self.name)

    def complete(self, system: str, user: str) -> str:
        """Return the answer; see ``ports.library.TextModel``."""
        with translated(self.name):
            answer = self._client.chat.completions.create(
                model=self._model,
                messages=[{"role": "system", "content": system}, {"role": "user", "content": user}],
                temperature=self._temperature,
                max_tokens=self._max_tokens,
                response_format=self.response_format,
            )
        return answer.choices[0].message.content or ""

    def close(self) -> None:
        """Give back connections."""
        self._client.close()


class AzureModel(OpenAIModel):
    """``ports.library.TextModel`` on Azure OpenAI; ``base_url`` is the resource's address, ``model`` the deployment."""

    name = "Azure"

    def _made(self, settings: dict[str, Any]) -> openai.OpenAI:
        return _azure(settings)


class GoogleModel(OpenAIModel):
    """``ports.library.TextModel`` on Google's Gemini, through the interface it keeps for OpenAI's client."""

    name = "Google"

    def _made(self, settings: dict[str, Any]) -> openai.OpenAI:
        return _google(settings)


class DesktopModel(OpenAIModel):
    """``ports.library.TextModel`` on the chat model of the running app; ``api_key`` is a token of its server."""

    name = "memdesk"
    response_format: Any = {"type": "json_schema", "json_schema": {"name": "answer", "schema": ANSWERS}}  # noqa: RUF012

    def __init__(self, settings: dict[str, Any]) -> None:
        super().__init__({**settings, "model": settings.get("model") or "default"})

    def _made(self, settings: dict[str, Any]) -> openai.OpenAI:
        key = needed(settings, "api_key", self.name)
        return _client({"api_key": key, "base_url": settings.get("base_url") or _DESKTOP}, self.name)


class OpenAIEmbedder(RemoteEmbedder):
    """``ports.Embedder`` on OpenAI's embeddings."""

    name = "OpenAI"
    default = "text-embedding-3-small"
    #: texts of one request; the interface takes 2048.
    at_once = 1000

    def __init__(self, settings: dict[str, Any]) -> None:
        self._client = self._made(settings)
        self._model = settings.get("model") or self.default
        self._wanted = settings.get("dimensions")
        dimensions = self._wanted or _DIMENSIONS.get(self._model)
        super().__init__(f"{self.name.lower()}:{self._model}", self._vectors, dimensions)

    def _made(self, settings: dict[str, Any]) -> openai.OpenAI:
        return _client(settings, self.name)

    def _vectors(self, texts: list[str]) -> list[list[float]]:
        rows: list[list[float]] = []
        more: dict[str, Any] = {} if self._wanted is None else {"dimensions": self._wanted}
        for start in range(0, len(texts), self.at_once):
            with translated(self.name):
                found = self._client.embeddings.create(
                    model=self._model, input=texts[start : start + self.at_once], encoding_format="float", **more
                )
            rows += [one.embedding for one in sorted(found.data, key=lambda one: one.index or 0)]
        return rows

    def close(self) -> None:
        """Give back connections."""
        self._client.close()


class AzureEmbedder(OpenAIEmbedder):
    """``ports.Embedder`` on Azure OpenAI."""

    name = "Azure"

    def _made(self, settings: dict[str, Any]) -> openai.OpenAI:
        return _azure(settings)


class GoogleEmbedder(OpenAIEmbedder):
    """``ports.Embedder`` on Google's Gemini; see :class:`GoogleModel`."""

    name = "Google"
    default = "gemini-embedding-001"
    at_once = 100

    def _made(self, settings: dict[str, Any]) -> openai.OpenAI:
        return _google(settings)
