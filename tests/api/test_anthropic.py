"""``/v1/messages`` through Anthropic's own client."""

from urllib.parse import quote

import anthropic
import pytest

from memdesk import MemdeskMemoryTool
from memdesk.errors import EngineCrashedError
from memdesk.ports import GenerationChunk, Usage
from memdesk.services.tools import Use
from memdesk.services.tools.files import FilesArguments
from tests.helpers.models import tool_call

WEATHER = {
    "name": "weather",
    "description": "The weather of a city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}},
}


@pytest.fixture
def claude(server, secret):
    with anthropic.Anthropic(base_url=server.url, api_key=secret, max_retries=0, timeout=60) as client:
        yield client


def ask(client, text="Hi", **more):
    return client.messages.create(
        **{"model": "default", "max_tokens": 100, "messages": [{"role": "user", "content": text}]} | more
    )


def last(parts):
    return parts.model.requests[-1]


def test_a_message_has_anthropics_shape(claude, parts):
    parts.model.queue("Good day.")
    message = ask(claude, system="Be kind.", stop_sequences=["END"], extra_body={"temperature": 0.5, "top_p": 0.9})
    assert (message.type, message.role, message.stop_reason, message.stop_sequence) == (
        "message",
        "assistant",
        "end_turn",
        None,
    )
    assert [(block.type, block.text) for block in message.content] == [("text", "Good day.")]
    assert (message.usage.output_tokens, message.usage.input_tokens > 0) == (2, True)
    request = last(parts)
    assert [(each.role, each.content) for each in request.messages] == [("system", "Be kind."), ("user", "Hi")]
    assert (request.temperature, request.top_p, request.max_tokens, request.stop) == (0.5, 0.9, 100, ("END",))
    assert parts.services.conversations.page().total == 0


def test_the_stop_sequence_that_ended_an_answer_is_named(claude, parts):
    ended = GenerationChunk(finish_reason="stop", stop_sequence="END", usage=Usage())
    parts.model.queue([GenerationChunk(text="One"), ended], [GenerationChunk(text="One"), ended])
    message = ask(claude, stop_sequences=["END"])
    assert (message.stop_reason, message.stop_sequence) == ("stop_sequence", "END")
    asked = {"model": "default", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]}
    with claude.messages.stream(**asked, stop_sequences=["END"]) as stream:
        streamed = stream.get_final_message()
    assert (streamed.stop_reason, streamed.stop_sequence) == ("stop_sequence", "END")


def test_an_answer_may_be_asked_for_by_a_schema(claude, parts):
    schema = {"type": "object", "properties": {"city": {"type": "string"}}}
    ask(claude, output_config={"format": {"type": "json_schema", "schema": schema}})
    assert last(parts).json_schema == schema
    with pytest.raises(anthropic.BadRequestError, match="is not known"):
        ask(claude, extra_body={"output_config": {"format": {"type": "grammar", "schema": {}}}})


def test_blocks_of_text_are_read_as_text(claude, parts):
    blocks = [{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}]
    ask(claude, blocks, system=[{"type": "text", "text": "S."}])
    assert [each.content for each in last(parts).messages] == ["S.", "One.\nTwo."]


def test_a_stream_has_anthropics_events_in_their_order(claude, parts):
    parts.model.queue("Good day to you.")
    with claude.messages.stream(
        model="default", max_tokens=100, messages=[{"role": "user", "content": "Hi"}]
    ) as stream:
        kinds = [event.type for event in stream]
        final = stream.get_final_message()
    wire = [kind for kind in kinds if kind != "text"]
    assert wire[:2] == ["message_start", "content_block_start"]
    assert set(wire[2:-3]) == {"content_block_delta"}
    assert wire[-3:] == ["content_block_stop", "message_delta", "message_stop"]
    assert (final.content[0].text, final.stop_reason, final.usage.output_tokens) == ("Good day to you.", "end_turn", 4)


