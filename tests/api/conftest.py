"""A server on a free port, with a client of each kind."""

from __future__ import annotations

import httpx
import openai
import pytest

from memdesk.api.server import ApiServer
from tests.helpers.parts import make_parts
from tests.helpers.routes import Answers

#: Made from the first server; every one has the same routes.
_DESCRIBED: list[Answers] = []


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
    """A client with every right, which holds every answer to what the description says of it."""
    headers = {"Authorization": f"Bearer {secret}"}
    wrong: list[str] = []

    def look(answer: httpx.Response) -> None:
        # A stream is the test's to read.
        if answer.headers.get("content-type") == "application/json":
            answer.read()
            wrong.append(described().wrong(answer))

    def described() -> Answers:
        if not _DESCRIBED:
            told = httpx.get(f"{server.url}/openapi.json", headers=headers, timeout=60)
            _DESCRIBED.append(Answers(told.json()))
        return _DESCRIBED[0]

    with httpx.Client(base_url=server.url, headers=headers, timeout=60, event_hooks={"response": [look]}) as client:
        yield client
    assert not list(filter(None, wrong))


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
