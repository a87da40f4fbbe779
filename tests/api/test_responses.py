"""``/v1/responses`` through OpenAI's own client."""

import json

import openai
import pytest
from pydantic import BaseModel

from memdesk.errors import EngineCrashedError
from memdesk.ports import GenerationChunk, Usage
from memdesk.services.events import LockChanged
from tests.helpers.models import tool_call

WEATHER = {
    "type": "function",
    "name": "weather",
    "description": "The weather of a city.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
}


def respond(client, text="Hi", **more):
    return client.responses.create(model="default", input=text, **more)


def said(parts, number=-1):
    return [(each.role, each.content) for each in parts.model.requests[number].messages]


def test_a_response_has_openais_shape(ai, parts):
    parts.model.queue("Good day.")
    answer = respond(ai, instructions="Be kind.", temperature=0.5, top_p=0.9, max_output_tokens=50)
    assert (answer.object, answer.status, answer.output_text) == ("response", "completed", "Good day.")
    assert (answer.usage.output_tokens, answer.output[0].role) == (2, "assistant")
    assert said(parts) == [("system", "Be kind."), ("user", "Hi")]
    request = parts.model.requests[-1]
    assert (request.temperature, request.top_p, request.max_tokens) == (0.5, 0.9, 50)


def test_items_and_parts_are_read(ai, parts):
    items = [
        {"role": "developer", "content": "S."},
        {"role": "user", "content": [{"type": "input_text", "text": "One."}, {"type": "input_text", "text": "Two."}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Three."}]},
        {"role": "user", "content": "Four."},
    ]
    respond(ai, items)
    assert said(parts) == [("system", "S."), ("user", "One.\nTwo."), ("assistant", "Three."), ("user", "Four.")]


def test_a_stream_has_numbered_events_in_openais_order(ai, parts):
    parts.model.queue("Good day to you.")
    with ai.responses.stream(model="default", input="Hi") as stream:
        events = list(stream)
        final = stream.get_final_response()
    kinds = [event.type for event in events]
    assert kinds[:4] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
    ]
    assert set(kinds[4:-4]) == {"response.output_text.delta"}
    assert kinds[-4:] == [
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert final.output_text == "Good day to you."


def test_thinking_is_an_item_of_its_own(ai, parts):
    parts.model.queue("<think>Hm.</think>Yes.", "<think>Hm.</think>Yes.")
    answer = respond(ai)
    assert [(item.type, item.content[0].text) for item in answer.output] == [("reasoning", "Hm."), ("message", "Yes.")]
    with ai.responses.stream(model="default", input="Hi") as stream:
        final = stream.get_final_response()
    assert [(item.type, item.content[0].text) for item in final.output] == [("reasoning", "Hm."), ("message", "Yes.")]


@pytest.mark.parametrize("streamed", [False, True])
def test_a_tool_is_called_and_its_result_comes_back(ai, parts, streamed):
    parts.model.queue(tool_call("weather", '{"city": "Oslo"}'), "It is cold.")
    if streamed:
        with ai.responses.stream(model="default", input="How is Oslo?", tools=[WEATHER]) as stream:
            called = stream.get_final_response()
    else:
        called = respond(ai, "How is Oslo?", tools=[WEATHER])
    (call,) = called.output
    assert (call.type, call.name, json.loads(call.arguments)) == ("function_call", "weather", {"city": "Oslo"})
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "-5"}
    final = respond(ai, [result], tools=[WEATHER], previous_response_id=called.id)
    assert final.output_text == "It is cold."
    user, asked, told = parts.model.requests[-1].messages
    assert (user.content, asked.tool_calls[0]["id"]) == ("How is Oslo?", call.call_id)
    assert (told.role, told.content, told.tool_call_id) == ("tool", "-5", call.call_id)
    assert parts.model.requests[-1].tools[0]["function"]["name"] == "weather"


@pytest.mark.parametrize("streamed", [False, True])
def test_a_response_goes_on_from_the_one_before(ai, parts, streamed):
    parts.model.queue("One.", "Two.", "Three.")
    last = None
    for text in ("A", "B", "C"):
        more = {"previous_response_id": last} if last else {}
        if streamed:
            with ai.responses.stream(model="default", input=text, instructions=f"At {text}.", **more) as stream:
                last = stream.get_final_response().id
        else:
            last = respond(ai, text, instructions=f"At {text}.", **more).id
    assert said(parts) == [
        ("system", "At C."),
        ("user", "A"),
        ("assistant", "One."),
        ("user", "B"),
        ("assistant", "Two."),
        ("user", "C"),
    ]


def test_a_response_of_another_token_or_before_a_lock_or_not_stored_is_unknown(ai, parts, server):
    first = respond(ai)
    loose = respond(ai, store=False)
    _, secret = parts.services.tokens.create("other")
    with (
        openai.OpenAI(base_url=f"{server.url}/v1", api_key=secret, max_retries=0) as other,
        pytest.raises(openai.NotFoundError),
    ):
        respond(other, previous_response_id=first.id)
    with pytest.raises(openai.NotFoundError):
        respond(ai, previous_response_id=loose.id)
    parts.events.publish(LockChanged(locked=True))
    with pytest.raises(openai.NotFoundError) as unknown:
        respond(ai, previous_response_id=first.id)
    assert unknown.value.code == "previous_response_not_found"


class City(BaseModel):
    name: str
    people: int


def test_structured_output_becomes_a_schema_and_is_parsed(ai, parts):
    parts.model.queue('{"name": "Oslo", "people": 700000}')
    answer = ai.responses.parse(model="default", input="Oslo?", text_format=City)
    assert answer.output_parsed == City(name="Oslo", people=700000)
    assert set(parts.model.requests[-1].json_schema["properties"]) == {"name", "people"}
    form = {"type": "json_schema", "name": "city", "schema": {"type": "object"}, "strict": False}
    more = {"text": {"format": form}, "parallel_tool_calls": False, "reasoning": {"effort": "low"}}
    ai.responses.create(model="default", input="Oslo?", **more)
    told = {"name": "city", "schema": {"type": "object"}, "strict": False}
    assert parts.model.requests[-1].besides == {
        "parallel_tool_calls": False,
        "reasoning_effort": "low",
        "response_format": {"type": "json_schema", "json_schema": told},
    }


@pytest.mark.parametrize("reason", ["length", "repeating"])
def test_an_answer_that_was_cut_is_told(ai, parts, reason):
    parts.model.queue([GenerationChunk(text="Cut"), GenerationChunk(finish_reason=reason, usage=Usage())])
    answer = respond(ai)
    assert (answer.status, answer.incomplete_details.reason) == ("incomplete", "max_output_tokens")


def test_an_agents_memory_is_used_and_a_continued_conversation_is_one(caroline, parts):
    parts.services.agents.ensure("caroline")
    parts.services.memories.add_fact(agent_id="caroline", content="Her dog is called Biscuit.")
    first = respond(caroline, "What is the dog called?")
    assert "Biscuit" in said(parts)[-1][1]
    respond(caroline, "And how old is the dog?", previous_response_id=first.id)
    (thread,) = parts.services.conversations.page("caroline").items
    assert thread.turn_count == 4


def test_what_cannot_be_read_is_refused_in_words(ai):
    with pytest.raises(openai.BadRequestError, match="input_audio"):
        respond(ai, [{"role": "user", "content": [{"type": "input_audio", "data": "AA"}]}])
    with pytest.raises(openai.BadRequestError, match="web_search"):
        respond(ai, tools=[{"type": "web_search"}])
    with pytest.raises(openai.BadRequestError, match="Conversations by id"):
        respond(ai, conversation="conv_1")
    with pytest.raises(openai.NotFoundError):
        ai.responses.create(model="unknown", input="Hi")


def test_a_prompt_is_counted_with_what_went_before_and_nothing_is_asked(ai, parts):
    first = respond(ai)
    asked = len(parts.model.requests)
    alone = ai.responses.input_tokens.count(model="default", input="And then?")
    after = ai.responses.input_tokens.count(model="default", input="And then?", previous_response_id=first.id)
    assert alone.object == "response.input_tokens"
    assert after.input_tokens > alone.input_tokens > 0
    assert len(parts.model.requests) == asked


def test_a_failure_while_it_streams_is_an_error_event(ai, parts):
    parts.model.queue([GenerationChunk(text="Begun"), EngineCrashedError("It crashed.")])
    last = list(respond(ai, stream=True))[-1]
    assert (last.type, last.message) == ("error", "It crashed.")


@pytest.mark.parametrize("streamed", [False, True])
def test_a_recent_response_is_read_again_and_forgotten(ai, parts, streamed):
    parts.model.queue("Good day.")
    items = [{"role": "user", "content": "Hi"}, {"type": "function_call_output", "call_id": "c1", "output": "Rain."}]
    items.insert(1, {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": "{}"})
    if streamed:
        with ai.responses.stream(model="default", input=items) as stream:
            made = stream.get_final_response()
    else:
        made = respond(ai, items)
    assert ai.responses.retrieve(made.id).output_text == "Good day."
    listed = ai.responses.input_items.list(made.id, order="asc").data
    assert [each.type for each in listed] == ["message", "function_call", "function_call_output"]
    assert listed[0].content[0].text == "Hi"
    assert ai.responses.input_items.list(made.id).data[-1].id == listed[0].id
    ai.responses.delete(made.id)
    for unknown in (ai.responses.retrieve, ai.responses.delete, ai.responses.input_items.list):
        with pytest.raises(openai.NotFoundError):
            unknown(made.id)
    with pytest.raises(openai.NotFoundError, match=made.id):
        respond(ai, previous_response_id=made.id)
