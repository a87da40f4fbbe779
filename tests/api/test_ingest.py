"""Ingest over HTTP: outcomes, dates, replacement."""

from __future__ import annotations

import pytest

from memdesk.domain.models import SignalStatus
from memdesk.errors import CancelledError, EngineTimeoutError

SESSION = {
    "agent_id": "caroline",
    "conversation_id": "s1",
    "turns": [
        {"user": "I adopted a dog.", "assistant": "Lovely! What is it called?", "date": "2023-05-08T13:56:00+02:00"},
        {"user": "Biscuit.", "assistant": "Good name."},
    ],
    "session_date": "1:56 pm on 8 May, 2023",
}


def signals(parts):
    with parts.store.read() as repos:
        return repos.signals.counts().get(SignalStatus.PENDING, 0)


def test_an_unknown_agent_is_made_and_the_outcome_named(http, parts):
    answer = http.post("/memory/ingest", json=SESSION)
    told = answer.json()
    assert (told["status"], told["turns_ingested"]) == ("ok", 2)
    assert (told["distillation"], told["episode_id"]) == ("distilled", "episode-1")
    turns = parts.services.conversations.turns("caroline", "s1")
    assert [turn.content for turn in turns][-2:] == ["Biscuit.", "Good name."]
    assert turns[0].said_at.isoformat() == "2023-05-08T11:56:00+00:00"
    assert turns[2].said_at > turns[0].said_at.replace(hour=0)
    thread = parts.services.conversations.get("caroline", "s1")
    assert thread.title == "I adopted a dog."
    assert thread.session_date is not None
    assert signals(parts) == 4
    assert parts.distillation.asked == [("caroline", "s1")]


def test_the_same_conversation_again_replaces_it(http, parts):
    for _ in range(3):
        http.post("/memory/ingest", json=SESSION)
    assert len(parts.services.conversations.turns("caroline", "s1")) == 4
    assert signals(parts) == 4
    http.post("/memory/ingest", json=SESSION | {"turns": [{"user": "Only this."}]})
    assert [turn.content for turn in parts.services.conversations.turns("caroline", "s1")] == ["Only this."]
    other = http.post("/memory/ingest", json=SESSION | {"agent_id": "melanie"})
    assert other.json()["turns_ingested"] == 2
    assert len(parts.services.conversations.turns("caroline", "s1")) == 1


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        ({"skip_extraction": True}, "skipped:skip_extraction"),
        ({"turns": []}, "no_signals"),
        ({"turns": [{"user": "  ", "assistant": ""}]}, "no_signals"),
        ({"wait": False}, "skipped:deferred"),
    ],
)
def test_outcomes_that_need_no_distillation(http, parts, change, outcome):
    assert http.post("/memory/ingest", json=SESSION | change).json()["distillation"] == outcome
    assert parts.distillation.asked == []


@pytest.mark.parametrize("outcome", ["empty:nothing_kept", "parked:4", "skipped:no_core_model", "error:engine_crashed"])
def test_outcomes_of_the_distillation_are_passed_on(http, parts, outcome):
    parts.distillation.outcome = outcome
    assert http.post("/memory/ingest", json=SESSION).json()["distillation"] == outcome


@pytest.mark.parametrize(
    ("failure", "outcome"),
    [(EngineTimeoutError("late"), "error:engine_timeout"), (CancelledError("stop"), "skipped:cancelled")],
)
def test_a_failed_distillation_does_not_fail_the_import(http, parts, failure, outcome):
    parts.distillation.failure = failure
    answer = http.post("/memory/ingest", json=SESSION)
    assert (answer.status_code, answer.json()["distillation"]) == (200, outcome)
    assert signals(parts) == 4


def test_what_is_learned_is_waited_for_no_longer_than_a_client_waits(http, parts):
    http.post("/memory/ingest", json=SESSION)
    assert parts.distillation.patience == 30
    parts.distillation.outcome = None
    assert (
        http.post("/memory/ingest", json=SESSION | {"turns": [{"user": "Hm."}]}).json()["distillation"]
        == "skipped:deferred"
    )


def test_a_session_without_end_is_refused(http, parts):
    turns = [{"user": "x", "assistant": "y"}] * 10_001
    answer = http.post("/memory/ingest", json=SESSION | {"turns": turns})
    assert answer.status_code == 422
    assert "10000 items" in answer.json()["error"]["message"]
    assert signals(parts) == 0


def test_modes_name_why_nothing_is_distilled(http, parts):
    parts.services.settings.update("memory", {"extractionMode": "manual"})
    assert http.post("/memory/ingest", json=SESSION).json()["distillation"] == "skipped:manual"
    assert signals(parts) == 4
    parts.services.settings.update("memory", {"extractionMode": "sessionEnd", "enabled": False})
    assert http.post("/memory/ingest", json=SESSION).json()["distillation"] == "skipped:memory_disabled"
    assert signals(parts) == 0
    parts.services.settings.update("memory", {"enabled": True})
    parts.services.agents.edit("caroline", memory="off")
    assert http.post("/memory/ingest", json=SESSION).json()["distillation"] == "skipped:agent_memory_off"


@pytest.mark.parametrize(
    "body",
    [
        {"turns": []},
        SESSION | {"conversation_id": ""},
        SESSION | {"conversation_id": "x" * 300},
        SESSION | {"conversation_id": "a\nb"},
        SESSION | {"agent_id": "two\nlines"},
        SESSION | {"session_date": "the day of the fair"},
        SESSION | {"turns": [{"user": "x", "date": "not a date"}]},
        SESSION | {"turns": "x"},
    ],
)
def test_bad_bodies_change_nothing(http, parts, body):
    answer = http.post("/memory/ingest", json=body)
    assert answer.status_code in {400, 422}
    assert parts.services.conversations.page().total == 0


def test_the_import_is_in_the_history_under_its_clients_name(http, parts):
    http.post("/memory/ingest", json=SESSION)
    entry = http.get("/memory/history?kind=conversation&agent_id=caroline").json()["items"][0]
    assert (entry["action"], entry["actor_detail"], entry["new"]) == ("ingest", "test", {"turns": 4})
