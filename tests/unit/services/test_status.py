"""Health tiles and the bug report."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.domain.models import SignalStatus
from memdesk.errors import EngineCrashedError
from memdesk.ports import EngineState
from tests.helpers.parts import make_parts


@pytest.fixture
def parts(tmp_path):
    made = make_parts(tmp_path)
    yield made
    made.close()


def tile(parts, name):
    return next(tile for tile in parts.services.status.health() if tile.id == name)


def test_parked_signals_are_red_and_name_their_reason(parts):
    parts.services.ingest.record_exchange(agent_id="a", conversation_id="c", user="Hi", assistant="Ho")

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
    parts.services.ingest.record_exchange(agent_id="a", conversation_id="c", user="Hi", assistant="Ho")
    assert tile(parts, "distillation").level == "amber"


def test_engines_and_index_tell_their_trouble(parts):
    state = EngineState(name="llm", kind="llm", state="failed", last_error=f"no file {Path.home()}/models/x.gguf")
    parts.services.models.states = lambda: [state]
    engines = tile(parts, "engines")
    assert engines.level == "red"
    assert str(Path.home()) not in engines.sentence
    parts.services.indexing.status = lambda: {"missing": 12}
    assert (tile(parts, "index").level, "12" in tile(parts, "index").sentence) == ("amber", True)


def test_a_part_that_fails_does_not_fail_the_whole(parts):
    def fail():
        raise EngineCrashedError("gone")

    parts.services.indexing.status = fail
    assert parts.services.status.snapshot()["index"] == {"error": "engine_crashed", "message": "gone"}
    assert tile(parts, "index").level == "red"


def test_locked_is_a_state_not_a_failure(parts):
    parts.services.vault.lock()
    levels = {tile.id: tile.level for tile in parts.services.status.health()}
    assert (levels["vault"], levels["database"]) == ("amber", "amber")
    assert parts.services.status.ready()["ready"] is False
    assert "locked" in parts.services.status.report()


def test_the_report_has_no_words_of_the_user(parts):
    parts.services.agents.create("Secret project", agent_id="xyzzy", system_prompt="plugh")
    parts.services.ingest.record_exchange(agent_id="xyzzy", conversation_id="waldo", user="fred", assistant="thud")
    report = parts.services.status.report()
    assert "memdesk" in report
    assert "turns: 2" in report
    for word in ("Secret", "xyzzy", "plugh", "waldo", "fred", "thud", str(Path.home())):
        assert word not in report
