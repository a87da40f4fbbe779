"""From mem0 and back: what mem0's own package stored is imported with its ids, times and history, however often."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from memdesk.cli.main import run as main
from memdesk.errors import EnvironmentFault
from memdesk.services.library import MemoryService
from memdesk.stores import mem0_source
from memdesk.stores.memory import InMemoryStore

#: Run apart: the package leaves threads behind.
MAKE = """
import json, sys
from mem0 import Memory
from mem0.utils.factory import EmbedderFactory

class Fixed:
    def __init__(self, config):
        self.config = config
    def embed(self, text, *args, **kwargs):
        return [float(len(text) % 7 + 1), 1.0, 0.5, 0.25]

EmbedderFactory.provider_to_class["ollama"] = "__main__.Fixed"
made = Memory.from_config(json.loads(sys.argv[1]))
texts = ("I keep bees.", "I live in Porto.", "I sell honey.")
wishes = {"user_id": "ada", "run_id": "r1", "metadata": {"tag": "t"}, "infer": False}
ids = [made.add(text, **wishes)["results"][0]["id"] for text in texts]
made.update(ids[1], "I live in Lisbon.")
made.delete(ids[2])
print(json.dumps(ids))
"""


#: The table of mem0 0.1.115, and rows as it wrote them.
TABLE = """
DROP TABLE IF EXISTS Kept;
CREATE TABLE Kept (id UUID PRIMARY KEY, vector vector(4), payload JSONB);
INSERT INTO Kept VALUES
 ('8b85d754-c97d-4aec-bb6b-12d3d85e83fd', '[6,1,0.5,0.25]', '{"tag": "t", "data": "I keep bees.",
  "hash": "2a3a25e943d4b5573bf4f5af870f3ffa", "role": "user", "run_id": "r1", "user_id": "ada",
  "created_at": "2026-11-22T17:47:35.680708-08:00"}'),
 ('28c475d1-ecec-4633-8a00-f0c1b5c6e204', '[4,1,0.5,0.25]', '{"data": "I live in Lisbon.",
  "hash": "6109ecee87f865b222d6757d1e0dcbb3", "role": "user", "run_id": "r1", "user_id": "ada",
  "created_at": "2026-11-22T17:47:35.732821-08:00", "updated_at": "2026-11-22T17:47:35.782988-08:00"}');
"""


def pg_place(url):
    """Return mem0's section for a PostgreSQL; it wants a password and a port, used or not."""
    given = conninfo_to_dict(url)
    return {"dbname": given["dbname"], "user": given["user"], "password": "x", "host": given["host"], "port": 5432}


