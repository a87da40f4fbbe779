"""Opens the parts of a program's memory."""

from __future__ import annotations

import logging
import os
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, cast

from memdesk.bootstrap.lazy import lazy_analyzer
from memdesk.errors import BadRequestError, EnvironmentFault, MissingPartError
from memdesk.runtime.clock import SystemClock
from memdesk.runtime.here import EnginesHere
from memdesk.services.library import (
    SHARING,
    GrammarExtractor,
    ModelDecider,
    ModelExtractor,
    RetryingEmbedder,
    RetryingModel,
    VaultError,
    VectorStoreError,
)
from memdesk.settings.paths import ProfilePaths, profile_paths
from memdesk.stores.history import InMemoryHistory

if TYPE_CHECKING:
    from memdesk.library.config import EmbedderConfig, MemoryConfig, VectorStoreConfig
    from memdesk.ports import Embedder, Workers
    from memdesk.ports.item_store import ItemStore
    from memdesk.ports.library import Decide, Extractor, GapStore, Grammar, GraphCopy, ItemHistory, TextModel
    from memdesk.storage.database import Database

log = logging.getLogger(__name__)

#: The path that keeps everything in this process.
IN_MEMORY: Final = ":memory:"
#: The profile for programs that name no folder.
PROFILE: Final = "programs"


class Place:
    """Where a memory's encrypted file is, and what opens it.

    Args:
        folder: None for the user's data folder.
    """

    def __init__(self, folder: Path | None, passphrase: str | None, recovery_code: str | None) -> None:
        self._passphrase = passphrase
        self._recovery_code = recovery_code
        self.paths: ProfilePaths = profile_paths(PROFILE) if folder is None else profile_paths(home=folder)
        self._key = b""
        #: the recovery code, if the file was just created.
        self.new_code = ""

    def open(self) -> Database:
        """Open the file; create it the first time.

        Raises:
            VaultError: there is neither keyring nor passphrase for its key.
            LockedError, EnvironmentFault: it does not open.
        """
        from memdesk.bootstrap.profile import profile_vault
        from memdesk.storage.database import Database
        from memdesk.storage.errors import InUseError, NoKeyringError

        self.paths.ensure()
        self.paths.close_to_others()
        vault = profile_vault(self.paths)
        if vault.exists():
            key = vault.open(self._passphrase, self._recovery_code)
        else:
            try:
                key, self.new_code = vault.create(self._passphrase)
            except NoKeyringError as error:
                raise VaultError(error.message, hint="Give a passphrase: Memory(passphrase=...).") from error
        database = Database(self.paths.database)
        try:
            database.open(key)
        except InUseError as error:
            raise VectorStoreError(error.message, hint=f"Close it there, or share it: {SHARING}") from error
        self._key = key
        return database

    @property
    def key(self) -> bytes:
        assert self._key, "opened first"
        return self._key


def in_memory(wanted: MemoryConfig) -> MemoryConfig:
    """Return a configuration that keeps nothing on the disk."""
    return wanted.model_copy(update={"vector_store": wanted.vector_store.model_copy(update={"provider": "memory"})})


def previewed(wanted: MemoryConfig, place: Place, closing: ExitStack) -> MemoryConfig:
    """Return a configuration that creates no file: what is not on disk yet is kept in memory."""
    from memdesk.bootstrap.profile import profile_vault

    store = wanted.vector_store
    own = store.provider == "memdesk"
    folder = "" if own else wanted.history.db_path
    made = profile_vault(profile_paths(home=Path(folder)) if folder else place.paths).exists()
    path = store.config.get("path")
    if not made:
        # Only digests of model files are written here.
        place.paths = profile_paths(home=Path(closing.enter_context(TemporaryDirectory())))
        wanted = wanted.model_copy(update={"history": wanted.history.model_copy(update={"db_path": IN_MEMORY})})
    if (path and not Path(path).exists()) or (not made and (own or store.encrypt_payload)):
        return in_memory(wanted)
    return wanted


def clock() -> SystemClock:
    return SystemClock()


def open_workers(closing: ExitStack) -> Workers:
    """Return the factory of engine processes, which start on first use."""
    from memdesk.runtime.lanes import ThreadLanes
    from memdesk.runtime.pool import WorkerPool

    lanes = ThreadLanes()
    closing.callback(lanes.close)
    pool = WorkerPool(lanes)
    closing.callback(pool.close)
    return pool


def open_store(wanted: MemoryConfig, place: Place, closing: ExitStack) -> tuple[ItemStore, ItemHistory]:
    """Return the store and its history: the store itself if it keeps one.

    Raises:
        MissingPartError: the database's client is not installed.
    """
    try:
        return _open_store(wanted, place, closing)
    except ModuleNotFoundError as error:
        raise MissingPartError.of(error) or error from error


