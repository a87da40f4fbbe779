"""mem0's APIs: its class over ours, and its own client against our server."""

from __future__ import annotations

import asyncio
import warnings
from datetime import UTC, datetime, timedelta

import pytest

import memdesk
from memdesk.api.server import ApiServer
from memdesk.compat import mem0
from memdesk.library import Memory
from memdesk.library.config import MemoryConfig
from tests.helpers.parts import make_parts


@pytest.fixture
def m(local):
    return mem0.Memory(memory=local)


def test_the_calls_answer_in_mem0s_shapes(m):
    (event,) = m.add("I live in Porto", user_id="ada", metadata={"tag": "x"})["results"]
    assert set(event) == {"id", "memory", "event"}
    assert event["event"] == "ADD"
    assert m.add("I live in Porto", user_id="ada") == {"results": []}
    (found,) = m.search("Where does the user live?", filters={"user_id": "ada"})["results"]
    assert {"id", "memory", "hash", "metadata", "score", "created_at", "updated_at", "user_id"} <= set(found)
    assert m.get(event["id"])["memory"] == event["memory"]
    assert m.update(event["id"], data="Moved.") == {"message": "Memory updated successfully!"}
    assert [one["memory"] for one in m.get_all(filters={"AND": [{"user_id": "ada"}, {"tag": "x"}]})["results"]] == [
        "Moved."
    ]
    assert m.get_all(filters={"user_id": "ada", "tag": "y"}) == {"results": []}
    assert m.delete(event["id"]) == {"message": "Memory deleted successfully!"}
    history = m.history(event["id"])
    assert [(one["event"], one["is_deleted"]) for one in history] == [("ADD", 0), ("UPDATE", 0), ("DELETE", 1)]
    assert history[1]["new_memory"] == "Moved."
    assert m.delete_all(user_id="ada") == {"message": "Memories deleted successfully!"}
    m.reset()


def test_older_names_are_taken_and_unknown_ones_refused(m):
    mine = {"filters": {"user_id": "ada"}, "version": "v2"}
    for number in range(3):
        m.add(f"Note {number}.", user_id="ada", infer=False)
    assert len(m.search("note", **mine)["results"]) == 3
    assert len(m.search("note", **mine, limit=2)["results"]) == len(m.get_all(**mine, limit=2)["results"]) == 2
    with pytest.raises(TypeError, match="categories"):
        m.search("note", **mine, categories=["x"])


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.search("x", user_id="ada"),
        lambda m: m.get_all(user_id="ada"),
        lambda m: m.search("x", filters={}),
        lambda m: m.search("", filters={"user_id": "ada"}),
        lambda m: m.search("x", filters={"user_id": "ada"}, top_k=-1),
        lambda m: m.search("x", filters={"user_id": "ada"}, threshold=2),
        lambda m: m.search("x", filters={"user_id": "ada"}, rerank=True),
        lambda m: m.add("x"),
        lambda m: m.add("x", user_id="two words"),
        lambda m: m.add("x", user_id="ada", memory_type="procedural_memory"),
        lambda m: m.update("nobody", "x"),
        lambda m: m.delete("nobody"),
        lambda m: m.delete_all(),
    ],
)
def test_what_mem0_refuses_is_refused_as_there(m, call):
    with pytest.raises(ValueError):  # noqa: PT011  # the words are ours
        call(m)


def test_a_memory_lasts_through_its_last_day_and_has_no_end_when_that_is_taken_away(m):
    today = datetime.now(UTC).date()
    (last,) = m.add("today", user_id="ada", infer=False, expiration_date=today.isoformat())["results"]
    m.add("yesterday", user_id="ada", infer=False, expiration_date=today - timedelta(days=1))
    mine = {"user_id": "ada"}
    assert [one["memory"] for one in m.get_all(filters=mine)["results"]] == ["today"]
    for shown in (
        m.get_all(filters=mine, show_expired=True),
        m.search("yesterday", filters=mine, threshold=0, show_expired=True),
    ):
        assert {one["memory"] for one in shown["results"]} == {"today", "yesterday"}
    assert m.get(last["id"])["expiration_date"] == today.isoformat()
    m.update(last["id"], expiration_date=None)
    assert "expiration_date" not in m.get(last["id"])


