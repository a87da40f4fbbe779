"""Embedding models on OpenAI-compatible servers: OpenAI, Gemini, Voyage, Ollama, LM Studio and others."""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

import httpx
import numpy as np

from memdesk.domain.decoding import decode, list_in, number_in
from memdesk.domain.reading.private import masked
from memdesk.engines.clients.common import RemoteEmbedder
from memdesk.engines.embedding_prompts import named_prompts
from memdesk.engines.remote import CONNECT_SECONDS
from memdesk.engines.remote_errors import RemoteFailedError, from_status, from_transport
from memdesk.engines.remote_server import Server
from memdesk.engines.sse import read_at_most
from memdesk.messages import say
from memdesk.ports import EngineState, LaneName
from memdesk.ports.engines import Vectors
from memdesk.settings.addresses import is_local

#: Texts per request; Gemini takes no more. Bytes read of an answer: a hundred vectors of 4096 numbers have 9 MB.
AT_ONCE, MAX_BYTES = 100, 32 * 2**20
#: Voyage has its own field for questions, and returns plain numbers by default.
_VOYAGE = "api.voyageai.com"


class ServerEmbedder(RemoteEmbedder):
    """``ports.Embedder`` on a remote server's embeddings.

    If the server is not on this machine, secrets are masked and local-only texts are not sent.

    Args:
        server: the server, its key is looked up for each request.
        model: a model of the server.
        dimensions: length of a vector, if known; else ``learned`` is called with it.
        learned: see ``dimensions``.
        stays: whether a text must not leave this machine.
    """

    def __init__(
        self,
        server: Callable[[], Server],
        model: str,
        dimensions: int | None,
        *,
        learned: Callable[[int], object],
        stays: Callable[[str], bool],
    ) -> None:
        found = server()
        self._server = server
        self._server_name, self._address = found.name, found.base_url
        self._model = model
        self._here = is_local(found.base_url)
        self._learned = learned
        self._stays = stays
        self._client = httpx.Client(
            timeout=httpx.Timeout(found.timeout, connect=CONNECT_SECONDS), trust_env=not self._here
        )
        place = found.base_url.partition("://")[2]
        super().__init__(f"remote:{model}@{place}", self._vectors, dimensions, named_prompts(model))

    @property
    def dim(self) -> int:
        """Length of a vector; asks the server the first time. Raises ``EngineError`` as ``embed``."""
        unknown = self._dimensions is None
        found = super().dim
        if unknown:
            self._learned(found)
        return found

    def embed(self, texts: Sequence[str], *, query: bool = False, priority: LaneName = "interactive") -> Vectors:
        if self._here:
            return super().embed(texts, query=query, priority=priority)
        leaving = [place for place, text in enumerate(texts) if not self._stays(text)]
        sent = super().embed([masked(texts[place]) for place in leaving], query=query, priority=priority)
        rows = np.zeros((len(texts), sent.shape[1]), dtype=np.float32)
        rows[leaving] = sent
        return rows

    def state(self) -> EngineState:
        """Return its server's name and whether texts leave this machine."""
        return EngineState(
            name=self._server_name,
            kind="embedder",
            state="ready",
            model=self._model,
            server=self._server_name,
            on_this_machine=self._here,
        )

    def unload(self) -> None:
        self._client.close()

    def _vectors(self, texts: list[str], query: bool) -> list[list[float]]:
        rows: list[list[float]] = []
        for start in range(0, len(texts), AT_ONCE):
            rows += self._asked(texts[start : start + AT_ONCE], query)
        return rows

    def _asked(self, texts: list[str], query: bool) -> list[list[float]]:
        body: dict[str, Any] = {"model": self._model, "input": texts}
        if urlsplit(self._address).hostname == _VOYAGE:
            body["input_type"] = "query" if query else "document"
        else:
            body["encoding_format"] = "float"
        name = self._server_name
        try:
            with self._client.stream(
                "POST", f"{self._address}/embeddings", json=body, headers=self._server().headers()
            ) as response:
                answer = read_at_most(response, MAX_BYTES)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise from_transport(error, name) from error
        if response.status_code != httpx.codes.OK:
            raise from_status(
                response.status_code, answer, name, self._model, again=response.headers.get("retry-after", "")
            )
        try:
            entries = sorted(list_in(decode(answer), "data"), key=lambda entry: number_in(entry, "index"))
            rows = [[float(value) for value in entry["embedding"]] for entry in entries]
        except (ValueError, TypeError, KeyError) as error:
            raise RemoteFailedError(say("{name} answers, but not with vectors.", name=name)) from error
        if len(rows) != len(texts) or len({len(row) for row in rows}) != 1:
            raise RemoteFailedError(
                say("{name} returned the wrong number of vectors, or vectors of the wrong length.", name=name)
            )
        return rows
