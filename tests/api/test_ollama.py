"""Ollama's API through its own client."""

import re

import ollama
import pytest

from memdesk.errors import EngineCrashedError
from memdesk.ports import EngineState, GenerationChunk, Usage
from tests.helpers.models import tool_call

WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather of a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}


@pytest.fixture
def client(server, secret):
    with ollama.Client(host=server.url, headers={"Authorization": f"Bearer {secret}"}) as made:
        yield made


def say(text):
    return [{"role": "user", "content": text}]


def last(parts):
    return parts.model.requests[-1]


def test_a_chat_has_ollamas_shape(client, parts):
    parts.model.queue("Good day.")
    options = {"temperature": 0.5, "top_p": 0.9, "num_predict": 50, "stop": ["END"], "seed": 7}
    answer = client.chat("default:latest", say("Hi"), options=options)
    assert (answer.message.role, answer.message.content) == ("assistant", "Good day.")
    assert (answer.model, answer.done, answer.done_reason, answer.eval_count) == ("default:latest", True, "stop", 2)
    request = last(parts)
    told = (request.temperature, request.top_p, request.max_tokens, request.stop, request.seed)
    assert told == (0.5, 0.9, 50, ("END",), 7)


def test_a_chat_is_streamed_line_by_line_and_ends_with_the_counts(client, parts):
    parts.model.queue("Good day to you.")
    pieces = list(client.chat("default", say("Hi"), stream=True))
    assert "".join(piece.message.content for piece in pieces) == "Good day to you."
    assert [piece.done for piece in pieces] == [False] * (len(pieces) - 1) + [True]
    assert (pieces[-1].eval_count, pieces[-1].done_reason) == (4, "stop")


def test_thinking_is_told_apart(client, parts):
    parts.model.queue("<think>Hm.</think>Yes.", "<think>Hm.</think>Yes.")
    assert client.chat("default", say("Hi"), think=True).message.thinking == "Hm."
    pieces = list(client.chat("default", say("Hi"), think=True, stream=True))
    assert "".join(piece.message.thinking or "" for piece in pieces) == "Hm."
    assert "".join(piece.message.content for piece in pieces) == "Yes."


@pytest.mark.parametrize("streamed", [False, True])
def test_a_tool_is_called_and_its_result_comes_back(client, parts, streamed):
    parts.model.queue(tool_call("weather", '{"city": "Oslo"}'), "It is cold.")
    messages = say("How is Oslo?")
    answer = client.chat("default", messages, tools=[WEATHER], stream=streamed)
    calls = [call for piece in (answer if streamed else [answer]) for call in piece.message.tool_calls or ()]
    assert [(call.function.name, call.function.arguments) for call in calls] == [("weather", {"city": "Oslo"})]
    messages += [
        {"role": "assistant", "content": "", "tool_calls": calls},
        {"role": "tool", "content": "-5", "tool_name": "weather"},
    ]
    assert client.chat("default", messages, tools=[WEATHER]).message.content == "It is cold."
    _, call, result = last(parts).messages
    assert (result.role, result.content, result.tool_call_id) == ("tool", "-5", call.tool_calls[0]["id"])


@pytest.mark.parametrize(("wanted", "schema"), [("json", {}), ({"type": "object"}, {"type": "object"})])
def test_a_format_becomes_a_schema(client, parts, wanted, schema):
    client.chat("default", say("Hi"), format=wanted)
    assert last(parts).json_schema == schema


def test_generate_answers_one_prompt(client, parts):
    parts.model.queue("Good day.", "Good day.")
    answer = client.generate("default", "Hi", system="Be kind.")
    assert (answer.response, answer.done) == ("Good day.", True)
    assert [(each.role, each.content) for each in last(parts).messages] == [("system", "Be kind."), ("user", "Hi")]
    assert "".join(piece.response for piece in client.generate("default", "Hi", stream=True)) == "Good day."


def test_an_empty_request_says_that_the_model_is_ready(client, parts):
    assert client.generate("default", "").done_reason == "load"
    assert client.chat("default", []).done_reason == "load"
    assert parts.model.requests == []


def test_models_are_listed_and_shown(client, parts, monkeypatch):
    parts.services.agents.create("Caroline", agent_id="caroline")
    assert {"default", "fake:echo", "agent:caroline"} <= {each.model for each in client.list().models}
    assert "completion" in client.show("fake:echo").capabilities
    with pytest.raises(ollama.ResponseError) as missing:
        client.show("unknown")
    assert missing.value.status_code == 404
    assert client.ps().models == []
    digests = {each.digest for each in client.list().models}
    assert len(digests) == len(client.list().models)
    assert all(re.fullmatch(r"[0-9a-f]{64}", each) for each in digests)
    state = EngineState(name="llm", kind="llm", state="ready", model="fake:echo")
    monkeypatch.setattr(parts.services.models, "states", lambda: [state])
    assert client.ps().models[0].digest in digests