@pytest.mark.expect_log
def test_metadata_is_added_to_and_never_says_whose_a_memory_is(m):
    (event,) = m.add("x", user_id="ada", infer=False, metadata={"tag": 1, "user_id": "bob"})["results"]
    m.update(event["id"], metadata={"more": 2, "actor_id": "eve"})
    found = m.get(event["id"])
    assert (found["user_id"], found["metadata"]) == ("ada", {"tag": 1, "more": 2})


def test_a_whole_transcript_is_taken_as_it_is(m):
    said = [
        {"role": "user", "content": "What is the weather?"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
        {"role": "tool", "tool_call_id": "1", "content": "Rain."},
        {"role": "assistant", "content": "It rains."},
    ]
    done = m.add(said, user_id="ada", infer=False)["results"]
    assert [one["memory"] for one in done] == ["What is the weather?", "It rains."]


def test_any_value_and_none_of_several_are_filtered_as_there(m):
    for name, metadata in (("a", {"tag": "x"}), ("b", {"tag": "y"}), ("c", {})):
        m.add(name, user_id="ada", infer=False, metadata=metadata)

    def kept(**filters):
        return "".join(one["memory"] for one in m.get_all(filters={"user_id": "ada", **filters})["results"])

    assert kept(tag="*") == "ab"
    assert kept(NOT=[{"tag": "x"}, {"tag": "y"}]) == "c"


def test_it_is_left_by_a_with(m):
    with m as same:
        same.add("x", user_id="ada", infer=False)
    with pytest.raises(memdesk.VaultError):
        m.get_all(filters={"user_id": "ada"})


def test_the_asynchronous_one_is_made_of_a_configuration_with_and_without_awaiting():
    async def main():
        config = {"vector_store": {"provider": "memory"}}
        for m in (mem0.AsyncMemory.from_config(config), await mem0.AsyncMemory.from_config(config)):
            await m.add("kept", user_id="ada", infer=False)
            assert len((await m.get_all(filters={"user_id": "ada"}))["results"]) == 1
            m.close()

    asyncio.run(main())


def test_the_asynchronous_one_is_awaited_and_closed_at_once(local):
    async def main():
        m = mem0.AsyncMemory(memory=local)
        await m.add("kept", user_id="ada", infer=False)
        assert [one["memory"] for one in (await m.get_all(filters={"user_id": "ada"}))["results"]] == ["kept"]
        with pytest.raises(NotImplementedError):
            await m.chat("hello")
        m.close()

    asyncio.run(main())


@pytest.mark.parametrize(
    ("part", "given", "expected"),
    [
        (
            "llm",
            {"provider": "gemini", "config": {"model": "models/gemini-2.5-flash", "temperature": 0.1, "api_key": "k"}},
            {"provider": "google", "config": {"model": "gemini-2.5-flash", "temperature": 0.1, "api_key": "k"}},
        ),
        (
            "embedder",
            {"provider": "gemini", "config": {"api_key": "k"}},
            {"provider": "google", "config": {"model": "gemini-embedding-001", "dimensions": 768, "api_key": "k"}},
        ),
        (
            "llm",
            {
                "provider": "azure_openai_structured",
                "config": {
                    "model": "gpt-4o",
                    "azure_kwargs": {
                        "azure_deployment": "mine", "azure_endpoint": "https://x.openai.azure.com", "api_version": "v",
                        "api_key": "k",
                    },
                },
            },
            {
                "provider": "azure",
                "config": {"model": "mine", "base_url": "https://x.openai.azure.com", "api_version": "v", "api_key": "k"},
            },
        ),
        (
            "embedder",
            {"provider": "openai", "config": {"openai_base_url": "http://127.0.0.1:9/v1", "embedding_dims": 64}},
            {"provider": "openai", "config": {"base_url": "http://127.0.0.1:9/v1", "dimensions": 64}},
        ),
        (
            "llm",
            {"provider": "lmstudio", "config": {"model": "m", "lmstudio_base_url": "http://127.0.0.1:9/v1"}},
            {"provider": "openai", "config": {"model": "m", "base_url": "http://127.0.0.1:9/v1", "api_key": "lmstudio"}},
        ),
        (
            "embedder",
            {"provider": "huggingface", "config": {"model": "m", "huggingface_base_url": "http://127.0.0.1:9/v1"}},
            {"provider": "openai", "config": {"model": "m", "base_url": "http://127.0.0.1:9/v1", "api_key": "hf"}},
        ),
    ],
)  # fmt: skip
def test_a_model_of_mem0_is_asked_as_mem0_would(part, given, expected):
    assert mem0.configuration({part: given})[part] == expected
    MemoryConfig.read({part: expected})


def test_an_azure_deployment_may_stand_in_the_variables_that_mem0_reads(monkeypatch):
    for name, value in {"OPENAI_API_KEY": "k", "DEPLOYMENT": "d", "ENDPOINT": "https://e", "API_VERSION": "v"}.items():
        monkeypatch.setenv(f"EMBEDDING_AZURE_{name}", value)
    read = mem0.configuration({"embedder": {"provider": "azure_openai", "config": {"model": "ada"}}})["embedder"]
    expected = {"model": "d", "base_url": "https://e", "api_version": "v", "api_key": "k"}
    assert read == {"provider": "azure", "config": expected}


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"llm": {"provider": "gemini", "config": {"vertexai": True}}}, "vertexai"),
        (
            {"llm": {"provider": "azure_openai", "config": {"azure_kwargs": {"default_headers": {"a": "b"}}}}},
            "default_headers",
        ),
        ({"embedder": {"provider": "huggingface", "config": {"model": "BAAI/bge-small-en"}}}, "on this machine"),
        ({"vector_store": {"provider": "elasticsearch", "config": {"cloud_id": "x"}}}, "cloud_id"),
    ],
)
def test_what_would_be_sent_elsewhere_or_otherwise_is_refused_by_name(given, named):
    with pytest.raises(ValueError, match=named):
        mem0.configuration(given)


