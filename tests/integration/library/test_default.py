"""``from memdesk import Memory``: light to import, and local by default."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import memdesk
from memdesk import Memory


def test_the_import_loads_nothing_heavy():
    code = (
        "import json, sys; from memdesk import AsyncMemory, Memory; "
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    loaded = set(json.loads(done.stdout))
    heavy = {"PySide6", "torch", "llama_cpp", "spacy", "onnxruntime", "fastapi", "numpy", "pydantic", "sqlcipher3"}
    assert loaded & heavy == set()


def test_42_the_default_works_offline_and_keeps_what_it_was_told(tmp_path):
    with Memory(tmp_path / "mine", passphrase="a long secret") as m:
        code = m.recovery_code
        (event,) = m.add("I keep bees in Porto", user_id="alice")["results"]
    assert len(code) > 20
    with pytest.raises(memdesk.VaultError):
        Memory(tmp_path / "mine", passphrase="another secret")
    with Memory(tmp_path / "mine", recovery_code=code) as m:
        assert m.recovery_code == ""
        (found,) = m.search("Where are the hives?", user_id="alice")["results"]
        assert found["id"] == event["id"]
        assert [one["event"] for one in m.history(event["id"])] == ["ADD"]
        with pytest.raises(memdesk.VectorStoreError, match=r"open.*Memory\.desktop"):
            Memory(tmp_path / "mine", passphrase="a long secret")
    assert b"Porto" not in b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


FORKED = """
import os, sys
from memdesk import Memory, VaultError

m = Memory(sys.argv[1], passphrase="a long secret")
m.add("I keep bees in Porto", user_id="a")
child = os.fork()
if not child:
    try:
        m.search("bees", user_id="a")
    except VaultError as error:
        print(error, flush=True)
    m.close()
    sys.exit(3)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
m.add("I have a dog", user_id="a")
print(sorted(one["memory"] for one in m.search("bees", user_id="a")["results"]))
m.close()
"""


def test_a_process_that_was_forked_is_told_to_open_its_own_and_leaves_the_memory_alone(tmp_path):
    command = [sys.executable, "-c", FORKED, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    told, found = done.stdout.splitlines()
    assert told == (
        "This memory was opened by another process. Open one in each process, after the fork: several can share "
        "Memory.desktop(token=...) or PostgreSQL; a folder can be open in one process at a time."
    )
    assert found == "['The user has a dog.', 'The user keeps bees in Porto.']"


def test_without_keyring_and_passphrase_it_says_what_to_give():
    with pytest.raises(memdesk.VaultError, match="keyring") as caught:
        Memory()
    assert "passphrase" in caught.value.hint


def test_a_traceback_says_what_to_do(tmp_path):
    with pytest.raises(memdesk.VaultError) as told:
        memdesk.Memory(tmp_path)
    assert told.value.hint
    assert str(told.value) == f"{told.value.message} {told.value.hint}"


def test_41_a_configuration_names_the_store(tmp_path):
    config = {
        "vector_store": {"provider": "qdrant", "config": {"path": str(tmp_path)}, "collection_name": "notes"},
        "embedder": {"provider": "none"},
        "history": {"db_path": ":memory:"},
    }
    with Memory.from_config(config) as m:
        m.add("The user keeps bees.", user_id="a", infer=False)
    with Memory.from_config(config) as m:
        assert [one["memory"] for one in m.search("bees", user_id="a")["results"]] == ["The user keeps bees."]


@pytest.mark.parametrize(
    ("part", "provider", "kind"), [("llm", "local", memdesk.LLMError), ("embedder", "folder", memdesk.EmbeddingError)]
)
def test_a_model_that_is_not_there_is_told_by_what_it_is_for(tmp_path, part, provider, kind):
    with pytest.raises(kind, match=r"nope\.gguf"):
        Memory(":memory:", config={part: {"provider": provider, "config": {"model": str(tmp_path / "nope.gguf")}}})


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"vector_store": {"provider": "abacus"}}, "vector_store.provider"),
        ({"vektor_store": {}}, "vektor_store"),
        ({"vector_store": {"provider": "pgvector"}}, "DATABASE_URL"),
        ({"llm": {"config": {"temperature": 9}}}, "temperature"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_refused_by_name(config, words, monkeypatch):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    with pytest.raises(memdesk.InvalidInputError, match=words):
        Memory(":memory:" if "llm" in config else None, config=config)
