"""Local programs without a token, if the user allows it; and Osaurus' documented calls, unchanged."""

from __future__ import annotations

import json

import httpx
import openai
import pytest

from memdesk.api.auth import AccessPolicy
from memdesk.api.server import ApiServer
from tests.helpers.models import tool_call

WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


@pytest.fixture
def server(parts):
    parts.services.settings.update("server", {"tokenless": True})
    running = ApiServer(parts.services, host="127.0.0.1", port=0)
    running.start()
    yield running
    running.stop()


def test_what_needs_no_token_is_chat_and_memory_and_no_more(bare, parts):
    parts.services.agents.ensure("caroline")
    made = bare.post("/memory/facts", json={"agent_id": "caroline", "content": "Ada keeps bees."})
    assert made.status_code == 201
    (entry,) = parts.services.history.of("fact", made.json()["id"])
    assert entry.actor_detail == "without a token"
    for path in ("/memory/tokens", "/memory/programs/all"):
        assert bare.get(path).status_code == 403
    assert bare.put("/memory/settings", json={"tokenless": False}).status_code == 403
    assert bare.post("/memory/tokens", json={"name": "mine"}).status_code == 403


def test_a_token_of_ours_must_be_good_all_the_same(bare, parts):
    token, secret = parts.services.tokens.create("phone", ["memory:read"])
    headers = {"Authorization": f"Bearer {secret}"}
    assert bare.get("/memory/facts?agent_id=a", headers=headers).status_code == 200
    parts.services.tokens.revoke(token.id)
    assert bare.get("/memory/facts?agent_id=a", headers=headers).status_code == 401
    assert bare.get("/memory/facts?agent_id=a", headers={"Authorization": "Bearer osaurus"}).status_code == 200


def test_a_token_of_this_process_keeps_its_rights_whatever_it_looks_like(bare, parts):
    parts.services.tokens.accept("no prefix of ours", name="command line")
    headers = {"Authorization": "Bearer no prefix of ours"}
    assert bare.get("/memory/tokens", headers=headers).status_code == 200


def test_web_pages_and_rebound_names_stay_outside(bare):
    assert bare.get("/agents", headers={"Origin": "https://evil.example"}).status_code == 403
    assert bare.get("/agents", headers={"Host": "evil.example"}).status_code == 403
    form = {"Content-Type": "text/plain"}
    assert bare.post("/memory/facts", content=b'{"content": "x"}', headers=form).status_code == 415


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "desk.example"])
def test_beyond_the_loopback_a_token_is_wanted_always(parts, host):
    parts.services.settings.update("server", {"tokenless": True})
    assert AccessPolicy.of(parts.services, host=host).open_to is None
    assert AccessPolicy.of(parts.services, host="127.0.0.1").open_to is not None


def test_it_is_off_unless_the_user_says_otherwise(parts):
    assert AccessPolicy.of(parts.services).open_to is None


def test_osaurus_documented_curl_lines_are_answered(server, parts):
    def post(**body):
        # As curl sends them: no key at all.
        return httpx.post(f"{server.url}/v1/chat/completions", json={"model": "echo"} | body, timeout=60)

    for path in ("/models", "/v1/models"):
        listed = httpx.get(server.url + path, timeout=60).json()
        assert "fake:echo" in [model["id"] for model in listed["data"]]
    talk = [{"role": "system", "content": "Be of help."}, {"role": "user", "content": "Good morning!"}]
    whole = post(messages=talk, session_id="my-session-1", temperature=0.7, max_tokens=150).json()
    assert whole["choices"][0]["message"] == {"role": "assistant", "content": "All right."}
    assert whole["usage"]["total_tokens"] == whole["usage"]["prompt_tokens"] + whole["usage"]["completion_tokens"]
    streamed = post(messages=talk[1:], stream=True, temperature=0.8, max_tokens=200)
    lines = [line.removeprefix("data: ") for line in streamed.text.splitlines() if line]
    assert lines[-1] == "[DONE]"
    said = [choice["delta"].get("content") for line in lines[:-1] for choice in json.loads(line)["choices"]]
    assert "".join(part for part in said if part) == "All right."
    parts.model.queue(tool_call("get_weather", '{"city":"SF"}'))
    called = post(messages=talk[1:], tools=[WEATHER], tool_choice="auto").json()["choices"][0]
    assert called["finish_reason"] == "tool_calls"
    assert called["message"]["tool_calls"][0]["function"] == {"name": "get_weather", "arguments": '{"city":"SF"}'}


def test_osaurus_documented_python_lines_run(server, parts):
    with openai.OpenAI(base_url=f"{server.url}/v1", api_key="osaurus", max_retries=0, timeout=60) as client:
        assert [model.id for model in client.models.list().data]
        parts.model.queue(tool_call("get_weather", '{"city":"SF"}'), "It is foggy.", "A haiku.")
        asked = [{"role": "user", "content": "How is the weather in SF?"}]
        answer = client.chat.completions.create(model="echo", messages=asked, tools=[WEATHER], tool_choice="auto")
        (call,) = answer.choices[0].message.tool_calls
        assert json.loads(call.function.arguments) == {"city": "SF"}
        told = {"role": "tool", "tool_call_id": call.id, "content": json.dumps({"tempC": 18})}
        assistant = {"role": "assistant", "content": "", "tool_calls": [call]}
        then = client.chat.completions.create(model="echo", messages=[*asked, assistant, told])
        assert then.choices[0].message.content == "It is foggy."
        stream = client.chat.completions.create(
            model="echo", messages=[{"role": "user", "content": "A haiku, please."}], stream=True
        )
        assert "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices) == "A haiku."