@pytest.mark.parametrize(
    ("provider", "given", "expected"),
    [
        (
            "elasticsearch",
            {"host": "h", "user": "u", "password": "p@", "use_ssl": False},
            {"url": "http://u:p%40@h:9200", "api_key": None},
        ),
        ("pinecone", {"api_key": "k", "metric": "cosine"}, {"api_key": "k", "index": "mem0"}),
        ("redis", {"redis_url": "redis://h"}, {"redis_url": "redis://h"}),
        ("qdrant", {"path": "p", "on_disk": True, "url": None}, {"path": "p"}),
        ("pgvector", {"dbname": "d", "sslmode": "require"}, {"url": "postgresql://:@localhost:5432/d?sslmode=require"}),
    ],
)
def test_a_store_of_mem0_is_found_where_mem0_has_it(provider, given, expected):
    read = mem0.configuration({"vector_store": {"provider": provider, "config": {**given, "embedding_model_dims": 8}}})
    assert read["vector_store"] == {"provider": provider, "collection_name": "mem0", "config": expected}


def test_a_configuration_of_mem0_is_understood_or_refused_by_name():
    ours = MemoryConfig.read(
        mem0.configuration(
            {
                "vector_store": {
                    "provider": "pgvector",
                    "config": {"dbname": "d", "user": "u", "password": "p@", "host": "h", "port": 1, "collection_name": "c_1",
                               "embedding_model_dims": 3},
                },
                "llm": {"provider": "openai", "config": {"model": "m", "temperature": 0.2}},
                "embedder": {"provider": "ollama", "config": {"model": "e", "embedding_dims": 3}},
                "custom_instructions": "Only food.",
                "version": "v1.1",
            }
        )
    )  # fmt: skip
    assert ours.vector_store.config == {"url": "postgresql://u:p%40@h:1/d"}
    assert ours.vector_store.collection_name == "c_1"
    assert (ours.llm.provider, ours.embedder.config.dimensions) == ("openai", 3)
    assert ours.custom_prompts.fact_extraction == "Only food."
    with pytest.raises(ValueError, match="reranker"):
        mem0.configuration({"reranker": {}})


# ---------------------------------------------------------------------- over HTTP


@pytest.fixture
def server(engines, tmp_path):
    from memdesk.storage.item_store import SqlItemStore

    parts = make_parts(tmp_path)
    store = SqlItemStore(parts.store)
    parts.services.library = engines.service(store, store)
    running = ApiServer(parts.services, host="127.0.0.1", port=0)
    running.start()
    running.services, running.tokens = parts.services, parts.services.tokens
    yield running
    running.stop()
    parts.close()


def asked(server, method, path, scopes=None, agent=None, **sent):
    import httpx

    secret = server.tokens.create("t", scopes, [agent] if agent else None)[1]
    return httpx.request(
        method, f"{server.url}{path}", headers={"Authorization": f"Token {secret}"}, timeout=60, **sent
    )


