"""The whole app over a throw-away profile, and the official MCP client in front of it."""

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from memdesk.bootstrap.throwaway import throwaway
from memdesk.domain.models import new_id
from tests.helpers.parser import read_here
from tests.helpers.shared_app import begin_lanes


@pytest.fixture(autouse=True)
def _read_here(monkeypatch):
    read_here(monkeypatch)


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """One app for the tests of a file; each test has an agent of its own."""
    with throwaway(tmp_path_factory.mktemp("app"), embedder=lambda: None) as running:
        running.url = running.start_server(port=0)
        begin_lanes(running)
        yield running


@pytest.fixture(autouse=True)
def engines_end_with_the_test(request, _nothing_left_running):
    """End engine processes that a test has started: idle, they would live for another half minute."""
    yield
    if "app" in request.fixturenames:
        request.getfixturevalue("app").services.models.unload()


@pytest.fixture
def agent():
    """The agent of one test."""
    return f"agent-{new_id()[-12:]}"


@pytest.fixture
def talk(app, agent):
    """Run an async function with a connected client; ``talk(work, scopes=..., named=...)`` returns its result."""

    def run(work, *, mode="auto", scopes=None, named=agent, bound=None, token="Claude Desktop"):
        _, secret = app.services.tokens.create(token, scopes=scopes, agents=[bound] if bound else None)
        headers = {"Authorization": f"Bearer {secret}"} | ({} if bound else {"X-Memdesk-Agent-Id": named})

        async def main():
            async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
                transport = streamable_http_client(f"{app.url}/mcp", http_client=http)
                async with Client(transport, mode=mode) as client:
                    return await work(client)

        return anyio.run(main)

    return run
