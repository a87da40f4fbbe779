"""When nothing new is remembered, health says so over HTTP, in a sentence, with the reason."""

from __future__ import annotations

import httpx
import pytest

from memdesk.api.server import ApiServer
from memdesk.bootstrap.throwaway import throwaway
from memdesk.services.distilling import TOLD_FROM

TURNS = [{"user": "I have two cats.", "assistant": "Ok."}]
QUESTIONS = [
    "What's the capital of Peru?",
    "How do I sort a list?",
    "Write a haiku.",
    "Is it Monday?",
    "Fix this typo.",
]


@pytest.fixture
def http(tmp_path):
    with throwaway(tmp_path / "home") as app:
        app.services.settings.update("memory", {"extractionMode": "rules"})
        server = ApiServer(app.services, host="127.0.0.1", port=0)
        server.start()
        _, secret = app.services.tokens.create("test")
        with httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {secret}"}, timeout=60) as client:
            yield client
        server.stop()


def told(http, conversation_id, text, agent_id="ana"):
    body = {"agent_id": agent_id, "conversation_id": conversation_id, "turns": [{"user": text, "assistant": "Ok."}]}
    answer = http.post("/memory/ingest", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def learning(http):
    (tile,) = (one for one in http.get("/memory/health").json()["items"] if one["id"] == "distillation")
    return tile


@pytest.mark.model
def test_sessions_that_brought_nothing_and_sessions_not_read_are_told(http):
    for number, question in enumerate(QUESTIONS[: TOLD_FROM - 1]):
        assert told(http, f"c{number}", question)["distillation"].startswith("empty:")
    assert learning(http)["level"] == "green"
    told(http, "last", QUESTIONS[-1])
    tile = learning(http)
    assert (tile["level"], tile["sentence"]) == ("amber", "The last 5 conversations brought nothing to remember.")
    assert "question" in tile["hint"]
    assert http.get("/memory/status").json()["distillation"]["barren"] == TOLD_FROM

    told(http, "told", "I live in Graz.")
    assert learning(http)["sentence"] == "Nothing waits."

    http.put("/memory/settings", json={"extractionMode": "manual"})
    http.post("/memory/ingest", json={"agent_id": "ana", "conversation_id": "off", "turns": TURNS, "wait": False})
    assert learning(http)["sentence"].startswith("1 conversation not read: Distillation is on request only")