@pytest.mark.parametrize("reason", ["length", "repeating"])
def test_an_answer_that_was_cut_is_told(claude, parts, reason):
    parts.model.queue([GenerationChunk(text="Cut"), GenerationChunk(finish_reason=reason, usage=Usage())])
    assert ask(claude).stop_reason == "max_tokens"


def test_thinking_is_a_block_of_its_own_where_it_is_wanted(claude, parts):
    parts.model.queue("<think>Hm.</think>Yes.", "<think>Hm.</think>Yes.")
    message = ask(claude, max_tokens=2000, thinking={"type": "enabled", "budget_tokens": 1024})
    assert [block.type for block in message.content] == ["thinking", "text"]
    assert (message.content[0].thinking, message.content[1].text) == ("Hm.", "Yes.")
    assert [block.type for block in ask(claude).content] == ["text"]


def test_thinking_is_streamed_before_the_text(claude, parts):
    parts.model.queue("<think>Well then.</think>Yes.")
    with claude.messages.stream(
        model="default",
        max_tokens=2000,
        thinking={"type": "enabled", "budget_tokens": 1024},
        messages=[{"role": "user", "content": "Hi"}],
    ) as stream:
        final = stream.get_final_message()
    assert [(block.type, getattr(block, "thinking", None) or block.text) for block in final.content] == [
        ("thinking", "Well then."),
        ("text", "Yes."),
    ]


@pytest.mark.parametrize("streamed", [False, True])
def test_a_tool_is_called_and_its_result_comes_back(claude, parts, streamed):
    parts.model.queue(tool_call("weather", '{"city": "Oslo"}'), "It is cold.")
    messages = [{"role": "user", "content": "How is Oslo?"}]
    asked = {"model": "default", "max_tokens": 100, "messages": messages, "tools": [WEATHER]}
    if streamed:
        with claude.messages.stream(**asked) as stream:
            called = stream.get_final_message()
    else:
        called = claude.messages.create(**asked)
    use = called.content[0]
    assert (called.stop_reason, use.type, use.name, use.input) == ("tool_use", "tool_use", "weather", {"city": "Oslo"})
    messages += [
        {"role": "assistant", "content": called.content},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": use.id, "content": "-5"}]},
    ]
    assert claude.messages.create(**asked).content[0].text == "It is cold."
    assert last(parts).tools[0]["function"]["parameters"] == WEATHER["input_schema"]
    _, call, result = last(parts).messages
    assert call.tool_calls[0]["function"]["name"] == "weather"
    assert (result.role, result.content, result.tool_call_id) == ("tool", "-5", use.id)


@pytest.mark.parametrize(
    ("choice", "passed"),
    [
        ({"type": "auto"}, "auto"),
        ({"type": "any"}, "required"),
        ({"type": "tool", "name": "weather"}, {"type": "function", "function": {"name": "weather"}}),
    ],
)
def test_the_choice_of_a_tool_is_passed_on(claude, parts, choice, passed):
    ask(claude, tools=[WEATHER], tool_choice=choice)
    assert last(parts).tool_choice == passed


def test_no_tool_may_be_called_when_none_is_chosen(claude, parts):
    ask(claude, tools=[WEATHER], tool_choice={"type": "none"})
    assert last(parts).tools == ()


@pytest.mark.parametrize("how", ["header", "model", "token"])
def test_an_agents_memory_is_used_and_the_turns_are_kept(server, parts, how):
    parts.services.agents.create("Caroline", agent_id="caroline")
    parts.services.memories.add_fact(agent_id="caroline", content="Her dog is called Biscuit.")
    _, secret = parts.services.tokens.create("x", agents=["caroline"] if how == "token" else None)
    headers = {"X-Memdesk-Agent-Id": "caroline"} if how == "header" else {}
    with anthropic.Anthropic(base_url=server.url, auth_token=secret, default_headers=headers, max_retries=0) as client:
        ask(
            client,
            "What is the dog called?",
            model="agent:Caroline" if how == "model" else "default",
            system="Be kind.",
        )
    system, user = last(parts).messages
    assert system.content == "Be kind."
    assert "Biscuit" in user.content
    assert user.content.endswith("What is the dog called?")
    assert parts.services.conversations.page("caroline").items[0].turn_count == 2


