"""Every documented route that manages memory."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memdesk.domain.models import Receipt, new_id
from memdesk.ports import EngineState
from tests.helpers.exchange import exchange


@pytest.fixture
def agent(http):
    assert http.put("/agents/caroline", json={"name": "Caroline", "memory": "on"}).status_code == 201
    return "caroline"


def test_facts_are_added_listed_changed_and_forgotten(http, agent, parts):
    made = http.post("/memory/facts", json={"agent_id": agent, "content": "Her dog is Biscuit.", "tags": ["dog"]})
    assert made.status_code == 201
    fact = made.json()
    assert (fact["origin"], fact["status"], fact["salience"]) == ("api", "active", 0.6)
    assert fact["created_at"].endswith("+00:00")
    assert "seq" not in fact
    path = f"/memory/facts/{fact['id']}"
    assert http.get(path).json()["content"] == "Her dog is Biscuit."
    assert http.get("/memory/facts", params={"agent_id": agent, "tag": "dog"}).json()["total"] == 1
    assert http.get("/memory/facts", params={"agent_id": agent, "q": "biscuit"}).json()["total"] == 1
    assert http.get("/memory/facts", params={"agent_id": "other"}).json() == {"items": [], "total": 0, "next": None}
    changed = http.patch(path, json={"salience": 0.9, "user_pinned": True}).json()
    assert (changed["salience"], changed["user_pinned"], changed["content"]) == (0.9, True, "Her dog is Biscuit.")
    assert http.patch(path, json={"status": "disabled"}).json()["status"] == "disabled"
    assert http.get("/memory/facts").json()["total"] == 0
    assert http.get("/memory/facts?status=disabled&status=active").json()["total"] == 1
    assert http.get(f"{path}/sources").json()["items"] == []
    assert http.get(f"{path}/neighbours").json()["items"] == []
    actors = {
        (entry["actor"], entry["actor_detail"]) for entry in http.get("/memory/history?kind=fact").json()["items"]
    }
    assert actors == {("api", "test")}
    assert http.delete(path, params={"dry_run": True}).json()["counts"]["facts"] == 1
    assert http.get(path).status_code == 200
    assert http.delete(path).json()["verified"] is True
    assert http.get(path).status_code == 404


def test_lists_are_paged(http, agent):
    for number in range(7):
        http.post("/memory/facts", json={"agent_id": agent, "content": f"Fact number {number} is about {number}."})
    seen, cursor = [], None
    while True:
        page = http.get("/memory/facts", params={"limit": 3, "cursor": cursor} if cursor else {"limit": 3}).json()
        assert page["total"] == 7
        seen += [fact["id"] for fact in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == 7


def test_identity(http):
    line = http.post("/memory/identity", json={"content": "I am called Sam."}).json()
    assert line["origin"] == "override"
    assert http.patch(f"/memory/identity/{line['id']}", json={"content": "I am called Alex."}).status_code == 200
    assert [item["content"] for item in http.get("/memory/identity").json()["items"]] == ["I am called Alex."]
    http.delete(f"/memory/identity/{line['id']}")
    assert http.get("/memory/identity").json()["total"] == 0


def test_transcript_and_conversations(http, agent, parts):
    exchange(
        parts.services.ingest, agent_id=agent, conversation_id="a/b c", user="The zebra is striped.", assistant="It is."
    )
    turns = http.get("/memory/transcript", params={"agent_id": agent, "conversation_id": "a/b c"}).json()
    assert [turn["content"] for turn in turns["items"]] == ["The zebra is striped.", "It is."]
    assert http.get("/memory/transcript", params={"agent_id": agent, "q": "zebra"}).json()["total"] == 1
    thread = http.get("/memory/conversations", params={"agent_id": agent}).json()["items"][0]
    assert (thread["id"], thread["title"], thread["turn_count"]) == ("a/b c", "The zebra is striped.", 2)
    path, query = "/memory/conversations/a%2Fb%20c", {"agent_id": agent}
    changed = http.patch(path, params=query, json={"title": "Zebras", "pinned": True, "memory": "off"}).json()
    assert (changed["title"], changed["pinned"], changed["memory"]) == ("Zebras", True, "off")
    text = http.get("/memory/export", params=query | {"conversation_id": "a/b c"}).text
    assert text.startswith("# Zebras")
    assert "The zebra is striped." in text
    data = http.get("/memory/export", params=query | {"conversation_id": "a/b c", "format": "json"}).json()
    assert [message["role"] for message in data["messages"]] == ["user", "assistant"]
    preview = http.delete(path, params=query | {"dry_run": True}).json()
    assert preview["counts"]["turns"] == 2
    assert http.delete(path, params=query | {"learned": True}).json()["verified"] is True
    assert http.get(path, params=query).status_code == 404


def test_forget_with_preview(http, agent):
    for word in ("apples", "pears"):
        http.post("/memory/facts", json={"agent_id": agent, "content": f"She likes {word}."})
    ids = [fact["id"] for fact in http.get("/memory/facts").json()["items"]]
    body = {"kind": "facts", "ids": ids, "agent_id": agent}
    assert http.post("/memory/forget/preview", json=body).json()["counts"]["facts"] == 2
    assert http.get("/memory/facts").json()["total"] == 2
    assert http.post("/memory/forget", json=body).json()["counts"]["facts"] == 2
    assert http.get("/memory/facts").json()["total"] == 0


def test_agents(http, agent, parts):
    http.post("/memory/facts", json={"agent_id": agent, "content": "Her dog is Biscuit."})
    listed = http.get("/agents").json()
    assert set(listed) == {"agents"}
    assert set(listed["agents"][0]) == {
        "id", "name", "description", "default_model", "is_built_in", "memory_entry_count", "created_at", "updated_at",
    }  # fmt: skip
    assert [(a["id"], a["is_built_in"]) for a in listed["agents"]] == [("default", True), ("caroline", False)]
    changed = http.put("/agents/caroline", json={"default_model": "fake:echo", "search_tool": True})
    assert changed.status_code == 200
    one = http.get("/agents/caroline").json()
    assert (one["name"], one["default_model"], one["memory_entry_count"], one["search_tool"]) == (
        "Caroline", "fake:echo", 1, True,
    )  # fmt: skip
    assert http.put("/agents/caroline", json={"sampling": {"temperature": 9}}).status_code == 400
    assert http.get("/agents/nobody").status_code == 404
    assert http.delete("/agents/default").status_code == 409
    assert http.delete("/agents/caroline?dry_run=true").json()["counts"]["facts"] == 1
    assert http.get("/agents/caroline").status_code == 200
    assert http.delete("/agents/caroline").status_code == 200
    assert http.get("/agents/caroline").status_code == 404
    assert http.get("/memory/facts").json()["total"] == 0
    exported = http.get("/agents/default/export").json()
    assert exported["format"] == "memdesk.agent/1"


def test_what_settings_take_is_described(http):
    route = http.get("/openapi.json").json()["paths"]["/memory/settings"]["put"]
    memory, server, _, engine = route["requestBody"]["content"]["application/json"]["schema"]["anyOf"]
    assert memory["properties"]["memoryBudgetTokens"]["maximum"] == 16_000
    assert memory["additionalProperties"] is False
    assert not memory.get("required")
    assert server["properties"]["tokenless"]["type"] == "boolean"
    assert "$ref" not in json.dumps([memory, server, engine])


@pytest.mark.parametrize("change", [{"enabled": 0}, {"enabled": "no"}, {"memoryBudgetTokens": "900"}])
def test_settings_of_another_type_are_refused(http, parts, change):
    before = parts.services.settings.current
    assert http.put("/memory/settings", json=change).status_code == 400
    assert parts.services.settings.current == before


def test_settings_are_the_windows(http, parts):
    before = http.get("/memory/settings").json()
    assert before["memoryBudgetTokens"] == 800
    after = http.put("/memory/settings", json={"memoryBudgetTokens": 900}).json()
    assert after["memoryBudgetTokens"] == 900
    assert parts.services.settings.current.memory.memory_budget_tokens == 900
    assert http.put("/memory/settings", json={"memoryBudgetTokens": -5}).status_code in {400, 422}
    assert http.put("/memory/settings", json={"nonsense": 5}).status_code in {400, 422}
    assert http.get("/memory/settings?section=server").json()["host"] == "127.0.0.1"
    fields = http.get("/memory/settings/fields").json()["items"]
    assert any(field["key"] == "salienceFloor" for field in fields)


def test_status_counts_what_waits(http, agent, parts):
    exchange(parts.services.ingest, agent_id=agent, conversation_id="c1", user="One", assistant="Two")
    state = http.get("/memory/status").json()
    assert state["pending"] == [{"agent_id": "caroline", "conversation_id": "c1", "signals": 2}]
    assert state["parked"] == []
    assert state["counts"]["turns"] == 2
    assert state["counts"]["agents"] >= 1
    assert state["server"]["state"] == "listening"
    assert {"engines", "index", "caches", "consolidation", "distillation", "settings"} <= set(state)
    tiles = http.get("/memory/health").json()["items"]
    assert {tile["id"] for tile in tiles} == {
        "database", "vault", "disk", "engines", "index", "distillation", "scheduler", "server",
    }  # fmt: skip
    assert all(tile["level"] == "green" for tile in tiles), tiles


def test_a_recovery_code_that_nobody_tried_for_long_is_reminded_of(http, parts):
    for days, level in ((89, "green"), (91, "amber")):
        parts.services.vault.tried = parts.services.clock.now() - timedelta(days=days)
        tiles = {tile["id"]: tile for tile in http.get("/memory/health").json()["items"]}
        assert tiles["vault"]["level"] == level
    assert "recovery code" in tiles["vault"]["sentence"]


def test_distill_and_consolidate(http, agent, parts):
    assert http.post("/memory/distill", json={"agent_id": agent}).json()["outcomes"][0]["outcome"] == "distilled"
    assert http.post("/memory/distill", json={"wait": False}).status_code == 202
    dry = http.post("/memory/consolidate", json={"dry_run": True}).json()
    assert dry["run"]["dry_run"] is True
    done = http.post("/memory/consolidate", json={}).json()
    assert (done["run"]["status"], done["run"]["trigger"]) == ("done", "api")
    runs = http.get("/memory/runs").json()
    assert done["run"]["id"] in [run["id"] for run in runs["items"]]
    assert http.get(f"/memory/runs/{done['run']['id']}/changes").json()["total"] == 0
    assert http.post("/memory/runs/none/undo").status_code == 404


def test_context_is_what_a_chat_would_be_given(http, agent):
    http.post("/memory/facts", json={"agent_id": agent, "content": "Her dog is Biscuit."})
    context = http.post("/memory/context", json={"agent_id": agent, "query": "my dog?", "budget_tokens": 200}).json()
    assert (context["section"], context["rule"]) == ("pinned", "words")
    assert {"tokens", "block", "items", "left_out"} <= set(context)
    found = http.post("/memory/search", json={"agent_id": agent, "query": "dog", "scope": "pinned", "limit": 3}).json()
    assert found["total"] == 1
    assert {"score", "sources", "text"} <= set(found["items"][0])


def test_a_programs_block_has_a_receipt_and_is_counted_as_the_model_counts_whose_engine_runs(
    http, agent, parts, monkeypatch
):
    asked = {"agent_id": agent, "query": "my dog?"}
    assert http.post("/memory/context", json=asked).status_code == 200
    assert parts.recall.calls[-1]["store_receipt"] is True
    assert parts.recall.calls[-1]["tokenizer"] is None
    model = parts.services.chat.default_model(agent)
    running = [EngineState(name="llm", kind="llm", state="ready", model=model)]
    monkeypatch.setattr(parts.services.models.catalogue, "states", lambda: running)
    http.post("/memory/context", json=asked)
    tokenizer = parts.recall.calls[-1]["tokenizer"]
    assert (tokenizer.model, tokenizer.count("three words long")) == (model, 3)


def test_receipts_are_listed(http, agent, parts):
    receipt = Receipt(
        id=new_id(),
        agent_id=agent,
        query="q",
        section="none",
        rule="none",
        tokens=0,
        budget_tokens=1,
        block="",
        created_at=parts.services.clock.now(),
    )
    parts.store.write(lambda repos: repos.receipts.put(receipt))
    assert http.get("/memory/receipts", params={"agent_id": agent}).json()["items"][0]["id"] == receipt.id
    assert http.get("/memory/receipts/none").status_code == 404


def test_review_entities_and_episodes_begin_empty(http):
    for path in (
        "/memory/review",
        "/memory/contradictions",
        "/memory/review/rules",
        "/memory/entities",
        "/memory/episodes",
    ):
        assert http.get(path).json() == {"items": [], "total": 0, "next": None}
    assert http.get("/memory/episodes/none").status_code == 404
    assert http.get("/memory/entities/none").status_code == 404


def test_dates_without_a_time_or_an_offset_are_the_users_own(http, agent):
    def add(content, **period):
        made = http.post("/memory/facts", json={"agent_id": agent, "content": content, **period})
        assert made.status_code == 201
        return made.json()

    add("She lives in Porto", valid_from="2024-01-01", valid_until="2025-03-01")
    add("She lives in Oslo", valid_from="2025-03-01T12:00:00")
    for day, home in (("2024-06-01", "Porto"), ("2025-03-01", "Oslo"), ("2025-03-02T09:30:00", "Oslo")):
        listed = http.get("/memory/facts", params={"agent_id": agent, "as_of": day}).json()["items"]
        assert [fact["content"] for fact in listed] == [f"She lives in {home}"]
        asked = {"agent_id": agent, "query": "Where does she live?", "as_of": day}
        found = http.post("/memory/search", json={**asked, "scope": "pinned"}).json()["items"]
        assert f"She lives in {home}" in [item["text"] for item in found]
        assert home in http.post("/memory/context", json={**asked, "section": "pinned"}).json()["block"]
    assert http.get("/memory/facts", params={"as_of": "some day"}).status_code == 422
    assert http.get("/memory/facts", params={"since": "2020-01-01", "until": "2020-01-01"}).json()["total"] == 0
    today = http.get("/memory/facts").json()["items"][0]["created_at"][:10]
    assert http.get("/memory/facts", params={"until": f"{today}T00:00:00Z"}).json()["total"] == 0


def test_what_was_replaced_since_was_believed_then(http, agent, parts):
    fact = http.post(
        "/memory/facts", json={"agent_id": agent, "content": "She lives in Porto", "valid_from": "2024-01-01"}
    ).json()
    stored = parts.services.memories.fact(fact["id"])
    ended = replace(stored, status="superseded", valid_until=datetime(2025, 3, 1, tzinfo=UTC))
    parts.store.write(lambda repos: repos.items.put(ended))
    assert http.get("/memory/facts", params={"agent_id": agent}).json()["total"] == 0
    for day, total in (("2024-06-01", 1), ("2025-06-01", 0)):
        assert http.get("/memory/facts", params={"agent_id": agent, "as_of": day}).json()["total"] == total


def test_the_history_is_paged_newest_first(http, agent):
    fact = http.post("/memory/facts", json={"agent_id": agent, "content": "Her dog is Biscuit."}).json()
    for number in range(1, 6):
        http.patch(f"/memory/facts/{fact['id']}", json={"salience": number / 10})
    seen, cursor = [], None
    while True:
        params = {"ref_id": fact["id"], "limit": 2} | ({"cursor": cursor} if cursor else {})
        page = http.get("/memory/history", params=params).json()
        assert page["total"] == 6
        seen += [entry["new"].get("salience") for entry in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert seen == [0.5, 0.4, 0.3, 0.2, 0.1, 0.6]
