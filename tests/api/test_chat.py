"""Chat through the real OpenAI client."""

from __future__ import annotations

import json
import socket
import threading
import time

import httpx
import openai
import pytest

from memdesk.errors import EngineCrashedError
from memdesk.ports import GenerationChunk, Usage
from tests.helpers.models import tool_call


def wait_for(condition, seconds=60.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def ask(client, text, **more):
    return client.chat.completions.create(model="default", messages=[{"role": "user", "content": text}], **more)


def turns(parts, conversation_id, agent_id="caroline"):
    return [(t.role, t.content) for t in parts.services.conversations.turns(agent_id, conversation_id)]


def only_thread(parts, agent_id="caroline"):
    page = parts.services.conversations.page(agent_id)
    assert page.total == 1
    return page.items[0]


def test_plain_completion_has_openais_shape_and_stores_nothing(ai, parts):
    parts.model.queue("Hello there friend.")
    answer = ask(ai, "Hi", temperature=0.3, top_p=0.9, seed=7, stop=["END"], max_tokens=50)
    assert answer.choices[0].message.content == "Hello there friend."
    assert answer.choices[0].finish_reason == "stop"
    assert answer.usage.completion_tokens == 3
    assert answer.object == "chat.completion"
    request = parts.model.requests[0]
    assert (request.temperature, request.top_p, request.seed, request.stop) == (0.3, 0.9, 7, ("END",))
    assert request.max_tokens == 50
    assert parts.services.conversations.page().total == 0
    assert parts.recall.calls == []


def test_max_completion_tokens_and_unknown_fields_are_taken(ai, parts):
    ask(ai, "Hi", max_completion_tokens=9, extra_body={"frobnicate": True, "logit_bias": {"5": 1}})
    assert parts.model.requests[0].max_tokens == 9


def test_streaming_sends_words_then_usage_then_done(ai, parts):
    parts.model.queue("One two three")
    stream = ask(ai, "Count", stream=True, stream_options={"include_usage": True})
    chunks = list(stream)
    assert chunks[0].choices[0].delta.role == "assistant"
    assert "".join(c.choices[0].delta.content or "" for c in chunks if c.choices) == "One two three"
    assert [c.choices[0].finish_reason for c in chunks if c.choices][-1] == "stop"
    assert chunks[-1].usage.completion_tokens == 3
    assert chunks[-1].choices == []


def test_thinking_comes_beside_the_content(ai, parts):
    parts.model.queue("<think>Hm. So.</think> Yes.", "<think>Hm. So.</think> Yes.")
    message = ask(ai, "Well?").choices[0].message
    assert (message.content, message.reasoning_content) == ("Yes.", "Hm. So.")
    deltas = [chunk.choices[0].delta for chunk in ask(ai, "Well?", stream=True)]
    assert "".join(delta.content or "" for delta in deltas) == "Yes."
    assert "".join(getattr(delta, "reasoning_content", None) or "" for delta in deltas) == "Hm. So."


def test_thinking_whose_beginning_was_not_marked_gets_its_end_in_a_stream(ai, parts):
    parts.model.queue(*["Hm.\n</think>\n\nYes."] * 2)
    message = ask(ai, "Well?").choices[0].message
    assert (message.content, message.reasoning_content) == ("Yes.", "Hm.\n")
    stream = ask(ai, "Well?", stream=True)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in stream) == "Hm.\n</think>\n\nYes."


@pytest.mark.parametrize("reason", ["length", "repeating"])
def test_thinking_that_uses_up_the_length_leaves_no_content(ai, parts, reason):
    parts.model.queue([GenerationChunk(thinking="Hm"), GenerationChunk(finish_reason=reason, usage=Usage())])
    choice = ask(ai, "Well?", max_tokens=1).choices[0]
    assert (choice.message.content, choice.message.reasoning_content, choice.finish_reason) == ("", "Hm", "length")


def test_thinking_in_a_history_is_neither_stored_nor_sent_on(caroline, parts):
    messages = [
        {"role": "user", "content": "Which dog?"},
        {"role": "assistant", "content": "<think>\nBiscuit?\n</think>\n\nThe brown one."},
        {"role": "user", "content": "Why?"},
    ]
    parts.model.queue("So.")
    caroline.chat.completions.create(model="default", messages=messages)
    assert [message.content for message in parts.model.requests[0].messages][-3:-1] == ["Which dog?", "The brown one."]
    assert turns(parts, only_thread(parts).id)[1] == ("assistant", "The brown one.")