@pytest.mark.parametrize("slash", ["", "/"])
def test_every_route_answers_with_and_without_the_last_slash(server, slash):
    def ask(method, path, **sent):
        answer = asked(server, method, f"{path}{slash}", **sent)
        assert answer.status_code == 200, (method, path, answer.text)
        return answer.json()

    (event,) = ask("POST", "/v1/memories", json={"messages": "My friend Alice works at Google", "user_id": "u"})[
        "results"
    ]
    assert event["memory"] == event["new_memory"]
    one = f"/v1/memories/{event['id']}"
    assert (
        ask("GET", "/v1/memories/search", params={"q": "Google", "user_id": "u", "limit": 1})["results"][0]["id"]
        == event["id"]
    )
    assert ask("POST", "/v2/memories/search", json={"query": "Google", "filters": {"user_id": "u"}, "top_k": 1})[
        "results"
    ]
    assert ask("GET", "/v1/memories", params={"user_id": "u"})["results"][0]["id"] == event["id"]
    assert {found["name"] for found in ask("POST", "/v1/entities", json={"user_id": "u"})["results"]} == {
        "Alice",
        "Google",
    }
    assert ask("GET", "/v1/entities/Google/relations", params={"user_id": "u"})["results"]
    assert ask("GET", one)["memory"] == event["new_memory"]
    assert ask("PUT", one, json={"text": "Changed."})["memory"] == "Changed."
    assert len(ask("GET", f"{one}/history")) == 2
    assert ask("DELETE", one)["message"]
    assert ask("DELETE", "/v1/memories", params={"user_id": "u"})["deleted"] == 0
    assert ask("POST", "/v1/reset", json={})["message"]


@pytest.fixture
def client(server, tmp_path, monkeypatch):
    """mem0's own client, which asks our server as it would its maker's."""
    monkeypatch.setenv("MEM0_DIR", str(tmp_path))
    monkeypatch.setenv("MEM0_TELEMETRY", "False")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from mem0 import MemoryClient
    asking = MemoryClient(api_key=server.tokens.create("mem0")[1], host=server.url)
    yield asking
    asking.client.close()


def test_mem0s_client_adds_finds_lists_changes_and_deletes(client):
    mine = {"user_id": "ada"}
    (event,) = client.add("I live in Porto", user_id="ada", metadata={"tag": "x"}, app_id="desk")["results"]
    (again,) = client.add([{"role": "user", "content": "I live in Lisbon now"}], filters=mine)["results"]
    assert (again["event"], again["id"]) == ("UPDATE", event["id"])
    (found,) = client.search("Where does the user live?", filters=mine, top_k=1)["results"]
    assert "Lisbon" in found["memory"]
    assert client.get_all(filters={"AND": [mine, {"app_id": "desk"}]})["count"] == 1
    for number in range(3):
        client.add(f"Note {number}.", user_id="ada", infer=False, expiration_date="2999-12-31")
    first = client.get_all(filters=mine, page=1, page_size=3)
    second = client.get_all(filters=mine, page=2, page_size=3)
    assert (first["count"], len(first["results"]), first["previous"], second["next"]) == (4, 3, None, None)
    assert "page=2" in first["next"]
    assert "page=1" in second["previous"]
    (last,) = second["results"]
    assert last["expires_at"].startswith("3000-01-01")
    assert "expires_at" not in client.update(last["id"], expiration_date=None)
    client.update(last["id"], text="Changed.", metadata={"n": 1})
    assert client.get(last["id"])["memory"] == "Changed."
    assert [(one["event"], one["new_memory"]) for one in client.history(last["id"])][::2] == [
        ("ADD", "Note 2."),
        ("UPDATE", "Changed."),
    ]
    two = [one["id"] for one in first["results"][1:]]
    client.batch_update([{"memory_id": one, "text": "Both."} for one in two])
    assert [client.get(one)["memory"] for one in two] == ["Both.", "Both."]
    client.batch_delete([{"memory_id": one} for one in two])
    client.delete(last["id"])
    assert client.get_all(filters=mine)["count"] == 1
    assert client.delete_all(user_id="ada")["deleted"] == 1


