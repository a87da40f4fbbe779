"""A server in front of another one, through the real OpenAI client."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import anthropic
import httpx
import ollama
import openai
import pytest

from memdesk.api.auth import AccessPolicy
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


def test_agents_stand_behind_the_upstreams_models_and_only_those_of_the_token(front, client, parts, upstream):
    for name in ("gardener", "cook"):
        parts.services.agents.ensure(name)
    theirs = ["qwen3:4b", "family/model"]
    assert [model.id for model in client.models.list()] == [*theirs, "agent:cook", "agent:gardener"]
    assert client.models.retrieve("agent:cook").owned_by == "memdesk"
    _, secret = parts.services.tokens.create("x", agents=["cook"])
    with openai.OpenAI(base_url=f"{front.url}/v1", api_key=secret, max_retries=0) as other:
        assert [model.id for model in other.models.list()] == [*theirs, "agent:cook"]
        with pytest.raises(openai.NotFoundError):
            other.models.retrieve("agent:gardener")
    upstream.pages["/v1/models"] = ["odd"]
    told = httpx.get(f"{front.url}/v1/models", headers={"Authorization": f"Bearer {secret}"}, timeout=60)
    assert told.json() == ["odd"]


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
        headers = {"x-api-key": secret, "anthropic-version": "2023-06-01"}
        httpx.post(f"{running.url}/v1/messages/count_tokens", json={"messages": []}, headers=headers, timeout=60)
        told = {name.lower(): value for name, value in upstream.headers[-1].items()}
        assert (told["x-api-key"], told["authorization"]) == ("their-key", "Bearer their-key")
        paths = len(upstream.paths)
        assert httpx.post(f"{running.url}/v1/%2e%2e/x", json={}, headers=headers, timeout=60).status_code == 404
        assert len(upstream.paths) == paths
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


QUESTION = "What is the dog called?"


def events(*told):
    return lambda: [f"event: {each['type']}\ndata: {json.dumps(each)}\n\n".encode() for each in told]


def test_responses_get_memory_and_are_kept(client, parts, upstream, dog):
    response = {"id": "r", "object": "response", "created_at": 0, "model": "m", "output": [], "status": "in_progress"}
    delta = {"type": "response.output_text.delta", "item_id": "i", "output_index": 0, "content_index": 0}
    upstream.raw = events(
        {"type": "response.created", "sequence_number": 0, "response": response},
        *(delta | {"sequence_number": n, "delta": word, "logprobs": []} for n, word in enumerate(("Bis", "cuit."), 1)),
        {"type": "response.completed", "sequence_number": 3, "response": response | {"status": "completed"}},
    )
    given = {"role": "user", "content": [{"type": "input_text", "text": QUESTION}]}
    told = client.responses.create(model="m", input=[given], stream=True, previous_response_id="before")
    assert "".join(each.delta for each in told if each.type == "response.output_text.delta") == "Biscuit."
    body = upstream.bodies[-1]
    (block, *rest) = body["input"][0]["content"]
    assert (block["type"], rest, body["previous_response_id"]) == ("input_text", given["content"], "before")
    assert "called Biscuit" in block["text"]
    assert kept(parts) == [[("user", QUESTION), ("assistant", "Biscuit.")]]
    message = {"type": "message", "role": "assistant", "id": "i", "status": "completed"}
    output = [message | {"content": [{"type": "output_text", "text": "A dog.", "annotations": []}]}]
    upstream.error = (200, response | {"output": output, "status": "completed"})
    assert client.responses.create(model="m", input="What is Biscuit?").output_text == "A dog."
    assert upstream.bodies[-1]["input"].endswith("What is Biscuit?")
    assert ("assistant", "A dog.") in kept(parts, 2)[0]


def test_messages_get_memory_behind_results_of_tools_and_are_kept(parts, front, secret, upstream, dog):
    empty = {"id": "m", "type": "message", "role": "assistant", "model": "claude", "content": [], "stop_reason": None}
    empty |= {"stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    upstream.raw = events(
        {"type": "message_start", "message": empty},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Biscuit."}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_stop"},
    )
    result = {"type": "tool_result", "tool_use_id": "t", "content": "12 degrees"}
    words = {"type": "text", "text": QUESTION}
    with (
        anthropic.Anthropic(base_url=front.url, api_key=secret, max_retries=0) as made,
        made.messages.stream(
            model="claude", max_tokens=9, messages=[{"role": "user", "content": [result, words]}]
        ) as told,
    ):
        assert "".join(told.text_stream) == "Biscuit."
    first, block, last = upstream.bodies[-1]["messages"][0]["content"]
    assert (first, last) == (result, words)
    assert "called Biscuit" in block["text"]
    assert kept(parts) == [[("user", QUESTION), ("assistant", "Biscuit.")]]
    assert secret not in json.dumps(upstream.headers)
    assert upstream.headers[-1]["anthropic-version"]


def test_an_ollama_behind_is_asked_at_its_own_addresses(parts, front, secret, upstream, dog):
    upstream.pages = {"/api/version": {"version": "0.9"}, "/api/tags": {"models": [{"model": "qwen3:4b"}]}}
    upstream.kind = "application/x-ndjson"
    answers = [{"model": "m", "message": {"role": "assistant", "content": word}} for word in ("Bis", "cuit.")]
    upstream.raw = lambda: [json.dumps(each).encode() + b"\n" for each in answers]
    with ollama.Client(host=front.url, headers={"Authorization": f"Bearer {secret}"}) as made:
        assert [model.model for model in made.list().models] == ["qwen3:4b"]
        told = made.chat("m", [{"role": "user", "content": QUESTION}], stream=True)
        assert "".join(each.message.content for each in told) == "Biscuit."
        assert "called Biscuit" in upstream.bodies[-1]["messages"][0]["content"]
        assert kept(parts) == [[("user", QUESTION), ("assistant", "Biscuit.")]]
        answers[:] = [{"model": "m", "response": "Woof."}]
        assert "".join(each.response for each in made.generate("m", "And what does it say?", stream=True)) == "Woof."
    assert upstream.paths == ["/api/chat", "/api/generate"]
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
    assert httpx.post(f"{front.url}/api/chat", content=b"{", headers=headers, timeout=60).status_code == 400
    assert ("assistant", "Woof.") in kept(parts, 2)[0]


def test_ollamas_addresses_are_our_own_where_no_ollama_is_behind(front, secret):
    told = httpx.get(f"{front.url}/api/tags", headers={"Authorization": f"Bearer {secret}"}, timeout=60).json()
    assert "fake:echo" in [model["model"] for model in told["models"]]


def test_other_addresses_below_v1_pass_through_with_the_upstreams_key_alone(parts, front, secret, upstream):
    headers = {"Authorization": f"Bearer {secret}"}
    upstream.error = (200, {"results": [1]})
    for path in ("audio/speech", "rerank", "images/generations"):
        answer = httpx.post(f"{front.url}/v1/{path}?a=b", json={"input": path}, headers=headers, timeout=60)
        assert answer.json() == {"results": [1]}
        assert (upstream.paths[-1], upstream.bodies[-1]) == (f"/v1/{path}?a=b", {"input": path})
    assert secret not in json.dumps(upstream.headers)
    upstream.paths.clear()
    assert httpx.post(f"{front.url}/v1/rerank", json={}, timeout=60).status_code == 401
    assert httpx.post(f"{front.url}/rerank", json={}, headers=headers, timeout=60).status_code == 404
    assert httpx.get(f"{front.url}/memory/facts?agent_id=default", headers=headers, timeout=60).status_code == 200
    assert upstream.paths == []


def test_an_agent_named_as_the_model_means_the_first_of_the_upstream(client, parts, upstream):
    parts.services.agents.ensure("gardener")
    parts.services.memories.add_fact(agent_id="gardener", content="Her dog is called Biscuit.")
    text_of(ask(client, QUESTION, model="agent:gardener"))
    assert upstream.bodies[0]["model"] == "qwen3:4b"
    assert "called Biscuit" in upstream.bodies[0]["messages"][0]["content"]


def test_a_client_is_told_how_much_the_upstream_lets_it_ask(client, upstream):
    upstream.error = (429, {"error": {"message": "slow down"}})
    upstream.error_headers = {"Retry_After": "7", "x_ratelimit_remaining_requests": "0"}
    with pytest.raises(openai.RateLimitError) as caught:
        ask(client, "Hi")
    told = caught.value.response.headers
    assert (told["retry-after"], told["x-ratelimit-remaining-requests"]) == ("7", "0")


def test_a_sound_goes_to_the_upstream_as_it_is(client, secret, upstream, monkeypatch):
    # It is not held whole, so that it may be larger than what is read here.
    monkeypatch.setattr("memdesk.api.guard.MAX_BODY_BYTES", 1000)
    sound = bytes(range(256)) * 40
    told = client.audio.transcriptions.create(model="whisper-1", file=("a.wav", sound), language="de")
    assert told.text == upstream.heard
    assert (upstream.paths, upstream.keys) == (["/v1/audio/transcriptions"], [None])
    assert sound in upstream.sounds[0]
    assert b'name="language"' in upstream.sounds[0]
    assert secret.encode() not in upstream.sounds[0]
    client.files.create(file=("a.jsonl", b"{}"), purpose="batch")
    assert (upstream.paths[-1], b"a.jsonl" in upstream.sounds[-1]) == ("/v1/files", True)
    upstream.error = (415, {"error": {"message": "no such sound"}})
    with pytest.raises(openai.APIStatusError, match="no such sound"):
        client.audio.transcriptions.create(model="whisper-1", file=("a.wav", sound))


def test_a_file_and_what_answers_it_are_passed_on_while_they_come(parts, secret):
    came, may_end = threading.Event(), threading.Event()

    class Relay(BaseHTTPRequestHandler):
        def log_message(self, *args):
            pass

        def do_POST(self):
            first = self.rfile.read(1000)
            came.set()
            rest = self.rfile.read(int(self.headers["Content-Length"]) - 1000)
            self.send_response(201)
            self.send_header("Content-Type", "audio/wav")
            self.send_header("Content-Disposition", 'attachment; filename="a.wav"')
            self.send_header("Content-Length", str(len(first + rest)))
            self.end_headers()
            self.wfile.write(first)
            may_end.wait(60)
            self.wfile.write(rest)

    behind = ThreadingHTTPServer(("127.0.0.1", 0), Relay)
    threading.Thread(target=behind.serve_forever, kwargs={"poll_interval": 0.05}).start()
    running = ApiServer(
        parts.services,
        host="127.0.0.1",
        port=0,
        upstream=Upstream.of(f"http://127.0.0.1:{behind.server_port}/v1"),
    )

    def pieces():
        yield b"a" * 1000
        assert came.wait(60)
        yield b"b" * 1000

    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "audio/wav", "Content-Length": "2000"}
    try:
        url = f"{running.start()}/v1/audio/isolate"
        with httpx.stream("POST", url, content=pieces(), headers=headers, timeout=60) as answer:
            said = answer.iter_raw(1000)
            assert next(said) == b"a" * 1000
            may_end.set()
            assert list(said) == [b"b" * 1000]
        assert (answer.status_code, answer.headers["content-type"]) == (201, "audio/wav")
        assert (answer.headers["content-disposition"], answer.headers["content-length"]) == (
            'attachment; filename="a.wav"',
            "2000",
        )
    finally:
        may_end.set()
        running.stop()
        behind.shutdown()
        behind.server_close()


def test_what_is_no_json_goes_nowhere_but_to_the_upstreams_own_addresses(parts, front, secret, upstream, monkeypatch):
    headers = {"Authorization": f"Bearer {secret}"}
    form = {"file": ("a.wav", b"sound")}
    for path in ("/v1/chat/completions", "/v1/memory/ingest", "/memory/notes", "/v1/embeddings", "/api/chat"):
        assert httpx.post(f"{front.url}{path}", files=form, headers=headers, timeout=60).status_code == 415, path
    assert httpx.post(f"{front.url}/v1/audio/transcriptions", files=form, timeout=60).status_code == 401
    assert httpx.post(f"{front.url}/audio/transcriptions", files=form, headers=headers, timeout=60).status_code == 404
    monkeypatch.setattr("memdesk.api.guard.MAX_UPLOAD_BYTES", 100)
    for content in (b"a" * 101, iter([b"a" * 60, b"a" * 60])):
        answer = httpx.post(f"{front.url}/v1/files", content=content, headers=headers, timeout=60)
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "payload_too_large")
    assert (upstream.sounds, upstream.bodies) == ([], [])


def test_a_form_of_a_web_page_goes_nowhere_although_no_token_is_needed(parts, upstream):
    access = AccessPolicy(check=parts.services.tokens.check, open_to=parts.services.tokens.create("open")[0])
    running = ApiServer(
        parts.services, host="127.0.0.1", port=0, access=access, upstream=Upstream.of(f"{upstream.url}/v1")
    )
    try:
        url, form = f"{running.start()}/v1/audio/transcriptions", {"file": ("a.wav", b"sound")}
        assert httpx.post(url, files=form, timeout=60).status_code == 415
        assert upstream.sounds == []
        assert httpx.post(url, files=form, headers={"Authorization": "Bearer none"}, timeout=60).status_code == 200
    finally:
        running.stop()


def test_other_methods_pass_and_web_sockets_are_refused_in_words(front, secret, upstream):
    headers = {"Authorization": f"Bearer {secret}"}
    upstream.pages["/v1/files/a"] = {}
    assert httpx.head(f"{front.url}/v1/files/a", headers=headers, timeout=60).status_code == 200
    assert httpx.head(f"{front.url}/v1/files/b", headers=headers, timeout=60).status_code == 404
    assert httpx.options(f"{front.url}/v1/files/a", headers=headers, timeout=60).json() == {"method": "OPTIONS"}
    socket = headers | {"Connection": "Upgrade", "Upgrade": "websocket"}
    answer = httpx.get(f"{front.url}/v1/realtime", headers=socket, timeout=60)
    assert (answer.status_code, "WebSockets" in answer.json()["error"]["message"]) == (400, True)
