"""A server on a free port, with a client of each kind."""

from __future__ import annotations

import httpx
import openai
import pytest

from memdesk.api.server import ApiServer
from tests.helpers.parts import make_parts


@pytest.fixture
def parts(tmp_path):
    made = make_parts(tmp_path)
    yield made
    made.close()


@pytest.fixture
def server(parts):
    running = ApiServer(parts.services, host="127.0.0.1", port=0)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def secret(parts):
    return parts.services.tokens.create("test")[1]


@pytest.fixture
def bare(server):
    """A client without a token."""
    with httpx.Client(base_url=server.url, timeout=60) as client:
        yield client


@pytest.fixture
def http(server, secret):
    """A client with every right."""
    headers = {"Authorization": f"Bearer {secret}"}
    with httpx.Client(base_url=server.url, headers=headers, timeout=60) as client:
        yield client


@pytest.fixture
def ai(server, secret):
    """The real OpenAI client, without an agent."""
    with openai.OpenAI(base_url=f"{server.url}/v1", api_key=secret, max_retries=0, timeout=60) as client:
        yield client


@pytest.fixture
def caroline(server, secret):
    """The real OpenAI client, with the memory of the agent ``caroline``."""
    with openai.OpenAI(
        base_url=f"{server.url}/v1",
        api_key=secret,
        max_retries=0,
        timeout=60,
        default_headers={"X-Memdesk-Agent-Id": "caroline"},
    ) as client:
        yield client