@pytest.fixture(params=["qdrant", "chroma", "pgvector"])
def mem0_config(request, tmp_path):
    """A store that the real package made: three memories, one changed, one deleted."""
    if importlib.util.find_spec("mem0") is None:
        pytest.skip("mem0ai is not installed")
    place = {"path": str(tmp_path / "vectors"), "collection_name": "kept"}
    if request.param == "qdrant":
        place |= {"embedding_model_dims": 4, "on_disk": True}
    if request.param == "pgvector":
        del place["path"]
        place |= {
            "embedding_model_dims": 4,
            "diskann": False,
            "connection_string": request.getfixturevalue("stores").postgres,
        }
    config = {
        "vector_store": {"provider": request.param, "config": place},
        "embedder": {"provider": "ollama", "config": {"embedding_dims": 4}},
        "history_db_path": str(tmp_path / "history.db"),
    }
    own = {"MEM0_DIR": str(tmp_path / "mem0"), "MEM0_TELEMETRY": "False", "OPENAI_API_KEY": "unused"}
    done = subprocess.run(
        [sys.executable, "-c", MAKE, json.dumps(config)],
        check=False,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return config, json.loads(done.stdout.splitlines()[-1])


def shown(service: MemoryService):
    return {one["id"]: (one["memory"], one["metadata"].get("tag")) for one in service.get_all(user_id="ada")["results"]}


def test_a_mem0_store_comes_over_whole_and_only_once(engines, mem0_config):
    config, ids = mem0_config
    rows, past = list(mem0_source.rows(config["vector_store"])), mem0_source.history(Path(config["history_db_path"]))
    with_preview = engines.service(InMemoryStore(), embedder=None)
    preview = with_preview.bring(rows, past, dry_run=True)
    assert (preview.new, preview.left_out, preview.history) == (2, 0, len(past))
    assert shown(with_preview) == {}
    assert with_preview.bring(rows, past) == preview
    kept = shown(with_preview)
    # What mem0's own update leaves of the metadata differs by its store.
    assert {name: text for name, (text, _) in kept.items()} == {ids[0]: "I keep bees.", ids[1]: "I live in Lisbon."}
    assert kept[ids[0]] == ("I keep bees.", "t")
    assert [one["event"] for one in with_preview.history(ids[1])] == ["ADD", "UPDATE"]
    assert [one["event"] for one in with_preview.history(ids[2])] == ["ADD", "DELETE"]
    again = with_preview.bring(rows, past)
    assert (again.new, again.changed, again.unchanged, again.history) == (0, 0, 2, 0)
    assert with_preview.search("bees", user_id="ada")["results"][0]["id"] == ids[0]


def test_the_command_line_reads_mem0_s_table_of_pgvector_and_names_its_model(stores, tmp_path, monkeypatch, capsys):
    if not stores.postgres:
        pytest.skip("this run is without PostgreSQL")
    with psycopg.connect(stores.postgres) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        connection.execute(TABLE)
    monkeypatch.setenv("SECRET", "a long passphrase")
    section = {"provider": "pgvector", "config": {**pg_place(stores.postgres), "collection_name": "Kept"}}
    config, own = tmp_path / "mem0.json", tmp_path / "own.json"
    own.write_text(json.dumps({"embedder": {"provider": "none"}}))
    place = ["--memory", str(tmp_path / "own"), "--memory-passphrase-env", "SECRET", "--memory-config", str(own)]
    config.write_text(json.dumps({"vector_store": section, "history_db_path": str(tmp_path / "none.db")}))
    assert main(["import", "mem0", str(config), "--dry-run", *place]) == 0
    told = capsys.readouterr().err
    assert "2 memories new" in told
    assert "mem0 embedded them with openai:text-embedding-3-small; here they are found by words only." in told
    assert main(["import", "mem0", str(config), "--yes", *place]) == 0
    assert main(["export", str(tmp_path / "out.json"), "--format", "mem0", *place]) == 0
    rows = json.loads((tmp_path / "out.json").read_text())["results"]
    assert {row["memory"]: row["created_at"][:23] for row in rows} == {
        "I keep bees.": "2026-11-23T01:47:35.680",
        "I live in Lisbon.": "2026-11-23T01:47:35.732",
    }
    with psycopg.connect(stores.postgres) as connection:
        connection.execute("DROP TABLE Kept")
    with pytest.raises(EnvironmentFault, match=r"pgvector store of mem0 cannot be read.*exist"):
        list(mem0_source.rows(section))


@pytest.mark.parametrize(
    ("section", "name"),
    [
        ({}, "openai:text-embedding-3-small"),
        ({"provider": "ollama"}, "ollama"),
        ({"provider": "openai", "config": {"model": "text-embedding-3-large"}}, "openai:text-embedding-3-large"),
    ],
)
def test_mem0_s_embedding_model_is_named_as_its_configuration_does(section, name):
    assert mem0_source.embedder({"embedder": section}) == name


def test_the_same_weights_under_another_provider_are_no_news(tmp_path, monkeypatch, capsys):
    config = {"vector_store": {"provider": "qdrant"}, "embedder": {"provider": "huggingface"}}
    row = ("m1", {"data": "I keep bees.", "user_id": "ada"})
    monkeypatch.setattr(mem0_source, "rows", lambda _store: iter([row]))
    monkeypatch.setenv("SECRET", "a long passphrase")
    source = tmp_path / "mem0.json"
    place = ["--dry-run", "--memory", str(tmp_path / "own"), "--memory-passphrase-env", "SECRET"]
    for model, news in (("sentence-transformers/all-MiniLM-L6-v2", 0), ("BAAI/bge-m3", 1), ("", 1)):
        config["embedder"]["config"] = {"model": model}
        source.write_text(json.dumps(config))
        assert main(["import", "mem0", str(source), *place]) == 0
        assert capsys.readouterr().err.count("re-embedded with bundled:all-MiniLM-L6-v2") == news


def test_what_was_written_out_can_be_brought_in_again(engines):
    first, second = (engines.service(InMemoryStore(), embedder=None) for _ in range(2))
    first.add("I keep bees.", user_id="ada", infer=False, metadata={"tag": "x"})
    (known,) = first.get_all(user_id="ada")["results"]
    first.update(known["id"], "I keep goats.")
    first.delete(first.add("I keep hens.", user_id="ada", infer=False)["results"][0]["id"])
    dump = json.loads(json.dumps(first.written()))
    report = second.bring([(row["id"], row) for row in dump["results"]], dump["history"])
    assert (report.new, report.history) == (1, 4)
    assert second.written() == first.written()
    newer = first.update(known["id"], "I keep ducks.")
    assert second.bring([(newer["id"], newer)]).changed == 1
    assert second.get(known["id"])["memory"] == "I keep ducks."


def test_memories_without_a_text_or_an_owner_are_counted_and_left_out(engines):
    service = engines.service(InMemoryStore(), embedder=None)
    report = service.bring([("a", {"data": "orphan"}), ("b", {"data": " ", "user_id": "x"})])
    assert (report.left_out, report.new) == (2, 0)


def test_the_command_line_imports_a_dump_and_exports_it_again(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SECRET", "a long passphrase")
    dump = tmp_path / "dump.json"
    dump.write_text(
        json.dumps({"results": [{"id": "m1", "memory": "I keep bees.", "user_id": "ada", "created_at": "2025-01-01"}]})
    )
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"embedder": {"provider": "none"}}))
    place = ["--memory", str(tmp_path / "own"), "--memory-passphrase-env", "SECRET", "--memory-config", str(config)]
    assert main(["import", "mem0", str(dump), "--dry-run", *place]) == 0
    assert main(["import", "mem0", str(dump), "--dry-run", *place[:4]]) == 0
    assert not (tmp_path / "own").exists()
    assert "recovery code" not in capsys.readouterr().err
    assert main(["import", "mem0", str(dump), "--yes", *place]) == 0
    assert main(["import", "mem0", str(dump), "--yes", *place]) == 0
    told = capsys.readouterr().err
    assert told.count("1 memory new") == 1
    assert "0 memories new, 0 changed, 1 here already" in told
    assert main(["export", str(tmp_path / "out.json"), "--format", "mem0", *place]) == 0
    (row,) = json.loads((tmp_path / "out.json").read_text())["results"]
    assert (row["id"], row["memory"], row["created_at"][:10]) == ("m1", "I keep bees.", "2025-01-01")


def test_a_preview_makes_no_foreign_store_and_no_history(tmp_path, capsys):
    dump, config = tmp_path / "dump.json", tmp_path / "config.json"
    dump.write_text(json.dumps([{"id": "m1", "memory": "I keep bees.", "user_id": "ada"}]))
    store = {"provider": "qdrant", "config": {"path": str(tmp_path / "vectors")}}
    for sealed in (False, True):
        wanted = {"vector_store": {**store, "encrypt_payload": sealed}, "embedder": {"provider": "none"}}
        config.write_text(json.dumps(wanted | {"history": {"db_path": str(tmp_path / "past")}}))
        assert main(["import", "mem0", str(dump), "--dry-run", "--memory-config", str(config)]) == 0
        assert "1 memory new" in capsys.readouterr().err
    assert not (tmp_path / "vectors").exists()
    assert not (tmp_path / "past").exists()
