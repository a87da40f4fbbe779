"""OpenAI, compatible servers (Google's, the running app), and Azure OpenAI, through the ``openai`` package."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import openai

from memdesk.engines.clients.asked import Asked
from memdesk.engines.clients.common import RemoteEmbedder, by_status, missing, needed
from memdesk.ports.library import ANSWERS

#: Providers with OpenAI's API, by common name.
NAMES: Final = {"openai": "OpenAI", "azure": "Azure", "google": "Google", "memdesk": "memdesk"}
#: Default embedding models of providers other than OpenAI, and texts per request where 2048 are too many.
_EMBEDDING_MODELS: Final = {"google": "gemini-embedding-001"}
_AT_ONCE: Final = {"google": 100}
#: Known vector lengths.
_DIMENSIONS: Final = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}
#: https://ai.google.dev/gemini-api/docs/openai
_GOOGLE: Final = "https://generativelanguage.googleapis.com/v1beta/openai/"
#: The app's default address.
_DESKTOP: Final = "http://127.0.0.1:1337/v1"


@contextmanager
def translated(name: str) -> Iterator[None]:
    try:
        yield
    except openai.APIStatusError as error:
        raise by_status(error.status_code, name, error.message) from error
    except openai.OpenAIError as error:
        raise by_status(None, name, str(error)) from error


def _client(provider: str, settings: dict[str, Any]) -> openai.AsyncOpenAI:
    key, address = settings.get("api_key"), settings.get("base_url")
    if provider == "google":
        key, address = key or os.environ.get("GOOGLE_API_KEY"), address or _GOOGLE
    elif provider == "memdesk":
        address = address or _DESKTOP
    if provider in {"google", "memdesk"}:
        # Never without a key: the client would take OpenAI's from the environment.
        key = needed({"api_key": key}, "api_key", NAMES[provider])
    try:
        # Retries are ours, on rate limits only.
        if provider == "azure":
            return openai.AsyncAzureOpenAI(
                api_key=key,
                azure_endpoint=needed(settings, "base_url", NAMES[provider]),
                api_version=settings.get("api_version") or "2024-10-21",
                max_retries=0,
            )
        return openai.AsyncOpenAI(api_key=key, base_url=address, max_retries=0)
    except openai.OpenAIError as error:
        # Nothing was sent yet: it found no key, not even in the environment.
        raise missing("api_key", NAMES[provider]) from error


class OpenAIModel:
    """``ports.library.TextModel`` on OpenAI's chat API.

    Args:
        provider: one of :data:`NAMES`. For ``azure``, ``base_url`` is the resource's URL and ``model`` the deployment;
            for ``memdesk``, the chat model of the running app, ``api_key`` is a token of its server.
    """

    def __init__(self, provider: str, settings: dict[str, Any]) -> None:
        self._name = NAMES[provider]
        self._client = _client(provider, settings)
        self._asked = Asked(self._client.close)
        self.close = self._asked.close
        own = provider == "memdesk"
        self._model = (own and (settings.get("model") or "default")) or needed(settings, "model", self._name)
        self._format: Any = {"type": "json_object"}
        if own:
            self._format = {"type": "json_schema", "json_schema": {"name": "answer", "schema": ANSWERS}}
        self._temperature = float(settings["temperature"])
        self._max_tokens = int(settings["max_tokens"])

    def complete(self, system: str, user: str) -> str:
        with translated(self._name):
            answer = self._asked(
                self._client.chat.completions.create(
                    model=self._model,
                    messages=[{"role": "system", "content": system}, {"role": "user", "content": user}],
                    temperature=self._temperature,
                    max_tokens=self._max_tokens,
                    response_format=self._format,
                )
            )
        return answer.choices[0].message.content or ""


class OpenAIEmbedder(RemoteEmbedder):
    """``ports.Embedder`` on OpenAI's embeddings API; see :class:`OpenAIModel`."""

    def __init__(self, provider: str, settings: dict[str, Any]) -> None:
        self._provider = provider
        self._client = _client(provider, settings)
        self._asked = Asked(self._client.close)
        self.close = self._asked.close
        self._model = settings.get("model") or _EMBEDDING_MODELS.get(provider, "text-embedding-3-small")
        self._wanted = settings.get("dimensions")
        dimensions = self._wanted or _DIMENSIONS.get(self._model)
        super().__init__(f"{provider}:{self._model}", self._vectors, dimensions, settings.get("prompts"))

    def _vectors(self, texts: list[str], query: bool) -> list[list[float]]:
        del query
        rows: list[list[float]] = []
        more: dict[str, Any] = {} if self._wanted is None else {"dimensions": self._wanted}
        at_once = _AT_ONCE.get(self._provider, 1000)
        for start in range(0, len(texts), at_once):
            with translated(NAMES[self._provider]):
                part = texts[start : start + at_once]
                found = self._asked(
                    self._client.embeddings.create(model=self._model, input=part, encoding_format="float", **more)
                )
            rows += [one.embedding for one in sorted(found.data, key=lambda one: one.index or 0)]
        return rows
