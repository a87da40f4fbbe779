"""Other databases, named in a configuration."""

from __future__ import annotations

import sys

import pytest

from memdesk import EmbeddingError, InvalidInputError, Memory, VaultError, VectorStoreError
from tests.helpers.played_models import Server


@pytest.fixture
def server():
    running = Server()
    yield running
    running.close()


def remote(server):
    return {"provider": "openai", "config": {"model": "m", "api_key": "x", "base_url": f"{server.url}/v1"}}


def three(text):
    """Return OpenAI's answer for one text, with a vector of three numbers."""
    row = {"object": "embedding", "index": 0, "embedding": [1.0, 0.0, float(len(text))]}
    return {"object": "list", "model": "m", "usage": {"prompt_tokens": 1, "total_tokens": 1}, "data": [row]}


def configured(tmp_path, provider, **config):
    return {
        "vector_store": {"provider": provider, "config": config},
        "embedder": {"provider": "none"},
        "history": {"db_path": ":memory:"},
    }


def test_faiss_keeps_what_was_said_and_lets_one_process_in(tmp_path):
    pytest.importorskip("faiss", reason="faiss-cpu is not installed")
    config = configured(tmp_path, "faiss", path=str(tmp_path / "faiss"))
    with Memory.from_config(config) as memory:
        memory.add("The hives stand in Porto.", user_id="ada", infer=False)
        with pytest.raises(VectorStoreError, match="FAISS"):
            Memory.from_config(config)
    with Memory.from_config(config) as memory:
        assert [one["memory"] for one in memory.search("hives", user_id="ada")["results"]] == [
            "The hives stand in Porto."
        ]


@pytest.mark.parametrize(
    ("provider", "package", "config"),
    [
        ("azure_ai_search", "azure", {"service_name": "x", "api_key": "x"}),
        ("elasticsearch", "elasticsearch", {"host": "127.0.0.1"}),
        ("faiss", "faiss", {"path": "here"}),
        ("pinecone", "pinecone", {"host": "127.0.0.1", "api_key": "x"}),
        ("redis", "redis", {"url": "redis://127.0.0.1:1"}),
        ("weaviate", "weaviate", {"host": "127.0.0.1"}),
    ],
)
def test_a_client_that_is_not_installed_is_named_with_its_extra(tmp_path, monkeypatch, provider, package, config):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(VectorStoreError, match="not installed") as told:
        Memory.from_config(configured(tmp_path, provider, **config))
    assert f"memdesk[{provider.replace('_', '-')}]" in told.value.hint


@pytest.mark.parametrize("provider", ["azure_ai_search", "elasticsearch", "pinecone", "redis", "weaviate"])
def test_a_server_without_an_address_is_asked_for(tmp_path, monkeypatch, provider):
    for name in ("AZURE_SEARCH_ENDPOINT", "ELASTICSEARCH_HOST", "PINECONE_HOST", "REDIS_URL", "WEAVIATE_HOST"):
        monkeypatch.delenv(name, raising=False)
    for package in ("azure.search.documents", "elasticsearch", "pinecone", "redis", "weaviate"):
        monkeypatch.setitem(sys.modules, package, sys)
    given = {} if provider == "redis" else {"api_key": "x"}
    with pytest.raises(InvalidInputError, match="address"):
        Memory.from_config(configured(tmp_path, provider, **given))


@pytest.mark.parametrize(
    ("provider", "known"), [("qdrant", "path"), ("memory", "none"), ("redis", "redis_url"), ("memdesk", "none")]
)
def test_an_unknown_key_of_a_store_is_refused_with_the_known_ones(tmp_path, provider, known):
    with pytest.raises(InvalidInputError, match=f"config has no pth; known are: .*{known}"):
        Memory.from_config(configured(tmp_path, provider, pth="here"))


def test_any_name_names_a_collection_of_its_own(tmp_path):
    names = ["My-App", "my_app", "MY_APP", "2026", "m", "Мои заметки"]
    config = configured(tmp_path, "qdrant", path=str(tmp_path / "vectors"))
    for again in (False, True):
        for name in names:
            config["vector_store"]["collection_name"] = name
            with Memory.from_config(config) as memory:
                if not again:
                    memory.add(f"This is {name}.", user_id="ada", infer=False)
                assert [one["memory"] for one in memory.get_all(user_id="ada")["results"]] == [f"This is {name}."]
    config["vector_store"]["collection_name"] = ""
    with pytest.raises(InvalidInputError, match="collection_name"):
        Memory.from_config(config)


