"""Figures about the open database, for diagnostics."""

from pathlib import Path
from typing import Any

from memdesk.storage.connection import Connection
from memdesk.storage.migrate import latest
from memdesk.storage.readers import Readers
from memdesk.storage.writer import Writer

_TABLES = (
    *("agents", "conversations", "turns", "signals", "items", "episodes", "episode_details", "facts", "identity"),
    *("entities", "relations", "history", "receipts", "embeddings", "runs", "bin"),
)


def collect(path: Path, conn: Connection, writer: Writer, readers: Readers) -> dict[str, Any]:
    """Return sizes in bytes, rows by table, and how often connections and statements were reused."""
    rows = {table: int(conn.rows(f"SELECT count(*) FROM {table}")[0][0]) for table in _TABLES}
    # SQLCipher answers some pragmas with text.
    pages, free, page = (
        int(conn.rows(f"PRAGMA {name}")[0][0]) for name in ("page_count", "freelist_count", "page_size")
    )
    pool = readers.each()
    executions = sum(c.executions for c in pool)
    compiled = sum(len(c.distinct) for c in pool)
    return {
        "schema": latest(),
        "sqlite": str(conn.rows("SELECT sqlite_version()")[0][0]),
        "cipher": str(conn.rows("PRAGMA cipher_version")[0][0]),
        "file_bytes": _size(path),
        "wal_bytes": _size(path.with_name(path.name + "-wal")),
        "data_bytes": pages * page,
        "free_bytes": free * page,
        "rows": rows,
        "readers": {"open": len(pool), "opened": readers.opened, "lends": readers.lends},
        "reader_reuse_rate": 1 - readers.opened / readers.lends if readers.lends else 0.0,
        "statements": {"executed": executions, "compiled": compiled},
        "statement_hit_rate": 1 - compiled / executions if executions else 0.0,
        "writer": {
            "transactions": writer.stats.transactions,
            "rolled_back": writer.stats.rolled_back,
            "checkpoints": writer.stats.checkpoints,
            "mean_ms": 1000 * writer.stats.seconds / max(writer.stats.transactions, 1),
            "longest_ms": writer.stats.longest_ms,
        },
    }


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
