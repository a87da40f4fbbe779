"""A server in front of another one, through the real OpenAI client."""

import json
import time

import httpx
import openai
import pytest

from memdesk.api.server import ApiServer
from memdesk.api.upstreams import Upstream
from memdesk.bootstrap.throwaway import throwaway
from memdesk.errors import BadRequestError, NotFoundError
from tests.helpers.openai_server import openai_server
from tests.helpers.pictures import image


@pytest.fixture
def upstream():
    with openai_server() as running:
        yield running


@pytest.fixture
def front(parts, upstream):
    """A server of ours in front of ``upstream``."""
    running = ApiServer(
        parts.services, host="127.0.0.1", port=0, upstream=Upstream.of(f"{upstream.url}/v1/", upstream.key or "")
    )
    running.start()
    yield running
    running.stop()


@pytest.fixture
def client(front, secret):
    with openai.OpenAI(base_url=f"{front.url}/v1", api_key=secret, max_retries=0, timeout=60) as made:
        yield made


def ask(client, text, **more):
    return client.chat.completions.create(
        **{"model": "qwen3:4b", "messages": [{"role": "user", "content": text}], "stream": True} | more
    )


def text_of(stream):
    return "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)


def turns(parts, agent="default"):
    threads = parts.services.conversations.page(agent).items
    return [
        [(turn.role, turn.content) for turn in parts.services.conversations.turns(agent, thread.id)]
        for thread in threads
    ]


def kept(parts, count=1):
    """Wait until ``count`` conversations are stored: a stream is kept after its last byte."""
    deadline = time.monotonic() + 60
    while len(found := turns(parts)) < count:
        assert time.monotonic() < deadline, "it was not stored in time"
        time.sleep(0.01)
    return found


@pytest.fixture
def dog(parts):
    agent = parts.services.agents.ensure("default")
    parts.services.memories.add_fact(agent_id=agent.id, content="Her dog is called Biscuit.")


def test_an_answer_streams_through_and_is_kept(client, parts, upstream):
    assert text_of(ask(client, "Hi")) == "Hello there."
    assert kept(parts) == [[("user", "Hi"), ("assistant", "Hello there.")]]
    assert upstream.bodies[0]["messages"] == [{"role": "user", "content": "Hi"}]


def test_memory_stands_before_the_last_words_of_the_user_and_nowhere_else(client, upstream, dog):
    messages = [
        {"role": "system", "content": "S."},
        {"role": "user", "content": "The dog?"},
        {"role": "assistant", "content": "Yes."},
        {"role": "user", "content": "What is the dog called?"},
    ]
    ask(client, "", messages=messages).close()
    *before, last = upstream.bodies[0]["messages"]
    assert before == messages[:-1]
    assert "Biscuit" in last["content"]
    assert last["content"].endswith("What is the dog called?")


def test_what_nobody_here_knows_goes_on_unread(client, upstream, dog):
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    parts_of_it = [{"type": "text", "text": "What is the dog called?"}, image]
    tools = [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}]
    extra = {"keep_alive": "5m", "options": {"num_ctx": 4096}}
    ask(client, parts_of_it, tools=tools, n=2, extra_body=extra).close()
    body = upstream.bodies[0]
    assert (body["tools"], body["n"], body["keep_alive"], body["options"]) == (tools, 2, "5m", {"num_ctx": 4096})
    block, *given = body["messages"][0]["content"]
    assert given == parts_of_it
    assert "Biscuit" in block["text"]


def test_the_bytes_of_a_stream_are_the_upstreams(front, secret, upstream):
    body = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "Hi"}]}
    ours = httpx.post(
        f"{front.url}/v1/chat/completions", json=body, headers={"Authorization": f"Bearer {secret}"}, timeout=60
    )
    theirs = httpx.post(f"{upstream.url}/v1/chat/completions", json=body, timeout=60)
    assert ours.content == theirs.content


def test_an_answer_that_is_not_streamed_passes_as_it_is_and_is_kept(client, parts, upstream):
    choice = {"index": 0, "message": {"role": "assistant", "content": "Hello."}, "finish_reason": "stop"}
    upstream.error = (200, {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]})
    assert ask(client, "Hi", stream=False).choices[0].message.content == "Hello."
    assert turns(parts) == [[("user", "Hi"), ("assistant", "Hello.")]]


def test_a_conversation_goes_on_in_one_thread(client, parts):
    messages = [{"role": "user", "content": "One"}]
    answer = text_of(ask(client, "", messages=messages))
    kept(parts)
    messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": "Two"}]
    text_of(ask(client, "", messages=messages))
    deadline = time.monotonic() + 60
    while len(turns(parts)[0]) < 4:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert [words for _, words in turns(parts)[0]] == ["One", "Hello there.", "Two", "Hello there."]