def test_streaming_without_include_usage_sends_none(ai):
    assert all(chunk.usage is None for chunk in ask(ai, "Count", stream=True))


@pytest.mark.parametrize("prefix", ["/v1", "/api", "/v1/api", ""])
def test_prefixes_lead_to_the_same_place(http, prefix):
    answer = http.post(f"{prefix}/chat/completions", json={"messages": [{"role": "user", "content": "Hi"}]})
    assert answer.status_code == 200
    assert answer.json()["model"] == "fake:echo"


def test_memory_is_put_before_the_latest_message_and_told_in_headers(caroline, parts, http):
    parts.services.agents.ensure("caroline")
    parts.services.memories.add_fact(agent_id="caroline", content="Her dog is called Biscuit.")
    parts.model.queue("Biscuit!")
    raw = caroline.chat.completions.with_raw_response.create(
        model="default", messages=[{"role": "user", "content": "What is my dog called?"}]
    )
    prompt = parts.model.requests[0].messages
    assert "Biscuit" in prompt[-1].content
    assert prompt[-1].content.endswith("What is my dog called?")
    assert raw.headers["X-Memdesk-Memory-Section"] == "pinned"
    assert int(raw.headers["X-Memdesk-Memory-Tokens"]) > 0
    receipt = http.get(f"/memory/receipts/{raw.headers['X-Memdesk-Memory-Receipt']}").json()
    assert receipt["items"][0]["line"] == "- Her dog is called Biscuit."
    thread = only_thread(parts)
    assert receipt["conversation_id"] == thread.id == raw.headers["X-Memdesk-Session-Id"]
    # What is stored is what was said, not what the model was shown.
    assert turns(parts, thread.id) == [("user", "What is my dog called?"), ("assistant", "Biscuit!")]
    assert parts.distillation.activity == [("caroline", thread.id)]


def test_osaurus_header_and_session_names_are_honored(ai, parts):
    ask(ai, "Hi", extra_headers={"X-Osaurus-Agent-Id": "mel", "X-Memdesk-Session-Id": "s1"})
    assert len(turns(parts, "s1", "mel")) == 2
    ask(ai, "Again", extra_headers={"X-Memdesk-Agent-Id": "mel"}, extra_body={"session_id": "s2"})
    assert len(turns(parts, "s2", "mel")) == 2


def test_a_history_that_is_resent_is_stored_once(caroline, parts):
    messages = []
    for number in range(4):
        messages.append({"role": "user", "content": f"Question {number}"})
        parts.model.queue(f"Answer {number}")
        answer = caroline.chat.completions.create(model="default", messages=messages)
        messages.append({"role": "assistant", "content": answer.choices[0].message.content})
    thread = only_thread(parts)
    assert [content for _, content in turns(parts, thread.id)] == [m["content"] for m in messages]
    assert thread.title == "Question 0"


def test_an_edited_message_replaces_what_followed(caroline, parts):
    first = [{"role": "user", "content": "I live in Rome."}]
    parts.model.queue("Noted Rome.", "Sunny.", "Noted Oslo.", "Cold.")
    caroline.chat.completions.create(model="default", messages=first)
    grown = [*first, {"role": "assistant", "content": "Noted Rome."}, {"role": "user", "content": "Weather?"}]
    caroline.chat.completions.create(model="default", messages=grown)
    edited = [*grown[:2], {"role": "user", "content": "Weather tomorrow?"}]
    caroline.chat.completions.create(model="default", messages=edited)
    thread = only_thread(parts)
    assert [content for _, content in turns(parts, thread.id)] == [
        "I live in Rome.", "Noted Rome.", "Weather tomorrow?", "Noted Oslo.",
    ]  # fmt: skip


def test_asking_again_replaces_the_answer(caroline, parts):
    parts.model.queue("First answer", "Second answer")
    ask(caroline, "Tell me")
    ask(caroline, "Tell me")
    assert turns(parts, only_thread(parts).id) == [("user", "Tell me"), ("assistant", "Second answer")]


def test_two_chats_that_begin_alike_stay_apart(caroline, parts):
    parts.model.queue("Hello A", "Nice A", "Hello B", "Nice B")
    ask(caroline, "Hi")
    history = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello A"}]
    caroline.chat.completions.create(model="default", messages=[*history, {"role": "user", "content": "I am A"}])
    ask(caroline, "Hi")
    history[1]["content"] = "Hello B"
    caroline.chat.completions.create(model="default", messages=[*history, {"role": "user", "content": "I am B"}])
    threads = parts.services.conversations.page("caroline").items
    said = sorted([content for _, content in turns(parts, thread.id)] for thread in threads)
    assert said == [["Hi", "Hello A", "I am A", "Nice A"], ["Hi", "Hello B", "I am B", "Nice B"]]


