"""Importing and exporting the knowledge-graph server's file on the command line."""

import json
import os
import sys

import pytest

from memdesk.cli.exits import Exit
from memdesk.cli.main import run

ADA = {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["works at Bell Labs", "likes chess"]}
BEN = {"type": "entity", "name": "Ben", "entityType": "person", "observations": []}
KNOWS = {"type": "relation", "from": "Ada", "to": "Ben", "relationType": "knows"}


@pytest.fixture
def graph(home, monkeypatch):
    """Run ``memdesk graph`` over a memory of its own."""
    config = home / "memdesk" / "config"
    config.mkdir(parents=True)
    (config / "memory.json").write_text('{"embeddingBackend": "none", "extractionMode": "manual"}')

    def call(*arguments):
        monkeypatch.setenv("SECRET", "a passphrase")
        return run(["--passphrase-env", "SECRET", "graph", *map(str, arguments)])

    return call


def written(path, *lines):
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return path


def test_a_memory_file_goes_in_and_comes_out_the_same(graph, tmp_path, capsys):
    given, out = written(tmp_path / "memory.jsonl", ADA, BEN, KNOWS), tmp_path / "out.jsonl"
    assert [graph("import", given, "--agent", "a") for _ in range(2)] == [Exit.OK, Exit.OK]
    assert graph("export", out, "--agent", "a") == Exit.OK
    assert [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] == [ADA, BEN, KNOWS]
    assert "2 entities, 1 relations" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    ["{broken", "[]", '{"type": "else"}', '{"type": "entity", "name": 1}', json.dumps(ADA | {"observations": [1]})],
)
def test_a_file_with_a_line_that_is_none_is_refused_before_anything_is_stored(graph, tmp_path, capsys, line):
    assert graph("import", written(tmp_path / "memory.jsonl", ADA, line)) == Exit.USAGE
    assert "line 2" in capsys.readouterr().err.lower()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_a_pipe_without_another_end_is_refused(graph, tmp_path, capsys):
    given, pipe = written(tmp_path / "memory.jsonl", ADA), tmp_path / "pipe"
    os.mkfifo(pipe)
    assert graph("import", pipe) == Exit.ENVIRONMENT
    assert "nobody writes to this pipe" in capsys.readouterr().err
    assert graph("import", given, "--agent", "a") == Exit.OK
    assert graph("export", pipe, "--agent", "a") == Exit.ENVIRONMENT
    assert "cannot be written" in capsys.readouterr().err
