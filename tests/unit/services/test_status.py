"""Health tiles and the bug report."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from memdesk.bootstrap.app import App
from memdesk.bootstrap.profile import MemorySecrets
from memdesk.domain.models import SignalStatus
from memdesk.errors import EngineCrashedError
from memdesk.ports import EngineState
from memdesk.services.events import ServerChanged
from memdesk.settings.paths import profile_paths
from tests.helpers.exchange import exchange
from tests.helpers.parts import make_parts


@pytest.fixture
def parts(tmp_path):
    made = make_parts(tmp_path)
    yield made
    made.close()


@contextmanager
def open_app(home):
    app = App(profile_paths(home=home), secrets=MemorySecrets(), embedder=lambda: None)
    try:
        app.open()
        yield app
    finally:
        app.close()


def tile(parts, name):
    return next(tile for tile in parts.services.status.health() if tile.id == name)


def test_parked_signals_are_red_and_name_their_reason(parts):
    exchange(parts.services.ingest, agent_id="a", conversation_id="c", user="Hi", assistant="Ho")

    def park(repos):
        ids = [signal.id for signal in repos.signals.pending("a", "c")]
        repos.signals.mark(ids, SignalStatus.PARKED, attempts=5, error="The engine died.")

    parts.store.write(park)
    assert tile(parts, "distillation").level == "red"
    state = parts.services.status.snapshot()
    assert state["parked"] == [{"agent_id": "a", "conversation_id": "c", "signals": 2, "reason": "The engine died."}]
    assert state["pending"] == []


def test_waiting_without_a_core_model_is_amber(parts):
    parts.services.settings.update("memory", {"coreModel": ""})
    assert tile(parts, "distillation").level == "green"
    exchange(parts.services.ingest, agent_id="a", conversation_id="c", user="Hi", assistant="Ho")
    assert tile(parts, "distillation").level == "amber"


def test_engines_and_index_report_their_trouble(parts):
    state = EngineState(name="llm", kind="llm", state="failed", last_error=f"no file {Path.home()}/models/x.gguf")
    parts.services.models.states = lambda: [state]
    engines = tile(parts, "engines")
    assert engines.level == "red"
    assert str(Path.home()) not in engines.sentence
    parts.services.models.states = lambda: [replace(state, rss_bytes=318_000_000)]
    assert "318 MB" in parts.services.status.report()
    parts.services.indexing.status = lambda: {"missing": 12}
    assert (tile(parts, "index").level, "12" in tile(parts, "index").sentence) == ("amber", True)


def test_a_part_that_fails_does_not_fail_the_whole(parts):
    def fail():
        raise EngineCrashedError("gone")

    parts.services.indexing.status = fail
    assert parts.services.status.snapshot()["index"] == {"error": "engine_crashed", "message": "gone"}
    assert tile(parts, "index").level == "red"


def test_a_fault_of_our_own_hides_no_other_part(parts, caplog):
    parts.services.indexing.status = lambda: {}["no such key"]
    assert parts.services.status.snapshot()["index"]["error"] == "internal_error"
    levels = {tile.id: tile.level for tile in parts.services.status.health()}
    assert (levels["index"], levels["database"], levels["vault"]) == ("red", "green", "green")
    caplog.clear()


@pytest.mark.parametrize(("free", "level"), [(50e9, "green"), (0.5e9, "amber"), (50e6, "red")])
def test_little_room_on_the_disk_is_told(parts, free, level):
    parts.services.status._health._free_disk = lambda: int(free)
    disk = tile(parts, "disk")
    assert disk.level == level
    assert bool(disk.hint) is (level != "green")


def test_held_work_is_amber(parts):
    assert tile(parts, "scheduler").level == "green"
    parts.services.status._health._paused = lambda: True
    assert (tile(parts, "scheduler").level, tile(parts, "scheduler").hint != "") == ("amber", True)


def test_a_vault_file_that_is_gone_is_red_while_the_memory_is_open(home):
    with open_app(home) as app:
        assert tile(app, "vault").level == "green"
        app.paths.vault.unlink()
        vault = tile(app, "vault")
        assert vault.level == "red"
        assert "vault.json" in vault.hint
        assert app.services.status.ready()["ready"] is True


def test_a_database_damaged_while_it_is_open_is_red_with_the_way_out(home):
    with open_app(home) as app:
        app.services.agents.create("Gardener", agent_id="gardener")
        app.services.memories._store.checkpoint()
        damaged = bytearray(app.paths.database.read_bytes())
        damaged[4096:] = bytes(len(damaged) - 4096)
        app.paths.database.write_bytes(damaged)
        database = tile(app, "database")
        assert database.level == "red"
        assert "backup" in database.hint
        assert str(home) not in app.services.status.report()


def test_the_port_that_is_taken_is_red(parts):
    parts.events.publish(ServerChanged("", "failed", "Port 1337 on 127.0.0.1 is in use."))
    server = tile(parts, "server")
    assert (server.level, server.sentence) == ("red", "Port 1337 on 127.0.0.1 is in use.")
    assert "port" in server.hint


def test_how_long_recalls_took_is_measured(parts):
    assert parts.services.status.snapshot()["speeds"] == {"recalls": 0, "recall_ms": None, "chat_model": None}


def test_locked_is_a_state_not_a_failure(parts):
    parts.services.vault.lock()
    levels = {tile.id: tile.level for tile in parts.services.status.health()}
    assert (levels["vault"], levels["database"]) == ("amber", "amber")
    assert parts.services.status.ready()["ready"] is False
    assert "locked" in parts.services.status.report()


def test_the_report_has_no_words_of_the_user(parts):
    parts.services.agents.create("Secret project", agent_id="xyzzy", system_prompt="plugh")
    exchange(parts.services.ingest, agent_id="xyzzy", conversation_id="waldo", user="fred", assistant="thud")
    report = parts.services.status.report()
    assert "memdesk" in report
    assert "turns: 2" in report
    for word in ("Secret", "xyzzy", "plugh", "waldo", "fred", "thud", str(Path.home())):
        assert word not in report
