"""While messages cannot be read, health says so: how many are waiting, since when, why, and what helps."""

from __future__ import annotations

import httpx
import pytest

from memdesk.api.server import ApiServer
from memdesk.bootstrap.throwaway import throwaway
from tests.helpers.openai_server import openai_server

pytestmark = pytest.mark.model

MODEL = "remote:lab/qwen3:4b"


@pytest.fixture
def engine():
    with openai_server() as state:
        yield state


@pytest.fixture
def http(tmp_path, engine):
    with throwaway(tmp_path / "home") as app:
        services = app.services
        services.settings.update("engine", {"remoteServers": [{"name": "lab", "base_url": engine.url}]})
        services.settings.update("memory", {"coreModel": MODEL})
        server = ApiServer(services, host="127.0.0.1", port=0)
        server.start()
        _, secret = services.tokens.create("test")
        with httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {secret}"}, timeout=60) as client:
            client.services = services
            yield client
        server.stop()


def told(http, conversation_id="c", text="My sister Johanna keeps bees in Graz."):
    turns = [{"user": text, "assistant": "Ok."}]
    body = {"agent_id": "ana", "conversation_id": conversation_id, "turns": turns, "wait": False}
    http.post("/memory/ingest", json=body).raise_for_status()
    asked = {"agent_id": "ana", "conversation_id": conversation_id}
    (outcome,) = http.post("/memory/distill", json=asked, timeout=600).json()["outcomes"]
    return outcome["outcome"]


def tile(http, name="distillation"):
    return next(one for one in http.get("/memory/health").json()["items"] if one["id"] == name)


@pytest.mark.parametrize(
    ("error", "outcome", "level", "why"),
    [
        ((500, {"error": "boom"}), "error:remote_failed", "amber", "lab failed with 500: boom."),
        ((503, {"error": "loading"}), "error:remote_busy", "amber", "lab says: loading."),
        ((429, {"error": "slow down"}), "error:remote_limited", "amber", "Wait a little, then try again."),
        ((404, {"error": "model not found"}), "skipped:model_missing", "amber", "Refresh its list of models."),
        ((401, {"error": "no"}), "parked:2", "red", "Enter its key again under Models."),
    ],
)
def test_turns_that_wait_for_a_model_are_told_with_the_reason(http, engine, error, outcome, level, why):
    engine.error = error
    assert told(http) == outcome
    seen = tile(http)
    assert seen["level"] == level
    assert "2 turns" in seen["sentence"]
    assert " since " in seen["sentence"]
    assert why in seen["sentence"]
    assert "memdesk distill" in seen["hint"]


def test_an_engine_that_is_off_is_told_until_it_is_back(http, engine):
    server = {"name": "lab", "base_url": "http://127.0.0.1:9/v1"}
    http.services.settings.update("engine", {"remoteServers": [server]})
    told(http, "one")
    told(http, "two", "My brother Anton lives in Linz.")
    seen = tile(http)
    assert (seen["level"], "4 turns" in seen["sentence"]) == ("amber", True)
    assert "lab is not running" in seen["sentence"]
    http.services.settings.update("engine", {"remoteServers": [server | {"base_url": engine.url}]})
    http.post("/memory/distill", json={}, timeout=600)
    assert tile(http)["sentence"] == "Nothing waits."


def test_turns_that_only_rest_are_no_trouble_without_a_model_either(http):
    http.services.settings.update("memory", {"coreModel": "", "extractionMode": "rules"})
    turns = [{"user": "I have two cats.", "assistant": "Ok."}]
    http.post("/memory/ingest", json={"agent_id": "a", "conversation_id": "c", "turns": turns, "wait": False})
    assert tile(http)["level"] == "green"
    http.services.settings.update("memory", {"extractionMode": "sessionEnd"})
    assert tile(http)["level"] == "amber"
