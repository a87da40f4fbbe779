"""Other databases, named in a configuration."""

from __future__ import annotations

import sys

import pytest

from memdesk import InvalidInputError, Memory, VectorStoreError


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
    with pytest.raises(InvalidInputError, match="address"):
        Memory.from_config(configured(tmp_path, provider, api_key="x"))
