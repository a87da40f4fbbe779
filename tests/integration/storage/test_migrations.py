"""Every released schema can be opened, and a migration is all or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlcipher3 import dbapi2 as sqlcipher

from memdesk.domain.models import FactKind
from memdesk.ports import FactFilter, TextFilter
from memdesk.storage import migrate
from memdesk.storage.connection import connect
from memdesk.storage.database import Database
from memdesk.storage.errors import StorageError
from tests.helpers import rows

RELEASED = sorted((Path(__file__).parents[2] / "databases").glob("schema_*.sql"))


def schema(conn):
    """Return every table, index, trigger and view as it was written, without regard to spaces."""
    found = conn.rows("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name")
    return [(kind, name, " ".join(sql.split())) for kind, name, sql in found]


def build(path, script):
    """Make a database as that release left it."""
    conn = connect(path, rows.KEY, writable=True)
    conn.executescript(script.read_text(encoding="utf-8"))
    conn.close()


def test_there_is_one_for_each_schema():
    assert [p.stem for p in RELEASED] == [f"schema_{m.number:04}" for m in migrate.migrations()]


@pytest.mark.parametrize("script", RELEASED, ids=lambda p: p.stem)
def test_a_released_database_becomes_the_present_one(script, path, tmp_path):
    build(path, script)
    store = Database(path)
    store.open(rows.KEY)
    assert store.verify() == []
    with store.read() as repos:
        (fact,) = repos.items.facts(FactFilter(agent_id="ana")).items
        assert fact.content == "Ana lives in Oslo"
        assert fact.kind is FactKind.IDENTITY
        assert fact.tags == ("home",)
        assert fact.sources[0].quote == "I moved to Oslo"
        assert [t.content for t in repos.turns.of_conversation("ana", "c1")] == ["I moved to Oslo", "Welcome to Oslo!"]
        for target in ("turn", "fact", "episode", "detail"):
            assert repos.text.search(target, ["oslo"], TextFilter(agent_id="ana"))
        assert repos.history.page(kind="fact", ref_id=fact.id).total == 1
    store.write(lambda repos: repos.items.put(rows.fact("and it can be written")))
    store.close()
    fresh = Database(tmp_path / "fresh.db")
    fresh.open(rows.KEY)
    fresh.close()
    conns = [connect(p, rows.KEY, writable=False) for p in (path, tmp_path / "fresh.db")]
    assert schema(conns[0]) == schema(conns[1])
    assert migrate.version(conns[0]) == migrate.latest()
    for conn in conns:
        conn.close()


def test_imports_that_were_listed_by_the_day_they_came_find_their_place(path):
    build(path, RELEASED[9])
    conn = connect(path, rows.KEY, writable=True)
    conn.execute("UPDATE conversations SET updated_at = updated_at + 86400000")
    migrate.migrate(conn)
    assert conn.rows("SELECT updated_at FROM conversations") == conn.rows("SELECT max(said_at) FROM turns")
    conn.close()


def test_migrating_again_does_nothing(path):
    conn = connect(path, rows.KEY, writable=True)
    assert migrate.migrate(conn) == [m.number for m in migrate.migrations()]
    before = schema(conn)
    assert migrate.migrate(conn) == []
    assert schema(conn) == before
    conn.close()


def test_a_migration_that_fails_leaves_the_version_before(path, monkeypatch):
    steps = migrate.migrations()
    broken = migrate.Migration(
        len(steps) + 1, "broken", "CREATE TABLE half_done (a); INSERT INTO facts (seq) VALUES ('no');"
    )
    monkeypatch.setattr(migrate, "migrations", lambda: (*steps, broken))
    conn = connect(path, rows.KEY, writable=True)
    with pytest.raises(StorageError) as caught:
        migrate.migrate(conn)
    assert isinstance(caught.value.__cause__, sqlcipher.Error)
    assert migrate.version(conn) == len(steps)
    assert conn.rows("SELECT count(*) FROM sqlite_schema WHERE name = 'half_done'") == [(0,)]
    conn.close()


@pytest.mark.parametrize("names", [["0001_a.sql", "0003_b.sql"], ["0001_a.sql", "0001_b.sql"], ["1.sql"]])
def test_numbers_with_gaps_are_a_mistake_of_ours(tmp_path, monkeypatch, names):
    for name in names:
        (tmp_path / name).write_text("SELECT 1;")
    monkeypatch.setattr(migrate, "FOLDER", tmp_path)
    migrate.migrations.cache_clear()
    try:
        with pytest.raises(RuntimeError):
            migrate.migrations()
    finally:
        migrate.migrations.cache_clear()
