"""``memdesk mcp`` as programs start it: a process with its input and output."""

import os
import sys

import anyio
import pytest
from mcp import Client, StdioServerParameters

from memdesk.cli.exits import Exit
from memdesk.cli.main import run


@pytest.fixture
def program(tmp_path):
    """Return how a program starts us over a memory below ``tmp_path``."""
    config = tmp_path / "memdesk" / "config"
    config.mkdir(parents=True)
    (config / "memory.json").write_text('{"embeddingBackend": "none", "extractionMode": "manual"}')
    command = ["-m", "memdesk", "--home", str(tmp_path), "--passphrase-env", "SECRET", "mcp", "--agent", "émile"]
    return StdioServerParameters(command=sys.executable, args=command, env=os.environ | {"SECRET": "a passphrase"})


def session(program, work):
    async def main():
        async with Client(program) as client:
            return await work(client)

    return anyio.run(main)


@pytest.mark.e2e
def test_a_program_without_an_app_opens_the_memory_itself_and_finds_it_again(program, tmp_path, monkeypatch, capsys):
    async def remember(client):
        return await client.call_tool("add_memory", {"content": "Ada keeps bees."})

    async def ask(client):
        return await client.call_tool("search_memory", {"query": "bees"})

    added = session(program, remember).structured_content["memory"]
    assert [each["id"] for each in session(program, ask).structured_content["results"]] == [added["id"]]
    monkeypatch.setenv("SECRET", "a passphrase")
    home = ["--home", str(tmp_path), "--passphrase-env", "SECRET"]
    assert run([*home, "facts", "--agent", "émile", "list", "--json"]) == Exit.OK
    assert added["id"] in capsys.readouterr().out


@pytest.mark.e2e
def test_beside_a_running_app_it_speaks_to_that_and_names_the_program(app):
    command = ["-m", "memdesk", *app.paths.options, "mcp"]

    async def remember(client):
        return await client.call_tool("add_memory", {"content": "Ada keeps bees."})

    added = session(StdioServerParameters(command=sys.executable, args=command), remember).structured_content
    assert app.services.memories.fact(added["memory"]["id"]).content == "Ada keeps bees."
    (entry,) = app.services.history.of("fact", added["memory"]["id"])
    assert entry.actor_detail.startswith("command line: ")


@pytest.mark.e2e
def test_a_program_with_a_token_of_its_own_writes_in_its_name_and_reaches_its_agent_alone(app):
    _, secret = app.services.tokens.create("Zed", ["memory:read", "memory:write"], ["zed's"])
    command = ["-m", "memdesk", *app.paths.options, "mcp"]
    program = StdioServerParameters(command=sys.executable, args=command, env=os.environ | {"MEMDESK_TOKEN": secret})

    async def remember(client):
        refused = await client.call_tool("add_memory", {"content": "Ben keeps goats.", "agent_id": "default"})
        return refused, await client.call_tool("add_memory", {"content": "Ada keeps bees."})

    refused, added = session(program, remember)
    assert refused.is_error
    fact = app.services.memories.fact(added.structured_content["memory"]["id"])
    assert fact.agent_id == "zed's"
    (entry,) = app.services.history.of("fact", fact.id)
    assert entry.actor_detail.startswith("Zed: ")
