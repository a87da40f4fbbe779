"""Pictures in messages, through the clients that send them."""

import base64

import anthropic
import ollama
import openai
import pytest

from tests.helpers.models import tool_call
from tests.helpers.pictures import png

PNG = base64.b64encode(png()).decode()
URL = f"data:image/png;base64,{PNG}"
AGENT = {"X-Memdesk-Agent-Id": "caroline"}


def by_openai(server, secret, text="What is this?", picture=PNG, **headers):
    content = [
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{picture}", "detail": "low"}},
        {"type": "text", "text": text},
    ]
    with openai.OpenAI(base_url=f"{server.url}/v1", api_key=secret, max_retries=0, default_headers=AGENT) as client:
        client.chat.completions.create(
            model="default", messages=[{"role": "user", "content": content}], extra_headers=headers
        )


def by_responses(server, secret):
    content = [{"type": "input_image", "image_url": URL}, {"type": "input_text", "text": "What is this?"}]
    with openai.OpenAI(base_url=f"{server.url}/v1", api_key=secret, max_retries=0, default_headers=AGENT) as client:
        client.responses.create(model="default", input=[{"role": "user", "content": content}])


def by_anthropic(server, secret):
    source = {"type": "base64", "media_type": "image/png", "data": PNG}
    content = [{"type": "image", "source": source}, {"type": "text", "text": "What is this?"}]
    with anthropic.Anthropic(base_url=server.url, api_key=secret, max_retries=0, default_headers=AGENT) as client:
        client.messages.create(model="default", max_tokens=50, messages=[{"role": "user", "content": content}])


def by_ollama_chat(server, secret):
    with ollama.Client(host=server.url, headers={"Authorization": f"Bearer {secret}"} | AGENT) as client:
        client.chat("default", [{"role": "user", "content": "What is this?", "images": [base64.b64decode(PNG)]}])


def by_ollama_generate(server, secret):
    with ollama.Client(host=server.url, headers={"Authorization": f"Bearer {secret}"} | AGENT) as client:
        client.generate("default", "What is this?", images=[base64.b64decode(PNG)])


EVERYONE = [by_openai, by_responses, by_anthropic, by_ollama_chat, by_ollama_generate]


def turns(parts, agent="caroline"):
    threads = parts.services.conversations.page(agent).items
    return [
        [turn.content for turn in parts.services.conversations.turns(agent, thread.id)] for thread in reversed(threads)
    ]


@pytest.mark.parametrize("ask", EVERYONE)
def test_a_picture_reaches_a_model_that_sees_and_is_no_part_of_the_words(ask, server, secret, parts):
    parts.model.sees = True
    ask(server, secret)
    (message,) = parts.model.requests[-1].messages
    assert (message.content, [image.url for image in message.images]) == ("What is this?", [URL])
    assert turns(parts) == [["What is this?", "All right."]]
    assert parts.recall.calls[-1]["query"] == "What is this?"


@pytest.mark.parametrize("ask", EVERYONE)
def test_a_model_that_does_not_see_says_so_at_once_and_nothing_is_kept(ask, server, secret, parts):
    with pytest.raises((openai.BadRequestError, anthropic.BadRequestError, ollama.ResponseError)) as refused:
        ask(server, secret)
    assert "cannot see pictures" in str(refused.value)
    assert refused.value.status_code == 400
    assert (parts.model.requests, turns(parts)) == ([], [])
    assert parts.services.agents.find("caroline") is None


def test_a_model_of_which_nobody_knows_is_given_the_picture(server, secret, parts):
    parts.model.sees = None
    by_openai(server, secret)
    assert parts.model.requests[-1].messages[-1].images


def test_the_memory_block_stands_before_the_words_of_a_picture(server, secret, parts):
    parts.model.sees = True
    parts.services.agents.ensure("caroline")
    parts.services.memories.add_fact(agent_id="caroline", content="Her garden has red roses.")
    by_openai(server, secret, "Are these roses?")
    message = parts.model.requests[-1].messages[-1]
    assert ("red roses" in message.content, len(message.images)) == (True, 1)


def test_other_pictures_with_the_same_words_are_other_conversations(server, secret, parts):
    parts.model.sees = True
    other = base64.b64encode(png(red=1)).decode()
    for picture in (PNG, other, PNG):
        by_openai(server, secret, picture=picture)
    assert turns(parts) == [["What is this?", "All right."]] * 2


def test_a_tools_result_may_be_a_picture(server, secret, parts):
    parts.model.sees = True
    parts.model.queue(tool_call("look", "{}"))
    look = {"name": "look", "description": "Look.", "input_schema": {"type": "object", "properties": {}}}
    asked = [{"role": "user", "content": "Look"}]
    with anthropic.Anthropic(base_url=server.url, api_key=secret, max_retries=0) as client:
        called = client.messages.create(model="default", max_tokens=50, messages=asked, tools=[look]).content[-1]
        shown = [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}]
        result = {"type": "tool_result", "tool_use_id": called.id, "content": shown}
        asked += [{"role": "assistant", "content": [called]}, {"role": "user", "content": [result]}]
        client.messages.create(model="default", max_tokens=50, messages=asked, tools=[look])
    told = parts.model.requests[-1].messages[-1]
    assert (told.role, [image.url for image in told.images]) == ("tool", [URL])


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ({"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}, "web address"),
        ({"type": "input_audio", "input_audio": {"data": "", "format": "wav"}}, "not input_audio"),
    ],
)
def test_what_is_no_picture_is_refused_in_words(http, part, why):
    answer = http.post("/v1/chat/completions", json={"messages": [{"role": "user", "content": [part]}]})
    assert answer.status_code == 400
    assert why in answer.json()["error"]["message"]


def test_ollamas_clients_are_told_whether_they_may_send_pictures(http, parts):
    def capabilities():
        return http.post("/api/show", json={"model": "default"}).json()["capabilities"]

    assert "vision" not in capabilities()
    parts.model.sees = True
    assert "vision" in capabilities()
    assert (
        http.post("/api/chat", json={"messages": [{"role": "user", "images": ["bm90IGFuIGltYWdl"]}]}).status_code == 400
    )
