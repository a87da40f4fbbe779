"""Memory tests over HTTP: added, made from a receipt, run, deleted."""

from __future__ import annotations


def test_a_question_is_kept_run_and_dropped(http, parts):
    parts.services.agents.ensure("a")
    fact = parts.services.memories.add_fact(agent_id="a", content="Ada keeps bees.")
    body = {"agent_id": "a", "question": "What does Ada keep?", "line": "keeps bees"}
    made = http.post("/memory/tests", json=body)
    assert (made.status_code, made.json()["state"]) == (201, "passed")
    assert http.post("/memory/tests", json=body).json()["id"] == made.json()["id"]
    parts.services.memories.edit_fact(fact.id, content="Ada keeps goats.")
    (red,) = http.post("/memory/tests/run", json={"agent_id": "a"}).json()["items"]
    assert (red["state"], red["rank"], red["rank_before"]) == ("failed", None, 1)
    assert red["reasons"] == ["Nothing that is remembered says this."]
    assert http.get("/memory/tests").json()["items"] == [red]
    assert http.get("/memory/tests", params={"agent_id": "b"}).json()["total"] == 0
    assert http.delete(f"/memory/tests/{red['id']}").status_code == 200
    assert http.delete(f"/memory/tests/{red['id']}").status_code == 404
    assert http.get("/memory/tests").json()["total"] == 0


def test_a_line_of_a_receipt_becomes_a_test(http, parts):
    parts.services.agents.ensure("a")
    fact = parts.services.memories.add_fact(agent_id="a", content="Ada keeps bees.")
    receipt = parts.services.recall.context(agent_id="a", query="What does Ada keep?")
    parts.store.write(lambda repos: repos.receipts.put(receipt))
    path = f"/memory/receipts/{receipt.id}/test"
    assert http.post(path, json={"kind": "fact", "id": fact.id}).json()["state"] == "passed"
    assert http.post(path, json={"kind": "turn", "id": fact.id}).status_code == 404
    (kept,) = http.get("/memory/tests").json()["items"]
    assert (kept["question"], kept["line"]) == ("What does Ada keep?", "Ada keeps bees.")