def _open_store(wanted: MemoryConfig, place: Place, closing: ExitStack) -> tuple[ItemStore, ItemHistory]:
    provider = wanted.vector_store.provider
    if provider == "memory":
        from memdesk.stores.memory import InMemoryStore

        return InMemoryStore(), InMemoryHistory()
    if provider == "memdesk":
        from memdesk.storage.item_store import SqlItemStore

        own = SqlItemStore(place.open())
        closing.callback(own.close)
        return own, own
    if provider == "pgvector":
        from memdesk.stores.postgres import PostgresStore

        postgres = PostgresStore(_url(wanted.vector_store, "DATABASE_URL"))
        closing.callback(postgres.close)
        if wanted.vector_store.encrypt_payload:
            return _sealed(postgres, wanted, place, closing)
        return postgres, postgres
    store = _foreign(wanted.vector_store)
    closing.callback(store.close)
    if wanted.vector_store.encrypt_payload:
        return _sealed(store, wanted, place, closing)
    try:
        return store, _history(wanted, place, closing)
    except EnvironmentFault as error:
        log.warning("the history is kept until the program ends, not on the disk: %s", error.message)
        return store, InMemoryHistory()


def gaps_of(store: ItemStore, wanted: MemoryConfig) -> GapStore | None:
    """Return the store if it can hold texts before they are embedded: only the encrypted file can."""
    here = wanted.vector_store.provider == "memdesk" and wanted.embedder.provider != "none"
    return cast("GapStore", store) if here else None


def _sealed(store: ItemStore, wanted: MemoryConfig, place: Place, closing: ExitStack) -> tuple[ItemStore, ItemHistory]:
    """Return a store that sees no texts, with its history and key in our encrypted file."""
    from memdesk.stores.sealed import SealedStore

    if wanted.history.db_path == IN_MEMORY:
        raise BadRequestError("encrypt_payload needs the encrypted file of its history, which keeps the key.")
    history = _history(wanted, place, closing)
    return SealedStore(store, place.key), history


def _foreign(wanted: VectorStoreConfig) -> ItemStore:
    given = wanted.config
    if wanted.provider == "qdrant":
        from memdesk.stores.qdrant import QdrantStore

        key = given.get("api_key") or os.environ.get("QDRANT_API_KEY")
        if given.get("path") or given.get("location") == IN_MEMORY:
            return QdrantStore(path=str(given.get("path") or ""))
        return QdrantStore(_server(given, "QDRANT", 6333), api_key=key)
    if wanted.provider == "lancedb":
        from memdesk.stores.lance import LanceStore

        return LanceStore(_folder(given))
    if wanted.provider == "elasticsearch":
        from memdesk.stores.elastic import ElasticStore

        return ElasticStore(_server(given, "ELASTICSEARCH", 9200), api_key=given.get("api_key"))
    if wanted.provider == "azure_ai_search":
        from memdesk.stores.azure import AzureStore

        named = given.get("service_name")
        url = f"https://{named}.search.windows.net" if named else _url(wanted, "AZURE_SEARCH_ENDPOINT")
        return AzureStore(url, api_key=_key(wanted, "AZURE_SEARCH_API_KEY"))
    if wanted.provider == "pinecone":
        from memdesk.stores.pinecone import PineconeStore

        host = given.get("host") or (not given.get("index") and _url(wanted, "PINECONE_HOST")) or ""
        index = str(given.get("index") or "")
        return PineconeStore(str(host), index=index, api_key=_key(wanted, "PINECONE_API_KEY"))
    if wanted.provider == "weaviate":
        from memdesk.stores.weaviate import WeaviateStore

        url = str(given.get("cluster_url") or _server(given, "WEAVIATE", 8080))
        key = given.get("api_key") or given.get("auth_client_secret") or os.environ.get("WEAVIATE_API_KEY")
        return WeaviateStore(url, grpc_port=int(given.get("grpc_port") or 50051), api_key=key)
    if wanted.provider == "faiss":
        from memdesk.stores.faiss import FaissStore

        return FaissStore(_folder(given))
    if wanted.provider == "redis":
        from memdesk.stores.redis import RedisStore

        return RedisStore(str(given.get("redis_url") or _url(wanted, "REDIS_URL")))
    if wanted.provider == "milvus":
        from memdesk.stores.milvus import MilvusStore

        return MilvusStore(str(given.get("path") or _server(given, "MILVUS", 19530)), token=given.get("token") or "")
    from memdesk.stores.chroma import ChromaStore

    return ChromaStore(path=str(given["path"])) if given.get("path") else ChromaStore(_server(given, "CHROMA", 8000))


def _history(wanted: MemoryConfig, place: Place, closing: ExitStack) -> ItemHistory:
    """Return the history of a store that keeps none: in an encrypted file of ours."""
    from memdesk.storage.item_history import SqlItemHistory

    if wanted.history.db_path == IN_MEMORY:
        return InMemoryHistory()
    if wanted.history.db_path:
        place.paths = profile_paths(home=Path(wanted.history.db_path))
    database = place.open()
    closing.callback(database.close)
    return SqlItemHistory(database)