@pytest.mark.expect_log
def test_a_history_that_cannot_be_opened_is_kept_in_the_process(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    config = configured(tmp_path, "qdrant", path=str(tmp_path / "vectors"))
    config["history"] = {"db_path": str(tmp_path / "file" / "history")}
    with Memory.from_config(config, passphrase="a long secret") as memory:
        (event,) = memory.add("kept", user_id="ada", infer=False)["results"]
        assert [one["event"] for one in memory.history(event["id"])] == ["ADD"]
    assert "history" in caplog.text


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(VectorStoreError, match="file"):
        Memory(tmp_path / "file" / "mine", passphrase="a long secret")


def test_from_config_takes_the_passphrase_of_the_history(tmp_path):
    config = configured(tmp_path, "qdrant", path=str(tmp_path / "vectors"))
    config["history"] = {"db_path": str(tmp_path / "history")}
    with Memory.from_config(config, passphrase="a long secret") as memory:
        code = memory.recovery_code
        (event,) = memory.add("kept", user_id="ada", infer=False)["results"]
    with Memory.from_config(config, recovery_code=code) as memory:
        assert [one["event"] for one in memory.history(event["id"])] == ["ADD"]
    with pytest.raises(VaultError):
        Memory.from_config(config, passphrase="another secret")


@pytest.mark.expect_log
@pytest.mark.parametrize("provider", ["memory", "qdrant"])
def test_a_text_whose_embedder_is_down_is_kept_where_there_is_a_collection(tmp_path, server, provider):
    place = {"path": str(tmp_path / "vectors")} if provider == "qdrant" else {}
    with Memory.from_config(configured(tmp_path, provider, **place) | {"embedder": remote(server)}) as memory:
        server.answers = [(503, {})]
        assert memory.get_all(user_id="ada")["results"] == []
        assert memory.search("hives", user_id="ada")["results"] == []
        server.answers = [(503, {})] * 2
        with pytest.raises(EmbeddingError):
            memory.add("The hives stand in Porto.", user_id="ada", infer=False)
        server.answers = [(200, three("x"))]
        memory.add("The bees sleep.", user_id="ada", infer=False)
        server.answers = [(503, {})] * 4
        said = [{"role": "user", "content": text} for text in ("The hives stand in Porto.", "It rains.")]
        assert len(memory.add(said, user_id="ada", infer=False)["results"]) == 2
        assert len(memory.get_all(user_id="ada")["results"]) == 3
        assert memory.search("hives", user_id="ada")["results"][0]["memory"] == "The hives stand in Porto."
        assert server.answers == []


@pytest.mark.expect_log
def test_an_embedder_that_is_down_after_a_restart_costs_only_the_meaning(tmp_path, server):
    config = {"embedder": remote(server)}
    with Memory(tmp_path / "mine", passphrase="a long secret", config=config) as memory:
        server.answers = [(200, three("x"))] * 3
        (event,) = memory.add("The hives stand in Porto.", user_id="ada", infer=False)["results"]
    asked = len(server.asked)
    with Memory(tmp_path / "mine", passphrase="a long secret", config=config) as memory:
        server.answers = []
        assert len(memory.get_all(user_id="ada")["results"]) == 1
        assert memory.update(event["id"], metadata={"tag": "x"})["metadata"] == {"tag": "x"}
        assert len(server.asked) == asked
        server.answers = [(503, {})] * 20
        assert memory.search("hives", user_id="ada")["results"][0]["id"] == event["id"]
        (later,) = memory.add("The bees sleep.", user_id="ada", infer=False)["results"]
        assert memory.search("sleep", user_id="ada")["results"][0]["id"] == later["id"]
        memory.delete(event["id"])
        assert memory.get(event["id"]) is None
    server.answers = [(200, three("x"))] * 3
    with Memory(tmp_path / "mine", passphrase="a long secret", config=config) as memory:
        assert memory.search("What do the animals do?", user_id="ada")["results"][0]["id"] == later["id"]


def test_a_model_of_another_width_is_refused_where_its_vectors_come_in(tmp_path, server):
    server.answers = [(200, three("x"))] * 2
    with Memory(tmp_path / "mine", passphrase="a long secret", config={"embedder": remote(server)}) as memory:
        memory.add("The hives stand in Porto.", user_id="ada", infer=False)
    with Memory(tmp_path / "mine", passphrase="a long secret") as memory:
        assert len(memory.get_all(user_id="ada")["results"]) == 1
        with pytest.raises(InvalidInputError, match=r"3 numbers, not 384.*collection of its own"):
            memory.search("hives", user_id="ada")
