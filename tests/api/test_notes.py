"""Folders of notes over HTTP."""


def test_a_folder_is_added_listed_synced_and_removed(http, parts, tmp_path):
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "house.md").write_text("The boiler is serviced in October.")
    made = http.post("/memory/notes", json={"path": str(folder), "include": ["*.md"]})
    assert (made.status_code, made.json()["agent"], made.json()["include"]) == (201, "default", ["*.md"])
    assert http.post("/memory/notes/sync", json={}).json()["read"] == 1
    (listed,) = http.get("/memory/notes").json()["items"]
    assert (listed["files"], listed["passages"], listed["refused"]) == (1, 1, [])
    assert http.post("/memory/notes", json={"path": str(folder)}).status_code == 409
    assert http.get("/memory/items", params={"form": "passage"}).json()["total"] == 1
    assert http.delete(f"/memory/notes/{listed['id']}").json() == {"files": 1}
    assert http.get("/memory/items", params={"form": "passage"}).json()["total"] == 0
    assert http.delete(f"/memory/notes/{listed['id']}").status_code == 404


def test_only_who_may_administer_names_folders_of_the_disk(bare, parts, tmp_path):
    for scopes, agent in ((["chat", "memory:read", "memory:write"], None), (["admin"], "a")):
        _, secret = parts.services.tokens.create("tool", scopes, [agent] if agent else None)
        headers = {"Authorization": f"Bearer {secret}"}
        assert bare.post("/memory/notes", json={"path": str(tmp_path)}, headers=headers).status_code == 403
        assert bare.get("/memory/notes", headers=headers).status_code == 403


def test_what_is_no_folder_is_refused_in_words(http, tmp_path):
    answer = http.post("/memory/notes", json={"path": str(tmp_path / "nowhere")})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
    assert http.post("/memory/notes", json={"path": "relative"}).status_code == 400
    assert http.post("/memory/notes", json={"path": str(tmp_path / ("x" * 300))}).status_code == 404


def test_how_a_folder_is_searched_is_checked_and_changed(http, tmp_path):
    body = {"path": str(tmp_path), "search": {"minScore": 0.35, "vectorWeight": 0.7, "candidates": 4}}
    made = http.post("/memory/notes", json=body).json()
    wanted = made["search"] | {"mmrLambda": 0.7, "halfLifeDays": 30, "vectorWeight": None}
    change = {"search": {"mmrLambda": 0.7, "halfLifeDays": 30, "vectorWeight": None}}
    assert http.patch(f"/memory/notes/{made['id']}", json=change).json()["search"] == wanted
    for wrong in ({"minScore": 1.5}, {"mmrLambda": -1}, {"halfLifeDays": "soon"}, {"candidates": 99}, {"lambda": 1}):
        refused = http.patch(f"/memory/notes/{made['id']}", json={"search": wrong})
        assert refused.status_code == 422
        assert next(iter(wrong)) in refused.json()["error"]["message"]
    assert http.patch("/memory/notes/nowhere", json=change).status_code == 404
    assert http.get("/memory/notes").json()["items"][0]["search"] == wanted
    assert http.patch(f"/memory/notes/{made['id']}", json={"append": True}).json()["append"]
    assert http.patch(f"/memory/notes/{made['id']}", json={"include": []}).status_code == 422
    http.delete(f"/memory/notes/{made['id']}")
