"""The bundled language model in its real child process."""

from __future__ import annotations

import os
import signal
import sys
import threading
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from memdesk.domain.reading.structured import find_json
from memdesk.engines import catalogue
from memdesk.engines.fingerprint import sha256_of
from memdesk.engines.llama import LlamaModel
from memdesk.errors import CancelledError, ContextOverflowError, EngineCrashedError, EngineError, ModelMissingError
from memdesk.ports import ChatMessage, GenerationRequest
from memdesk.runtime.pool import WorkerPool
from memdesk.settings.schema import EngineSettings
from tests.helpers.engines import engines

pytestmark = pytest.mark.model
MODEL = "bundled:smollm2-135m"
NOTES = {
    "type": "object",
    "properties": {
        "summary": {"type": "string", "maxLength": 80},
        "people": {"type": "array", "items": {"type": "string", "maxLength": 20}, "maxItems": 3},
        "mood": {"enum": ["good", "bad"]},
    },
    "required": ["summary", "people", "mood"],
}
WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather of a city",
        "parameters": {
            "type": "object",
            "properties": {"city": {"enum": ["Paris", "Rome"]}},
            "required": ["city"],
        },
    },
}


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    with engines(tmp_path_factory.mktemp("engines")) as parts:
        parts.settings = EngineSettings(context_tokens=1024)
        # Started here: a test must leave no process behind that it did not find.
        parts.catalogue.open(MODEL).worker.start()
        yield parts


@pytest.fixture(scope="module")
def model(parts):
    return parts.catalogue.open(MODEL)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has priority classes")
def test_a_model_steps_back_behind_the_app(model):
    own, pid = os.getpriority(os.PRIO_PROCESS, 0), model.worker.state().pid
    assert os.getpriority(os.PRIO_PROCESS, pid) == min(own + catalogue.NICE, 19)


@pytest.fixture
def own(tmp_path):
    with engines(tmp_path) as parts:
        yield parts


def ask(text, **options):
    options = {"temperature": 0.0, "max_tokens": 24} | options
    return GenerationRequest(messages=(ChatMessage(role="user", content=text),), **options)


def answer(model, request, cancel=None):
    chunks = list(model.generate(request, cancel=cancel))
    return "".join(chunk.text for chunk in chunks), chunks[-1]


def test_answers_with_counts_and_a_finish_reason(model):
    text, last = answer(model, ask("What is 2+2?", max_tokens=60))
    assert "4" in text
    assert "\0" not in text
    assert last.finish_reason == "stop"
    assert last.usage.prompt_tokens > 10
    assert 0 < last.usage.completion_tokens < 60
    assert last.usage.completion_seconds > 0


def test_stops_at_the_limit_and_at_stop_strings(model):
    _, last = answer(model, ask("Write a poem about the sea.", max_tokens=5))
    assert last.finish_reason == "length"
    assert last.usage.completion_tokens == 5
    whole, _ = answer(model, ask("Write one short sentence about dogs.", max_tokens=40))
    stop = whole[10:14]
    cut, last = answer(model, ask("Write one short sentence about dogs.", max_tokens=40, stop=(stop,)))
    assert cut == whole[: whole.index(stop)]
    assert (last.finish_reason, last.stop_sequence) == ("stop", stop)