def test_mem0s_client_sees_who_has_memories_and_deletes_them(client):
    client.add("x", user_id="ada", agent_id="writer", infer=False)
    client.add("y", user_id="ada", infer=False)
    client.add("z", user_id="bob", run_id="r/1", infer=False)
    assert {(one["type"], one["name"], one["total_memories"]) for one in client.users()["results"]} == {
        ("user", "ada", 2),
        ("agent", "writer", 1),
        ("user", "bob", 1),
        ("run", "r/1", 1),
    }
    client.delete_users(run_id="r/1")
    client.delete_users(user_id="ada")
    assert client.users()["results"] == []


def test_mem0s_client_is_told_what_is_not_there(client):
    from mem0.exceptions import MemoryNotFoundError, ValidationError

    with pytest.raises(MemoryNotFoundError):
        client.get("nobody")
    with pytest.raises(MemoryNotFoundError):
        client.batch_delete([{"memory_id": "nobody"}])
    with pytest.raises(MemoryNotFoundError):
        client.delete_users(user_id="nobody")
    with pytest.raises(ValidationError):
        client.delete_all(app_id="desk", user_id="ada")


def test_errors_have_the_one_shape(server):
    missing = asked(server, "GET", "/v1/memories/nobody/")
    assert missing.status_code == 404
    assert set(missing.json()["error"]) == {"message", "type", "code", "hint"}
    assert asked(server, "POST", "/v1/memories/", json={"messages": "x"}).json()["error"]["code"] == "scope_error"
    assert asked(server, "POST", "/v1/memories/", json={"user_id": "x"}).status_code == 422


def test_a_token_needs_the_scope_of_what_it_asks(server):
    assert asked(server, "GET", "/v1/memories/", ["memory:write"], params={"user_id": "u"}).status_code == 403
    assert (
        asked(server, "POST", "/v1/memories/", ["memory:read"], json={"messages": "x", "user_id": "u"}).status_code
        == 403
    )
    assert asked(server, "POST", "/v1/reset/", ["memory:read", "memory:write"], json={}).status_code == 403


def test_a_token_of_one_agent_sees_that_agents_memories_only(server):
    def add(agent, token):
        body = {"messages": f"of {agent}", "user_id": "u", "agent_id": agent, "infer": False}
        return asked(server, "POST", "/v1/memories/", agent=token, json=body)

    other = add("b", None).json()["results"][0]["id"]
    assert add("a", "a").status_code == 200
    assert add("b", "a").status_code == 403
    seen = asked(server, "GET", "/v1/memories/", agent="a", params={"user_id": "u"}).json()["results"]
    assert [one["memory"] for one in seen] == ["of a"]
    for method, path in (("GET", ""), ("PUT", ""), ("DELETE", ""), ("GET", "history/")):
        body = {"json": {"text": "x"}} if method == "PUT" else {}
        assert asked(server, method, f"/v1/memories/{other}/{path}", agent="a", **body).status_code == 404


def test_the_face_for_the_running_app_speaks_to_it(server):
    with memdesk_desktop(server) as m:
        m.add("kept", user_id="u", infer=False)
        assert [
            one["memory"] for one in m.get_all(user_id="u", filters={"memory": {"contains": "ept"}})["results"]
        ] == ["kept"]


def test_names_and_ids_may_hold_slashes(server):
    with memdesk_desktop(server) as m:
        server.services.library.bring([("a/1", {"data": "I love AC/DC.", "user_id": "u"})])
        assert m.get("a/1")["memory"] == "I love AC/DC."
        assert [one["event"] for one in m.history("a/1")] == ["ADD"]
        assert m.history("b/1") == []
        assert m.relations("AC/DC", user_id="u") == []
        m.update("a/1", "Changed.")
        m.delete("a/1")
        assert m.get("a/1") is None


def memdesk_desktop(server) -> Memory:
    return memdesk.Memory.desktop(server.tokens.create("program")[1], server.url)


def test_a_name_of_mem0_s_programs_opens_with_a_passphrase_where_there_is_no_keyring(tmp_path):
    place = {"path": str(tmp_path / "vectors"), "collection_name": "My-App", "on_disk": True}
    config = {"vector_store": {"provider": "qdrant", "config": place}}
    for found in (0, 1):
        with mem0.Memory.from_config(config, passphrase="a long secret") as memory:
            assert len(memory.get_all(filters={"user_id": "ada"})["results"]) == found
            memory.add("The hives stand in Porto.", user_id="ada", infer=False)
