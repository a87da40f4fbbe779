"""Items over HTTP: by scope, key and filter; facts, identity lines and episodes are views of them."""

from __future__ import annotations

import json

import pytest

from memdesk.domain.items.item import MemoryItem
from tests.helpers import rows


@pytest.fixture
def agent(http):
    assert http.put("/agents/caroline", json={"name": "Caroline", "memory": "on"}).status_code == 201
    return "caroline"


def put(http, content, **fields):
    return http.post("/memory/items", json={"content": content, "agent_id": "caroline", **fields})


def listed(http, **asked):
    return [item["content"] for item in http.get("/memory/items", params=asked).json()["items"]]


def test_an_item_is_written_read_changed_and_forgotten(http, agent):
    made = put(http, "Her dog is Biscuit.", kind="relationship", tags=["dog"], metadata={"source": "vet"})
    assert made.status_code == 201
    item = made.json()
    assert (item["form"], item["tier"], item["type"], item["origin"]) == ("statement", "pinned", "factual", "api")
    assert "seq" not in item
    path = f"/memory/items/{item['id']}"
    assert http.get(path).json() == item
    # The list of facts shows it: a fact is an item of the tier "pinned".
    assert http.get(f"/memory/facts/{item['id']}").json()["content"] == "Her dog is Biscuit."
    changed = http.patch(path, json={"privacy": "local_only", "metadata": {"seen": 2}}).json()
    assert changed["privacy"] == "local_only"
    assert changed["metadata"] == {"source": "vet", "seen": 2}
    entries = http.get("/memory/history", params={"kind": "fact"}).json()["items"]
    assert [entry["action"] for entry in entries] == ["edit", "add"]
    assert http.delete(path, params={"dry_run": True}).json()["counts"]["facts"] == 1
    assert http.delete(path).json()["verified"] is True
    assert http.get(path).status_code == 404
    assert http.get(f"/memory/facts/{item['id']}").status_code == 404


def test_the_same_key_changes_the_item_and_merges_its_metadata(http, agent):
    first = put(http, "Shoe size 42", key="shoe", metadata={"by": "form", "old": 1}).json()
    again = put(http, "Shoe size 43", key="shoe", metadata={"old": None, "new": 2})
    assert again.status_code == 200
    assert again.json()["id"] == first["id"]
    assert again.json()["content"] == "Shoe size 43"
    assert again.json()["metadata"] == {"by": "form", "new": 2}
    assert (again.json()["tier"], again.json()["type"]) == (first["tier"], first["type"])
    placed = put(http, "Shoe size 43", key="shoe", tier="kept", type="procedural").json()
    assert (placed["id"], placed["tier"], placed["type"]) == (first["id"], "kept", "procedural")
    # In another scope the key is another one's.
    assert put(http, "Shoe size 38", key="shoe", run_id="other").status_code == 201
    assert listed(http, key="shoe", run_id="other") == ["Shoe size 38"]
    assert http.patch(f"/memory/items/{first['id']}", json={"content": "x", "key": "shoe"}).status_code == 200


def test_the_same_words_again_are_the_known_item(http, agent):
    first = put(http, "She runs marathons.")
    assert put(http, "She runs marathons.").json()["id"] == first.json()["id"]


def test_a_key_of_another_item_is_refused(http, agent):
    put(http, "One", key="a")
    other = put(http, "Two", key="b").json()
    assert http.patch(f"/memory/items/{other['id']}", json={"key": "a"}).status_code == 409


def test_lists_are_narrowed_by_fields_tags_words_and_metadata(http, agent):
    put(http, "She likes tea.", kind="preference", tags=["Drinks"], metadata={"n": 1, "list": ["x"]})
    put(http, "She lives in Porto.", kind="identity", metadata={"n": 5, "city": "Porto"})
    put(http, "She reads on Sundays.", tier="kept", type="procedural", metadata={"n": 9})
    assert listed(http, kind="preference") == ["She likes tea."]
    assert listed(http, tier="kept") == ["She reads on Sundays."]
    assert listed(http, type="procedural") == ["She reads on Sundays."]
    assert listed(http, tag="drinks") == ["She likes tea."]
    assert listed(http, q="porto") == ["She lives in Porto."]
    assert listed(http, filter=json.dumps({"n": {"gt": 2}})) == ["She lives in Porto.", "She reads on Sundays."]
    assert listed(http, filter=json.dumps({"OR": [{"list": "x"}, {"city": "Porto"}]}), descending=True) == [
        "She lives in Porto.",
        "She likes tea.",
    ]
    assert listed(http, agent_id="nobody") == []
    put(http, "She sails.", key="sport", run_id="r1")
    assert listed(http, key="sport") == listed(http, run_id="r1") == ["She sails."]
    assert listed(http, user_id="me", run_id="r1") == ["She sails."]
    assert listed(http, user_id="nobody") == listed(http, form="link") == listed(http, status="disabled") == []
    assert len(listed(http, form="statement")) == 4
    http.delete(f"/memory/items/{http.get('/memory/items', params={'key': 'sport'}).json()['items'][0]['id']}")
    assert http.get("/memory/items", params={"filter": "{"}).status_code == 400
    assert http.get("/memory/items", params={"filter": '{"n": {"like": 1}}'}).status_code == 400
    page = http.get("/memory/items", params={"limit": 2}).json()
    assert page["total"] == 3
    assert len(http.get("/memory/items", params={"limit": 2, "cursor": page["next"]}).json()["items"]) == 1