def test_a_client_that_forgets_its_oldest_messages_keeps_its_conversation(caroline, parts):
    messages = []
    for number in range(5):
        messages.append({"role": "user", "content": f"Question {number}"})
        parts.model.queue(f"Answer {number}")
        caroline.chat.completions.create(model="default", messages=messages[-3:])
        messages.append({"role": "assistant", "content": f"Answer {number}"})
    assert [content for _, content in turns(parts, only_thread(parts).id)] == [m["content"] for m in messages]


def test_agents_that_may_only_read_store_nothing_but_the_receipt(caroline, parts, http):
    parts.services.agents.ensure("caroline")
    parts.services.agents.edit("caroline", memory="read_only")
    raw = caroline.chat.completions.with_raw_response.create(
        model="default", messages=[{"role": "user", "content": "Hi"}]
    )
    assert len(parts.recall.calls) == 1
    assert parts.recall.calls[0]["bump_usage"] is False
    assert parts.services.conversations.page().total == 0
    assert http.get(f"/memory/receipts/{raw.headers['X-Memdesk-Memory-Receipt']}").status_code == 200


@pytest.mark.parametrize("how", ["agent", "header", "setting"])
def test_memory_off_asks_for_none_and_stores_none(caroline, parts, how):
    parts.services.agents.ensure("caroline")
    if how == "agent":
        parts.services.agents.edit("caroline", memory="off")
    if how == "setting":
        parts.services.settings.update("memory", {"enabled": False})
    ask(caroline, "Hi", extra_headers={"X-Memdesk-Memory": "off"} if how == "header" else {})
    assert parts.recall.calls == []
    assert parts.services.conversations.page().total == 0


def test_an_answer_without_memory_is_better_than_none(caroline, parts, caplog):
    parts.recall.failure = EngineCrashedError("the embedder died")
    assert ask(caroline, "Hi").choices[0].message.content == "All right."
    assert [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    caplog.clear()


def test_the_agents_system_prompt_and_sampling_apply_unless_the_client_brings_its_own(caroline, parts):
    parts.services.agents.ensure("caroline")
    parts.services.agents.edit("caroline", system_prompt="Be kind.", sampling={"temperature": 0.1, "stop": "X"})
    ask(caroline, "Hi")
    assert parts.model.requests[0].messages[0].content == "Be kind."
    assert (parts.model.requests[0].temperature, parts.model.requests[0].stop) == (0.1, ("X",))
    caroline.chat.completions.create(
        model="default",
        temperature=0.9,
        messages=[{"role": "developer", "content": "Be brief."}, {"role": "user", "content": "Ho"}],
    )
    assert [m.role for m in parts.model.requests[1].messages] == ["system", "user"]
    assert parts.model.requests[1].messages[0].content == "Be brief."
    assert parts.model.requests[1].temperature == 0.9


def test_tool_calls_of_the_client_come_back_in_openais_shape(caroline, parts):
    tools = [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}]
    parts.model.queue(tool_call("weather", '{"city": "Oslo"}'), "It is cold.")
    messages = [{"role": "user", "content": "Weather?"}]
    answer = caroline.chat.completions.create(model="default", messages=messages, tools=tools)
    call = answer.choices[0].message.tool_calls[0]
    assert (answer.choices[0].finish_reason, call.function.name) == ("tool_calls", "weather")
    assert json.loads(call.function.arguments) == {"city": "Oslo"}
    assert parts.services.conversations.page().total == 0
    messages += [
        answer.choices[0].message.model_dump(exclude_none=True),
        {"role": "tool", "tool_call_id": call.id, "content": "-5"},
    ]
    final = caroline.chat.completions.create(model="default", messages=messages, tools=tools)
    assert final.choices[0].message.content == "It is cold."
    assert parts.model.requests[1].messages[-1].tool_call_id == call.id
    assert turns(parts, only_thread(parts).id) == [("user", "Weather?"), ("assistant", "It is cold.")]


