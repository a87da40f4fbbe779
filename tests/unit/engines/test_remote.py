"""Remote servers, over a real local HTTP server."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import date

import pytest

from memdesk.domain.reading.candidates import SourceTurn
from memdesk.engines.known_models import KnownModels
from memdesk.engines.remote import Habits, RemoteModel, RemoteServers, base_url
from memdesk.engines.remote_errors import (
    RemoteAuthError,
    RemoteBusyError,
    RemoteFailedError,
    RemoteLimitedError,
    RemoteUnpaidError,
    RemoteUnreachableError,
    from_status,
)
from memdesk.errors import (
    BadRequestError,
    BlindModelError,
    CancelledError,
    ContextOverflowError,
    EngineError,
    EngineTimeoutError,
    ModelMissingError,
    NotFoundError,
)
from memdesk.ports import ChatMessage, GenerationRequest
from memdesk.services.distilling.model import write
from memdesk.settings.schema import EngineSettings
from tests.helpers.engines import FakeSecrets
from tests.helpers.openai_server import openai_server
from tests.helpers.pictures import image

ID = "remote:lab/family/model"
ASK = GenerationRequest(
    messages=(ChatMessage(role="system", content="Be brief."), ChatMessage(role="user", content="Hi")),
    max_tokens=9,
    temperature=0.1,
    stop=("x",),
    seed=3,
)


@pytest.fixture
def server():
    with openai_server() as state:
        yield state


@pytest.fixture
def secrets():
    return FakeSecrets()


@pytest.fixture
def servers(server, secrets, tmp_path):
    settings = EngineSettings(remote_servers=[{"name": "lab", "base_url": server.url}], answer_timeout_seconds=5)
    return RemoteServers(lambda: settings, secrets, KnownModels(tmp_path / "models.json"))


@pytest.fixture
def model(servers):
    return servers.open(servers.info(ID))


def answer(model, request=ASK, cancel=None):
    chunks = list(model.generate(request, cancel=cancel))
    return "".join(chunk.text for chunk in chunks), chunks[-1]


def with_schema():
    return GenerationRequest(messages=ASK.messages, json_schema={"type": "object"})


def test_probe_lists_and_remembers_models(servers):
    assert servers.models() == []
    assert [info.id for info in servers.probe("lab")] == [ID, "remote:lab/qwen3:4b"]
    assert [info.name for info in servers.models()] == ["family/model (lab)", "qwen3:4b (lab)"]
    servers.forget("lab")
    assert servers.models() == []


def test_info_knows_configured_servers_only(servers):
    assert servers.info(ID).source == "remote"
    assert servers.info("remote:elsewhere/m") is None
    assert servers.info("gguf:/x") is None
    with pytest.raises(NotFoundError):
        servers.server_of("remote:elsewhere/m")


def test_streams_an_answer(model, server):
    text, last = answer(model)
    assert text == "Hello there."
    assert last.finish_reason == "stop"
    assert (last.usage.prompt_tokens, last.usage.completion_tokens) == (11, 3)
    [body] = server.bodies
    assert body["model"] == "family/model"
    assert body["messages"][0] == {"role": "system", "content": "Be brief."}
    assert (body["max_tokens"], body["temperature"], body["stop"], body["seed"]) == (9, 0.1, ["x"], 3)
    assert "top_p" not in body
    assert "tools" not in body
    assert "response_format" not in body


def told(model, request=ASK):
    """Return thinking and text of an answer as a reader who takes words back has them at the end."""
    thinking = text = ""
    for chunk in model.generate(request):
        if chunk.taken_back:
            thinking, text = thinking + text, ""
        thinking, text = thinking + chunk.thinking, text + chunk.text
    return thinking, text


def deltas(*parts, finish="stop"):
    return [*({"choices": [{"delta": part}]} for part in parts), {"choices": [{"delta": {}, "finish_reason": finish}]}]


def test_a_server_that_reports_which_stop_sequence_ended_the_answer(model, server):
    server.events = [{"choices": [{"delta": {"content": "Yes"}, "finish_reason": "stop", "stop_reason": "x"}]}]
    assert answer(model)[1].stop_sequence == "x"


def test_what_a_caller_gave_besides_goes_on_and_changes_nothing_of_ours(model, server):
    form = {"type": "json_schema", "json_schema": {"name": "city", "schema": {"type": "object"}, "strict": False}}
    besides = {"reasoning_effort": "low", "logit_bias": {"5": 1}, "stream": False, "response_format": form}
    answer(model, replace(with_schema(), besides=besides))
    answer(model, replace(ASK, besides=besides))
    assert [body["reasoning_effort"] for body in server.bodies] == ["low", "low"]
    assert [body["stream"] for body in server.bodies] == [True, True]
    assert server.bodies[0]["response_format"] == form
    assert "response_format" not in server.bodies[1]


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_thinking_that_a_server_gives_apart(model, server, name):
    server.events = deltas({name: "Hm"}, {name: ".", "content": None}, {"content": "\n\nYes"}, {"content": " <think>."})
    assert told(model) == ("Hm.", "Yes <think>.")


def test_the_time_of_thinking_counts_as_the_models_speed(model, server):
    server.events = deltas({"reasoning_content": "Hm"}, {"content": "Yes"})
    server.pause = 0.2
    usage = answer(model)[1].usage
    assert usage.completion_tokens == 2
    # Two pauses lie between the first thought and the end, one between the first word and the end.
    assert usage.completion_seconds >= 0.39


def test_thinking_in_the_content_is_told_apart(model, server):
    server.events = deltas({"content": "<thi"}, {"content": "nk>Hm.</think>\n"}, {"content": "\nYes."})
    assert told(model) == ("Hm.", "Yes.")


def test_a_model_whose_prompts_open_the_thinking_is_known_after_its_first_answer(model, servers, server):
    server.events = deltas({"content": "Hm."}, {"content": "\n</think>\n\n"}, {"content": "Yes."})
    assert next(chunk.text for chunk in model.generate(ASK)) == "Hm."
    assert told(model) == ("Hm.\n", "Yes.")
    # It is known of the model, whoever opens it.
    model = servers.open(servers.info(ID))
    assert not any(chunk.taken_back for chunk in model.generate(ASK))
    server.events = deltas({"content": "Hm."}, finish="length")
    assert told(model) == ("Hm.", "")
    # Asked not to think, it answers at once.
    server.events = deltas({"content": "Yes."})
    assert told(model)[1] == "Yes."
    assert told(model) == ("", "Yes.")


def test_a_model_that_thinks_gets_room_for_it_where_only_its_answer_is_limited(model, server):
    def events(body):
        yield from deltas(
            {"reasoning": "Hm"}, *([{"content": "{}"}] if body["max_tokens"] > 40 else []), finish="length"
        )

    server.events_for = events
    short = GenerationRequest(messages=ASK.messages, max_tokens=40)
    assert told(model, short) == ("Hm", "")
    ample = GenerationRequest(messages=ASK.messages, max_tokens=40, thinking_tokens=500)
    assert told(model, ample)[1] == "{}"
    assert [body["max_tokens"] for body in server.bodies] == [40, 540]
    model._habits.thinks = False
    assert told(model, ample)[1] == "{}"
    assert [body["max_tokens"] for body in server.bodies[2:]] == [40, 540]


@pytest.mark.parametrize("name", ["reasoning_content", "content"])
def test_a_thinking_model_distills(model, server, name):
    said = {"speaker": "the user", "listener": "the agent", "provenance": "user"}
    turns = [SourceTurn(id="t1", text="I keep geese.", day=date(2026, 5, 1), **said)]
    digest = '{"episode": {"summary": "The user keeps geese."}}'

    def events(body):
        thought, said = 'I could say {"episode": {"summary": "They keep ducks."}}. ', {"content": digest}
        ample = body["max_tokens"] > 1000
        if name == "content":
            thought, said = f"<think>{thought}", {"content": f"</think>\n```json\n{digest}\n```"}
        return deltas({name: thought}, *([said] if ample else []), finish="stop" if ample else "length")

    server.events_for = events
    assert write(model, turns, (), None).digest.summary == "The user keeps geese."
    assert len(server.bodies) == 2
    assert write(model, turns, (), None).digest.summary == "The user keeps geese."
    assert len(server.bodies) == 3


def test_tool_calls_are_put_together(model, server):
    def piece(**function):
        return {
            "choices": [{"delta": {"tool_calls": [{"index": 0, "id": function.pop("id", None), "function": function}]}}]
        }

    server.events = [
        piece(id="call_1", name="weather", arguments=""),
        piece(arguments='{"city": '),
        piece(arguments='"Rome"}'),
        {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]},
    ]
    _, last = answer(model)
    assert last.finish_reason == "tool_calls"
    assert last.tool_calls == (
        {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Rome"}'}},
    )


@pytest.mark.parametrize(
    ("formats", "tried"),
    [
        ({"json_schema", "json_object"}, ["json_schema"]),
        ({"json_object"}, ["json_schema", "json_object"]),
        (set(), ["json_schema", "json_object", None]),
    ],
)
def test_json_is_asked_for_in_the_way_the_server_knows(model, server, formats, tried):
    server.formats = formats
    answer(model, with_schema())
    assert [(body.get("response_format") or {}).get("type") for body in server.bodies] == tried
    told = "schema" in server.bodies[-1]["messages"][0]["content"]
    assert told == (tried[-1] != "json_schema")
    server.bodies.clear()
    answer(model, with_schema())
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (401, {"error": {"message": "no"}}, RemoteAuthError),
        (404, {"error": "model not found"}, ModelMissingError),
        (429, {"error": {"message": "slow down"}}, RemoteLimitedError),
        (402, {"error": {"message": "no credit left"}}, RemoteUnpaidError),
        (403, {"error": {"message": "not in your country"}}, RemoteAuthError),
        (429, {"error": {"message": "quota used up", "code": "insufficient_quota"}}, RemoteUnpaidError),
        (400, {"error": {"message": "This model's maximum context length is 4096"}}, ContextOverflowError),
        (400, {"error": {"message": "bad"}}, BadRequestError),
        (500, {"error": {"message": "boom"}}, RemoteFailedError),
        (503, "plain words", RemoteBusyError),
    ],
)
def test_errors_have_types_and_the_servers_words(model, server, status, body, kind):
    server.error = (status, body)
    with pytest.raises(kind) as caught:
        answer(model)
    assert type(caught.value) is kind
    if status != 401:
        words = (
            body
            if isinstance(body, str)
            else body["error"]
            if isinstance(body["error"], str)
            else body["error"]["message"]
        )
        assert words in caught.value.message


def test_a_page_of_a_proxy_is_told_by_its_status():
    error = from_status(502, b"<html><body><h1>nginx</h1></body></html>", "lab")
    assert error.message == "lab failed with 502: Bad Gateway."
    assert from_status(599, b"<html>", "lab").message == "lab failed with 599: no reason given."


def test_an_error_in_mid_stream(model, server):
    server.events = [{"choices": [{"delta": {"content": "He"}}]}, {"error": {"message": "out of memory"}}]
    with pytest.raises(EngineError, match="out of memory"):
        answer(model)


def test_a_connection_that_breaks_off_is_no_whole_answer(model, server):
    server.break_off = True
    with pytest.raises(EngineError, match="ended early"):
        answer(model)


def test_cancel_hangs_up(model, server):
    server.words, server.pause = ["word "] * 2000, 0.01
    cancel = threading.Event()
    stream = model.generate(ASK, cancel=cancel)
    next(stream)
    cancel.set()
    with pytest.raises(CancelledError):
        list(stream)
    assert server.hung_up.wait(60)


def test_cancel_before_the_first_word(model, server):
    server.pause = 30.0
    cancel = threading.Event()
    timer = threading.Timer(0.2, cancel.set)
    timer.start()
    with pytest.raises(CancelledError):
        answer(model, cancel=cancel)
    timer.join()


def test_closing_the_iterator_hangs_up(model, server):
    server.words, server.pause = ["word "] * 2000, 0.01
    stream = model.generate(ASK)
    next(stream)
    stream.close()
    assert server.hung_up.wait(60)


def test_silence_is_a_timeout(servers, server):
    fast = servers.server("lab")
    model = RemoteModel(servers.info(ID), type(fast)(fast.name, fast.base_url, None, 0.3), Habits())
    server.pause = 3.0
    with pytest.raises(EngineTimeoutError):
        answer(model)


def test_nobody_there():
    servers = RemoteServers(EngineSettings, FakeSecrets(), None)
    with pytest.raises(RemoteUnreachableError):
        servers.check("lab", "http://127.0.0.1:9", None)


def test_keys_come_from_the_keyring(servers, server, secrets):
    server.key = "s3cret"
    with pytest.raises(RemoteAuthError):
        servers.probe("lab")
    servers.set_key("lab", "s3cret")
    assert secrets.kept == {"remote:lab": "s3cret"}
    assert servers.probe("lab")
    assert servers.check("new", server.url, "s3cret") == (f"{server.url}/v1", ["family/model", "qwen3:4b"])
    servers.set_key("lab", None)
    assert secrets.kept == {}


def test_addresses():
    assert base_url(" http://localhost:11434/ ") == "http://localhost:11434/v1"
    assert base_url("https://host/api/v1/") == "https://host/api/v1"
    for wrong in ("localhost:11434", "ftp://x", "", "http://"):
        with pytest.raises(BadRequestError):
            base_url(wrong)


def test_length_is_estimated(model):
    assert model.count_tokens([ChatMessage(role="user", content="x" * 400)]) == 104


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("http://lab:1234", "http://lab:1234/v1"),
        ("http://lab:1234/v1/", "http://lab:1234/v1"),
        ("http://lab:1234/v1/models", "http://lab:1234/v1"),
        (" http://lab:1234/v1/chat/completions ", "http://lab:1234/v1"),
        ("http://lab:1234/models?limit=3", "http://lab:1234/v1"),
        ("https://lab/api/v1", "https://lab/api/v1"),
    ],
)
def test_what_was_copied_with_an_address_is_taken_off(typed, meant):
    assert base_url(typed) == meant


def test_a_wrong_path_a_missing_key_and_a_move_are_said(servers, server):
    with pytest.raises(EngineError, match="answers, but has no list of models") as wrong:
        servers.check("lab", f"{server.url.removesuffix('/v1')}/v2", None)
    assert "/v1" in wrong.value.hint
    server.key = "sesame"
    with pytest.raises(RemoteAuthError, match="asks for a key"):
        servers.check("lab", server.url, None)
    with pytest.raises(RemoteAuthError, match="refuses the key"):
        servers.check("lab", server.url, "mellon")
    server.moved = "https://elsewhere/v1/models"
    with pytest.raises(BadRequestError, match="https://elsewhere"):
        servers.check("lab", server.url, None)


LOOK = GenerationRequest(messages=(ChatMessage(role="user", content="What is it?", images=(image(),)),))


def test_pictures_go_as_parts_of_their_message(model, server):
    assert "".join(chunk.text for chunk in model.generate(LOOK)) == "Hello there."
    ((message,),) = [body["messages"] for body in server.bodies]
    assert message["content"] == [
        {"type": "text", "text": "What is it?"},
        {"type": "image_url", "image_url": {"url": image().url}},
    ]
    assert model.count_tokens(LOOK.messages) > model.count_tokens(ASK.messages) + 500


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (500, "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"),
        (400, "Invalid content type. image_url is only supported by certain models."),
        (422, "qwen3 is not a multimodal model"),
        (404, "No endpoints found that support image input"),
    ],
)
def test_a_server_whose_model_sees_nothing_is_understood(model, server, status, words):
    server.error = (status, {"error": {"message": words}})
    with pytest.raises(BlindModelError, match="lab"):
        list(model.generate(LOOK))
    with pytest.raises((BadRequestError, ModelMissingError, RemoteFailedError)):
        list(model.generate(ASK))


def test_a_server_may_say_which_models_see(servers, server):
    server.entries = {
        "qwen3:4b": {"architecture": {"input_modalities": ["text", "image"]}},
        "family/model": {"capabilities": {"vision": False}},
    }
    assert [info.sees for info in servers.probe("lab")] == [False, True]
    server.entries = {"qwen3:4b": {"capabilities": ["completion"]}}
    assert [info.sees for info in servers.probe("lab")] == [None, False]


def test_a_model_without_a_system_role_is_told_by_the_users_next_message(server, secrets, tmp_path):
    settings = EngineSettings(
        remote_servers=[{"name": "lab", "base_url": server.url}], without_system_role=["Model*", "exact/name"]
    )
    servers = RemoteServers(lambda: settings, secrets, KnownModels(tmp_path / "models.json"))
    said = [("system", "Be brief."), ("system", "Be kind."), ("user", "Hi"), ("assistant", "Yes?"), ("user", "Who?")]
    talk = tuple(ChatMessage(role=role, content=words) for role, words in said)
    seen = ChatMessage(role="user", content="What is it?", images=(image(),))
    last = ChatMessage(role="system", content="Answer now.")

    def sent(model_id, messages, **more):
        answer(servers.open(servers.info(model_id)), GenerationRequest(messages=messages, **more))
        return server.bodies[-1]["messages"]

    first = {"role": "user", "content": "Be brief.\n\nBe kind.\n\nHi"}
    told = sent(ID, (*talk, last))
    assert told[0] == first
    assert [each["role"] for each in told] == ["user", "assistant", "user", "user"]
    assert told[-1]["content"] == "Answer now."
    # The beginning stays the same as the chat goes on, and pictures stay where they are.
    assert sent(ID, talk[:3]) == [first]
    (with_picture,) = sent(ID, (talk[0], seen))
    assert [part["type"] for part in with_picture["content"]] == ["text", "image_url"] or with_picture["content"][-1][
        "text"
    ].endswith("What is it?")
    server.formats = set()
    (schema,) = sent(ID, talk[:3], json_schema={"type": "object"})
    assert "fits this schema" in schema["content"]
    assert [each["role"] for each in sent("remote:lab/qwen3:4b", talk[:3])] == ["system", "system", "user"]
    assert [each["role"] for each in sent("remote:lab/exact/name", talk[:3])] == ["user"]
