"""Remote servers that lie, flood or never end: an error with an explanation, or as much of the answer as is readable."""

from __future__ import annotations

import itertools
import json
import os
import random
import socket
import time
from dataclasses import replace
from types import SimpleNamespace

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.engines import sse
from memdesk.engines.known_models import KnownModels
from memdesk.engines.remote import RemoteServers
from memdesk.engines.remote_answer import RemoteAnswer
from memdesk.errors import EngineError, EngineTimeoutError
from memdesk.ports import ChatMessage, GenerationRequest
from memdesk.settings.schema import EngineSettings
from tests.helpers.engines import FakeSecrets
from tests.helpers.openai_server import openai_server

ID = "remote:lab/family/model"
ASK = GenerationRequest(messages=(ChatMessage(role="user", content="Hi"),), max_tokens=9)
DONE = b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'

junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "delta", "content", "reasoning", "tool_calls", "function", "name", "arguments", "index", "id", "usage",
                 "prompt_tokens", "completion_tokens", "finish_reason"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)  # fmt: skip


@pytest.fixture
def server():
    with openai_server() as state:
        yield state


@pytest.fixture
def servers(server, tmp_path):
    chosen = EngineSettings(remote_servers=[{"name": "lab", "base_url": server.url}], answer_timeout_seconds=30)
    return RemoteServers(lambda: chosen, FakeSecrets(), KnownModels(tmp_path / "models.json"))


@pytest.fixture
def model(servers):
    return servers.open(servers.info(ID))


def event(content):
    return b"data: " + json.dumps({"choices": [{"delta": {"content": content}}]}).encode() + b"\n\n"


@pytest.mark.parametrize("opens", [b"[", b'{"choices":'])
def test_what_is_nested_without_end_ends_the_answer_in_words(model, server, opens):
    server.raw = lambda: [b"data: " + opens * 100_000 + b"\n\n"]
    with pytest.raises(EngineError, match="cannot be read"):
        list(model.generate(ASK))


def keeping_alive(state):
    while not state.hung_up.wait(0.05):
        yield b": keepalive\n\n"


@pytest.mark.parametrize("opens", ["", "hello"])
def test_signs_of_life_are_no_answer(servers, server, opens):
    servers._settings = lambda: EngineSettings(
        remote_servers=[{"name": "lab", "base_url": server.url}], answer_timeout_seconds=5
    )
    server.raw = lambda: itertools.chain([event(opens)] if opens else [], keeping_alive(server))
    with pytest.raises(EngineTimeoutError) as raised:
        list(servers.open(servers.info(ID)).generate(ASK))
    assert "smaller model" not in raised.value.hint
    assert server.hung_up.wait(60)


def test_a_short_answer_that_never_ends_is_given_up():
    class Dripping(httpx.SyncByteStream):
        def __iter__(self):
            while True:
                time.sleep(0.02)
                yield b" "

    transport = httpx.MockTransport(lambda _: httpx.Response(200, stream=Dripping()))
    with (
        httpx.Client(transport=transport, timeout=0.2) as client,
        client.stream("GET", "http://x/") as response,
        pytest.raises(httpx.ReadTimeout),
    ):
        sse.read_at_most(response, 1000)


def test_an_answer_that_never_ends_is_cut_at_the_length_asked_for(model, server):
    server.raw = lambda: itertools.repeat(event("word "))
    chunks = list(model.generate(ASK))
    assert chunks[-1].finish_reason == "length"
    assert len("".join(chunk.text for chunk in chunks).split()) < 9 + 100
    assert server.hung_up.wait(60)


def test_a_flood_in_few_events_is_cut_as_well(model, server):
    letters = random.Random(7)
    server.raw = lambda: (event("".join(letters.choices("abcdefgh", k=10_000))) for _ in itertools.count())
    chunks = list(model.generate(ASK))
    assert chunks[-1].finish_reason == "length"
    assert sum(len(chunk.text) for chunk in chunks) < 30_000


@pytest.mark.parametrize("field", ["content", "reasoning_content"])
def test_an_answer_that_says_the_same_over_and_over_ends_early(model, server, field):
    said = {"choices": [{"delta": {field: "I do not know that "}}]}
    server.raw = lambda: itertools.repeat(b"data: " + json.dumps(said).encode() + b"\n\n")
    chunks = list(model.generate(replace(ASK, max_tokens=100_000)))
    assert chunks[-1].finish_reason == "repeating"
    assert sum(len(chunk.text or chunk.thinking) for chunk in chunks) < 2_000
    assert server.hung_up.wait(60)


def test_json_may_repeat_itself(model, server):
    server.raw = lambda: itertools.chain(itertools.repeat(event("[0, 0, 0, 0], "), 400), [DONE])
    chunks = list(model.generate(replace(ASK, max_tokens=100_000, json_schema={"type": "array"})))
    assert chunks[-1].finish_reason == "stop"


def test_a_line_that_never_ends_is_given_up(model, server, monkeypatch):
    monkeypatch.setattr(sse, "MAX_EVENT_BYTES", 100_000)
    server.raw = lambda: itertools.chain([b"data: "], itertools.repeat(b"x" * 10_000))
    with pytest.raises(EngineError, match="does not end"):
        list(model.generate(ASK))


def test_signs_of_life_without_end_are_given_up(model, server, monkeypatch):
    monkeypatch.setattr(sse, "MAX_ANSWER_BYTES", 100_000)
    server.raw = lambda: itertools.repeat(b": still here\n" * 1000)
    with pytest.raises(EngineError, match="does not end"):
        list(model.generate(ASK))


def test_under_tls_too_the_connection_is_ended_when_nobody_reads_on(servers):
    """The plain socket is nobody's any more once it was wrapped."""
    plain, wrapped = socket.socketpair(), socket.socketpair()
    stream = sse.EventStream(servers, "chat/completions", {}, "model")
    for step, (ours, _) in (("connect_tcp", plain), ("start_tls", wrapped)):
        told = SimpleNamespace(get_extra_info={"socket": ours}.get)
        stream._trace(f"connection.{step}.complete", {"return_value": told})
    os.close(plain[0].detach())
    stream._hang_up()
    assert wrapped[1].recv(1) == b""
    for each in (plain[1], *wrapped):
        each.close()


def test_half_letters_become_whole_ones(model, server):
    server.raw = lambda: [b'data: {"choices": [{"delta": {"content": "a\\ud83d"}}]}\n\n', DONE]
    "".join(chunk.text for chunk in model.generate(ASK)).encode("utf-8")


@given(st.lists(junk.filter(lambda value: isinstance(value, dict)), max_size=5))
@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
def test_junk_in_the_shape_of_an_answer_is_nothing(events):
    answer = RemoteAnswer(most=1000)
    chunks = [chunk for data in events for chunk in answer.take({"choices": [data], **data})]
    chunks += [*answer.rest(), answer.last()]
    for chunk in chunks:
        assert isinstance(chunk.text, str)
        assert all(call["function"]["name"] for call in chunk.tool_calls)
        json.dumps([chunk.text, chunk.thinking, chunk.tool_calls]).encode("utf-8")


@pytest.mark.parametrize("models", [[None], [{"id": 5}], [{"id": "x" * 1000}], [[[]]], ["\ud800"]])
def test_a_list_of_models_that_is_junk_names_only_what_can_be_named(servers, server, monkeypatch, models):
    monkeypatch.setattr("tests.helpers.openai_server._Handler.do_GET", lambda self: self._reply(200, {"data": models}))
    assert all(len(info.id) < 400 for info in servers.probe("lab"))
