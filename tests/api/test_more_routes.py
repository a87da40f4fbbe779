"""Routes that need prepared rows: episodes, entities, review, long waits."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from memdesk.api.dialects import serving as chat_route
from memdesk.domain.models import Entity, Page, new_id
from memdesk.ports import GenerationChunk, Usage
from tests.helpers import rows as made


@pytest.fixture
def rows(parts):
    """One episode and one entity of the agent ``caroline``."""
    now = parts.services.clock.now()
    parts.services.agents.ensure("caroline")
    parts.services.conversations.create("caroline", conversation_id="c1")
    episode = made.episode(
        "They spoke about a dog.",
        "caroline",
        started_at=now,
        ended_at=now,
        created_at=now,
        updated_at=now,
    )
    entity = Entity(id=new_id(), agent_id="caroline", name="Biscuit", type="other", created_at=now, updated_at=now)

    def work(repos):
        repos.items.put(episode)
        repos.entities.put(entity)

    parts.store.write(work)
    return SimpleNamespace(episode=episode.id, entity=entity.id)


def test_episodes_are_read_changed_and_forgotten(http, rows):
    path = f"/memory/episodes/{rows.episode}"
    assert http.get("/memory/episodes?q=dog").json()["total"] == 1
    assert http.get(path).json()["summary"] == "They spoke about a dog."
    assert http.patch(path, json={"summary": "They spoke about a cat.", "salience": 0.9}).json()["salience"] == 0.9
    assert http.patch(path, json={"status": "disabled"}).status_code == 200
    assert http.get("/memory/episodes").json()["total"] == 0
    assert http.get("/memory/episodes?status=any").json()["total"] == 1
    assert http.delete(path, params={"dry_run": True}).json()["counts"]["episodes"] == 1
    assert http.delete(path).json()["verified"] is True
    assert http.get(path).status_code == 404


def test_an_episode_of_a_programs_own_is_found_once_and_goes_with_its_conversation(http, parts):
    digest = {"agent_id": "caroline", "summary": "They planned a trip to Porto.", "topics": ["travel"]}
    alone = http.post("/memory/episodes", json=digest)
    assert (alone.status_code, alone.json()["conversation_id"]) == (201, "")
    assert http.post("/memory/episodes", json=digest).json()["id"] == alone.json()["id"]

    unknown = http.post("/memory/episodes", json={**digest, "conversation_id": "c1"})
    assert unknown.status_code == 404
    parts.services.conversations.create("caroline", conversation_id="c1")
    day = {"started_at": "2026-05-01T10:00:00Z", "ended_at": "2026-05-01T11:00:00Z"}
    of_talk = http.post("/memory/episodes", json={**digest, **day, "conversation_id": "c1"}).json()
    assert of_talk["id"] != alone.json()["id"]
    assert http.get("/memory/episodes?q=porto").json()["total"] == 2
    backwards = {**digest, "started_at": day["ended_at"], "ended_at": day["started_at"]}
    assert http.post("/memory/episodes", json=backwards).status_code == 400

    gone = http.delete("/memory/conversations/c1", params={"agent_id": "caroline", "learned": True})
    assert gone.status_code == 200
    left = http.get("/memory/episodes").json()["items"]
    assert [episode["id"] for episode in left] == [alone.json()["id"]]


def test_entities_are_listed_and_shown(http, rows):
    assert http.get("/memory/entities?q=bis&type=other").json()["items"][0]["name"] == "Biscuit"
    view = http.get(f"/memory/entities/{rows.entity}").json()
    assert (view["entity"]["name"], view["facts"], view["relations"]) == ("Biscuit", [], [])


def test_identity_lines_are_previewed(http):
    line = http.post("/memory/identity", json={"content": "I am called Sam."}).json()
    preview = http.delete(f"/memory/identity/{line['id']}?dry_run=true").json()
    assert preview["counts"]["identity"] == 1
    assert http.get("/memory/identity").json()["total"] == 1


def test_review_calls_reach_the_service(http, parts, monkeypatch):
    parts.services.agents.ensure("caroline")
    fact = parts.services.memories.add_fact(agent_id="caroline", content="The dog is called Biscuit.")
    asked = []
    review = SimpleNamespace(
        items=lambda agent_id, limit, cursor: Page([fact], 1),
        accept=lambda fact_id, content: asked.append(("accept", fact_id, content)) or fact,
        reject=lambda fact_id, never_again: asked.append(("reject", fact_id, never_again)),
        remove_rule=lambda rule_id: asked.append(("rule", rule_id)),
        contradictions=lambda agent_id: [SimpleNamespace(id="k1")],
        resolve_contradiction=lambda card_id, keep: asked.append(("card", card_id, keep)) or ("f1",),
    )
    for name, work in vars(review).items():
        monkeypatch.setattr(parts.services.review, name, work, raising=False)
    assert http.get("/memory/review").json()["items"][0]["id"] == fact.id
    assert http.post(f"/memory/review/{fact.id}/accept", json={"content": "Better."}).json()["id"] == fact.id
    assert http.post(f"/memory/review/{fact.id}/reject", json={"never_again": True}).json()["rejected"] is True
    assert http.delete("/memory/review/rules/r1").json() == {"removed": "r1"}
    assert http.post("/memory/contradictions/k1", json={"keep": "new"}).json()["resolved"] == "k1"
    assert http.post("/memory/contradictions/k1", json={"keep": "neither"}).status_code == 422
    assert asked == [
        ("accept", fact.id, "Better."),
        ("reject", fact.id, True),
        ("rule", "r1"),
        ("card", "k1", "new"),
    ]


def test_embeddings_refuse_what_they_cannot_do(http, parts):
    def post(**body):
        return http.post("/v1/embeddings", json=body).status_code

    assert post(input=[]) == post(input=["", "x"]) == post(input="x", dimensions=3) == 400
    assert post(input=[-1]) == post(input=[10**9]) == 400
    parts.services.models.embedder = None
    assert post(input="x") == 409


def test_several_answers_and_odd_formats_are_refused(http):
    def post(**body):
        return http.post(
            "/v1/chat/completions", json={"messages": [{"role": "user", "content": "Hi"}]} | body
        ).status_code

    assert post(n=9) == 400
    assert post(response_format={"type": "xml"}) == 400
    assert post(response_format={"type": "json_schema"}) == 400
    assert post(response_format={"type": "text"}) == 200
    assert post(messages=[{"role": "system", "content": "x"}]) == 400
    assert post(messages=[]) == post(temperature=3) == 400
    answer = http.post(
        "/v1/chat/completions",
        json={"messages": [{"role": "user", "content": "Hi"}]},
        headers={"X-Memdesk-Memory": "maybe"},
    )
    assert answer.status_code == 400


def test_a_slow_first_word_is_bridged_with_signs_of_life(http, parts, monkeypatch):
    monkeypatch.setattr(chat_route, "FIRST_TOKEN_SECONDS", 0.05)
    monkeypatch.setattr(chat_route, "ALIVE_SECONDS", 0.05)
    release = threading.Event()

    class Slow(list):
        def __iter__(self):
            release.wait(60)
            yield GenerationChunk(text="At last.")
            yield GenerationChunk(finish_reason="stop", usage=Usage())

    parts.model.queue(Slow())
    body = {"messages": [{"role": "user", "content": "Hi"}], "stream": True}
    with http.stream("POST", "/v1/chat/completions", json=body) as answer:
        seen = []
        for line in answer.iter_lines():
            seen.append(line)
            if sum(line.startswith(": ") for line in seen) == 2:
                release.set()
    assert any("At last." in line for line in seen)
    assert seen[-2:] == ["data: [DONE]", ""]


def test_a_bug_in_mid_answer_is_an_error_event_without_its_text(http, parts, caplog):
    parts.model.queue([GenerationChunk(text="Half"), ZeroDivisionError("the user's words")])
    body = {"messages": [{"role": "user", "content": "Hi"}], "stream": True}
    text = http.post("/v1/chat/completions", json=body).text
    assert '"code": "internal_error"' in text
    assert "words" not in text
    assert text.endswith("data: [DONE]\n\n")
    caplog.clear()


def test_there_is_one_embedding_model_under_any_name(http):
    answer = http.post("/v1/embeddings", json={"input": "x", "model": "text-embedding-3-small"})
    assert answer.json()["model"] == "bundled:tiny"
