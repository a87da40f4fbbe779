"""A full store as 0.1 left it."""

from __future__ import annotations

from pathlib import Path

from memdesk.storage.connection import connect
from tests.helpers import rows

OLD = Path(__file__).resolve().parents[1] / "databases" / "schema_0004.sql"
FACTS, EPISODES, DETAILS = 130, 30, 110


def _filled(facts: int, episodes: int, details: int) -> str:
    return f"""
WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {facts})
INSERT INTO facts SELECT i, 'fact-' || i, 'ana', 'Ana owns item number ' || i, 'other', '["tag' || i % 5 || '"]', 0.5,
  NULL, NULL, 1.0, 1, i, NULL, CASE i % 10 WHEN 0 THEN 'superseded' ELSE 'active' END, 0, 'distiller', 'user', NULL,
  NULL, NULL, '', 'c1', NULL, i * 1000, i * 1000 FROM n;
INSERT INTO fact_sources SELECT seq, 0, '00000000-0000-4000-8000-000000000001', 'quote ' || seq FROM facts WHERE seq > 1;
INSERT INTO fact_tags SELECT 'tag' || seq % 5, seq FROM facts WHERE seq > 1;
WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {episodes})
INSERT INTO episodes SELECT i, 'episode-' || i, 'ana', 'c1', 'Session number ' || i, '["topic"]', '["Ana"]', '["go on"]',
  '[]', 0.5, NULL, 1, 0, NULL, 'model', 'active', NULL, i * 1000, i * 1000, i * 1000, i * 1000, '' FROM n;
WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < {details})
INSERT INTO episode_details SELECT i, 'detail-' || i, 'episode-' || (2 + i % {episodes - 1}), i,
  CASE i % 10 WHEN 1 THEN 'ana owns item number ' || i ELSE 'Only said once: ' || i END, 'other',
  '["00000000-0000-4000-8000-000000000002"]', '' FROM n;
INSERT INTO identity VALUES
  (1, 'line-1', 'Ana owns item number 7', 'distilled', 'active', 'ana', 'c1', '[]', NULL, 5000, 5000),
  (2, 'line-2', 'Ana owns item number 10', 'distilled', 'active', 'ana', 'c1',
   '[["00000000-0000-4000-8000-000000000001","as said"]]', NULL, 5000, 5000),
  (3, 'line-3', 'Ana wrote this', 'override', 'disabled', NULL, NULL, '[]', NULL, 5000, 5000);
INSERT INTO history (id, agent_id, kind, ref_id, action, actor, actor_detail, old, new, reason, at) VALUES
  ('h-1', 'ana', 'identity', 'line-1', 'added', 'distiller', '', NULL, '{{"content":"Ana owns item number 7"}}', '', 5000);
INSERT INTO history (id, agent_id, kind, ref_id, action, actor, actor_detail, old, new, reason, at)
SELECT 'h-' || id, 'ana', 'fact', id, 'add', 'distiller', '', NULL, json_object('content', content), '', created_at
FROM facts WHERE seq > 1;
INSERT INTO receipt_items SELECT 1, 0, 1, 'detail', 'detail-11', 'a line', 0.5, 3, NULL, NULL, '', '';
INSERT INTO receipt_items SELECT 1, 0, 2, 'identity', 'line-1', 'a line', 0.5, 3, NULL, NULL, '', '';
INSERT INTO receipt_items SELECT 1, 0, seq, 'fact', id, 'a line', 0.5, 3, NULL, NULL, '', '' FROM facts WHERE seq > 200;
INSERT INTO run_changes (run_id, action, kind, ref_id, agent_id, before, after, reason)
SELECT (SELECT id FROM runs), 'decay', 'fact', id, 'ana', '{{"salience":0.7}}', '{{"salience":0.5}}', '' FROM facts;
INSERT INTO bin (kind, ref_id, run_id, agent_id, payload, expires_at)
SELECT 'fact', 'gone-1', id, 'ana', '{{"content":"Ana owned a boat"}}', 9000000000000 FROM runs;
INSERT INTO embeddings (kind, seq, space_id, agent_id, content_hash, vector)
SELECT 'fact', seq, 1, 'ana', 'f' || seq, X'00' FROM facts;
INSERT INTO embeddings (kind, seq, space_id, agent_id, content_hash, vector)
SELECT 'detail', seq, 1, 'ana', 'd' || seq, X'01' FROM episode_details;
INSERT INTO embeddings (kind, seq, space_id, agent_id, content_hash, vector) VALUES ('window', 1, 1, 'ana', 'w', X'02');
INSERT INTO embedding_gaps VALUES ('window', 1), ('episode', 2), ('turn', 2);
"""


def old_store(path: Path, *, facts: int = FACTS, episodes: int = EPISODES, details: int = DETAILS) -> None:
    """Write it."""
    conn = connect(path, rows.KEY, writable=True)
    conn.executescript(OLD.read_text(encoding="utf-8") + _filled(facts, episodes, details))
    conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    conn.close()


def contents(path: Path) -> dict[str, list[tuple]]:
    """Return every row of every table, and the numbers that come next."""
    conn = connect(path, rows.KEY, writable=False)
    names = [row[0] for row in conn.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    # How FTS5 lays out its pages depends on the transactions that filled them.
    found = {name: conn.rows(f"SELECT * FROM {name}") for name in names if "_fts" not in name}
    found["words"] = conn.rows("SELECT * FROM items_vocab")
    conn.close()
    return {name: sorted(held, key=repr) for name, held in found.items()}
