"""Item stores for tests, each with its location, opened as often as needed."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memdesk.domain.items.item import MemoryItem

#: In every run; the others, and what takes long, with ``MEMDESK_TEST_STORES=all`` or by name (``poe stores``).
USUAL = ("sqlcipher", "memory", "pgvector", "qdrant", "faiss")
FURTHER = (
    "azure", "azure_played", "chroma", "elasticsearch", "elasticsearch_played", "lancedb", "milvus", "pinecone",
    "pinecone_played", "redis", "weaviate", "weaviate_played",
)  # fmt: skip
#: Those that take ten thousand rows in a second or two.
QUICK = ("sqlcipher", "memory", "pgvector")
_ASKED = os.environ.get("MEMDESK_TEST_STORES", "")
THOROUGH = bool(_ASKED)
STORES = (*USUAL, *FURTHER) if _ASKED == "all" else tuple(_ASKED.split()) or USUAL
#: Start of every test's clock.
T0 = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)


@dataclass
class Place:
    """One store's place.

    ``restarts``: what it holds outlives it; ``cut`` breaks its connections; ``one_width``: of all its collections.
    """

    name: str
    open: Callable
    restarts: bool = True
    cut: Callable | None = None
    clean: Callable = field(default=lambda: None)
    one_width: bool = False


class Stores:
    """Starts servers when they are first needed, and ends them."""

    def __init__(self, folder: Path, only: tuple[str, ...] = STORES) -> None:
        self._folder = folder
        self._closing = contextlib.ExitStack()
        # Started at once: what a test starts it must end.
        self._postgres = self._start_postgres() if "pgvector" in only else ""
        self._chroma = self._start_chroma() if "chroma" in only else ""

    @property
    def postgres(self) -> str:
        """The address of the PostgreSQL of this run; empty when there is none."""
        return self._postgres

    def close(self) -> None:
        self._closing.close()

    def place(self, name: str, folder: Path) -> Place:
        return getattr(self, name)(folder)

    def history(self, name: str, store):
        """Return the history that goes with an open store."""
        from memdesk.stores.history import InMemoryHistory

        return store if name in {"sqlcipher", "pgvector"} else InMemoryHistory()

    def sqlcipher(self, folder: Path) -> Place:
        from memdesk.storage.database import Database
        from memdesk.storage.item_store import SqlItemStore

        def opened() -> SqlItemStore:
            database = Database(folder / "memory.db")
            database.open(bytes(range(32)))
            return SqlItemStore(database)

        return Place("sqlcipher", opened)

    def memory(self, _folder: Path) -> Place:
        from memdesk.stores.memory import InMemoryStore

        return Place("memory", InMemoryStore, restarts=False)

    def pgvector(self, _folder: Path) -> Place:
        from memdesk.stores.postgres import PostgresStore

        url = self._postgres

        def cut() -> None:
            import psycopg

            with psycopg.connect(url, autocommit=True) as admin:
                admin.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )

        return Place("pgvector", lambda: PostgresStore(url), cut=cut, clean=lambda: drop_all(PostgresStore(url)))

    def qdrant(self, _folder: Path) -> Place:
        from memdesk.stores.qdrant import QdrantStore

        # Its local mode commits each point to the disk by itself.
        folder = tempfile.mkdtemp(prefix="qdrant", dir="/dev/shm" if Path("/dev/shm").is_dir() else None)
        return Place("qdrant", lambda: QdrantStore(path=folder), clean=lambda: shutil.rmtree(folder))

    def chroma(self, _folder: Path) -> Place:
        from memdesk.stores.chroma import ChromaStore

        url = self._chroma

        return Place("chroma", lambda: ChromaStore(url), clean=lambda: drop_all(ChromaStore(url)))

    def lancedb(self, folder: Path) -> Place:
        from memdesk.stores.lance import LanceStore

        return Place("lancedb", lambda: LanceStore(str(folder / "lance")))

    def milvus(self, folder: Path) -> Place:
        from memdesk.stores.milvus import MilvusStore

        return Place("milvus", lambda: MilvusStore(str(folder / "milvus.db")))

    def faiss(self, folder: Path) -> Place:
        pytest.importorskip("faiss", reason="faiss-cpu is not installed")
        from memdesk.stores.faiss import FaissStore

        return Place("faiss", lambda: FaissStore(str(folder / "faiss")))

    def redis(self, _folder: Path) -> Place:
        url = given("redis", "REDIS_URL")
        from memdesk.stores.redis import RedisStore

        return Place("redis", lambda: RedisStore(url), clean=lambda: drop_all(RedisStore(url)))

    def azure(self, _folder: Path) -> Place:
        url = given("azure.search.documents", "AZURE_SEARCH_URL")
        from memdesk.stores.azure import AzureStore

        key = os.environ["MEMDESK_TEST_AZURE_SEARCH_KEY"]
        return Place(
            "azure", lambda: AzureStore(url, api_key=key), clean=lambda: drop_all(AzureStore(url, api_key=key))
        )

    def azure_played(self, _folder: Path) -> Place:
        url, close = self._played("azure.search.documents", "Azure")
        from memdesk.stores.azure import AzureStore

        return Place("azure_played", lambda: AzureStore(url, api_key="x"), clean=close)

    def elasticsearch(self, _folder: Path) -> Place:
        url = given("elasticsearch", "ELASTICSEARCH_URL")
        from memdesk.stores.elastic import ElasticStore

        return Place("elasticsearch", lambda: ElasticStore(url), clean=lambda: drop_all(ElasticStore(url)))

    def elasticsearch_played(self, _folder: Path) -> Place:
        url, close = self._played("elasticsearch", "Elastic")
        from memdesk.stores.elastic import ElasticStore

        return Place("elasticsearch_played", lambda: ElasticStore(url), clean=close)

    def pinecone(self, _folder: Path) -> Place:
        # Its index must have eight dimensions.
        host = given("pinecone", "PINECONE_HOST")
        from memdesk.stores.pinecone import PineconeStore

        key = os.environ["MEMDESK_TEST_PINECONE_KEY"]

        def opened() -> PineconeStore:
            return PineconeStore(host, api_key=key)

        return Place("pinecone", opened, clean=lambda: drop_all(opened()), one_width=True)

    def pinecone_played(self, _folder: Path) -> Place:
        url, close = self._played("pinecone", "Pinecone", 8)
        from memdesk.stores.pinecone import PineconeStore

        return Place("pinecone_played", lambda: PineconeStore(url, api_key="x"), clean=close, one_width=True)

    def weaviate(self, _folder: Path) -> Place:
        url = given("weaviate", "WEAVIATE_URL")
        from memdesk.stores.weaviate import WeaviateStore

        return Place("weaviate", lambda: WeaviateStore(url), clean=lambda: drop_all(WeaviateStore(url)))

    def weaviate_played(self, _folder: Path) -> Place:
        pytest.importorskip("weaviate", reason="weaviate is not installed")
        from memdesk.stores.weaviate import WeaviateStore
        from tests.helpers.played_weaviate import served_whole

        closing = contextlib.ExitStack()
        self._closing.push(closing)
        url, port = closing.enter_context(served_whole())
        return Place("weaviate_played", lambda: WeaviateStore(url, grpc_port=port), clean=closing.close)

    def _played(self, package: str, name: str, *details: int) -> tuple[str, Callable]:
        """Start a server that plays a database to its maker's client; return its address and what ends it."""
        pytest.importorskip(package, reason=f"{package} is not installed")
        from tests.helpers import played_stores

        closing = contextlib.ExitStack()
        self._closing.push(closing)
        return closing.enter_context(played_stores.served(getattr(played_stores, name)(*details))), closing.close

    def _start_postgres(self) -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about folders of the session that it does not need
            from pgserver.postgres_server import get_server

        # Its socket's path must be short.
        folder = self._closing.enter_context(tempfile.TemporaryDirectory(prefix="md", ignore_cleanup_errors=True))
        server = get_server(folder, cleanup_mode="stop")
        self._closing.callback(server.cleanup)
        return server.get_uri()

    def _start_chroma(self) -> str:
        port = free_port()
        command = [str(Path(sys.executable).with_name("chroma")), "run", "--path", str(self._folder / "chroma")]
        process = subprocess.Popen(
            [*command, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._closing.callback(process.wait, 30)
        self._closing.callback(process.terminate)
        wait_for(f"http://127.0.0.1:{port}/api/v2/heartbeat", process)
        return f"http://127.0.0.1:{port}"


def given(package: str, variable: str) -> str:
    """Return the address of a server that the environment names; without it the store's contract is not run."""
    pytest.importorskip(package, reason=f"{package} is not installed")
    if not (found := os.environ.get(f"MEMDESK_TEST_{variable}")):
        pytest.skip(f"not run: MEMDESK_TEST_{variable} names no server")
    return found


def drop_all(store) -> None:
    for name in store.collections():
        store.drop(name)
    store.close()


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


def wait_for(url: str, process: subprocess.Popen, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except OSError:
            if process.poll() is not None or time.monotonic() > end:
                pytest.fail(f"{url} does not answer")
            time.sleep(0.05)
        else:
            return


def item(name: str, content: str = "", *, minute: int = 0, **values: Any) -> MemoryItem:
    """Return an item of user ada; ``minute`` after the start."""
    moment = T0 + timedelta(minutes=minute)
    given: dict[str, Any] = {"user_id": "ada", "agent_id": "", "created_at": moment, "updated_at": moment} | values
    return MemoryItem(id=name, content=content or f"Text of {name}.", **given)


def axis(number: int, width: int = 8) -> np.ndarray:
    """Return the unit vector along one axis."""
    return np.eye(width, dtype=np.float32)[number]


def between(first: int, second: int, cosine: float, width: int = 8) -> np.ndarray:
    """Return the unit vector with this cosine to the first axis and the rest along the second."""
    return (cosine * axis(first, width) + np.sqrt(1 - cosine**2) * axis(second, width)).astype(np.float32)