def test_answers_by_turns_are_those_that_are_made_one_by_one(parts, model):
    questions = ["Tell me about the sea.", "Why is the sky blue? Explain.", "Count from one to thirty in words."]
    asked = [ask(question, max_tokens=60) for question in questions]
    alone = [answer(model, request)[0] for request in asked]
    pieces, together = [], {}

    def make(number):
        together[number] = ""
        for chunk in turning.generate(asked[number]):
            pieces.append(number)
            together[number] += chunk.text

    pool = WorkerPool(parts.lanes, lambda _name, _state: None)
    turning = LlamaModel(model.info, 1024, pool.make(replace(model.worker.spec, turn_seconds=0.05)))
    try:
        turning.worker.start()
        threads = [threading.Thread(target=make, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(300)
    finally:
        pool.close()
    assert [together[number] for number in range(3)] == alone
    assert sum(one != other for one, other in pairwise(pieces)) > 6


def test_the_same_seed_gives_the_same_answer(model):
    request = ask("Invent a name for a boat.", temperature=1.0, seed=7, max_tokens=12)
    answer(model, request)
    assert answer(model, request)[0] == answer(model, request)[0]


def test_answers_held_to_a_schema(model):
    text, last = answer(
        model, ask("Ana met Tom in Rome and was happy. Notes as JSON.", json_schema=NOTES, max_tokens=200)
    )
    value = find_json(text)
    assert last.finish_reason == "stop"
    assert set(value) == {"summary", "people", "mood"}
    assert len(value["summary"]) <= 80
    assert len(value["people"]) <= 3
    assert value["mood"] in {"good", "bad"}


def test_any_json_object(model):
    text, _ = answer(model, ask("Describe a cat as JSON.", json_schema={}, max_tokens=160))
    assert isinstance(find_json(text), dict)


def test_a_required_tool_is_called(model):
    text, last = answer(
        model, ask("What is the weather in Rome?", tools=(WEATHER,), tool_choice="required", max_tokens=60)
    )
    assert text == ""
    assert last.finish_reason == "tool_calls"
    call = last.tool_calls[0]
    assert call["function"]["name"] == "weather"
    assert find_json(call["function"]["arguments"])["city"] in {"Paris", "Rome"}
    assert call["id"].startswith("call_")


def test_tool_traffic_is_understood(model):
    messages = (
        ChatMessage(role="user", content="What is the weather in Rome?"),
        ChatMessage(
            role="assistant",
            content="",
            tool_calls=(
                {"id": "c", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Rome"}'}},
            ),
        ),
        ChatMessage(role="tool", content="sunny", tool_call_id="c"),
    )
    text, _ = answer(model, GenerationRequest(messages=messages, tools=(WEATHER,), max_tokens=16, temperature=0.0))
    assert isinstance(text, str)


def test_what_was_read_is_not_read_again(model, parts):
    history = "The trip went to the hills, then to the sea, and ended in a small town. " * 20
    first, _ = answer(model, ask(history + "Where did it end?", max_tokens=4))
    worker = model.worker
    answer(model, ask(history + "Where did it begin?", max_tokens=4))
    assert worker._stats["reused_tokens"] > 300
    # Background work with another prompt does not throw the chat's prefix out.
    answer(model, ask("Something else entirely, and much shorter.", max_tokens=4, priority="background"))
    text, _ = answer(model, ask(history + "Where did it end?", max_tokens=4))
    assert worker._stats["reused_tokens"] > 300
    assert text == first


def test_too_long_a_prompt_is_refused_before_it_is_read(model):
    with pytest.raises(ContextOverflowError, match="1024"):
        answer(model, ask("word " * 2000))
    assert model.count_tokens([ChatMessage(role="user", content="word " * 2000)]) > 1024


def test_cancel_ends_an_answer(model):
    cancel = threading.Event()
    stream = model.generate(ask("Tell a long story.", max_tokens=500), cancel=cancel)
    next(stream)
    cancel.set()
    with pytest.raises(CancelledError):
        list(stream)


def test_chat_goes_before_background_work(model):
    stream = model.generate(ask("Tell a long story.", max_tokens=600, priority="background"))
    next(stream)
    assert answer(model, ask("Say hello.", max_tokens=5))[1].usage.completion_tokens == 5
    with pytest.raises(CancelledError, match="chat"):
        list(stream)


@pytest.mark.expect_log
@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
def test_kill_in_mid_answer(own):
    model = own.catalogue.open(MODEL)
    stream = model.generate(ask("Tell a long story.", max_tokens=500))
    next(stream)
    os.kill(model.state().pid, signal.SIGKILL)
    with pytest.raises(EngineCrashedError):
        list(stream)
    assert answer(model, ask("Say hello.", max_tokens=5))[1].usage.completion_tokens == 5


def test_the_quicker_copy_is_made_once_and_made_again_when_damaged(own):
    model, folder = own.catalogue.open(MODEL), own.folder / "cache" / "engines"
    assert not list(folder.glob("*.gguf"))
    answer(model, ask("Hi", max_tokens=2))
    [copy] = folder.glob("*.gguf")
    first, digest = copy.stat(), sha256_of(copy)
    own.catalogue.unload()
    answer(model, ask("Hi", max_tokens=2))
    assert copy.stat().st_mtime_ns == first.st_mtime_ns
    own.catalogue.unload()
    with copy.open("r+b") as file:
        file.seek(1_000_000)
        file.write(b"damage")
    answer(model, ask("Hi", max_tokens=2))
    assert sha256_of(copy) == digest


def test_a_damaged_model_is_a_typed_error(own):
    parts = own
    info = parts.catalogue.info(MODEL)
    path = parts.models / "cut.gguf"
    path.write_bytes(Path(info.path).read_bytes())
    [added] = [model for model in parts.catalogue.all() if model.path == str(path)]
    model = parts.catalogue.open(added.id)
    with path.open("r+b") as file:
        file.truncate(3_000_000)
    with pytest.raises(EngineError, match="cannot be loaded"):
        answer(model, ask("Hi"))
    with pytest.raises(ModelMissingError, match="ends in the middle"):
        parts.catalogue.open(added.id)
    path.unlink()
    with pytest.raises(ModelMissingError):
        parts.catalogue.open(added.id)


def test_settings_take_effect_on_the_next_open(own):
    assert own.catalogue.open(MODEL) is own.catalogue.open(MODEL)
    own.settings = EngineSettings(context_tokens=512)
    smaller = own.catalogue.open(MODEL)
    assert smaller.context_tokens == 512
    with pytest.raises(ContextOverflowError, match="512"):
        answer(smaller, ask("word " * 600))


def test_counting_does_not_wait_for_an_answer(model):
    stream = model.generate(ask("Tell a long story.", max_tokens=300, priority="background"))
    next(stream)
    assert model.count_tokens([ChatMessage(role="user", content="How long is this?")]) > 10
    assert model.state().state == "busy"
    stream.close()


def test_an_answer_that_only_repeats_itself_ends(own, monkeypatch):
    monkeypatch.setattr(catalogue, "SMOLLM2_SAMPLING", {"repeat_penalty": 1.0})
    monkeypatch.setattr(catalogue, "SMOLLM2_OPENING", catalogue.SMOLLM2_OPENING[:1])
    text, last = answer(own.catalogue.open(MODEL), ask("Say: eh, eh, eh, eh, eh, eh", max_tokens=None))
    assert text.count(text[-24:]) > 8
    assert last.finish_reason == "repeating"
    assert last.usage.completion_tokens < 2000
