"""Finding other programs' models."""

from __future__ import annotations

import json

import pytest

from memdesk.engines.discover import find_models


@pytest.fixture(autouse=True)
def no_custom_folder(monkeypatch):
    monkeypatch.delenv("OLLAMA_MODELS", raising=False)


def write(path, data=b"GGUF"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def ollama(folder, name, digest, *, with_blob=True):
    manifest = {"layers": [{"mediaType": "application/vnd.ollama.image.model", "digest": f"sha256:{digest}"}]}
    write(folder / "manifests" / name, json.dumps(manifest).encode())
    if with_blob:
        write(folder / "blobs" / f"sha256-{digest}", b"GGUF" * 10)


def test_nothing_there(tmp_path):
    assert find_models(tmp_path) == []


def test_all_three_stores(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    write(tmp_path / ".lmstudio" / "models" / "qwen" / "q-GGUF" / "q4.gguf")
    write(tmp_path / ".lmstudio" / "models" / "qwen" / "q-GGUF" / "mmproj-q.gguf")
    write(tmp_path / "elsewhere" / "big-00001-of-00002.gguf")
    write(tmp_path / "elsewhere" / "big-00002-of-00002.gguf")
    write(
        tmp_path / ".lmstudio" / "settings.json", json.dumps({"downloadsFolder": str(tmp_path / "elsewhere")}).encode()
    )
    write(tmp_path / "share" / "Jan" / "data" / "llamacpp" / "models" / "jan-nano" / "model.gguf")
    store = tmp_path / ".ollama" / "models"
    ollama(store, "registry.ollama.ai/library/llama3.2/3b", "aa")
    ollama(store, "registry.ollama.ai/ana/tiny/latest", "bb")
    ollama(store, "hf.co/bartowski/gemma/Q4", "cc")
    ollama(store, "registry.ollama.ai/library/gone/latest", "dd", with_blob=False)
    write(store / "manifests" / "registry.ollama.ai" / "library" / "odd" / "latest", b"{damaged")
    found = {(model.store, model.name) for model in find_models(tmp_path)}
    assert found == {
        ("LM Studio", "q4"),
        ("LM Studio", "big-00001-of-00002"),
        ("Jan", "jan-nano"),
        ("Ollama", "llama3.2:3b"),
        ("Ollama", "ana/tiny:latest"),
        ("Ollama", "hf.co/bartowski/gemma:Q4"),
    }
    assert {model.size_bytes for model in find_models(tmp_path) if model.store == "Ollama"} == {40}


def test_ollama_in_another_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("OLLAMA_MODELS", str(tmp_path / "big-disk"))
    ollama(tmp_path / "big-disk", "registry.ollama.ai/library/qwen/8b", "ee")
    assert [model.name for model in find_models(tmp_path)] == ["qwen:8b"]


def test_stores_that_were_moved(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    write(tmp_path / ".lmstudio-home-pointer", f"{tmp_path}/lm\n".encode())
    write(tmp_path / "lm" / "models" / "qwen" / "q-GGUF" / "q4.gguf")
    data = tmp_path / "jan-data"
    write(tmp_path / "config" / "Jan" / "settings.json", json.dumps({"data_folder": str(data)}).encode())
    models = data / "llamacpp" / "models"
    write(models / "janhq" / "nano" / "model.gguf")
    write(models / "janhq" / "nano" / "model.yml", b"model_path: llamacpp/models/janhq/nano/model.gguf\nname: nano\n")
    write(tmp_path / "own" / "owl.gguf")
    write(models / "owl" / "model.yml", f"model_path: {tmp_path}/own/owl.gguf\nname: owl\n".encode())
    found = {(model.store, model.name, model.path) for model in find_models(tmp_path)}
    assert found == {
        ("LM Studio", "q4", str(tmp_path / "lm/models/qwen/q-GGUF/q4.gguf")),
        ("Jan", "nano", str(models / "janhq/nano/model.gguf")),
        ("Jan", "owl", str(tmp_path / "own/owl.gguf")),
    }


def test_an_older_ollama_names_blobs_with_a_colon(tmp_path):
    store = tmp_path / ".ollama" / "models"
    ollama(store, "registry.ollama.ai/library/phi/latest", "ff")
    (store / "blobs" / "sha256-ff").rename(store / "blobs" / "sha256:ff")
    assert [model.name for model in find_models(tmp_path)] == ["phi:latest"]


def test_a_split_model_is_found_once_with_its_whole_size(tmp_path):
    for number in (1, 2):
        write(tmp_path / ".lmstudio" / "models" / "a" / "b" / f"big-0000{number}-of-00002.gguf")
    [model] = find_models(tmp_path)
    assert model.size_bytes == 8