def test_streamed_tool_calls_are_put_together_by_the_client(ai, parts):
    pieces = [
        {"index": 0, "id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"ci'}},
        {"index": 0, "function": {"arguments": 'ty": "Oslo"}'}},
    ]
    parts.model.queue(
        [
            *[GenerationChunk(tool_calls=(p,)) for p in pieces],
            GenerationChunk(finish_reason="tool_calls", usage=Usage()),
        ]
    )
    tools = [{"type": "function", "function": {"name": "weather", "parameters": {}}}]
    with ai.chat.completions.stream(
        model="default", messages=[{"role": "user", "content": "Weather?"}], tools=tools
    ) as stream:
        final = stream.get_final_completion()
    assert final.choices[0].message.tool_calls[0].function.arguments == '{"city": "Oslo"}'


def test_tool_choice_none_offers_no_tools(ai, parts):
    tools = [{"type": "function", "function": {"name": "weather", "parameters": {}}}]
    ask(ai, "Hi", tools=tools, tool_choice="none")
    assert parts.model.requests[0].tools == ()


def test_search_memory_is_run_by_the_server(caroline, parts):
    parts.services.agents.ensure("caroline")
    parts.services.agents.edit("caroline", search_tool=True)
    parts.services.memories.add_fact(agent_id="caroline", content="Her dog is called Biscuit.")
    parts.model.queue(tool_call("search_memory", '{"query": "dog", "scope": "pinned"}'), "Biscuit it is.")
    answer = ask(caroline, "Hm?")
    assert answer.choices[0].message.content == "Biscuit it is."
    assert answer.choices[0].finish_reason == "stop"
    result = parts.model.requests[1].messages[-1]
    assert result.role == "tool"
    assert "Biscuit" in result.content


def test_search_memory_ends_after_three_rounds(caroline, parts):
    parts.services.agents.ensure("caroline")
    parts.services.agents.edit("caroline", search_tool=True)
    parts.model.queue(*[tool_call("search_memory", '{"query": "dog"}')] * 3, "I give up.")
    assert ask(caroline, "Hm?").choices[0].message.content == "I give up."
    assert [bool(request.tools) for request in parts.model.requests] == [True, True, True, False]


def test_response_format_becomes_a_schema(ai, parts):
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    parts.model.queue('{"a": 1}', "{}")
    ask(ai, "Hi", response_format={"type": "json_schema", "json_schema": {"name": "x", "schema": schema}})
    ask(ai, "Hi", response_format={"type": "json_object"})
    assert [request.json_schema for request in parts.model.requests] == [schema, {}]


def test_what_is_not_ours_to_read_is_kept_for_another_server(ai, parts):
    form = {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}, "strict": False}}
    besides = {"reasoning_effort": "low", "parallel_tool_calls": False, "logit_bias": {"5": 1}}
    ask(ai, "Hi", response_format=form, **besides, extra_body={"chat_template_kwargs": {"thinking": False}})
    found = parts.model.requests[-1].besides
    assert found == besides | {"response_format": form, "chat_template_kwargs": {"thinking": False}}


def test_long_histories_lose_their_oldest_exchanges_only(caroline, parts):
    messages = [{"role": "system", "content": "Stay kind."}]
    for number in range(60):
        messages.append({"role": "user", "content": f"Question {number} " + "word " * 40})
        messages.append({"role": "assistant", "content": f"Answer {number} " + "word " * 40})
    messages.append({"role": "user", "content": "The latest question"})
    raw = caroline.chat.completions.with_raw_response.create(model="default", messages=messages)
    sent = parts.model.requests[0].messages
    assert (sent[0].content, sent[1].role, sent[-1].content) == ("Stay kind.", "user", "The latest question")
    assert len(sent) < 60
    assert int(raw.headers["X-Memdesk-Dropped-Messages"]) == len(messages) - len(sent)


def test_a_message_that_cannot_fit_is_a_400_with_openais_code(ai, parts):
    with pytest.raises(openai.BadRequestError) as caught:
        ask(ai, "word " * 5000)
    assert caught.value.code == "context_length_exceeded"
    # LangChain and programs made for Anthropic's interface know it by these words.
    assert "prompt is too long" in caught.value.message
    assert parts.model.requests == []


def test_a_message_of_millions_of_characters_is_never_sent_to_be_counted(ai, parts):
    with pytest.raises(openai.BadRequestError):
        ask(ai, "word " * 500_000)
    assert parts.model.counted == 0


def test_unknown_model_is_404(ai):
    with pytest.raises(openai.NotFoundError) as caught:
        ai.chat.completions.create(model="gpt-9", messages=[{"role": "user", "content": "Hi"}])
    assert caught.value.code == "model_not_found"