def open_graph(wanted: MemoryConfig, closing: ExitStack) -> GraphCopy | None:
    """Return the graph database that gets a copy; None if none is configured.

    Raises:
        BadRequestError: it has no URL, or texts are to stay encrypted, and it would show their names.
        MissingPartError: its driver is not installed.
    """
    if wanted.graph_store.provider == "memdesk":
        return None
    if wanted.vector_store.encrypt_payload:
        raise BadRequestError("encrypt_payload keeps names from other databases, which a graph shows; choose one.")
    given = wanted.graph_store.config
    url = given.get("url") or os.environ.get("NEO4J_URL")
    if not url:
        raise BadRequestError("neo4j needs an address: graph_store.config.url, or NEO4J_URL.")
    try:
        from memdesk.stores.neo4j import Neo4jGraph

        graph = Neo4jGraph(
            str(url),
            str(given.get("username") or os.environ.get("NEO4J_USER") or ""),
            str(given.get("password") or os.environ.get("NEO4J_PASSWORD") or ""),
            str(given.get("database") or ""),
        )
    except ModuleNotFoundError as error:
        raise MissingPartError.of(error) or error from error
    closing.callback(graph.close)
    return graph


def _url(wanted: VectorStoreConfig, variable: str) -> str:
    found = wanted.config.get("url") or wanted.config.get("connection_string") or os.environ.get(variable)
    if not found:
        raise BadRequestError(f"{wanted.provider} needs an address: vector_store.config.url, or {variable}.")
    return str(found)


def _key(wanted: VectorStoreConfig, variable: str) -> str:
    found = wanted.config.get("api_key") or os.environ.get(variable)
    if not found:
        raise BadRequestError(f"{wanted.provider} needs a key: vector_store.config.api_key, or {variable}.")
    return str(found)


def _folder(given: dict[str, Any]) -> str:
    """Return the folder or URL of a store without a server."""
    found = given.get("path") or given.get("uri") or given.get("url")
    if not found:
        raise BadRequestError("It needs a folder: vector_store.config.path.")
    return str(found)


def _server(given: dict[str, Any], prefix: str, port: int) -> str:
    """Return a server's URL: from the URL, host and port, or the environment."""
    if given.get("url"):
        return str(given["url"])
    host = given.get("host") or os.environ.get(f"{prefix}_HOST")
    if not host:
        raise BadRequestError(f"It needs an address: vector_store.config.url, host, path, or {prefix}_HOST.")
    return f"http://{host}:{given.get('port') or os.environ.get(f'{prefix}_PORT') or port}"


def open_embedder(wanted: EmbedderConfig, workers: Workers, place: Place, closing: ExitStack) -> Embedder | None:
    """Return the embedder; None for text search only."""
    if wanted.provider == "none":
        return None
    if wanted.provider in {"bundled", "folder"}:
        from memdesk.engines.embedder import BUNDLED_ID, open_embedder

        if wanted.provider == "bundled":
            here = EnginesHere()
            closing.callback(here.close)
            return open_embedder(BUNDLED_ID, here, place.paths.cache)
        return open_embedder(wanted.config.model, workers, place.paths.cache)
    from memdesk.engines.clients import make_embedder

    remote = make_embedder(wanted.provider, wanted.config.model_dump())
    closing.callback(remote.close)
    return RetryingEmbedder(remote)


def open_grammar(workers: Workers, place: Place) -> Grammar:
    return GrammarExtractor(lazy_analyzer(workers, place.paths.cache / "fingerprints.json"))


def open_reader(
    wanted: MemoryConfig, workers: Workers, place: Place, closing: ExitStack
) -> tuple[Extractor | None, Decide | None]:
    """Return the reader of messages and, if a model decides, the decider."""
    if wanted.llm.provider == "grammar":
        return None, None
    model = RetryingModel(_text_model(wanted, workers, place))
    closing.callback(model.close)
    prompts = wanted.custom_prompts
    return ModelExtractor(model, prompts.fact_extraction), ModelDecider(model, prompts.update_decision)


def _text_model(wanted: MemoryConfig, workers: Workers, place: Place) -> TextModel:
    settings = wanted.llm.config
    if wanted.llm.provider != "local":
        from memdesk.engines.clients import make_model

        return make_model(wanted.llm.provider, settings.model_dump())
    from memdesk.bootstrap.profile import keyring, make_catalogue
    from memdesk.services.library import LocalText
    from memdesk.settings.schema import EngineSettings

    catalogue = make_catalogue(place.paths, EngineSettings, keyring(), workers)[2]
    if Path(settings.model).suffix == ".gguf":
        (found,) = catalogue.add_path(str(Path(settings.model).resolve()))
        return LocalText(catalogue.open(found.id), settings.temperature, settings.max_tokens)
    return LocalText(catalogue.open(settings.model), settings.temperature, settings.max_tokens)
