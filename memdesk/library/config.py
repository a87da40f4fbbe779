"""The configuration of a memory, as programs write it."""

from __future__ import annotations

from typing import Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from memdesk.services.library import InvalidInputError

#: Allowed keys of each other database's ``config``; databases not listed have none.
_OWN: Final[dict[str, frozenset[str]]] = {
    "azure_ai_search": frozenset({"url", "connection_string", "service_name", "api_key"}),
    "chroma": frozenset({"path", "url", "host", "port"}),
    "elasticsearch": frozenset({"url", "host", "port", "api_key"}),
    "faiss": frozenset({"path", "uri", "url"}),
    "lancedb": frozenset({"path", "uri", "url"}),
    "milvus": frozenset({"path", "url", "host", "port", "token"}),
    "neo4j": frozenset({"url", "username", "password", "database"}),
    "pgvector": frozenset({"url", "connection_string"}),
    "pinecone": frozenset({"url", "connection_string", "host", "index", "api_key"}),
    "qdrant": frozenset({"path", "location", "url", "host", "port", "api_key"}),
    "redis": frozenset({"url", "connection_string", "redis_url"}),
    "weaviate": frozenset({"url", "cluster_url", "host", "port", "grpc_port", "api_key", "auth_client_secret"}),
}


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _DatabaseConfig(_Section):
    """A database, with a ``config`` of its own."""

    provider: str
    config: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _known(self) -> Self:
        known = _OWN.get(self.provider, frozenset())
        if unknown := self.config.keys() - known:
            words = {"names": ", ".join(sorted(unknown)), "known": ", ".join(sorted(known)) or "none"}
            raise PydanticCustomError("unknown", "config has no {names}; known are: {known}", words)
        return self


class VectorStoreConfig(_DatabaseConfig):
    """Where memories are stored. ``config`` is the provider's own: ``url``, ``path``, ``api_key``.

    With ``encrypt_payload``, another database sees neither texts nor metadata.
    """

    provider: Literal[
        "memdesk",
        "memory",
        "azure_ai_search",
        "chroma",
        "elasticsearch",
        "faiss",
        "lancedb",
        "milvus",
        "pgvector",
        "pinecone",
        "qdrant",
        "redis",
        "weaviate",
    ] = "memdesk"
    collection_name: str = Field(default="memories", min_length=1)
    encrypt_payload: bool = False


class ModelSettings(_Section):
    """How a remote model is called."""

    model: str = ""
    api_key: str | None = None
    base_url: str | None = None
    temperature: float = Field(default=0, ge=0, le=2)
    max_tokens: int = Field(default=2000, ge=1)
    api_version: str | None = None


class ModelConfig(_Section):
    """Which language model reads and decides: none (``grammar``), one on this machine (``local``), or a remote one.

    ``memdesk`` is the chat model of the running app.
    """

    provider: Literal[
        "grammar", "local", "memdesk", "openai", "azure", "anthropic", "google", "huggingface", "ollama"
    ] = "grammar"
    config: ModelSettings = Field(default_factory=ModelSettings)


class EmbedderSettings(_Section):
    """How an embedding model is called."""

    model: str = ""
    api_key: str | None = None
    base_url: str | None = None
    dimensions: int | None = Field(default=None, ge=1)
    api_version: str | None = None


class EmbedderConfig(_Section):
    """The embedding model; ``none`` searches by words alone."""

    provider: Literal["bundled", "folder", "none", "openai", "azure", "google", "huggingface", "ollama"] = "bundled"
    config: EmbedderSettings = Field(default_factory=EmbedderSettings)


class HistoryConfig(_Section):
    """Folder of the history if the store keeps none; empty: beside the program's memory."""

    db_path: str = ""


class GraphConfig(_DatabaseConfig):
    """The graph is read from the statements; ``neo4j`` gets a copy of it.

    Its ``config`` is ``url``, ``username``, ``password``, ``database``.
    """

    provider: Literal["memdesk", "neo4j"] = "memdesk"


class PromptsConfig(_Section):
    """Prompts in place of our own."""

    fact_extraction: str = ""
    update_decision: str = ""


class MemoryConfig(_Section):
    """The whole configuration. The defaults keep everything on this machine."""

    vector_store: VectorStoreConfig = Field(default_factory=VectorStoreConfig)
    llm: ModelConfig = Field(default_factory=ModelConfig)
    embedder: EmbedderConfig = Field(default_factory=EmbedderConfig)
    graph_store: GraphConfig = Field(default_factory=GraphConfig)
    history: HistoryConfig = Field(default_factory=HistoryConfig)
    custom_prompts: PromptsConfig = Field(default_factory=PromptsConfig)
    version: str = "v1.1"

    @classmethod
    def read(cls, given: Any) -> MemoryConfig:
        """Return the configuration from a dictionary.

        Raises:
            InvalidInputError: a name or a value is unknown; the message says which.
        """
        if isinstance(given, MemoryConfig):
            return given
        try:
            return cls.model_validate(given or {})
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            raise InvalidInputError(f"The configuration cannot be used: {place}: {first['msg']}.") from error
