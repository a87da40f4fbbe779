"""A gateway's entries copied to Qdrant: in a folder with its local mode, on an unreachable server, switched off."""

import time

import httpx
import pytest

from memdesk.bootstrap.app import App
from memdesk.bootstrap.profile import MemorySecrets
from memdesk.domain.items.scope import Scope
from memdesk.ports.item_store import Listing
from memdesk.services.recalling import SearchResult
from memdesk.settings.paths import profile_paths
from memdesk.stores.qdrant import QdrantStore
from tests.helpers.recall_desk import WordEmbedder

QDRANT = "/api/settings/qdrant"
ENTRIES = {"hive": "Ada keeps bees behind the barn.", "cello": "Ada plays the cello.", "tax": "Taxes are due in May."}


@pytest.fixture
def place(tmp_path):
    return tmp_path / "qdrant"


@pytest.fixture
def app(tmp_path):
    embedder = WordEmbedder()
    made = App(profile_paths(home=tmp_path / "profile"), secrets=MemorySecrets(), embedder=lambda: embedder)
    made.open()
    yield made
    made.close()


@pytest.fixture
def http(app):
    url = app.start_server(host="127.0.0.1", port=0)
    headers = {"Authorization": f"Bearer {app.token}"}
    with httpx.Client(base_url=url, headers=headers, trust_env=False, timeout=120) as client:
        yield client


@pytest.fixture
def entries(http):
    """Ids of entries by key, each with a vector."""
    return {key: write(http, key, text) for key, text in ENTRIES.items()}


def write(http, key, text, **more):
    body = {"key": key, "content": text, "type": "factual", "apiKeyId": "gate", **more}
    return http.post("/api/memory", json=body).json()["id"]


def put(http, **changes):
    answer = http.put(QDRANT, json=changes)
    assert answer.status_code == 200, answer.text
    return answer.json()


def copied(app):
    app.finish_indexing()
    return app.services.entries_copy.sync()


def found(http, query):
    answer = http.post(f"{QDRANT}/search", json={"query": query}).json()
    assert answer["ok"], answer
    return [hit["payload"]["key"] for hit in answer["results"]]


def test_it_is_off_until_a_place_is_named(http, entries):
    told = http.get(QDRANT).json()
    assert (told["enabled"], told["host"], told["port"], told["hasApiKey"]) == (False, "", 6333, False)
    for way, path in (("GET", "health"), ("POST", "cleanup")):
        answer = http.request(way, f"{QDRANT}/{path}").json()
        assert (answer["ok"], answer["error"]) == (False, "not_configured")
    assert told["embeddingModel"] in [one["value"] for one in http.get(f"{QDRANT}/embedding-models").json()["models"]]


def test_ids_and_vectors_are_copied_without_a_word_of_text(app, http, entries, place):
    put(http, enabled=True, host=str(place))
    assert copied(app) == (3, 0)
    assert http.get(f"{QDRANT}/health").json()["ok"]
    assert found(http, "Where are the bees kept?")[0] == "hive"
    app.close()
    there = QdrantStore(path=str(place))
    try:
        listed = there.list("memdesk_entries", Listing(scope=Scope(agent_id="gate")))
    finally:
        there.close()
    assert {item.id for item in listed} == set(entries.values())
    assert not [path for path in place.rglob("*") if path.is_file() and b"bees" in path.read_bytes()]


def test_what_changes_and_what_is_forgotten_follows(app, http, entries, place):
    put(http, enabled=True, host=str(place))
    copied(app)
    assert copied(app) == (0, 0)
    write(http, "cello", "Ada flies gliders.")
    http.delete(f"/api/memory/{entries['hive']}")
    assert copied(app) == (1, 1)
    assert found(http, "the gliders")[0] == "cello"
    assert "hive" not in found(http, "Where are the bees kept?")


def test_what_stays_on_this_machine_is_not_copied(app, http, entries, place):
    put(http, enabled=True, host=str(place))
    app.services.items.change(entries["tax"], privacy="local_only")
    assert copied(app) == (2, 0)
    app.services.items.change(entries["hive"], privacy="local_only")
    assert copied(app) == (0, 1)


def test_its_hits_are_fused_into_the_gateways_search(app, http, entries, place, monkeypatch):
    put(http, enabled=True, host=str(place))
    copied(app)
    nothing = SearchResult(mode="fts", items=[])
    monkeypatch.setattr("memdesk.services.recalling.recall.RecallService.search", lambda *_, **__: nothing)
    asked = {"apiKeyId": "gate", "query": "Where are the bees kept?", "limit": 1}

    def keys():
        answer = http.post("/memory/tools/omniroute_memory_search", json=asked).json()
        return [each["key"] for each in answer["data"]["memories"]]

    assert keys() == ["hive"]
    put(http, enabled=False)
    assert keys() == []


@pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection")
@pytest.mark.expect_log  # that the copy waits, where this takes longer than its rest
def test_a_server_that_is_gone_leaves_the_search_to_what_is_here(app, http, entries):
    told = put(http, enabled=True, host="127.0.0.1", port=9, apiKey="secret-1234")
    assert (told["host"], told["port"], told["apiKeyMasked"]) == ("127.0.0.1", 9, "***1234")
    app.finish_indexing()
    for way, path in (("GET", "health"), ("POST", "cleanup")):
        answer = http.request(way, f"{QDRANT}/{path}").json()
        assert not answer["ok"]
        assert "Qdrant does not answer" in answer["error"]
    asked = {"apiKeyId": "gate", "query": "bees"}
    answer = http.post("/memory/tools/omniroute_memory_search", json=asked).json()
    assert [each["key"] for each in answer["data"]["memories"]][:1] == ["hive"]
    assert put(http, apiKey="")["hasApiKey"] is False


def test_cleaning_up_takes_out_what_is_not_in_force_and_all_of_it_once_it_is_off(app, http, entries, place):
    put(http, enabled=True, host=str(place))
    copied(app)
    app.services.items.change(entries["tax"], status="disabled")
    assert http.post(f"{QDRANT}/cleanup").json()["deletedCount"] == 1
    put(http, enabled=False)
    answer = http.post(f"{QDRANT}/cleanup").json()
    assert (answer["ok"], answer["deletedCount"]) == (True, 2)
    app.close()
    there = QdrantStore(path=str(place))
    try:
        assert there.collections() == []
    finally:
        there.close()


def test_another_programs_collection_is_left_alone(app, http, entries, place):
    from qdrant_client import QdrantClient, models

    theirs = QdrantClient(path=str(place))
    theirs.create_collection("taken", models.VectorParams(size=3, distance=models.Distance.COSINE))
    theirs.close()
    put(http, enabled=True, host=str(place), collection="taken")
    app.finish_indexing()
    answer = http.post(f"{QDRANT}/cleanup").json()
    assert not answer["ok"]
    assert "another program" in answer["error"]
    app.close()
    theirs = QdrantClient(path=str(place))
    assert theirs.collection_exists("taken")
    theirs.close()


def test_it_follows_by_itself_while_the_app_runs(app, http, place, monkeypatch):
    monkeypatch.setattr("memdesk.services.tools.mirror.REST_SECONDS", 0.01)
    app.start_background()
    put(http, enabled=True, host=str(place))
    write(http, "hive", ENTRIES["hive"])
    deadline = time.monotonic() + 120
    while found(http, "bees") != ["hive"]:
        assert time.monotonic() < deadline
