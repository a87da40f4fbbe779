"""Models of a remote server, as clients of ours reach them."""

import anthropic
import openai
import pytest

from memdesk.bootstrap.throwaway import throwaway
from tests.helpers.openai_server import openai_server

MODEL = "remote:Attic/qwen3:4b"


@pytest.fixture(scope="module")
def attic():
    with openai_server() as running:
        yield running


@pytest.fixture(scope="module")
def app(tmp_path_factory, attic):
    with throwaway(tmp_path_factory.mktemp("app"), embedder=lambda: None) as made:
        made.services.models.add_remote("Attic", f"{attic.url}/v1")
        made.start_server(port=0)
        yield made


@pytest.fixture
def server(attic):
    attic.bodies.clear()
    yield attic
    attic.error, attic.error_headers = None, {}


@pytest.fixture
def ai(app):
    url = app.server_state()[1]
    with openai.OpenAI(base_url=f"{url}/v1", api_key=app.token, max_retries=0, timeout=60) as client:
        yield client


def test_a_chat_of_a_model_whose_context_nobody_knows_goes_out_whole(ai, server):
    talk = [{"role": "user" if n % 2 == 0 else "assistant", "content": f"{n} " + "word " * 80} for n in range(121)]
    ai.chat.completions.create(model=MODEL, messages=talk)
    ai.responses.create(model=MODEL, input="word " * 9000)
    whole, long = server.bodies
    assert [message["content"] for message in whole["messages"]] == [message["content"] for message in talk]
    assert "max_tokens" not in whole
    assert "max_tokens" not in long
    ai.chat.completions.create(model=MODEL, messages=talk[:1], max_tokens=7)
    assert server.bodies[-1]["max_tokens"] == 7


@pytest.mark.expect_log
def test_a_server_that_asks_for_patience_is_quoted_with_its_time(app, ai, server):
    server.error = (429, {"error": {"message": "slow down"}})
    server.error_headers = {"Retry_After": "7"}
    with pytest.raises(openai.RateLimitError, match="slow down") as caught:
        ai.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": "Hi"}])
    assert caught.value.response.headers["retry-after"] == "7"
    with (
        anthropic.Anthropic(base_url=app.server_state()[1], api_key=app.token, max_retries=0) as client,
        pytest.raises(anthropic.RateLimitError),
    ):
        client.messages.create(model=MODEL, max_tokens=9, messages=[{"role": "user", "content": "Hi"}])