def test_the_prompt_before_the_last_message_stays_the_same_over_turns(claude, parts):
    parts.services.memories.add_fact(
        agent_id=parts.services.agents.ensure("a").id, content="Her dog is called Biscuit."
    )
    messages = [{"role": "user", "content": "Tell me of the dog."}]
    for _ in range(2):
        answer = claude.messages.create(
            model="agent:a", max_tokens=50, system="S.", messages=messages, extra_headers={"X-Memdesk-Session-Id": "s"}
        )
        messages += [
            {"role": "assistant", "content": answer.content},
            {"role": "user", "content": "More of the dog."},
        ]
    one, two = ([(each.role, each.content) for each in request.messages] for request in parts.model.requests)
    assert two[: len(one) - 1] == one[:-1]
    assert "Biscuit" not in "".join(content for _, content in two[:-1])
    assert "Biscuit" in two[-1][1]


@pytest.mark.expect_log
def test_errors_have_anthropics_shape_and_class(claude, parts, server):
    parts.model.queue(EngineCrashedError("It crashed."))
    with pytest.raises(anthropic.InternalServerError) as crashed:
        ask(claude)
    assert crashed.value.body["type"] == "error"
    with pytest.raises(anthropic.NotFoundError):
        ask(claude, model="unknown")
    with pytest.raises(anthropic.BadRequestError, match="picture"):
        ask(claude, [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}])
    with (
        anthropic.Anthropic(base_url=server.url, api_key="mdk-wrong", max_retries=0) as stranger,
        pytest.raises(anthropic.AuthenticationError) as refused,
    ):
        ask(stranger)
    assert refused.value.body["error"]["type"] == "authentication_error"


def test_a_failure_while_it_streams_is_an_error_event(claude, parts):
    parts.model.queue([GenerationChunk(text="Begun"), EngineCrashedError("It crashed.")])
    with (
        pytest.raises(anthropic.APIStatusError, match="crashed"),
        claude.messages.stream(model="default", max_tokens=100, messages=[{"role": "user", "content": "Hi"}]) as stream,
    ):
        stream.until_done()


@pytest.mark.parametrize("agent", ["My Agent 7", "a/b", "x" * 300, "agent?#%20", "Zoë-日本"], ids=range(5))
def test_an_agent_may_have_any_name(parts, http, agent):
    body = {"model": "default", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]}
    assert http.post("/v1/messages", json=body, headers={b"X-Memdesk-Agent-Id": agent.encode()}).status_code == 200
    assert [each.id for each in parts.services.agents.all() if not each.is_built_in] == [agent]
    assert http.get(f"/agents/{quote(agent, safe='')}").json()["id"] == agent
    assert http.get(f"/agents/{quote(agent, safe='')}/export").json()["id"] == agent


def test_a_request_that_is_refused_makes_no_agent(claude, parts):
    with pytest.raises(anthropic.NotFoundError):
        ask(claude, model="unknown", extra_headers={"X-Memdesk-Agent-Id": "ghost"})
    assert parts.services.agents.find("ghost") is None


FILES = {"type": "memory_20250818", "name": "memory"}
HOUSE = '{"command": "create", "path": "/memories/house.md", "file_text": "The boiler is serviced in October."}'


