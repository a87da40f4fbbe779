"""A store of 0.1 is migrated to items completely, however often the migration is killed."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memdesk.domain.models import FactStatus
from memdesk.ports import FactFilter, TextFilter
from memdesk.storage import files, moving
from memdesk.storage.connection import connect
from memdesk.storage.database import Database
from memdesk.storage.errors import DiskFullError, NewerSchemaError
from memdesk.storage.files import COPY_KEPT, former
from memdesk.storage.preflight import check
from memdesk.storage.room import LEAST
from tests.helpers import killed_migration, rows
from tests.helpers.old_store import DETAILS, EPISODES, FACTS, contents, old_store

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    """A full store as 0.1 left it."""
    path = tmp_path_factory.mktemp("old") / "memory.db"
    old_store(path)
    return path


@pytest.fixture
def path(old, tmp_path):
    shutil.copy(old, tmp_path / "memory.db")
    return tmp_path / "memory.db"


def migrated(path):
    store = Database(path)
    store.open(rows.KEY)
    return store


def test_killed_five_times_it_ends_where_an_undisturbed_move_ends(path, tmp_path, monkeypatch):
    undisturbed = tmp_path / "undisturbed" / "memory.db"
    undisturbed.parent.mkdir()
    shutil.copy(path, undisturbed)
    migrated(undisturbed).close()
    for nth in (50, 55, 60, 65, 70):
        program = [sys.executable, "-m", "tests.helpers.killed_migration", str(path), str(nth)]
        done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == -signal.SIGKILL, done.stderr
        conn = connect(path, rows.KEY, writable=False)
        assert moving.is_moving(conn)
        conn.close()
    monkeypatch.setattr(moving, "SLICE", killed_migration.SLICE)
    store = migrated(path)
    assert store.verify() == []
    store.close()
    assert contents(path) == contents(undisturbed)


def test_an_older_memdesk_leaves_a_half_moved_store_alone(path):
    program = [sys.executable, "-m", "tests.helpers.killed_migration", str(path), "60"]
    subprocess.run(program, cwd=ROOT, capture_output=True, timeout=60, check=False)
    with pytest.raises(NewerSchemaError):
        check(path, rows.KEY, 4)


def test_every_fact_detail_episode_and_line_is_there_once(path):
    store = migrated(path)
    with store.read() as repos:
        facts = repos.items.facts(FactFilter(), limit=1000)
        # One of them is an identity line too.
        assert facts.total == FACTS
        assert repos.items.get("fact-7").tier == "always"
        line = repos.items.get("fact-7")
        assert (line.content, line.status, line.agent_id) == ("Ana owns item number 7", "active", "ana")
        assert [line.id for line in repos.items.lines()] == ["fact-7", "line-2"]
        assert repos.items.get("line-2").sources[0].quote == "as said"
        assert repos.items.get("line-3").origin == "user"
        assert repos.history.page(kind="identity", ref_id="fact-7").total == 1
        fact = repos.items.get("fact-11")
        # What the detail stood on, the fact stands on.
        assert [source.turn_id[-1] for source in fact.sources] == ["1", "2"]
        assert fact.parent_id == "episode-13"
        held = [detail for e in repos.items.active_episodes("ana") for detail in e.session.details]
        assert "detail-11" not in {detail.id for detail in held}
        # A fact that is no longer true takes no detail in.
        assert {"detail-12", "detail-10"} <= {detail.id for detail in held}
        assert repos.items.get("fact-10").status is FactStatus.SUPERSEDED
        (receipt,) = repos.receipts.page(agent_id="ana").items
        assert [(item.kind, item.id) for item in receipt.items[1:]] == [("fact", "fact-11"), ("identity", "fact-7")]
        (run,) = repos.runs.page().items
        assert repos.runs.changes(run.id).total == FACTS + 1
        (binned,) = repos.runs.bin_list(agent_id="ana").items
        assert binned["payload"]["content"] == "Ana owned a boat"
        assert repos.text.search("detail", ["once"], TextFilter(agent_id="ana"), limit=500)
    store.close()


def test_vectors_follow_their_rows_and_windows_are_gone(path):
    store = migrated(path)
    with store.read() as repos:
        assert repos.embeddings.strays() == 0
        assert set(repos.embeddings.counts()) == {"item:mini", "turn:mini"}
        seqs, vectors = repos.embeddings.load("ana", "item", "mini")
        details = {seq for seq, item in repos.items.by_seq(seqs).items() if item.parent_id and item.tier == "kept"}
        for seq, vector in zip(seqs, vectors, strict=True):
            assert vector == (1 if seq in details else 0)
        missing = {seq for _, seq in repos.embeddings.missing("item", "mini", limit=1000)}
        assert missing == {episode.seq for episode in repos.items.active_episodes("ana")}
    store.close()


def test_no_number_is_given_again(path):
    store = migrated(path)
    seq = store.write(lambda repos: repos.items.put(rows.fact("new")))
    assert seq == FACTS + EPISODES + DETAILS + 3 + 1
    store.close()


def test_what_is_being_forgotten_stays_hidden_under_its_new_number(path):
    conn = connect(path, rows.KEY, writable=True)
    mark = '{"hidden":{"agents":[],"rows":{"facts":[[7,8]],"episodes":[[2,2]]},"threads":{}}}'
    conn.execute("INSERT INTO meta VALUES ('being_forgotten:x', ?)", (mark,))
    conn.close()
    store = migrated(path)
    with store.read() as repos:
        assert repos.items.get("fact-8") is None
        assert repos.items.episode("episode-2") is None
        assert repos.items.episode("episode-3") is not None
        # Nothing becomes one with what goes.
        assert repos.items.get("line-1") is not None
    with store.read(unveiled=True) as repos:
        assert repos.items.get("fact-8") is not None
    store.close()


def test_a_copy_is_made_first_and_goes_with_the_first_forgetting(path, old, caplog):
    caplog.set_level(logging.INFO, "memdesk.storage.files")
    store = migrated(path)
    assert "of 273 rows" in caplog.text
    kept = former(path, 4)
    conn = connect(kept, rows.KEY, writable=False)
    assert conn.rows("SELECT count(*) FROM facts") == [(FACTS,)]
    conn.close()
    store.drop_former_copies()
    assert not kept.exists()
    store.close()


def test_the_copy_of_the_former_schema_goes_after_a_week_with_a_whole_file(path):
    migrated(path).close()
    kept = former(path, 4)
    migrated(path).close()
    assert kept.exists()
    week_ago = time.time() - COPY_KEPT.total_seconds() - 1
    os.utime(kept, (week_ago, week_ago))
    migrated(path).close()
    assert not kept.exists()


def test_without_room_nothing_is_changed(path, monkeypatch):
    before = path.read_bytes()
    monkeypatch.setattr(files, "has_room", lambda _path, size: size <= LEAST)
    with pytest.raises(DiskFullError):
        migrated(path)
    assert path.read_bytes() == before
    assert not former(path, 4).exists()
