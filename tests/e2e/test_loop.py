"""The whole loop for a user: start, tell, distill, restart, ask; and nothing readable on disk."""

import json
from pathlib import Path

import pytest

from tests.helpers.server import PASSPHRASE, TOKEN, Server, memdesk

pytestmark = [pytest.mark.e2e, pytest.mark.model]

SESSION = {
    "agent_id": "tour",
    "conversation_id": "monday",
    "session_date": "2024-05-06T18:00:00+00:00",
    "turns": [
        {"user": "My sister Philippa keeps bees in Lisbon.", "assistant": "How lovely, since when?"},
        {"user": "Since 2019. I am allergic to peanuts, by the way.", "assistant": "Noted, no peanuts."},
        {"user": "I decided to learn the bandoneon this summer.", "assistant": "A fine instrument."},
    ],
}
PHRASES = ("Philippa", "keeps bees", "allergic to peanuts", "bandoneon", "fine instrument", TOKEN, PASSPHRASE)


def files_holding(folder: Path, phrases) -> list[str]:
    """Return files that hold a phrase in UTF-8 or UTF-16."""
    needles = [form for phrase in phrases for form in (phrase.encode(), phrase.encode("utf-16-le"))]
    return [
        str(file)
        for file in folder.rglob("*")
        if file.is_file() and any(needle in file.read_bytes() for needle in needles)
    ]


def test_told_distilled_restarted_and_asked_it_knows(home, monkeypatch, tmp_path):
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    where = home / "memdesk"
    with Server(where) as server:
        answer = server.post("/memory/ingest", SESSION)
        assert answer["turns_ingested"] == 3
        assert answer["distillation"] == "distilled", answer
        assert answer["facts"] >= 1
    assert "Write it down" in "".join(server.errors)

    with Server(where) as server:
        block = server.post("/memory/context", {"agent_id": "tour", "query": "Where does my sister Philippa live?"})
        assert "Lisbon" in block["block"], block
        assert block["tokens"] <= 800
        other = server.post("/memory/context", {"agent_id": "someone", "query": "Where does my sister Philippa live?"})
        assert "Lisbon" not in other["block"]
        assert server.get("/agents")["agents"]
    assert files_holding(home, PHRASES) == []
    assert files_holding(scratch, PHRASES) == []

    # The same from the command line, which opens the store itself while no server runs.
    done = memdesk(where, "context", "--agent", "tour", "Where does my sister Philippa live?", "--json")
    assert "Lisbon" in json.loads(done.stdout)["block"]
    found = memdesk(where, "search", "--agent", "tour", "peanuts", "--json")
    assert any("peanuts" in item["text"] for item in json.loads(found.stdout)["items"])
    assert files_holding(home, PHRASES) == []


def test_a_chat_in_openais_language_remembers(home):
    with Server(home / "memdesk") as server:
        body = {
            "model": "default",
            "max_tokens": 12,
            "messages": [{"role": "user", "content": "My dog is called Zebedee."}],
        }
        answer = server.post("/v1/chat/completions", body, **{"X-Memdesk-Agent-Id": "tour"})
        assert answer["object"] == "chat.completion"
        assert server.get("/memory/status")["pending"]
        outcomes = server.post("/memory/distill", {"agent_id": "tour"})["outcomes"]
        assert [o["outcome"] for o in outcomes] == ["distilled"]
        block = server.post("/memory/context", {"agent_id": "tour", "query": "What is my dog called?"})
        assert "Zebedee" in block["block"], block
        # The server owns the store: commands speak to it, and need no passphrase of their own.
        done = memdesk(home / "memdesk", "context", "--agent", "tour", "What is my dog called?", "--json")
        assert json.loads(done.stdout)["block"] == block["block"]
        memdesk(home / "memdesk", "settings", "set", "memoryBudgetTokens", "900")
        assert server.get("/memory/settings")["memoryBudgetTokens"] == 900
        second = memdesk(home / "memdesk", "serve", "--port", "0", expect=6)
        assert "already" in second.stderr
