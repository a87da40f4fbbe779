"""The server over the whole app, with the bundled models, through the real OpenAI client."""

from __future__ import annotations

import json
import time
from pathlib import Path

import anthropic
import httpx
import ollama
import openai
import pytest

from memdesk.bootstrap.app import App
from memdesk.settings.paths import profile_paths
from tests.helpers.vaults import MemorySecrets

pytestmark = pytest.mark.model


@pytest.fixture
def app(tmp_path):
    running = App(profile_paths(home=Path(tmp_path)), secrets=MemorySecrets())
    running.open()
    running.start_server(port=0)
    running.start_indexing()
    yield running
    running.close()


@pytest.fixture
def secret(app):
    return app.services.tokens.create("test")[1]


@pytest.fixture
def url(app):
    return app.server_state()[1]


@pytest.fixture
def caroline(url, secret):
    with openai.OpenAI(
        base_url=f"{url}/v1",
        api_key=secret,
        max_retries=0,
        timeout=120,
        default_headers={"X-Memdesk-Agent-Id": "caroline"},
    ) as client:
        yield client


def say(client, text, **more):
    return client.chat.completions.create(
        model="default", temperature=0, messages=[{"role": "user", "content": text}], **{"max_tokens": 16} | more
    )


def test_what_was_said_is_remembered_and_only_by_its_agent(caroline, app, url, secret):
    say(caroline, "My dog is called Zebedee and he sleeps on the piano.")
    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {secret}"}, timeout=120) as http:
        outcomes = http.post("/memory/distill", json={"agent_id": "caroline"}).json()["outcomes"]
        assert [outcome["outcome"] for outcome in outcomes] == ["distilled"]
        app.services.indexing.flush("caroline")
        raw = caroline.chat.completions.with_raw_response.create(
            model="default", max_tokens=16, messages=[{"role": "user", "content": "What is my dog called?"}]
        )
        receipt = http.get(f"/memory/receipts/{raw.headers['X-Memdesk-Memory-Receipt']}").json()
        assert "Zebedee" in receipt["block"]
        assert raw.headers["X-Memdesk-Memory-Section"] == receipt["section"] != "none"
        found = http.post("/memory/search", json={"agent_id": "caroline", "query": "dog"}).json()
        assert any("Zebedee" in item["text"] for item in found["items"])
        alike = http.post("/memory/search", json={"agent_id": "caroline", "query": "puppy"}).json()
        assert any("Zebedee" in item["text"] for item in alike["items"])
        none = http.post("/memory/search", json={"agent_id": "caroline", "query": "quarterly tax return"}).json()
        assert none["items"] == []
        other = http.post("/memory/context", json={"agent_id": "melanie", "query": "What is my dog called?"}).json()
        assert "Zebedee" not in other["block"]
        state = http.get("/memory/status").json()
        assert {engine["kind"] for engine in state["engines"]} >= {"llm", "embedder"}


def test_streaming_usage_stop_and_seed(caroline):
    stream = say(caroline, "Count from one to five.", stream=True, stream_options={"include_usage": True}, seed=1)
    chunks = list(stream)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text.strip()
    assert chunks[-1].usage.completion_tokens >= 1
    again = say(caroline, "Count from one to five.", seed=1, extra_headers={"X-Memdesk-Memory": "off"})
    same = say(caroline, "Count from one to five.", seed=1, extra_headers={"X-Memdesk-Memory": "off"})
    assert again.choices[0].message.content == same.choices[0].message.content
    cut = say(caroline, "Write: alpha beta gamma", stop=["e"], extra_headers={"X-Memdesk-Memory": "off"})
    assert "e" not in cut.choices[0].message.content


def test_a_schema_binds_the_answer(caroline):
    schema = {
        "type": "object",
        "properties": {"city": {"type": "string", "maxLength": 20}, "sunny": {"type": "boolean"}},
        "required": ["city", "sunny"],
        "additionalProperties": False,
    }
    answer = say(
        caroline,
        "Is Lisbon sunny?",
        max_tokens=80,
        response_format={"type": "json_schema", "json_schema": {"name": "weather", "schema": schema}},
        extra_headers={"X-Memdesk-Memory": "off"},
    )
    data = json.loads(answer.choices[0].message.content)
    assert set(data) == {"city", "sunny"}


def test_a_client_that_leaves_frees_the_model(app, url, secret):
    headers = {"Authorization": f"Bearer {secret}", "X-Memdesk-Agent-Id": "caroline"}
    body = {
        "messages": [{"role": "user", "content": "Tell me a very long story about the sea."}],
        "stream": True,
        "max_tokens": 1500,
        "session_id": "left",
    }
    with httpx.stream("POST", f"{url}/v1/chat/completions", json=body, headers=headers, timeout=120) as answer:
        for line in answer.iter_lines():
            if '"content": "' in line and '"role"' not in line:
                break
    deadline = time.monotonic() + 60
    while app.services.chat.busy():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    turns = app.services.conversations.turns("caroline", "left")
    assert turns[1].usage["stopped"] is True


def test_embeddings_are_the_bundled_models(caroline):
    vectors = caroline.embeddings.create(model="default", input=["a dog", "a puppy", "tax law"]).data
    dog, puppy, law = (vector.embedding for vector in vectors)
    assert len(dog) == 384

    def cosine(one, other):
        return sum(a * b for a, b in zip(one, other, strict=True))

    assert cosine(dog, puppy) > cosine(dog, law)
    (empty,) = caroline.embeddings.create(model="default", input="").data
    assert sum(value * value for value in empty.embedding) == pytest.approx(1.0, abs=1e-4)


def test_a_prompt_beyond_the_context_is_refused_before_it_is_read(caroline):
    with pytest.raises(openai.BadRequestError) as caught:
        say(caroline, "sea " * 20_000)
    assert caught.value.code == "context_length_exceeded"


@pytest.mark.expect_log
def test_a_killed_engine_is_an_error_and_the_next_request_works(caroline, app):
    import psutil

    stream = say(caroline, "Tell me a very long story about the sea.", stream=True, max_tokens=1500)
    words = iter(stream)
    for _ in range(3):
        next(words)
    pid = next(state.pid for state in app.services.models.states() if state.kind == "llm" and state.pid)
    psutil.Process(pid).kill()
    with pytest.raises(openai.APIError) as caught:
        list(words)
    assert caught.value.code == "engine_crashed"
    assert say(caroline, "Hello").choices[0].message.content


def test_other_protocols_are_answered_by_the_bundled_model_too(caroline, url, secret):
    asked = [{"role": "user", "content": "Say hello."}]
    with anthropic.Anthropic(base_url=url, api_key=secret, timeout=120, max_retries=0) as claude:
        with claude.messages.stream(model="default", max_tokens=12, messages=asked) as stream:
            message = stream.get_final_message()
        assert message.content[0].text.strip()
        assert message.usage.input_tokens > 0
    with ollama.Client(host=url, headers={"Authorization": f"Bearer {secret}"}, timeout=120) as client:
        lines = list(client.chat("default", asked, options={"num_predict": 12}, stream=True))
        assert "".join(line.message.content for line in lines).strip()
        assert lines[-1].eval_count > 0
    answer = list(caroline.responses.create(model="default", input=asked, max_output_tokens=12, stream=True))[
        -1
    ].response
    assert answer.output_text.strip()
    assert answer.usage.total_tokens > 0
