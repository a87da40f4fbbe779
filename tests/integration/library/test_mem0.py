"""mem0's faces: its class over ours, and its own client against our server."""

from __future__ import annotations

import asyncio

import pytest

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


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.search("x", user_id="ada"),
        lambda m: m.get_all(user_id="ada"),
        lambda m: m.search("x", filters={}),
        lambda m: m.search("", filters={"user_id": "ada"}),
        lambda m: m.search("x", filters={"user_id": "ada"}, top_k=-1),
        lambda m: m.search("x", filters={"user_id": "ada"}, threshold=2),
        lambda m: m.search("x", filters={"user_id": "ada"}, show_expired=True),
        lambda m: m.get_all(filters={"user_id": "ada"}, show_expired=True),
        lambda m: m.add("x"),
        lambda m: m.add("x", user_id="two words"),
        lambda m: m.add("x", user_id="ada", metadata={"user_id": "bob"}),
        lambda m: m.add("x", user_id="ada", memory_type="procedural_memory"),
        lambda m: m.update("nobody", "x"),
        lambda m: m.delete("nobody"),
        lambda m: m.delete_all(),
    ],
)
def test_what_mem0_refuses_is_refused_as_there(m, call):
    with pytest.raises(ValueError):  # noqa: PT011  # the words are ours
        call(m)


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
    running.tokens = parts.services.tokens
    yield running
    running.stop()
    parts.close()


def asked(server, method, path, scopes=None, agent=None, **sent):
    import httpx

    secret = server.tokens.create("t", scopes, [agent] if agent else [])[1]
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


def memdesk_desktop(server) -> Memory:
    import memdesk

    return memdesk.Memory.desktop(server.tokens.create("program")[1], server.url)
