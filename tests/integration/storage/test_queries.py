"""All queries in the SQL files compile and are used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memdesk.storage import queries
from memdesk.storage.connection import CACHED_STATEMENTS, connect
from memdesk.storage.migrate import migrate
from tests.helpers import rows

FILES = sorted(path.stem for path in queries.FOLDER.glob("*.sql"))
SOURCE = Path(queries.__file__).parent / "repositories"


def named(name):
    loaded = queries.load(name)
    return {q: getattr(loaded, q) for q in loaded.available_queries if not q.endswith("_cursor")}


@pytest.mark.parametrize("name", FILES)
def test_every_statement_compiles_and_is_used(name, path):
    conn = connect(path, rows.KEY, writable=True)
    migrate(conn)
    sources = [path.read_text() for path in SOURCE.glob("*.py")]
    source = "\n".join(text for text in sources if f'load("{name}")' in text)
    for query, function in named(name).items():
        stems = {query, query.rpartition("_")[0] + "_{"}
        dynamic = any(f'"{prefix}_{{' in source or f"f'{prefix}_{{" in source for prefix in (query.rpartition("_")[0],))
        filters = name == "text"
        # Conditions are taken by the name of their value, and those of a search field together.
        asked = query.startswith("where_") and re.search(rf"\bgiven\(.*?\b{query[6:]}=", source, re.DOTALL)
        typed = query in {"where_like", "where_match"} and "fts.typed(_Q" in source
        assert f"_Q.{query}" in source or dynamic or filters or asked or typed, (query, stems)
        if re.match(r"(?i)(SELECT|INSERT|UPDATE|DELETE)\b", function.sql):
            placeholders = dict.fromkeys(re.findall(r":(\w+)", function.sql))
            # Rows are put behind a bare VALUES when it is known how many there are.
            row = f" ({', '.join(['NULL'] * (function.sql.count(',') + 1))})" if function.sql.endswith("VALUES") else ""
            conn.rows(f"EXPLAIN {function.sql}{row}", placeholders)
    conn.close()


def test_all_of_them_fit_the_statement_cache():
    assert sum(len(named(name)) for name in FILES) < CACHED_STATEMENTS


@pytest.mark.parametrize(
    ("sql", "index"),
    [
        (
            "SELECT f.* FROM facts f WHERE f.agent_id = 'a' ORDER BY f.updated_at DESC, f.seq DESC LIMIT 5",
            "pinned_by_agent_update",
        ),
        ("SELECT f.* FROM facts f ORDER BY f.salience, f.seq LIMIT 5", "pinned_by_salience"),
        (
            "SELECT f.* FROM facts f WHERE f.agent_id = 'a' AND (f.content COLLATE NOCASE, f.seq) > ('x', 3) ORDER BY f.content COLLATE NOCASE, f.seq LIMIT 5",
            "pinned_by_agent_content",
        ),
        (
            "SELECT f.* FROM facts f WHERE f.agent_id = 'a' ORDER BY coalesce(f.last_used, 0) DESC, f.seq DESC LIMIT 5",
            "pinned_by_agent_use",
        ),
        (
            "SELECT c.* FROM conversations c WHERE c.agent_id = 'a' ORDER BY c.updated_at DESC, c.seq DESC LIMIT 5",
            "conversations_by_agent",
        ),
        ("SELECT t.* FROM turns t WHERE t.agent_id = 'a' ORDER BY t.said_at DESC, t.seq DESC LIMIT 5", "turns_by_date"),
        (
            "SELECT t.* FROM turns t WHERE t.agent_id = 'a' AND t.conversation_id = 'c' ORDER BY t.position, t.seq LIMIT 5",
            "turns_by_conversation",
        ),
        (
            "SELECT i.* FROM (SELECT * FROM items WHERE collection = '' AND form = 'episode') i WHERE i.agent_id = 'a' ORDER BY i.ended_at DESC, i.seq DESC LIMIT 5",
            "episodes_by_agent_end",
        ),
        (
            "SELECT n.* FROM entities n WHERE n.agent_id = 'a' ORDER BY n.mention_count DESC, n.seq DESC LIMIT 5",
            "entities_by_agent_mentions",
        ),
    ],
)
def test_lists_walk_an_index_and_sort_nothing(path, sql, index):
    conn = connect(path, rows.KEY, writable=True)
    migrate(conn)
    plan = " ".join(row[3] for row in conn.rows(f"EXPLAIN QUERY PLAN {sql}"))
    conn.close()
    assert index in plan
    assert "TEMP B-TREE" not in plan
