"""Hides rows being forgotten from a read connection, before they are deleted."""

from collections.abc import Iterator

from memdesk.domain.forgetting.hiding import NOTHING, Hidden
from memdesk.storage.connection import Connection

_OF_AGENTS = (
    "conversations", "turns", "signals", "items", "episodes", "facts", "stated", "episode_details", "episode_lines", "entities", "relations",
    "history", "receipts",
    "embeddings", "index_snapshots", "run_changes", "bin",
)  # fmt: skip
#: Tables whose rows are hidden by number.
BY_SEQ = ("turns", "facts", "episodes", "identity", "entities", "receipts")
#: Rows about rows of another table, which they reference by id.
_OF_TURN = "SELECT 1 FROM main.turns u JOIN temp.veiled_rows v ON v.tbl = 'turns' AND v.seq = u.seq WHERE u.id = r."
_KINDS = {"fact": "facts", "episode": "episodes", "identity": "identity", "entity": "entities", "turn": "turns"}


def veil(conn: Connection, hidden: Hidden) -> None:
    """Hide rows from a connection; of whole agents, only the settings stay visible.

    Views of the connection, which SQLite resolves before tables of the same names, leave these rows out of every query.
    Without hidden rows there are no views, and queries cost nothing extra.
    """
    if conn.veiled is hidden:
        return
    conn.execute("PRAGMA query_only = OFF").fetchall()
    try:
        for table in _tables():
            conn.execute(f"DROP VIEW IF EXISTS temp.{table}")
        for table in ("veiled", "veiled_rows"):
            conn.execute(f"DROP TABLE IF EXISTS temp.{table}")
        if hidden is not NOTHING:
            _fill(conn, hidden)
            for table in _tables():
                shown = " AND ".join(f"({condition})" for condition in _conditions(table))
                conn.execute(f"CREATE TEMP VIEW {table} AS SELECT r.* FROM main.{table} r WHERE {shown}")
    finally:
        conn.execute("PRAGMA query_only = ON").fetchall()
    conn.veiled = hidden


def _fill(conn: Connection, hidden: Hidden) -> None:
    conn.execute("CREATE TEMP TABLE veiled (agent_id TEXT PRIMARY KEY) WITHOUT ROWID")
    conn.executemany("INSERT INTO temp.veiled VALUES (?)", [(agent_id,) for agent_id in hidden.agents])
    conn.execute(
        "CREATE TEMP TABLE veiled_rows (tbl TEXT, seq INTEGER, last INTEGER, PRIMARY KEY (tbl, seq)) WITHOUT ROWID"
    )
    for table, seqs in hidden.rows.items():
        values = [(table, seq) for seq in sorted(seqs)]
        conn.executemany("INSERT INTO temp.veiled_rows (tbl, seq) VALUES (?, ?)", values)
    threads = [("conversations", seq, last) for seq, last in hidden.threads.items()]
    conn.executemany("INSERT INTO temp.veiled_rows VALUES (?, ?, ?)", threads)


def _tables() -> tuple[str, ...]:
    return (*_OF_AGENTS, "identity", "item_sources")


def _conditions(table: str) -> Iterator[str]:
    """Yield the conditions under which a row ``r`` of a table is visible."""
    if table in _OF_AGENTS:
        yield "r.agent_id IS NULL OR r.agent_id NOT IN (SELECT agent_id FROM temp.veiled)"
    if table in BY_SEQ:
        yield f"NOT EXISTS (SELECT 1 FROM temp.veiled_rows v WHERE v.tbl = '{table}' AND v.seq = r.seq)"
    if table == "conversations":
        yield (
            "NOT EXISTS (SELECT 1 FROM temp.veiled_rows v WHERE v.tbl = 'conversations' AND v.seq = r.seq"
            " AND NOT EXISTS (SELECT 1 FROM main.turns u WHERE u.agent_id = r.agent_id AND u.conversation_id = r.id"
            " AND u.position > v.last))"
        )
    if table in {"signals", "item_sources"}:
        yield f"NOT EXISTS ({_OF_TURN}turn_id)"
    if table == "items":
        hidden = "SELECT 1 FROM temp.veiled_rows v WHERE v.tbl IN ('facts', 'episodes', 'identity') AND v.seq ="
        yield f"NOT EXISTS ({hidden} r.seq)"
        yield f"r.tier <> 'kept' OR NOT EXISTS ({hidden} (SELECT p.seq FROM main.items p WHERE p.id = r.parent_id))"
    if table == "stated":
        yield "NOT EXISTS (SELECT 1 FROM temp.veiled_rows v WHERE v.tbl = 'facts' AND v.seq = r.seq)"
    if table in {"episode_details", "episode_lines"}:
        yield "r.episode_id IS NULL OR r.episode_id IN (SELECT id FROM temp.episodes)"
        yield "NOT EXISTS (SELECT 1 FROM temp.veiled_rows v WHERE v.tbl = 'facts' AND v.seq = r.seq)"
    if table == "relations":
        for side in ("subject_id", "object_id"):
            yield f"NOT EXISTS ({_named('entities')} AND o.id = r.{side})"
    if table in {"history", "run_changes", "bin"}:
        for kind, owner in _KINDS.items():
            yield f"NOT (r.kind = '{kind}' AND EXISTS ({_named(owner)} AND o.id = r.ref_id))"


def _named(table: str) -> str:
    return f"SELECT 1 FROM main.{table} o JOIN temp.veiled_rows v ON v.tbl = '{table}' AND v.seq = o.seq WHERE 1"