def test_texts_become_vectors_under_any_model_name(client, parts):
    answer = client.embed("nomic-embed-text", ["one", "two words"])
    assert (answer.model, len(answer.embeddings), len(answer.embeddings[0])) == ("nomic-embed-text", 2, 2)
    assert len(client.embeddings("any", "one").embedding) == 2


def test_an_agent_named_as_model_remembers(client, parts):
    parts.services.agents.create("Caroline", agent_id="caroline")
    parts.services.memories.add_fact(agent_id="caroline", content="Her dog is called Biscuit.")
    client.chat("agent:caroline", say("What is the dog called?"))
    assert "Biscuit" in last(parts).messages[-1].content
    assert parts.services.conversations.page("caroline").items[0].turn_count == 2


@pytest.mark.expect_log
def test_errors_have_ollamas_shape(client, parts, server):
    parts.model.queue(EngineCrashedError("It crashed."))
    with pytest.raises(ollama.ResponseError, match="It crashed"):
        client.chat("default", say("Hi"))
    with pytest.raises(ollama.ResponseError, match="no model") as unknown:
        client.chat("unknown", say("Hi"))
    assert unknown.value.status_code == 404
    with ollama.Client(host=server.url) as other, pytest.raises(ollama.ResponseError) as stranger:
        other.chat("default", say("Hi"))
    assert stranger.value.status_code == 401


def test_a_failure_while_it_streams_is_told(client, parts):
    parts.model.queue([GenerationChunk(text="Begun"), EngineCrashedError("It crashed.")])
    with pytest.raises(ollama.ResponseError, match="It crashed"):
        list(client.chat("default", say("Hi"), stream=True))


@pytest.mark.parametrize("reason", ["length", "repeating"])
def test_an_answer_that_was_cut_is_told(client, parts, reason):
    parts.model.queue([GenerationChunk(text="Cut"), GenerationChunk(finish_reason=reason, usage=Usage())])
    assert client.chat("default", say("Hi")).done_reason == "length"


def test_the_version_is_told(http):
    assert http.get("/api/version").json()["version"]


def test_a_model_is_loaded_let_go_of_and_unknown(client, parts, monkeypatch):
    gone = []
    monkeypatch.setattr(parts.services.models, "unload", gone.append)
    assert (client.generate("default").done_reason, client.chat("default").done_reason) == ("load", "load")
    assert client.generate("default", keep_alive="5m").done_reason == "load"
    assert gone == []
    assert client.generate("default", keep_alive=0).done_reason == "unload"
    assert client.chat("default", keep_alive="0s").done_reason == "unload"
    assert gone == [parts.model.info.id] * 2
    with pytest.raises(ollama.ResponseError, match="nobody") as unknown:
        client.generate("nobody")
    assert unknown.value.status_code == 404


def test_whether_anybody_is_there_is_said_without_a_token(bare, http):
    assert bare.get("/").text == "memdesk is running"
    assert bare.head("/").status_code == 200
    assert [http.head(path).status_code for path in ("/api/tags", "/api/version")] == [200, 200]


@pytest.mark.parametrize("verb", ["pull", "push", "create", "delete"])
def test_what_a_model_store_does_is_refused_in_ollamas_words(client, verb):
    with pytest.raises(ollama.ResponseError, match="no library of Ollama's models"):
        getattr(client, verb)("llama3.2")


def test_what_no_engine_supports_is_refused_with_an_explanation(client):
    with pytest.raises(ollama.ResponseError, match="no library of Ollama's models"):
        client.copy("llama3.2", "mine")
    for more in ({"suffix": "end"}, {"context": [1, 2]}):
        with pytest.raises(ollama.ResponseError, match="is not supported"):
            client.generate("default", "Hi", **more)


def test_options_that_every_engine_has_are_passed_on(client, parts):
    client.chat("default", say("Hi"), options={"top_k": 20, "presence_penalty": 0.5, "frequency_penalty": 0.25})
    request = last(parts)
    assert (request.top_k, request.presence_penalty, request.frequency_penalty) == (20, 0.5, 0.25)


@pytest.mark.parametrize("given", [[], ""])
def test_no_text_is_no_vector(client, given):
    answer = client.embed("default", given)
    assert (answer.embeddings, answer.prompt_eval_count) == ([], 0)
    assert client.embeddings("default", "").embedding == []
    assert len(client.embed("default", ["One", ""]).embeddings) == 2
    assert client.embed("default", "One").total_duration > 0
