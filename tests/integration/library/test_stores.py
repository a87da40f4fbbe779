"""Other databases, named in a configuration."""

from __future__ import annotations

import sys

import pytest

from memdesk import Memory, VectorStoreError


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
    [("faiss", "faiss", {"path": "here"}), ("redis", "redis", {"url": "redis://127.0.0.1:1"})],
)
def test_a_client_that_is_not_installed_is_named_with_its_extra(tmp_path, monkeypatch, provider, package, config):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(VectorStoreError, match="not installed") as told:
        Memory.from_config(configured(tmp_path, provider, **config))
    assert f"memdesk[{provider}]" in told.value.hint
