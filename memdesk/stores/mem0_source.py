"""Reads a mem0 store: its vector collection in Qdrant, Chroma or pgvector, and its history in SQLite."""

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from memdesk.errors import BadRequestError, EnvironmentFault

#: ``(id, payload)``: mem0 keeps the text under ``data``.
Row: TypeAlias = tuple[str, dict[str, Any]]
_PAGE: Final = 1000


def rows(store: Mapping[str, Any]) -> Iterator[Row]:
    """Yield the memories of a mem0 ``vector_store`` section.

    Raises:
        BadRequestError: it names another database.
        EnvironmentFault: the database cannot be read.
    """
    provider = store.get("provider", "qdrant")
    read = {"qdrant": _qdrant, "chroma": _chroma, "pgvector": _pgvector}.get(str(provider))
    if read is None:
        raise BadRequestError(f"mem0 memories are read from qdrant, chroma and pgvector, not from {provider}.")
    config = dict(store.get("config") or {})
    try:
        yield from read(config, str(config.get("collection_name") or "mem0"))
    except (OSError, RuntimeError, ValueError) as error:
        raise EnvironmentFault(f"The {provider} store of mem0 cannot be read: {error}") from error


def embedder(config: Mapping[str, Any]) -> str:
    """Return the embedder of mem0's configuration, ``provider:model``; only the provider if it names no model."""
    section = dict(config.get("embedder") or {})
    provider = str(section.get("provider") or "openai")
    model = dict(section.get("config") or {}).get("model")
    model = model or ("text-embedding-3-small" if provider == "openai" else "")
    return f"{provider}:{model}" if model else provider


def history(path: Path) -> list[dict[str, Any]]:
    """Return the rows of mem0's history, oldest first; none if there is no such file.

    Raises:
        EnvironmentFault: it is not a mem0 history.
    """
    if not path.is_file():
        return []
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
            connection.row_factory = sqlite3.Row
            found = [dict(row) for row in connection.execute("SELECT * FROM history ORDER BY rowid")]
    except sqlite3.Error as error:
        raise EnvironmentFault(f"{path} is no history of mem0: {error}") from error
    connection.close()
    return found


def _qdrant(config: dict[str, Any], collection: str) -> Iterator[Row]:
    from qdrant_client import QdrantClient

    given = {name: config[name] for name in ("path", "url", "host", "port", "api_key") if config.get(name)}
    client = QdrantClient(**given) if given else QdrantClient(path="/tmp/qdrant")  # noqa: S108  # mem0's own default
    try:
        offset: Any = None
        while True:
            points, offset = client.scroll(collection, limit=_PAGE, offset=offset, with_payload=True)
            for point in points:
                yield str(point.id), dict(point.payload or {})
            if offset is None:
                return
    finally:
        client.close()


def _chroma(config: dict[str, Any], collection: str) -> Iterator[Row]:
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    client: Any
    if config.get("host"):
        client = chromadb.HttpClient(host=config["host"], port=int(config.get("port") or 8000), settings=settings)
    else:
        client = chromadb.PersistentClient(path=str(config.get("path") or "db"), settings=settings)
    try:
        found = client.get_collection(collection, embedding_function=None).get(include=["metadatas"])
        yield from zip(found["ids"], map(dict, found["metadatas"]), strict=True)
    finally:
        client.close()


def _pgvector(config: dict[str, Any], collection: str) -> Iterator[Row]:
    import psycopg
    from psycopg import sql
    from psycopg.conninfo import make_conninfo

    names = {"dbname": "postgres", "user": None, "password": None, "host": None, "port": None, "sslmode": None}
    parts = {name: config.get(name, default) for name, default in names.items()}
    place = config.get("connection_string") or make_conninfo(**{name: one for name, one in parts.items() if one})
    try:
        with psycopg.connect(place) as connection:
            # mem0 creates its table without quotes, so its name is in lower case.
            known = connection.execute(
                "SELECT relname FROM pg_class WHERE oid IN (to_regclass(quote_ident(%(name)s)),"
                " to_regclass(quote_ident(lower(%(name)s)))) ORDER BY relname = %(name)s DESC",
                {"name": collection},
            ).fetchone()
            query = sql.SQL("SELECT id, payload FROM {}").format(sql.Identifier(known[0] if known else collection))
            for name, payload in connection.execute(query):
                yield str(name), dict(payload)
    except psycopg.Error as error:
        raise EnvironmentFault(f"The pgvector store of mem0 cannot be read: {error}") from error