def test_what_has_expired_is_listed_only_when_asked_for(http, agent):
    put(http, "The code is 4471.", expires_at="2020-01-01T00:00:00Z")
    assert listed(http) == []
    assert listed(http, expired=True) == ["The code is 4471."]


def test_an_item_with_every_reply_is_an_identity_line(http, agent):
    made = http.post("/memory/items", json={"content": "Her name is Caroline.", "tier": "always"})
    assert made.status_code == 201
    assert [line["content"] for line in http.get("/memory/identity").json()["items"]] == ["Her name is Caroline."]
    assert put(http, "x", tier="always").status_code == 400
    assert http.delete(f"/memory/items/{made.json()['id']}").json()["verified"] is True
    assert http.get("/memory/identity").json()["items"] == []


def test_a_kept_item_can_be_forgotten_by_itself(http, agent, parts):
    item = put(http, "The flat has a balcony.", tier="kept").json()
    assert http.delete(f"/memory/items/{item['id']}").json()["verified"] is True
    with parts.store.read() as repos:
        assert repos.items.get(item["id"]) is None


def test_episodes_are_items_that_are_changed_under_their_own_name(http, agent, parts):
    episode = rows.episode("She moved to Porto.", agent_id="caroline", topics=("moving",))
    parts.store.write(lambda repos: repos.items.put(episode))
    (item,) = http.get("/memory/items", params={"form": "episode"}).json()["items"]
    assert (item["content"], item["tags"], item["type"]) == ("She moved to Porto.", ["moving"], "episodic")
    assert http.patch(f"/memory/items/{episode.id}", json={"content": "x"}).status_code == 400
    assert put(http, "x", form="episode").status_code == 400


def test_an_item_of_another_agent_is_unknown_to_a_token_of_one(http, agent, bare, parts):
    item = put(http, "Her dog is Biscuit.").json()
    assert http.put("/agents/other", json={"name": "Other"}).status_code == 201
    secret = parts.services.tokens.create("bound", agents=["other"])[1]
    headers = {"Authorization": f"Bearer {secret}"}
    for method in ("GET", "PATCH", "DELETE"):
        answer = bare.request(
            method, f"/memory/items/{item['id']}", headers=headers, json={} if method == "PATCH" else None
        )
        assert answer.status_code == 404, method
    assert bare.get("/memory/items", headers=headers).json()["total"] == 0
    always = bare.post("/memory/items", headers=headers, json={"content": "x", "tier": "always"})
    assert always.status_code == 403


def test_edited_words_are_no_longer_what_was_read_of_them(http, agent, parts):
    from memdesk.domain.items.statement import Statement

    item = MemoryItem(
        id="known",
        agent_id="caroline",
        content="She lives in Oslo.",
        statement=Statement(subject="user", predicate="live in", object="Oslo"),
        created_at=rows.T0,
        updated_at=rows.T0,
    )
    parts.store.write(lambda repos: repos.items.add(item))
    assert http.get("/memory/items/known").json()["statement"]["object"] == "Oslo"
    assert http.patch("/memory/facts/known", json={"content": "She lives in Porto."}).status_code == 200
    assert http.get("/memory/items/known").json()["statement"] is None


def test_what_is_not_sent_of_an_item_with_a_key_stays(http, agent):
    fields = {"kind": "preference", "tags": ["shoes"], "salience": 0.9, "user_pinned": True, "privacy": "local_only"}
    first = put(http, "Shoe size 42", key="shoe", **fields).json()
    again = put(http, "Shoe size 43", key="shoe", tags=["boots"]).json()
    assert again["id"] == first["id"]
    assert {name: again[name] for name in fields} == fields | {"tags": ["boots"]}
    assert put(http, "Shoe size 43", key="shoe", privacy="normal").json()["privacy"] == "normal"