@pytest.mark.parametrize("streamed", [False, True])
def test_the_memory_tool_is_run_here_for_an_agent_whose_memory_may_be_written(server, parts, secret, streamed):
    parts.model.queue(tool_call("memory", HOUSE), tool_call("memory", '{"command": "fly"}'), "I wrote it down.")
    headers = {"X-Memdesk-Agent-Id": "caroline"}
    asked = {
        "model": "default",
        "max_tokens": 100,
        "tools": [FILES],
        "messages": [{"role": "user", "content": "Note it."}],
    }
    with anthropic.Anthropic(base_url=server.url, auth_token=secret, default_headers=headers, max_retries=0) as client:
        if streamed:
            with client.beta.messages.stream(**asked) as stream:
                answer = stream.get_final_message()
        else:
            answer = client.beta.messages.create(**asked)
    assert (answer.content[0].text, answer.stop_reason) == ("I wrote it down.", "end_turn")
    *_, made, _, refused = last(parts).messages
    assert made.content == "File created successfully at: /memories/house.md"
    assert refused.content.startswith("Error: memory cannot use these arguments")
    shown = parts.services.tools.get("memory").run(
        Use(agent_id="caroline"), FilesArguments(command="view", path="/memories/house.md")
    )
    assert shown["text"].endswith("1\tThe boiler is serviced in October.")


def test_a_memory_that_may_only_be_read_is_not_written_by_the_memory_tool(server, parts, secret):
    parts.model.queue(tool_call("memory", HOUSE))
    headers = {"X-Memdesk-Agent-Id": "caroline", "X-Memdesk-Memory": "read_only"}
    with anthropic.Anthropic(base_url=server.url, auth_token=secret, default_headers=headers, max_retries=0) as client:
        called = client.beta.messages.create(
            model="default", max_tokens=100, tools=[FILES], messages=[{"role": "user", "content": "Note it."}]
        )
    assert (called.stop_reason, called.content[0].name) == ("tool_use", "memory")


def test_the_packages_tool_runner_runs_our_memory_tool(server, parts, secret, claude):
    parts.model.queue(tool_call("memory", HOUSE), "I wrote it down.")
    tool = MemdeskMemoryTool(secret, url=server.url, agent_id="caroline")
    runner = claude.beta.messages.tool_runner(
        model="default", max_tokens=100, tools=[tool], messages=[{"role": "user", "content": "Note it."}]
    )
    assert runner.until_done().content[0].text == "I wrote it down."
    assert "boiler" in tool.call({"command": "view", "path": "/memories/house.md"})
    tool.close()


def test_a_prompt_is_counted_with_its_tools_and_nothing_is_asked(claude, parts):
    def count(text, **more):
        messages = [{"role": "user", "content": text}]
        return claude.messages.count_tokens(model="default", messages=messages, **more).input_tokens

    short = count("Hi")
    assert 0 < short < count("Hi there, how are you today, and how is your sister?")
    assert short < count("Hi", tools=[WEATHER])
    assert parts.model.requests == []


def test_models_are_listed_and_found_in_anthropics_shape(claude, parts):
    listed = claude.models.list()
    assert {"default", parts.model.info.id} <= {each.id for each in listed}
    assert (listed.has_more, listed.first_id, listed.last_id) == (False, listed.data[0].id, listed.data[-1].id)
    found = claude.models.retrieve(parts.model.info.id)
    assert (found.type, found.display_name) == ("model", parts.model.info.name)
    assert found.created_at is not None


@pytest.mark.expect_log
def test_answers_and_errors_have_an_id(claude, parts):
    assert ask(claude)._request_id.startswith("req_")
    parts.model.queue(EngineCrashedError("It crashed."))
    with pytest.raises(anthropic.InternalServerError) as crashed:
        ask(claude)
    assert crashed.value.request_id.startswith("req_")
    assert crashed.value.body["error"]["type"] == "api_error"


@pytest.mark.parametrize("wrong", [{"max_tokens": None}, {"messages": []}, {"top_k": -1}, {"messages": "Hi"}])
def test_what_is_malformed_is_a_bad_request(http, wrong):
    body = {"model": "default", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]}
    answer = http.post("/v1/messages", json=body | wrong)
    assert (answer.status_code, answer.json()["error"]["type"]) == (400, "invalid_request_error")
    assert next(iter(wrong)) in answer.json()["error"]["message"]


def test_top_k_is_passed_on(claude, parts):
    ask(claude, extra_body={"top_k": 20})
    assert last(parts).top_k == 20
