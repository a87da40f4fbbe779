"""What is readable of a damaged memory is recovered; the report says what is not."""

from __future__ import annotations

import random
from contextlib import closing

import pytest

from memdesk.ports import TextFilter
from memdesk.storage.connection import connect
from memdesk.storage.database import Database
from memdesk.storage.errors import DamagedDatabaseError
from memdesk.storage.pages import PAGE, SALT, PageCodec, pages
from memdesk.storage.salvage import salvage
from memdesk.storage.trees import Trees
from tests.helpers import rows

TURNS = 400


@pytest.fixture
def filled(store, path):
    turns = [rows.turn(f"turn {n} " + "word " * 150, position=n) for n in range(TURNS)]
    facts = [rows.fact(f"Fact {n} about bees.") for n in range(50)]
    store.write(lambda repos: (repos.turns.add(turns), [repos.items.put(fact) for fact in facts]))
    store.close()
    return path


def damage(path, numbers):
    data = bytearray(path.read_bytes())
    for number in numbers:
        data[(number - 1) * PAGE + 500] ^= 1
    path.write_bytes(data)


def opened(path):
    database = Database(path)
    database.open(rows.KEY, create=False)
    return database


def test_a_sound_memory_is_salvaged_whole(filled, tmp_path):
    report = salvage(filled, rows.KEY, tmp_path / "new.db")
    assert (report.unreadable, report.gaps, report.orphans) == (0, {}, 0)
    assert report.rows["turns"] == TURNS
    assert report.rows["items"] == 50
    database = opened(tmp_path / "new.db")
    assert database.verify() == []
    with database.read() as repos:
        assert len(repos.text.search("turn", ["word"], TextFilter(agent_id="ana"), limit=1000)) == TURNS
    database.close()


@pytest.mark.parametrize("seed", range(6))
def test_damaged_pages_cost_the_rows_they_hold_and_nothing_else(filled, tmp_path, seed):
    pages = filled.stat().st_size // PAGE
    before = filled.read_bytes()
    hit = random.Random(seed).sample(range(2, pages + 1), 4)
    damage(filled, hit)
    damaged = filled.read_bytes()
    assert damaged != before
    try:
        report = salvage(filled, rows.KEY, tmp_path / "new.db")
    except DamagedDatabaseError:
        pytest.fail("the first page was not hit")
    assert filled.read_bytes() == damaged
    assert report.unreadable == 4
    assert report.rows["turns"] >= TURNS - 4 * (PAGE // 750 + 1)
    assert (report.rows["turns"] == TURNS) or report.gaps.get("turns")
    database = opened(tmp_path / "new.db")
    assert database.verify() == []
    with database.read() as repos:
        assert repos.turns.count() == report.rows["turns"]
        assert repos.agents.get("ana") is not None
    database.close()


def test_messages_outlive_their_agents_and_conversations(filled, tmp_path):
    database = opened(filled)
    with database.read() as repos:
        roots = dict(
            repos.turns._conn.rows("SELECT name, rootpage FROM sqlite_schema WHERE name IN ('agents', 'conversations')")
        )
    database.close()
    damage(filled, roots.values())
    report = salvage(filled, rows.KEY, tmp_path / "new.db")
    assert report.gaps.keys() >= {"agents", "conversations"}
    database = opened(tmp_path / "new.db")
    with database.read() as repos:
        assert len(repos.turns.of_conversation("ana", "c1")) == TURNS
        assert repos.agents.get("ana").name == "ana (its name was lost)"
    assert database.verify() == []
    database.close()


def test_what_the_log_holds_behind_a_damaged_frame_is_read(store, path, tmp_path):
    for n in range(30):
        store.write(lambda repos, n=n: repos.turns.add([rows.turn(f"turn {n}", position=n)]))
    wal = path.with_name(path.name + "-wal")
    copy = tmp_path / "copy.db"
    copy.write_bytes(path.read_bytes())
    log = bytearray(wal.read_bytes())
    log[len(log) // 2] ^= 1
    copy.with_name("copy.db-wal").write_bytes(log)
    report = salvage(copy, rows.KEY, tmp_path / "new.db")
    assert report.unreadable == 1
    assert report.rows["turns"] == 30


def plain_pages(path):
    with path.open("rb") as file:
        codec = PageCodec(rows.KEY, file.read(SALT))
    return {number: codec.decrypt(number, data) for number, data in pages(path)}


def test_each_page_costs_what_it_holds_alone(filled, tmp_path):
    salvage(filled, rows.KEY, tmp_path / "new.db")
    with closing(connect(tmp_path / "new.db", rows.KEY, writable=False)) as fresh:
        plain = plain_pages(filled)
        whole = {
            name: len(list(trees.rows(tree))) for trees in [Trees(plain, fresh)] for name, tree in trees.of.items()
        }
        assert (whole["turns"], whole["items"]) == (TURNS, 50)
        for number in random.Random(1).sample(sorted(plain), 80):
            trees = Trees(plain | {number: None}, fresh)
            found = {name: len(list(trees.rows(tree))) for name, tree in trees.of.items()}
            missing = {name: count - found[name] for name, count in whole.items() if count != found[name]}
            # A page of small rows holds many. What is missing is always said, and from one table or index.
            assert len(missing) <= 1, (number, missing)
            assert all(trees.of[name].gaps for name in missing), number
            assert 0 <= missing.get("turns", 0) <= PAGE // 750 + 1, number


def schema_pages(path):
    """Return the pages of a file that say what its tables are called."""
    return [1, *(n for n, data in plain_pages(path).items() if b"CREATE TRIGGER" in data or b"CREATE INDEX" in data)]


@pytest.mark.parametrize("extent", ["schema", "salt", "sector"])
def test_without_its_schema_every_row_is_read(filled, tmp_path, extent):
    whole = salvage(filled, rows.KEY, tmp_path / "whole.db").rows
    if extent == "schema":
        damage(filled, schema_pages(filled))
    else:
        data = filled.read_bytes()
        filled.write_bytes(bytes(SALT if extent == "salt" else PAGE) + data[SALT if extent == "salt" else PAGE :])
    with pytest.raises(DamagedDatabaseError, match="first page"):
        opened(filled)
    report = salvage(filled, rows.KEY, tmp_path / "new.db")
    assert report.rows == whole
    assert bool(report.unreadable) == (extent != "salt")
    assert report.gaps == {}
    database = opened(tmp_path / "new.db")
    assert database.verify() == []
    database.close()


def test_rows_are_known_by_their_looks_where_the_pages_above_them_are_lost_too(filled, tmp_path):
    database = opened(filled)
    with database.read() as repos:
        roots = dict(
            repos.turns._conn.rows("SELECT name, rootpage FROM sqlite_schema WHERE name IN ('turns', 'items')")
        )
    database.close()
    damage(filled, [*schema_pages(filled), *roots.values()])
    report = salvage(filled, rows.KEY, tmp_path / "new.db")
    assert (report.rows["turns"], report.rows["items"]) == (TURNS, 50)
    assert report.gaps.keys() >= roots.keys()


def test_with_another_key_nothing_is_read(filled, tmp_path):
    with pytest.raises(DamagedDatabaseError, match="Nothing in"):
        salvage(filled, rows.OTHER_KEY, tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()
