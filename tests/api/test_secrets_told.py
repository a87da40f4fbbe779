"""A client that sends a secret over HTTP learns at once that memory leaves it out, and can store it on purpose."""

import openai
import pytest

from memdesk.api.server import ApiServer
from memdesk.api.upstreams import Upstream
from tests.helpers.openai_server import openai_server

HEADER = "X-Memdesk-Secrets-Left-Out"
SECRET = "I ski. My bank PIN is 4821."


def ingested(http, text, **more):
    turns = [*more.pop("before", []), {"user": text, "assistant": "Noted."}]
    body = {"agent_id": "ana", "conversation_id": "c", "turns": turns}
    return http.post("/memory/ingest", json=body | more).json()


def test_an_ingest_names_what_is_new_and_left_out_once(http, parts):
    told = ingested(http, SECRET)
    assert told["secrets"] == ["password"]
    assert told["message"] == "Left out of memory: password. Store it as a fact to keep it on purpose."
    parts.distillation.outcome = None
    assert ingested(http, SECRET)["secrets"] == []
    before = [{"user": SECRET, "assistant": "Noted."}]
    went_on = ingested(http, "My IBAN is DE89 3704 0044 0532 0130 00.", before=before, wait=False)
    assert went_on["secrets"] == ["account number"]
    assert ingested(http, SECRET, conversation_id="d", skip_extraction=True)["secrets"] == []


@pytest.mark.parametrize(("text", "kinds"), [(SECRET, "password"), ("I ski.", None)])
def test_a_chat_names_it_in_a_header(caroline, text, kinds):
    ask = caroline.chat.completions.with_raw_response.create
    messages = [{"role": "user", "content": text}]
    assert ask(model="default", messages=messages).headers.get(HEADER) == kinds
    streamed = ask(model="default", messages=messages, stream=True)
    assert streamed.headers.get(HEADER) == kinds
    # A client sends its whole history again: what was told is not told a second time.
    messages += [{"role": "assistant", "content": "Ok."}, {"role": "user", "content": "Go on."}]
    assert HEADER not in ask(model="default", messages=messages).headers


def test_what_is_not_remembered_anyhow_is_not_told(ai, caroline):
    ask = {"model": "default", "messages": [{"role": "user", "content": SECRET}]}
    assert HEADER not in ai.chat.completions.with_raw_response.create(**ask).headers
    off = caroline.chat.completions.with_raw_response.create(**ask, extra_headers={"X-Memdesk-Memory": "read_only"})
    assert HEADER not in off.headers


def test_a_server_in_front_of_another_names_it_too(parts, secret):
    with openai_server() as upstream:
        front = ApiServer(parts.services, host="127.0.0.1", port=0, upstream=Upstream.of(f"{upstream.url}/v1/", ""))
        front.start()
        with openai.OpenAI(base_url=f"{front.url}/v1", api_key=secret, max_retries=0, timeout=60) as client:
            ask = {"model": "qwen3:4b", "messages": [{"role": "user", "content": SECRET}]}
            assert client.chat.completions.with_raw_response.create(**ask).headers.get(HEADER) == "password"
        front.stop()