def test_a_call_of_a_tool_keeps_nothing(client, parts, upstream):
    call = {"index": 0, "id": "c", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    upstream.events = [{"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}]
    chunks = list(ask(client, "How is Oslo?"))
    assert chunks[0].choices[0].delta.tool_calls[0].function.name == "weather"
    assert turns(parts) == []


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
def test_an_error_of_the_upstream_passes_as_it_is(front, secret, upstream, status, parts):
    upstream.error = (status, {"error": {"message": "their own words", "odd": [1]}})
    answer = httpx.post(
        f"{front.url}/v1/chat/completions",
        json={"model": "m", "messages": [{"role": "user", "content": "Hi"}]},
        headers={"Authorization": f"Bearer {secret}"},
        timeout=60,
    )
    assert (answer.status_code, answer.json()) == (status, {"error": {"message": "their own words", "odd": [1]}})
    assert turns(parts) == []


@pytest.mark.expect_log
def test_an_upstream_that_is_down_is_told_in_words(parts, secret):
    running = ApiServer(parts.services, host="127.0.0.1", port=0, upstream=Upstream.of("http://127.0.0.1:9/v1"))
    running.start()
    try:
        with (
            openai.OpenAI(base_url=f"{running.url}/v1", api_key=secret, max_retries=0) as client,
            pytest.raises(openai.InternalServerError, match="does not answer"),
        ):
            ask(client, "Hi")
    finally:
        running.stop()


def test_models_are_the_upstreams(client):
    assert [model.id for model in client.models.list()] == ["qwen3:4b", "family/model"]


def test_a_header_for_no_memory_is_honored(client, parts, upstream, dog):
    text_of(ask(client, "What is the dog called?", extra_headers={"X-Memdesk-Memory": "off"}))
    assert upstream.bodies[0]["messages"][0]["content"] == "What is the dog called?"
    assert turns(parts) == []


def test_an_agent_may_be_named_and_a_token_keeps_its_own(front, parts, upstream):
    _, secret = parts.services.tokens.create("x", agents=["caroline"])
    parts.services.agents.ensure("caroline")
    parts.services.memories.add_fact(agent_id="caroline", content="Her dog is called Biscuit.")
    with openai.OpenAI(base_url=f"{front.url}/v1", api_key=secret, max_retries=0) as client:
        text_of(ask(client, "What is the dog called?"))
        with pytest.raises(openai.PermissionDeniedError):
            ask(client, "Hi", extra_headers={"X-Memdesk-Agent-Id": "melanie"})
    assert "Biscuit" in upstream.bodies[0]["messages"][0]["content"]


def test_a_request_without_a_token_does_not_reach_the_upstream(front, upstream):
    body = {"messages": [{"role": "user", "content": "Hi"}]}
    assert httpx.post(f"{front.url}/v1/chat/completions", json=body, timeout=60).status_code == 401
    assert upstream.bodies == []


def test_our_token_stays_here_and_the_upstreams_key_goes_there(parts, secret, upstream):
    upstream.key = "their-key"
    running = ApiServer(
        parts.services, host="127.0.0.1", port=0, upstream=Upstream.of(f"{upstream.url}/v1", "their-key")
    )
    running.start()
    try:
        with openai.OpenAI(base_url=f"{running.url}/v1", api_key=secret, max_retries=0) as client:
            assert len(client.models.list().data) == 2
    finally:
        running.stop()


@pytest.mark.parametrize("url", ["", "127.0.0.1:11434", "ftp://x/v1", "http:///v1"])
def test_an_upstream_is_a_web_address(url):
    with pytest.raises(BadRequestError):
        Upstream.of(url)


def test_a_key_is_not_shown():
    assert "their-key" not in repr(Upstream.of("http://x/v1", "their-key")) + json.dumps(
        str(Upstream.of("http://x", "their-key"))
    )


@pytest.mark.parametrize("here", [True, False])
def test_memory_is_asked_for_as_for_a_reader_where_the_server_is(client, parts, dog, monkeypatch, here):
    monkeypatch.setattr(Upstream, "on_this_machine", property(lambda _: here))
    text_of(ask(client, "What is the dog called?"))
    assert [asked["remote"] for asked in parts.recall.calls] == [not here]


@pytest.mark.parametrize(("scopes", "elsewhere"), [(None, True), (["memory:read", "memory:private"], False)])
def test_memory_is_asked_for_as_for_a_reader_elsewhere_unless_the_token_says_otherwise(
    front, parts, dog, scopes, elsewhere
):
    _, secret = parts.services.tokens.create("program", scopes)
    with httpx.Client(base_url=front.url, headers={"Authorization": f"Bearer {secret}"}, timeout=60) as http:
        for route in ("/memory/context", "/memory/search"):
            assert http.post(route, json={"agent_id": "default", "query": "The dog?"}).status_code == 200
    assert [asked["remote"] for asked in parts.recall.calls] == [elsewhere, elsewhere]


def test_a_remote_server_of_the_settings_gets_memory_with_its_key(tmp_path, upstream):
    upstream.key = "sk-theirs"
    with throwaway(tmp_path, embedder=lambda: None) as app:
        app.services.models.add_remote("Attic", f"{upstream.url}/v1", key="sk-theirs")
        app.services.settings.update("server", {"upstream": "Attic"})
        app.services.agents.ensure("default")
        app.services.memories.add_fact(agent_id="default", content="My dog is called Biscuit.")
        url = app.start_server(port=0)
        with openai.OpenAI(base_url=f"{url}/v1", api_key=app.token, max_retries=0, timeout=60) as client:
            assert text_of(ask(client, "What is the name of my dog?")) == "Hello there."
        assert "Biscuit" in upstream.bodies[-1]["messages"][-1]["content"]
        app.stop_server()
        app.services.settings.update("server", {"upstream": "Cellar"})
        with pytest.raises(NotFoundError, match="Cellar"):
            app.start_server(port=0)
        app.services.settings.update("server", {"upstream": "Attic"})
        app.services.models.remove_remote("Attic")
        assert app.services.settings.current.server.upstream == ""


def test_a_picture_goes_on_unread_and_is_no_part_of_the_words(client, parts, upstream, dog):
    picture = {"type": "image_url", "image_url": {"url": image().url, "detail": "low"}}
    elsewhere = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    content = [picture, elsewhere, {"type": "text", "text": "Is this Biscuit, her dog?"}]
    assert text_of(ask(client, content)) == "Hello there."
    (sent,) = upstream.bodies[0]["messages"]
    assert sent["content"][1:] == content
    assert "called Biscuit" in sent["content"][0]["text"]
    assert kept(parts) == [[("user", "Is this Biscuit, her dog?"), ("assistant", "Hello there.")]]
