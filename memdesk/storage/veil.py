"""Hides agents whose memory is being forgotten from a reading connection, before their rows are gone."""

from __future__ import annotations

from memdesk.storage.connection import Connection

_OF_AGENTS = (
    "conversations", "turns", "signals", "episodes", "facts", "entities", "relations", "history", "receipts",
    "embeddings", "index_snapshots", "run_changes", "bin",
)  # fmt: skip
_VIEWS = dict.fromkeys(_OF_AGENTS, "agent_id NOT IN (SELECT agent_id FROM veiled)") | {
    "episode_details": "episode_id IN (SELECT id FROM temp.episodes)"
}


def veil(conn: Connection, agent_ids: frozenset[str]) -> None:
    """Let a connection see nothing of these agents but their settings.

    Views of the connection's own, which SQLite looks up before the tables of the same names, leave their rows
    out of every query. Without any agent there are none, and queries cost what they cost.
    """
    if conn.veiled == agent_ids:
        return
    conn.execute("PRAGMA query_only = OFF").fetchall()
    try:
        for table in _VIEWS:
            conn.execute(f"DROP VIEW IF EXISTS temp.{table}")
        conn.execute("DROP TABLE IF EXISTS temp.veiled")
        if agent_ids:
            conn.execute("CREATE TEMP TABLE veiled (agent_id TEXT PRIMARY KEY) WITHOUT ROWID")
            conn.executemany("INSERT INTO temp.veiled VALUES (?)", [(agent_id,) for agent_id in agent_ids])
            for table, shown in _VIEWS.items():
                conn.execute(f"CREATE TEMP VIEW {table} AS SELECT * FROM main.{table} WHERE {shown}")
    finally:
        conn.execute("PRAGMA query_only = ON").fetchall()
    conn.veiled = agent_ids
