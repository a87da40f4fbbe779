"""Models of a remote server, as our clients reach them."""

import anthropic
import openai
import pytest

from memdesk.bootstrap.throwaway import throwaway
from tests.helpers.openai_server import openai_server
from tests.helpers.pictures import image

MODEL = "remote:Attic/qwen3:4b"


@pytest.fixture
def server():
    with openai_server() as running:
        yield running


@pytest.fixture
def app(tmp_path, server):
    with throwaway(tmp_path, embedder=lambda: None) as made:
        made.services.models.add_remote("Attic", f"{server.url}/v1")
        made.start_server(port=0)
        yield made


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


def test_words_and_pictures_arrive_in_their_order(app, ai, server):
    app.services.agents.ensure("gardener")
    app.services.memories.add_fact(agent_id="gardener", content="My dog is called Biscuit.")
    shown = {"type": "image_url", "image_url": {"url": image().url, "detail": "low"}}
    plain = {"type": "image_url", "image_url": {"url": image().url}}
    words = [{"type": "text", "text": text} for text in ("Before:\n", "after:", "Is my dog Biscuit in it?")]
    content = [words[0], shown, words[1], plain, words[2]]
    ai.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": content}])
    assert server.bodies[-1]["messages"][-1]["content"] == content
    headers = {"X-Memdesk-Agent-Id": "gardener"}
    ai.chat.completions.create(
        model=MODEL, messages=[{"role": "user", "content": [plain, words[2]]}], extra_headers=headers
    )
    block, *rest = server.bodies[-1]["messages"][-1]["content"]
    assert ("called Biscuit" in block["text"], rest) == (True, [plain, words[2]])


def test_a_clients_messages_carry_the_name_of_its_token(app, server):
    _, secret = app.services.tokens.create("Laptop")
    with openai.OpenAI(base_url=f"{app.server_state()[1]}/v1", api_key=secret, max_retries=0, timeout=60) as client:
        for asked in ("Hello", "And again"):
            talk = [{"role": "user", "content": asked}]
            client.chat.completions.create(model=MODEL, messages=talk, extra_headers={"X-Memdesk-Agent-Id": "lap"})
    written = app.services.programs.written("Laptop")
    assert (written.messages, written.learned) == (4, 0)
    assert app.services.programs.take_back("Laptop").messages == 4
    assert app.services.conversations.page("lap").items == []