def test_a_crash_before_the_first_word_has_its_own_status(ai, parts, caplog):
    for stream in (False, True):
        parts.model.queue(EngineCrashedError("The engine died."))
        with pytest.raises(openai.InternalServerError) as caught:
            ask(ai, "Hi", stream=stream)
        assert (caught.value.status_code, caught.value.code) == (502, "engine_crashed")
    assert ask(ai, "Hi").choices[0].message.content == "All right."
    caplog.clear()


def test_a_crash_in_mid_answer_is_an_error_event_and_stores_nothing(caroline, parts):
    parts.model.queue([GenerationChunk(text="Half an "), EngineCrashedError("The engine died.")])
    with pytest.raises(openai.APIError) as caught:
        list(ask(caroline, "Hi", stream=True))
    assert caught.value.code == "engine_crashed"
    assert parts.services.conversations.page().total == 0


@pytest.mark.parametrize("stream", [True, False])
def test_a_client_that_leaves_stops_the_model_and_what_was_said_is_kept(server, secret, parts, stream):
    parts.model.hold = threading.Event()
    parts.model.queue("One two three")
    body = json.dumps(
        {"messages": [{"role": "user", "content": "Count"}], "stream": stream, "session_id": "left"}
    ).encode()
    head = (
        "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {secret}\r\nX-Memdesk-Agent-Id: caroline\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as link:
        link.sendall(head.encode() + body)
        assert parts.model.holding.wait(60)
    wait_for(parts.model.stopped.is_set)
    wait_for(lambda: len(turns(parts, "left")) == 2)
    stored = parts.services.conversations.turns("caroline", "left")
    assert stored[1].content == "One"
    assert stored[1].usage["stopped"] is True
    wait_for(lambda: not parts.services.chat.busy())


def test_busy_while_an_answer_is_made(ai, parts):
    parts.model.hold = threading.Event()
    assert not parts.services.chat.busy()
    stream = iter(ask(ai, "Hi", stream=True))
    next(stream)
    assert parts.services.chat.busy()
    parts.model.hold.set()
    list(stream)
    wait_for(lambda: not parts.services.chat.busy())


def test_stopping_the_server_ends_a_running_answer_and_keeps_it(server, secret, parts):
    parts.model.hold = threading.Event()
    parts.model.queue("One two three")
    headers = {"Authorization": f"Bearer {secret}", "X-Memdesk-Agent-Id": "caroline"}
    body = {"messages": [{"role": "user", "content": "Count"}], "stream": True, "session_id": "stopped"}
    with httpx.stream("POST", f"{server.url}/v1/chat/completions", json=body, headers=headers, timeout=60) as answer:
        lines = answer.iter_lines()
        while "One" not in next(lines):
            pass
        server.stop()
        list(lines)
    assert [content for _, content in turns(parts, "stopped")] == ["Count", "One"]


def test_embeddings_come_as_floats_and_packed(ai):
    packed = ai.embeddings.create(model="default", input=["aeiou", "xyz"])
    plain = ai.embeddings.create(model="default", input="aeiou", encoding_format="float")
    assert packed.data[0].embedding == pytest.approx(plain.data[0].embedding)
    assert len(packed.data) == 2
    assert sum(x * x for x in plain.data[0].embedding) == pytest.approx(1.0)


def test_an_empty_text_is_embedded_alone_and_refused_in_a_list(ai):
    assert len(ai.embeddings.create(model="default", input="").data) == 1
    for given in (["one", ""], [" "], [[15339], []]):
        with pytest.raises(openai.BadRequestError, match="may be empty"):
            ai.embeddings.create(model="default", input=given)


#: As tiktoken cuts them.
SLOTH = ("Gr\u00fc\u00dfe, \u4e16\u754c! \U0001f9a5", [6600, 2448, 24352, 11, 220, 3574, 244, 98220, 0, 11410, 99, 98])


def test_embeddings_are_made_of_token_ids_as_of_their_text(ai):
    text, ids = SLOTH

    def vectors(given):
        return [each.embedding for each in ai.embeddings.create(model="text-embedding-ada-002", input=given).data]

    assert vectors([ids, [15339, 1917]]) == vectors([text, "hello world"])
    assert vectors(ids) == vectors(text)
    with pytest.raises(openai.BadRequestError, match="no token 100276"):
        vectors([[15339, 100276]])


def test_models_are_listed(ai):
    ids = [model.id for model in ai.models.list()]
    assert ids == ["default", "fake:echo", "agent:default", "bundled:tiny"]
    assert ai.models.retrieve("fake:echo").owned_by == "bundled"
