"""Folders of chats over HTTP: they belong to the user, so a token of one agent has no access."""

from __future__ import annotations


def test_a_folder_is_made_filled_and_deleted(http, parts):
    parts.services.conversations.create("caroline", conversation_id="a/b")
    made = http.post("/memory/folders", json={"name": "Taxes", "instructions": "Be exact."})
    assert made.status_code == 201
    path = f"/memory/folders/{made.json()['id']}"
    moved = http.patch(
        "/memory/conversations/a/b", params={"agent_id": "caroline"}, json={"folder_id": made.json()["id"]}
    )
    assert moved.json()["folder_id"] == made.json()["id"]
    http.post("/memory/folders", json={"name": "Trips"})
    changed = http.patch(path, json={"name": "Taxes 2026", "position": 0, "collapsed": True}).json()
    assert changed == made.json() | {"name": "Taxes 2026", "collapsed": True, "conversations": 1}
    assert [folder["name"] for folder in http.get("/memory/folders").json()["folders"]] == ["Taxes 2026", "Trips"]
    listed = http.get("/memory/conversations", params={"folder_id": made.json()["id"]}).json()["items"]
    assert [talk["id"] for talk in listed] == ["a/b"]
    assert http.delete(path, params={"chats": True, "dry_run": True}).json()["counts"]["conversations"] == 1
    assert http.delete(path).json()["verified"] is True
    assert http.get(path).status_code == 404
    assert http.get("/memory/conversations", params={"folder_id": ""}).json()["total"] == 1


def test_what_cannot_be_is_refused(http, parts):
    parts.services.conversations.create("caroline", conversation_id="c")
    assert http.post("/memory/folders", json={"name": " "}).status_code == 400
    assert http.patch("/memory/folders/unknown", json={"name": "x"}).status_code == 404
    one = {"agent_id": "caroline"}
    assert http.patch("/memory/conversations/c", params=one, json={"folder_id": "unknown"}).status_code == 404
    assert http.get("/memory/conversations/c", params=one).json()["folder_id"] is None


def test_a_folder_with_a_memory_of_its_own_says_whose_it_is(http, parts):
    shared = http.post("/memory/folders", json={"name": "Trips"}).json()
    made = http.post("/memory/folders", json={"name": "Diary", "own_memory": True}).json()
    assert shared["agent_id"] is None
    http.post("/memory/facts", json={"agent_id": made["agent_id"], "content": "The user sings."})
    assert http.get("/memory/facts", params={"agent_id": "default"}).json()["total"] == 0
    assert http.delete(f"/memory/folders/{made['id']}").status_code == 409
    gone = http.delete(f"/memory/folders/{made['id']}", params={"chats": True}).json()
    assert (gone["verified"], gone["counts"]["facts"]) == (True, 1)
    assert http.get(f"/agents/{made['agent_id']}").status_code == 404
